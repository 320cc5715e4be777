// Every design of the FTL, on drives of random shapes with little spare space, loses no data and returns no wrong data.
#include <cstring>
#include <utility>

#include "ftl/drive/drive_counters.h"
#include "validation/checks/reference/drawn_designs.h"
#include "validation/checks/reference/sound_drive.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

// Placement of all data, and all counters.
struct Outcome {
  explicit Outcome(const Drive& drive) : counters(without_times(drive.counters())) {
    sign(drive, signature);
    counters.extents = 0;  // only an extent map counts them
  }
  bool operator==(const Outcome& other) const {
    return signature.value() == other.signature.value() && std::memcmp(&counters, &other.counters, sizeof counters) == 0;
  }
  Signature signature;
  Counters counters;
};

// Two of three drives with a pSLC mode fold late, one of these at a share of the free space.
DriveConfig design_that_folds(RandomStream& random, int i, Special special) {
  DriveConfig drive = next_design(random, i, special);
  PslcModeConfig& mode = drive.ftl.pslc_mode;
  if (!mode.on()) return drive;
  mode.folds_late = i % 3 > 0;
  if (i % 3 == 2) mode.free_space_permille = std::exchange(mode.until_mapped_permille, 0);
  return drive;
}

void check_mixed_operations(int designs, Special special = Special::none) {
  RandomStream random(23, "designs");
  for (int i = 0; i < designs; ++i) {
    const DriveConfig drive = design_that_folds(random, i, special);
    INFO("design " << i << ": " << words(drive));
    ShadowedDrive shadow(drive, random.chance(1, 2) ? Clock::timed : Clock::untimed, random.bits());
    const ShadowedDrive::Mix mix{20, 70, trims(drive), random.chance(1, 2) ? 1u : 0u, 128, 30, 5, contents(random, special)};
    for (int part = 0; part < 2; ++part) {
      REQUIRE(shadow.run(1'000, mix) == "");
      require_sound(shadow, shadow.drive());
      shadow.rest(Nanoseconds{3'600'000'000'000});
    }
  }
}

void check_power_cuts(int designs, Special special = Special::none) {
  RandomStream random(29, "design cuts");
  for (int i = 0; i < designs; ++i) {
    const DriveConfig drive = design_that_folds(random, i, special);
    INFO("design " << i << ": " << words(drive));
    ShadowedDrive shadow(drive, Clock::untimed, random.bits());
    for (int cut = 0; cut < 4; ++cut) {
      const ShadowedDrive::Mix mix{10, 90, 0, 0, 64, 20, 5, contents(random, special)};
      REQUIRE(shadow.run(200 + random.below(1'000), mix) == "");
      REQUIRE(shadow.run(1 + random.below(3), {0, 0, 0, 1, 1, 0}) == "");
      std::vector<Version> flushed = shadow.expected();
      REQUIRE(shadow.run(random.below(300), mix) == "");
      const std::vector<Version> newest = shadow.expected();
      if (drive.ftl.buffer.power_loss_protected) flushed = newest;
      shadow.power_cycle();
      require_sound(shadow, shadow.drive());
      const std::vector<Version> found = shadow.expected();
      for (std::uint32_t l = 0; l < flushed.size(); ++l) {
        REQUIRE(found[l] >= flushed[l]);
        REQUIRE(found[l] <= newest[l]);
      }
    }
  }
}

void check_whole_maps(int designs) {
  RandomStream random(31, "whole maps");
  for (int i = 0; i < designs; ++i) {
    DriveConfig drive = drawn_design(random, Mapping::page);
    INFO("design " << i << ": " << words(drive));
    const std::uint64_t seed = random.bits();
    const auto run = [&drive, seed](Mapping scheme) {
      drive.ftl.mapping = {};
      drive.ftl.mapping.scheme = scheme;
      drive.ftl.mapping.cache.entries_per_page = drive.ftl.mapping_bytes / 4;
      drive.ftl.mapping.extents.entries = drive.logical_pages() + 3;
      ShadowedDrive shadow(drive, Clock::timed, seed);
      REQUIRE(shadow.run(1'000, {20, 70, trims(drive), 1, 128, 30}) == "");
      require_sound(shadow, shadow.drive());
      return Outcome(shadow.drive());
    };
    // Pages that leave a pSLC cache are placed by their frontier number modulo the classes. An extent map has one more
    // frontier, which shifts it.
    const bool shifts = drive.ftl.slc.superblocks > 0 && drive.ftl.placement.classes() > 1;
    const Outcome page = run(Mapping::page);
    REQUIRE(run(Mapping::demand) == page);
    if (!shifts) REQUIRE(run(Mapping::extent) == page);
  }
}

}  // namespace

TEST_CASE("mixed operations keep data intact in every design") { check_mixed_operations(18); }

TEST_CASE("after power cuts every design has all flushed data and nothing older") { check_power_cuts(18); }

TEST_CASE("designs with compression keep data intact") {
  check_mixed_operations(9, Special::compression);
  check_power_cuts(9, Special::compression);
}

TEST_CASE("designs with a pSLC mode keep data intact") {
  check_mixed_operations(9, Special::pslc_mode);
  check_power_cuts(9, Special::pslc_mode);
}

TEST_CASE("designs with deduplication keep data intact") {
  check_mixed_operations(9, Special::deduplication);
  check_power_cuts(9, Special::deduplication);
}

TEST_CASE("a demand map and an extent map that fit into RAM act as page maps") { check_whole_maps(6); }

TEST_CASE("mixed operations keep data intact in thousands of designs", "[.][long]") { check_mixed_operations(3'000); }

TEST_CASE("after power cuts thousands of designs have all flushed data", "[.][long]") { check_power_cuts(1'500); }

TEST_CASE("hundreds of demand and extent maps that fit into RAM act as page maps", "[.][long]") { check_whole_maps(300); }

TEST_CASE("thousands of designs with compression or a pSLC mode keep data intact", "[.][long]") {
  check_mixed_operations(3'000, Special::compression);
  check_power_cuts(3'000, Special::compression);
  check_mixed_operations(3'000, Special::pslc_mode);
  check_power_cuts(3'000, Special::pslc_mode);
}

TEST_CASE("thousands of designs with deduplication keep data intact", "[.][long]") {
  check_mixed_operations(3'000, Special::deduplication);
  check_power_cuts(3'000, Special::deduplication);
}
