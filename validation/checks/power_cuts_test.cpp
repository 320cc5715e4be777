// Power cuts during flash operations, see validation/power_cuts.
#include "sim/testing/test.h"
#include "validation/power_cuts/campaign.h"

namespace ftlab::power_cuts {
namespace {

LifeOutcome lives(std::uint64_t seed, std::uint64_t cuts, Deceit deceit = Deceit::none) {
  LifeOutcome all;
  for (std::uint64_t life = 0; all.cuts < cuts && all.failure.empty(); ++life) {
    const std::uint64_t number = life_number(seed, life);
    const LifeOutcome one = live({number, 12, deceit, false});
    all.add(one);
    if (!one.failure.empty()) all.failure = "--life " + std::to_string(number) + ": " + one.failure;
  }
  return all;
}

}  // namespace

TEST_CASE("after power cuts at any time, even during recovery, drives hold all durable data and nothing older") {
  const LifeOutcome all = lives(1, 2'000);
  INFO(all.failure);
  CHECK(all.failure.empty());
  CHECK(all.sound());
  CHECK(all.nested > 500);
  CHECK(all.amid_recovery > 100);
  for (const std::uint64_t hits : all.windows) CHECK(hits > 0);
  CHECK(all.torn_slots > 0);
  CHECK(all.destroyed_lower_slots > 0);
  CHECK(all.half_erased > 0);
  CHECK(all.lost_trims > 0);
}

TEST_CASE("a drive without room for a victim after power cuts is read-only and holds all durable data") {
  const LifeOutcome outcome = live({4294969729, 12, Deceit::none, false});  // a rare outcome
  INFO(outcome.failure);
  CHECK(outcome.out_of_room == 1);
  CHECK(outcome.failure == "the drive takes no more writes");
  CHECK(outcome.sound());
}

TEST_CASE("data refused by a drive without room is not expected to be durable after the next flush") {
  const LifeOutcome outcome = live({223338299718, 12, Deceit::none, false});
  INFO(outcome.failure);
  CHECK(outcome.out_of_room == 1);
  CHECK(outcome.failure == "the drive takes no more writes");
  CHECK(outcome.sound());
}

TEST_CASE("all power cuts in all short request sequences leave a tiny drive with all durable data") {
  for (const bool separate_relocation : {false, true}) {
    for (const bool two_bits : {false, true}) {
      const ExhaustiveOutcome outcome = exhaust({4, separate_relocation, two_bits, false});
      INFO(outcome.failure);
      CHECK(outcome.sound());
      CHECK(outcome.sequences == 6 + 36 + 216 + 1296);
      CHECK(outcome.cuts > 10 * outcome.sequences);
    }
  }
}

TEST_CASE("power cut tests detect drives that do not receive flushes or trims") {
  CHECK_FALSE(lives(2, 2'000, Deceit::flushes_are_not_sent).sound());
  CHECK_FALSE(lives(3, 2'000, Deceit::trims_are_not_sent).sound());
  CHECK_FALSE(exhaust({2, false, false, true}).sound());
}

}  // namespace ftlab::power_cuts
