// Incompatible parts of a design: the combination is refused with its message, and every proper subset is accepted.
#include <string>
#include <vector>

#include "sim/testing/test.h"
#include "validation/checks/reference/design_documents.h"

using namespace ftlab;

namespace {

using Parts = std::vector<std::string>;

bool says(const std::string& refusal, const std::string& words) { return refusal.find(words) != std::string::npos; }

// `parts` together are incompatible with the design or with each other.
void check_combination(const std::string& design, const Parts& parts, const std::string& words) {
  CAPTURE(design, parts, words);
  CHECK(says(refusal(design, parts), words));
  for (std::size_t left_out = 0; left_out < parts.size(); ++left_out) {
    Parts rest = parts;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(left_out));
    CAPTURE(rest);
    CHECK_FALSE(says(refusal(design, rest), words));
  }
}

const std::string kStreams = R"(ftl.placement={"scheme": "streams", "streams": 3})";
const std::string kPools = R"(ftl.placement={"scheme": "pools", "pools": [{"logical_pages": 400, "superblocks": 16},
                                                                      {"logical_pages": 1392, "superblocks": 32}]})";
const std::string kCache = R"(ftl.slc_cache={"superblocks": 6, "when_full": "direct"})";
const std::string kFast = R"(ftl.pslc_mode={"until_mapped_permille": 500})";
const std::string kCompression = R"(ftl.compression={"slot_bytes": 512, "header_bytes": 8, "efficiency_permille": 300})";
const std::string kSharing =
    R"(ftl.deduplication={"ram_bytes": 2000, "entry_bytes": 40, "fingerprint_ns": 9000, "look_up_ns": 300})";
const std::string kParity = "ftl.superblock.parity=true";

}  // namespace

TEST_CASE("a hybrid mapping excludes other page placement and wear levelling") {
  for (const char* const design : {"block", "bast", "fast"}) {
    CHECK(refusal(design, {}) == "");
    check_combination(design, {kStreams}, "places pages by itself: no placement classes and no slc_cache with it");
    check_combination(design, {kCache}, "places pages by itself: no placement classes and no slc_cache with it");
    check_combination(design, {kFast}, "each has fast superblocks of its own");
    check_combination(design, {kParity}, "keeps pages at fixed slots of a superblock, which parity would take");
    check_combination(design, {"ftl.trim.record_bytes=16"}, "a map of log blocks has none");
    check_combination(design, {"ftl.wear.static_spread_erases=1", "ftl.wear.check_every_erases=3"},
                      "levels by collection, which this mapping scheme does not have");
  }
  for (const Parts& parts : {Parts{kStreams},
                             {kCache, "ftl.gc.start_free_superblocks=4"},
                             {kFast},
                             {kParity},
                             {"ftl.trim.record_bytes=16"}}) {  // all are compatible with a page map
    CAPTURE(parts);
    CHECK(refusal("page", parts) == "");
  }
}

TEST_CASE("superblocks are divided by one feature only") {
  check_combination("page", {kFast, kCache}, "each has fast superblocks of its own");
  check_combination("page", {kCache, kPools}, "and slc_cache both divide the superblocks");
  check_combination("demand entries", {kPools}, "leaves no pool for translation pages");
  check_combination("extent", {kPools}, "leaves no pool for extents that are rewritten in order");
}

TEST_CASE("compression requires a page map and excludes copyback") {
  for (const char* const design : {"extent", "block", "bast", "fast"})
    check_combination(design, {kCompression}, "packs pages at slots that only a map of single pages can name");
  check_combination("packed", {"ftl.gc.copyback=true"}, "moves pages of the flash as they are, which packing cannot");
  CHECK(refusal("page", {"ftl.gc.copyback=true"}) == "");
}

TEST_CASE("deduplication requires a protected page map and placement by host hints") {
  for (const char* const design : {"demand pages", "demand entries", "extent", "bast"})
    check_combination(design, {kSharing}, "puts a second map before that of the flash");
  CHECK(says(refusal("sharing", {"ftl.write_buffer.power_loss_protected=false"}), "must outlive a power cut"));
  CHECK(refusal("sharing", {}) == "");
  CHECK(refusal("sharing", {kStreams}) == "");
  const std::string classes = "a content that pages share has none";
  check_combination("sharing", {kPools}, classes);
  check_combination("sharing", {R"(ftl.placement={"scheme": "frequency", "hot_writes": 2, "halve_after_pages": 2000})"},
                    classes);
  check_combination("sharing", {R"(ftl.placement={"scheme": "invalidation-time"})"}, classes);
}

TEST_CASE("static wear levelling requires GC beyond the reserve, with host writes or when idle") {
  const std::string words = "never finds a free superblock beyond the reserve";
  const std::string at_once = "ftl.gc.pages_per_host_write=0";
  CHECK(refusal("page", {at_once}) == "");  // collects when the host is idle
  CHECK(says(refusal("streams", {at_once}), words));
  CHECK(refusal("streams", {}) == "");  // collects with the host's writes
  CHECK(refusal("streams", {at_once, R"(ftl.wear={"free_list": "fifo", "static_spread_erases": 0})"}) == "");
  CHECK(refusal("slc", {}) == "");  // does neither, and does not level wear
}

TEST_CASE("even pace requires GC beside host writes") {
  CHECK(refusal("page", {"ftl.gc.pace=even"}) == "");
  CHECK(says(refusal("page", {"ftl.gc.pace=even", "ftl.gc.pages_per_host_write=0"}), "is the pace beside host writes"));
}

TEST_CASE("an unreadable mapping scheme does not cause reports of missing keys") {
  const auto missed = [](const Parts& parts) {
    Node design = document("bast");
    set_by_path(design, "ftl.mapping.scheme=bust");
    for (const std::string& part : parts) set_by_path(design, part);
    try {
      read_drive(design);
    } catch (const ConfigError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string gc =
      R"(ftl.gc={"policy": "greedy", "start_free_superblocks": 3, "stop_free_superblocks": 6, "pages_per_host_write": 4})";
  for (const Parts& parts : {Parts{}, {gc}, {"ftl.frontiers=one"}}) {
    CAPTURE(parts);
    CHECK(says(missed(parts), "ftl.mapping.scheme: is not a known name"));
    CHECK(missed(parts).find('\n') == std::string::npos);  // a single problem
    CHECK_FALSE(says(missed(parts), "ftl.frontiers: "));
    CHECK_FALSE(says(missed(parts), "ftl.gc: "));
  }
}
