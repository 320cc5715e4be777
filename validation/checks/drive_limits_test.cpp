// What a drive file may say at most: the last value that is taken, and the first that is refused.
#include <cstring>
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

TEST_CASE("the write buffer holds a multi-plane program, and with it the slots of a page that begins there") {
  const auto buffer = [](const char* design, const char* bytes) {
    return refusal(design, {std::string("ftl.write_buffer.bytes=") + bytes, "ftl.write_buffer.partial_pages=0"});
  };
  CHECK(buffer("page", "8192") == "");
  CHECK(says(buffer("page", "4096"), "must hold the pages of one multi-plane program (got 4096; allowed: at least 8192)"));
  CHECK(buffer("packed", "11776") == "");
  CHECK(says(buffer("packed", "11264"), "must hold the slots of one multi-plane program and of a page that begins there"));
}

TEST_CASE("as many sectors as a refusal names are taken") {
  for (const std::string design : {"page", "packed", "slc", "demand pages", "block", "bast"}) {
    CAPTURE(design);
    const auto sectors = [&](std::uint64_t number) { return refusal(design, {"user_sectors=" + std::to_string(number)}); };
    const std::string told = sectors(design == "packed" ? 18'432 : 24'576);  // all of the flash
    const std::size_t at = told.find("or at most ");
    REQUIRE(at != std::string::npos);
    const std::uint64_t most = std::stoull(told.substr(at + std::strlen("or at most ")));
    CHECK(sectors(most).find("too little spare space") == std::string::npos);
    if (design != "demand pages")  // which has more translation pages on a larger drive
      CHECK(says(sectors(most + 8), "too little spare space"));
  }
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
