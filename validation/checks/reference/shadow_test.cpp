// Data integrity: every read returns the last version written, over millions of mixed operations.
#include "validation/checks/reference/shadow.h"

#include "ftl/testing/drives.h"
#include "sim/testing/test.h"

using namespace ftlab;

namespace {

void require_sound(ShadowedDrive& shadow) {
  REQUIRE(shadow.submitted() == shadow.completed());
  for (const std::string& sentence : inspect(shadow.drive().ftl())) FAIL(sentence);
  const std::vector<Version> expected = shadow.expected();
  for (std::uint32_t l = 0; l < expected.size(); ++l)
    REQUIRE(shadow.drive().ftl().pages().version(Lpn{l}) == expected[l]);
}

// A drive of random shape, with about half of the features off.
DriveConfig drawn_drive(RandomStream& random) {
  const auto of = [&random](std::initializer_list<std::uint32_t> values) {
    return values.begin()[random.below(values.size())];
  };
  for (;;) {
    DriveConfig drive = striped_drive();
    drive.geometry.channels = of({1, 2, 4});
    drive.geometry.chips_per_channel = of({1, 2});
    drive.geometry.planes_per_die = of({1, 2, 4});
    drive.geometry.blocks_per_plane = of({12, 24, 48});
    drive.geometry.pages_per_block = of({4, 8, 16});
    drive.geometry.page_bytes = of({2048, 4096, 8192});
    drive.nand.cache_program = random.chance(1, 2);
    drive.nand.cache_read = random.chance(1, 2);
    drive.ftl.mapping_bytes = of({512, 4096, 8192, 16384});
    drive.ftl.superblock = {random.chance(1, 2) ? drive.geometry.dies() : 1,
                            random.chance(1, 2) ? drive.geometry.planes_per_die : 1};
    drive.ftl.separate_relocation = random.chance(1, 2);
    drive.ftl.gc = {0, 1, 2, random.chance(1, 2) ? 0 : of({1, 4, 16})};
    drive.ftl.buffer.coalescing_pages = of({0, 1, 8});
    if (!layout_problem(drive.geometry, drive.ftl.superblock, drive.ftl.mapping_bytes).empty()) continue;
    const Layout layout(drive.geometry, drive.ftl.superblock, drive.ftl.mapping_bytes);
    drive.ftl.buffer.pages = layout.pages_per_stripe() * of({1, 2, 8});
    // Spare space from the least allowed to ample.
    const std::uint64_t fixed = superblocks_needed(drive.ftl, layout, 0);
    if (layout.superblocks() <= fixed + 4) continue;
    const std::uint64_t most = (layout.superblocks() - fixed + 1) * layout.pages_per_superblock() - 1;
    const std::uint64_t logical = random.chance(1, 2) ? most : most - most * random.below(50) / 100;
    drive.user_bytes = logical * drive.ftl.mapping_bytes;
    if (superblocks_needed(drive.ftl, layout, logical) > layout.superblocks()) continue;
    return drive;
  }
}

// Runs `operations` timed, then as many untimed.
void check_mixed_operations(std::uint64_t operations) {
  for (const Clock clock : {Clock::timed, Clock::untimed}) {
    ShadowedDrive shadow(striped_drive(), clock, 11);
    CHECK(shadow.run(operations, {30, 60, 9, 1, 16, 50}).empty());
    require_sound(shadow);
    CHECK(shadow.reads_checked() > operations / 5);
    CHECK(shadow.drive().counters().collected_superblocks > 1'000);
  }
}

void check_shapes(int shapes) {
  RandomStream random(5, "shapes");
  for (int i = 0; i < shapes; ++i) {
    const DriveConfig drive = drawn_drive(random);
    ShadowedDrive shadow(drive, random.chance(1, 2) ? Clock::timed : Clock::untimed, random.bits());
    const std::string wrong =
        shadow.run(3'000, {20, 70, random.chance(1, 2) ? 8u : 0u, random.chance(1, 2) ? 1u : 0u, 128, 30});
    INFO("shape " << i << ": " << drive.geometry.dies() << " dies, mapping page " << drive.ftl.mapping_bytes);
    REQUIRE(wrong == "");
    require_sound(shadow);
  }
}

}  // namespace

TEST_CASE("a million mixed operations keep data intact, timed and untimed") { check_mixed_operations(500'000); }

TEST_CASE("ten million mixed operations keep data intact, timed and untimed", "[.][long]") {
  check_mixed_operations(5'000'000);
}

TEST_CASE("drives of eighty random shapes, half of them with the tightest spare allowed, stay sound") { check_shapes(80); }

TEST_CASE("drives of a thousand random shapes stay sound", "[.][long]") { check_shapes(1'000); }

TEST_CASE("a drive full of valid data is overwritten ten times with the least spare") {
  for (const bool separate : {true, false}) {
    for (const std::uint32_t pace : {0u, 1u, 64u}) {
      DriveConfig drive = striped_drive();
      drive.ftl.separate_relocation = separate;
      drive.ftl.gc = {0, 1, 2, pace};
      const Layout layout(drive.geometry, drive.ftl.superblock, drive.ftl.mapping_bytes);
      const std::uint64_t spare = superblocks_needed(drive.ftl, layout, 0) - 1;
      const std::uint64_t logical = (layout.superblocks() - spare) * layout.pages_per_superblock() - 1;
      drive.user_bytes = logical * 4096;
      REQUIRE(superblocks_needed(drive.ftl, layout, logical) == layout.superblocks());
      ShadowedDrive shadow(drive, Clock::untimed, 3);
      REQUIRE(shadow.run(drive.user_bytes / 4096 * 10 / 4, {0, 100, 0, 0, 64, 0}).empty());
      require_sound(shadow);
    }
  }
}

TEST_CASE("after a power cut flushed data is present, older data does not return, and the drive continues") {
  RandomStream random(17, "cuts");
  for (int i = 0; i < 25; ++i) {
    const DriveConfig drive = drawn_drive(random);
    ShadowedDrive shadow(drive, Clock::untimed, random.bits());
    for (int cut = 0; cut < 5; ++cut) {
      REQUIRE(shadow.run(200 + random.below(2'000), {10, 80, 10, 0, 64, 20}) == "");
      REQUIRE(shadow.run(1 + random.below(3), {0, 0, 0, 1, 1, 0}) == "");
      const std::vector<Version> flushed = shadow.expected();
      REQUIRE(shadow.run(random.below(500), {10, 90, 0, 0, 64, 20}) == "");
      const std::vector<Version> newest = shadow.expected();
      shadow.power_cycle();
      for (const std::string& sentence : inspect(shadow.drive().ftl())) FAIL(sentence);
      const std::vector<Version> found = shadow.expected();
      for (std::uint32_t l = 0; l < flushed.size(); ++l) {
        REQUIRE(found[l] >= flushed[l]);
        REQUIRE(found[l] <= newest[l]);
      }
    }
  }
}
