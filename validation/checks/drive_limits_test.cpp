// What a drive file may say at most: the last value that is taken, and the first that is refused.
#include <string>
#include <vector>

#include "sim/test.h"
#include "validation/checks/design_documents.h"

using namespace ftlab;

namespace {

bool says(const std::string& refusal, const char* words) { return refusal.find(words) != std::string::npos; }

}  // namespace

TEST_CASE("a rate of failures is taken up to every second operation of a superblock, of eight blocks") {
  const auto erases = [](const char* per_billion) {
    return refusal("mortal", {std::string("endurance.erase_failures_per_billion=") + per_billion});
  };
  CHECK(erases("62500000") == "");
  CHECK(says(erases("62500001"), "every second erase of a superblock would fail: 8 blocks at once"));
}

TEST_CASE("pools hold all superblocks, no more") {
  const auto pools = [](const char* second) {
    return refusal("pools", {R"(ftl.placement.pools=[{"logical_pages": 400, "superblocks": 16},
                                {"logical_pages": 1392, "superblocks": )" +
                             std::string(second) + "}]"});
  };
  CHECK(pools("32") == "");
  CHECK(says(pools("33"), "hold 49 superblocks, the flash has 48"));
  CHECK(says(pools("31"), "hold 47 superblocks, the flash has 48"));
}

TEST_CASE("a compressed mapping page is a multi-plane page of the flash at most") {
  CHECK(refusal("packed", {"ftl.mapping.page_bytes=8192"}) == "");
  CHECK(says(refusal("packed", {"ftl.mapping.page_bytes=16384"}), "must not exceed a multi-plane page of the flash"));
}

TEST_CASE("with the smallest spare collection begins at its reserve, and ends one above it") {
  // 48 superblocks of 64 pages: 46 for data and one stale page, one that is partly filled, one in reserve.
  const std::vector<std::string> fullest = {"user_sectors=23544", "ftl.frontiers=one", "ftl.gc.start_free_superblocks=1",
                                            "ftl.gc.idle.stop_free_superblocks=2"};
  const auto stop = [&](const char* superblocks) {
    std::vector<std::string> assignments = fullest;
    assignments.push_back(std::string("ftl.gc.stop_free_superblocks=") + superblocks);
    return refusal("page", assignments);
  };
  CHECK(stop("2") == "");
  CHECK(says(stop("3"), "ftl.gc.stop_free_superblocks: cannot be reached on a full drive"));
}

TEST_CASE("without a word on SMART a drive shows the generic table") {
  CHECK(read_drive(document("page")).smart == "generic");
}
