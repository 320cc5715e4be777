#include "models/nand/timing/block_speed.h"

#include <algorithm>

#include "sim/testing/test.h"

using namespace ftlab;

namespace {

constexpr Nanoseconds kTime{1'000'000};  // 1 ns is a millionth of it

Layout layout() { return Layout({2, 2, 1, 2, 500, 16, 4096, 0, 512}, {4, 2}, 4096); }

NandTiming varied(std::uint32_t read, std::uint32_t program, std::uint32_t erase) {
  NandTiming timing;
  timing.variation = {read, program, erase};
  return timing;
}

FlashPage page(std::uint32_t block, std::uint32_t plane, std::uint32_t planes) {
  return {SuperblockId{block}, 0, plane, planes};
}

}  // namespace

TEST_CASE("without variation and wear every block takes the data-sheet time") {
  const BlockSpeed none, unvaried(varied(0, 0, 0), layout(), 1);
  for (const BlockSpeed* speed : {&none, &unvaried}) {
    CHECK(speed->read(kTime, Die{0}, page(3, 0, 1)) == kTime);
    CHECK(speed->program(kTime, Die{1}, SuperblockId{3}) == kTime);
    CHECK(speed->erase(kTime, Die{2}, SuperblockId{3}) == kTime);
  }
}

TEST_CASE("read times of blocks have the configured spread, cut off at 3 sigma") {
  const BlockSpeed speed(varied(100, 0, 0), layout(), 1);
  double sum = 0, squares = 0, least = 2, most = 0;
  int count = 0;
  for (std::uint32_t b = 0; b < 500; ++b) {
    for (std::uint32_t die = 0; die < 4; ++die) {
      for (std::uint32_t plane = 0; plane < 2; ++plane, ++count) {
        const double factor = static_cast<double>(speed.read(kTime, Die{die}, page(b, plane, 1)).count()) / 1e6;
        sum += factor;
        squares += factor * factor;
        least = std::min(least, factor);
        most = std::max(most, factor);
      }
    }
  }
  const double mean = sum / count;
  CHECK(mean == Approx(1.0).margin(0.005));  // 3 standard errors of 4,000 blocks
  CHECK(squares / count - mean * mean == Approx(0.01).epsilon(0.08));
  CHECK(least >= 0.7);
  CHECK(most <= 1.3);
  CHECK(most > 1.25);
}

TEST_CASE("an operation on several planes takes as long as the slowest of them") {
  const BlockSpeed speed(varied(100, 0, 0), layout(), 1);
  bool first_slower = false, second_slower = false;
  for (std::uint32_t b = 0; b < 20; ++b) {
    const Nanoseconds first = speed.read(kTime, Die{1}, page(b, 0, 1)), second = speed.read(kTime, Die{1}, page(b, 1, 1));
    CHECK(speed.read(kTime, Die{1}, page(b, 0, 2)) == std::max(first, second));
    CHECK(speed.read(kTime, Die{1}, page(b, 0, 0)) == std::max(first, second));
    first_slower |= first > second;
    second_slower |= second > first;
  }
  CHECK(first_slower);
  CHECK(second_slower);
}

TEST_CASE("a spread changes only its own kind of operation; another specimen is another drive") {
  const BlockSpeed one(varied(0, 50, 0), layout(), 1), both(varied(30, 50, 70), layout(), 1),
      other(varied(0, 50, 0), layout(), 2);
  bool differs = false;
  for (std::uint32_t b = 0; b < 100; ++b) {
    const Nanoseconds time = one.program(kTime, Die{0}, SuperblockId{b});
    CHECK(time == both.program(kTime, Die{0}, SuperblockId{b}));
    differs |= time != other.program(kTime, Die{0}, SuperblockId{b});
    CHECK(one.erase(kTime, Die{0}, SuperblockId{b}) == kTime);
  }
  CHECK(differs);
}

TEST_CASE("with wear programs become faster and erases slower, up to until_erases") {
  NandTiming timing;
  timing.wear = {50, 400, 3000};
  BlockSpeed speed(timing, layout(), 1);
  const auto times = [&speed](std::uint32_t erases) {
    speed.set_erases(SuperblockId{7}, erases);
    return std::pair{speed.program(kTime, Die{0}, SuperblockId{7}).count(),
                     speed.erase(kTime, Die{0}, SuperblockId{7}).count()};
  };
  CHECK(times(0) == std::pair{std::uint64_t{1'000'000}, std::uint64_t{1'000'000}});
  CHECK(times(1000) == std::pair{std::uint64_t{950'000}, std::uint64_t{1'400'000}});
  CHECK(times(2999) == std::pair{std::uint64_t{850'000}, std::uint64_t{2'200'000}});  // rounded to a permille
  CHECK(times(3000) == std::pair{std::uint64_t{850'000}, std::uint64_t{2'200'000}});
  CHECK(times(3001) == times(3000));
  CHECK(speed.program(kTime, Die{0}, SuperblockId{8}) == kTime);  // not erased
  CHECK(speed.read(kTime, Die{0}, page(7, 0, 1)) == kTime);
}

TEST_CASE("erases before the run count like those in it") {
  NandTiming timing;
  timing.wear = {50, 400, 3000};
  BlockSpeed counted(timing, layout(), 1), worn(timing, layout(), 1, 999);
  CHECK(worn.erase(kTime, Die{0}, SuperblockId{3}) == Nanoseconds{1'400'000});  // rounded to a permille
  for (const std::uint32_t erases : {0u, 1u, 2000u, 2001u, 5000u}) {
    counted.set_erases(SuperblockId{7}, erases + 999);
    worn.set_erases(SuperblockId{7}, erases);
    CHECK(worn.program(kTime, Die{0}, SuperblockId{7}) == counted.program(kTime, Die{0}, SuperblockId{7}));
    CHECK(worn.erase(kTime, Die{0}, SuperblockId{7}) == counted.erase(kTime, Die{0}, SuperblockId{7}));
  }
}

TEST_CASE("setting all erase counts at once equals setting them one by one") {
  NandTiming timing;
  timing.wear = {50, 400, 3000};
  timing.variation = {0, 60, 60};
  BlockSpeed once(timing, layout(), 1), one_by_one(timing, layout(), 1);
  std::vector<std::uint32_t> erases(500);
  for (std::uint32_t b = 0; b < 500; ++b) {
    erases[b] = b * 10;
    one_by_one.set_erases(SuperblockId{b}, b * 10);
  }
  once.set_erases(erases);
  for (std::uint32_t b = 0; b < 500; ++b) {
    REQUIRE(once.program(kTime, Die{3}, SuperblockId{b}) == one_by_one.program(kTime, Die{3}, SuperblockId{b}));
    REQUIRE(once.erase(kTime, Die{3}, SuperblockId{b}) == one_by_one.erase(kTime, Die{3}, SuperblockId{b}));
  }
}
