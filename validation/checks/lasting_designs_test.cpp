// Every design of the FTL that supports wear-out, failures or bit errors keeps acknowledged data.
#include "validation/checks/reference/drawn_designs.h"
#include "validation/checks/reference/sound_drive.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

// A design for flash with bit errors or wear-out: never a hybrid mapping.
DriveConfig next_lasting_design(RandomStream& random, int i, Special special) {
  return special == Special::none ? drawn_design(random, kSchemes[i % 3]) : next_design(random, i, special);
}

// Runs each design to its end of life and through a last power cut. Half of the special designs have bit errors.
void check_mortal_designs(int designs, Special special = Special::none) {
  RandomStream random(37, "mortal designs");
  int ended = 0;
  int unsaved = 0;
  for (int i = 0; i < designs; ++i) {
    EnduranceConfig endurance;
    endurance.program_erase_limit = random.chance(1, 2) ? 3 + static_cast<std::uint32_t>(random.below(30)) : 0;
    endurance.limit_spread_permille = endurance.program_erase_limit > 0 ? 200 : 0;
    endurance.factory_bad_per_million = random.chance(1, 2) ? 5'000 : 0;
    endurance.failing_program = random.chance(1, 2) ? 1 + static_cast<std::uint32_t>(random.below(2'000)) : 0;
    endurance.failing_erase =
        random.chance(1, 2) || !endurance.ends() ? 1 + static_cast<std::uint32_t>(random.below(200)) : 0;
    endurance.specimen = random.bits();
    DriveConfig drive = mortal(next_lasting_design(random, i, special), endurance);
    if (special != Special::none && random.chance(1, 2)) make_err(drive, random);
    INFO("design " << i << ": " << words(drive) << "limit " << endurance.program_erase_limit << ", failing program "
                   << endurance.failing_program << ", failing erase " << endurance.failing_erase);
    ShadowedDrive shadow(drive, random.chance(1, 2) ? Clock::timed : Clock::untimed, random.bits());
    for (int part = 0; part < 4 && !shadow.refused(); ++part) {
      const unsigned flushes = random.chance(1, 2) ? 1 : 0;
      REQUIRE(shadow.run_to_refusal(1'000, {10, 90, 0, flushes, 128, 30, 5, contents(random, special)}) == "");
      require_sound(shadow, shadow.drive());
      REQUIRE(shadow.run_to_refusal(1, {0, 0, 0, 1, 1, 0}) == "");
      require_sound(shadow, shadow.drive());
      if (shadow.refused()) break;
      const std::vector<Version> flushed = shadow.expected();
      shadow.power_cycle();
      require_sound(shadow, shadow.drive());
      if (shadow.expected() == flushed) continue;
      REQUIRE(shadow.drive().ftl().store().supply().worn_out());  // by a program that failed while RAM was saved
      ++unsaved;
      break;
    }
    REQUIRE(shadow.read_everything() == "");
    ended += shadow.refused();
    const bool flushed = shadow.flush();
    unsaved += !flushed;
    const std::vector<Version> acknowledged = shadow.expected();
    shadow.power_cycle();
    require_sound(shadow, shadow.drive());
    if (flushed) REQUIRE(shadow.expected() == acknowledged);
    REQUIRE(shadow.read_everything() == "");
  }
  CHECK(ended > designs / 3);
  CHECK(ended < designs);
  CHECK(unsaved <= ended / 8 + 1);  // data in RAM without a place: several failures at once on the smallest drives
}

// Superblocks of a few stripes, a stripe as large as the largest packed page, and frequent program failures, several in a
// row, until no superblock accepts the pages.
void check_packs_that_fail_in_a_row() {
  RandomStream random(43, "failing packs");
  int stuck = 0;
  for (std::uint32_t every = 2; every < 42; ++every) {
    DriveConfig drive = striped_drive();
    drive.geometry = {every % 2 + 1, 1, 1, 1, 40, 8, 4096, 128, 1024};
    drive.ftl.superblock = {drive.geometry.dies(), 1, every % 4 == 1};
    drive.ftl.compression = {512, 0, 1000};
    drive.ftl.separate_relocation = every % 3 > 0;
    drive.ftl.buffer.pages = 64;
    drive.ftl.buffer.coalescing_pages = every % 5;
    drive.ftl.failure_reserve = 1;
    drive.endurance.failing_program = every;
    set_water_marks(drive.ftl);
    drive.user_bytes = 20ull * 4096 * drive.geometry.dies();
    if (every % 3 == 0) make_err(drive, random);
    INFO("every program " << every);
    ShadowedDrive shadow(drive, random.chance(1, 2) ? Clock::timed : Clock::untimed, random.bits());
    for (int part = 0; part < 20 && !shadow.refused(); ++part) {
      REQUIRE(shadow.run_to_refusal(100, {10, 85, 0, 5, 16, 30}) == "");
      require_sound(shadow, shadow.drive());
      if (!shadow.refused() && shadow.flush() && part % 2 == 1) {
        const std::vector<Version> flushed = shadow.expected();
        shadow.power_cycle();
        REQUIRE(shadow.expected() == flushed);
      }
      require_sound(shadow, shadow.drive());
    }
    REQUIRE(shadow.read_everything() == "");
    for (const Stage& stage : shadow.drive().ftl().store().stages()) stuck += !stage.waiting().empty();
    const bool flushed = shadow.flush();
    const std::vector<Version> acknowledged = shadow.expected();
    shadow.power_cycle();
    require_sound(shadow, shadow.drive());
    if (flushed) REQUIRE(shadow.expected() == acknowledged);
    REQUIRE(shadow.read_everything() == "");
  }
  CHECK(stuck > 0);  // pages stuck in RAM, partly in a stripe that got no place
}

// Most reads are retried, and no data is lost.
void check_erring_designs(int designs, Special special = Special::none) {
  RandomStream random(41, "erring designs");
  Counters all;
  for (int i = 0; i < designs; ++i) {
    DriveConfig drive = next_lasting_design(random, i, special);
    make_err(drive, random);
    INFO("design " << i << ": " << words(drive));
    ShadowedDrive shadow(drive, random.chance(1, 2) ? Clock::timed : Clock::untimed, random.bits());
    for (int part = 0; part < 4; ++part) {
      REQUIRE(shadow.run(500, {40, 50, trims(drive), 1, 128, 30, 5, contents(random, special)}) == "");
      require_sound(shadow, shadow.drive());
      shadow.rest(Nanoseconds{86'400'000'000'000});
      REQUIRE(shadow.run(1, {0, 0, 0, 1, 1, 0}) == "");
      if (part % 2 == 1) shadow.power_cycle();
      require_sound(shadow, shadow.drive());
    }
    REQUIRE(shadow.drive().counters().uncorrectable_pages == 0);
    all.read_retries += shadow.drive().counters().read_retries;
    all.media_refresh_bytes += shadow.drive().counters().media_refresh_bytes;
  }
  CHECK(all.read_retries > 0);
  CHECK(all.media_refresh_bytes > 0);
}

}  // namespace

TEST_CASE("every design keeps acknowledged data on flash that wears out and fails") { check_mortal_designs(18); }

TEST_CASE("every design loses no data on flash with correctable bit errors") { check_erring_designs(15); }

TEST_CASE("packed pages survive consecutive program failures up to the end of the drive") {
  check_packs_that_fail_in_a_row();
}

TEST_CASE("compressing or deduplicating designs keep acknowledged data on flash that wears out, fails and has bit errors") {
  for (const Special special : {Special::compression, Special::deduplication}) {
    check_mortal_designs(5, special);
    check_erring_designs(2, special);
  }
}

TEST_CASE("a thousand designs keep acknowledged data on flash that wears out and fails", "[.][long]") {
  check_mortal_designs(1'000);
  check_mortal_designs(1'000, Special::compression);
  check_mortal_designs(1'000, Special::deduplication);
}

TEST_CASE("hundreds of designs lose no data on flash with correctable bit errors", "[.][long]") {
  for (const Special special : {Special::none, Special::compression, Special::deduplication})
    check_erring_designs(300, special);
}
