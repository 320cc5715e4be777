#include "models/nand/reliability/media_errors.h"

#include <array>
#include <cmath>

#include "sim/core/archive.h"
#include "sim/testing/test.h"

using namespace ftlab;

namespace {

constexpr std::uint64_t kDayS = 86'400;

// Two dies of two planes, 8 pages per block, mapping page = NAND page: superblocks of 32 pages.
constexpr Geometry kGeometry{2, 1, 1, 2, 4, 8, 4096, 0, 1024};

CellsConfig simple() {
  CellsConfig cells;
  cells.fresh_per_pbit = 1'000'000'000'000;  // 1e-3
  cells.fresh_exponent = 1000;
  cells.wear_cycles = 1000;
  cells.retention_per_pbit = 2'000'000'000'000;  // 2e-3 after a day
  cells.retention_wear_exponent = 0;
  cells.disturb_per_pbit = 1'000'000'000;  // 1e-6
  cells.disturb_wear_exponent = 0;
  cells.kinds_permille = {500, 2000};
  cells.slc_permille = 100;
  cells.worn_cycles = 999;
  cells.correctable_bits = 24;
  cells.retry = {{500, 24, 1, Nanoseconds{700}}, {250, 24, 3, Nanoseconds{100}}};
  return cells;
}

Nanoseconds at(std::uint64_t seconds) { return Nanoseconds{seconds * 1'000'000'000}; }

// Superblock 1 with three stripes programmed on day 1: both stripes of NAND page 0, one of NAND page 1.
struct Flash {
  explicit Flash(const CellsConfig& cells = simple()) : errors(cells, kGeometry, timing, medium) {
    const std::array lpns{Lpn{1}, Lpn{2}};
    const std::array versions{Version{1}, Version{2}};
    medium.open(block, 0);
    for (std::uint32_t stripe = 0; stripe < 3; ++stripe) {
      medium.program(block, 2 * stripe, lpns, versions);
      errors.set_date(at(kDayS));
      errors.program(block, stripe, false);
    }
  }
  double rate(std::uint32_t stripe, Nanoseconds now) {
    errors.set_date(now);
    return errors.rate(block, stripe, medium.layout().die_of(block, stripe)).all();
  }

  SuperblockId block{1};
  Medium medium{Layout(kGeometry, {2, 2}, 4096)};
  NandTiming timing{.read = Nanoseconds{50'000}, .program = {Nanoseconds{300'000}, Nanoseconds{900'000}}};
  MediaErrors errors;
};

}  // namespace

TEST_CASE("the error rate of a stripe follows its kind, its age and the reads of its die") {
  Flash flash;
  CHECK(flash.rate(0, at(kDayS)) == Approx(0.5 * 2e-3));
  CHECK(flash.rate(2, at(kDayS)) == Approx(2 * 2e-3));
  CHECK(flash.rate(0, at(2 * kDayS)) == Approx(0.5 * (2e-3 + 2e-3)).epsilon(0.02));
  flash.errors.disturb(flash.block, Die{0}, 500);
  CHECK(flash.rate(0, at(kDayS)) == Approx(0.5 * (2e-3 + 500e-6)));
  CHECK(flash.rate(1, at(kDayS)) == Approx(0.5 * 2e-3));    // the other die
  CHECK(flash.rate(0, at(0)) == flash.rate(0, at(kDayS)));  // no age is negative
}

TEST_CASE("no error rate falls with age or reads, and none exceeds that of worst()") {
  Flash flash;
  double last = 0;
  for (std::uint64_t hour = 24; hour < 24 * 400; hour += 7) {
    flash.errors.disturb(flash.block, Die{1}, 1);
    const double rate = flash.rate(1, at(hour * 3600));
    REQUIRE(rate >= last);
    last = rate;
    for (std::uint32_t stripe = 0; stripe < 3; ++stripe)
      // rate() sets the date
      REQUIRE(flash.rate(stripe, at(hour * 3600)) <= flash.errors.worst(flash.block).all());
  }
}

TEST_CASE("worst() of a superblock written over weeks takes the oldest row and the most read die") {
  CellsConfig alike = simple();
  alike.kinds_permille = {1000, 1000};
  Flash flash(alike);
  flash.block = SuperblockId{2};
  flash.medium.open(flash.block, 0);
  const std::array lpns{Lpn{3}, Lpn{4}};
  const std::array versions{Version{3}, Version{4}};
  for (std::uint32_t stripe = 0; stripe < 6; ++stripe) {  // three rows on two dies
    flash.medium.program(flash.block, 2 * stripe, lpns, versions);
    flash.errors.set_date(at(stripe < 2 ? kDayS : 20 * kDayS));
    flash.errors.program(flash.block, stripe, false);
  }
  const Nanoseconds now = at(30 * kDayS);
  for (const std::uint32_t die : {1u, 0u}) {
    const double oldest = flash.rate(die, now), youngest = flash.rate(2 + die, now);
    CHECK(oldest == Approx(2e-3 + 2e-3 * 29).epsilon(0.02));
    CHECK(youngest == Approx(2e-3 + 2e-3 * 10).epsilon(0.02));
    CHECK(flash.errors.worst(flash.block).all() == oldest);
    flash.errors.disturb(flash.block, Die{die}, 4'000);  // now the worst die
    CHECK(flash.errors.worst(flash.block).all() == flash.rate(die, now));
    flash.errors.erase(flash.block);
  }
}

TEST_CASE("pSLC pages have their own error rate") {
  Flash flash;
  flash.errors.set_date(at(kDayS));
  flash.errors.program(flash.block, 3, true);
  CHECK(flash.rate(2, at(kDayS)) == Approx(0.1 * 2e-3));
}

TEST_CASE("retries cost the sum of their array reads and overheads") {
  const Flash flash;
  CHECK(flash.errors.retry_cost(0).overhead == Nanoseconds{0});
  CHECK(flash.errors.retry_cost(1).overhead == Nanoseconds{700});
  CHECK(flash.errors.retry_cost(2).overhead == Nanoseconds{800});
  CHECK(flash.errors.retry_cost(2).array_reads == 4);
  CHECK(flash.errors.uncorrectable() == 3);
}

TEST_CASE("pages fail with the computed probability, others after each erase and on each specimen") {
  Flash flash;
  const MediaErrors::Rate rate{0x1p-9, 0};  // 16 errors per codeword of 8192 bits
  const auto failing = [&rate](const MediaErrors& errors) {
    std::vector<std::uint32_t> units;
    for (std::uint32_t unit = 0; unit < 20'000; ++unit) {
      if (errors.steps(SuperblockId{1}, unit, rate) > 0) units.push_back(unit);
    }
    return units;
  };
  const std::vector<std::uint32_t> first = failing(flash.errors);
  const double expected = 20'000 * Ecc(simple(), 8192, 4).failure(0x1p-9, 0);
  CHECK(std::abs(static_cast<double>(first.size()) - expected) < 4 * std::sqrt(expected));
  CHECK(failing(flash.errors) == first);
  CellsConfig other = simple();
  other.specimen = 2;
  CHECK(failing(MediaErrors(other, kGeometry, flash.timing, flash.medium)) != first);
  flash.medium.close(flash.block);
  flash.medium.erase(flash.block);
  CHECK(failing(flash.errors) != first);
}

TEST_CASE("an erase clears reads and lost marks, an archive keeps them") {
  Flash flash;
  flash.errors.disturb(flash.block, Die{1}, 77);
  flash.errors.mark(Ppn{33});
  flash.errors.mark(Ppn{33});
  flash.errors.mark(Ppn{34});
  CHECK(flash.errors.lost().count() == 2);
  Archive out = Archive::saving();
  flash.errors.archive(out);
  MediaErrors copy(simple(), kGeometry, flash.timing, flash.medium);
  Archive in = Archive::loading(out.finish());
  copy.archive(in);
  in.end();
  copy.set_date(at(kDayS));
  const double read_often = flash.errors.worst(flash.block).all();
  CHECK(copy.worst(flash.block).all() == read_often);
  CHECK((copy.lost().has(Ppn{33}) && copy.lost().has(Ppn{34}) && !copy.lost().has(Ppn{35})));
  flash.errors.erase(flash.block);
  CHECK(flash.errors.worst(flash.block).all() < read_often);
  CHECK(flash.errors.lost().count() == 0);
}

TEST_CASE("lost marks of unprogrammed slots are removed at power-on") {
  Flash flash;
  flash.errors.mark(Ppn{32 + 5});
  flash.errors.mark(Ppn{32 + 6});  // the first unprogrammed slot
  flash.errors.unmark_unprogrammed();
  CHECK(flash.errors.lost().has(Ppn{32 + 5}));
  CHECK_FALSE(flash.errors.lost().has(Ppn{32 + 6}));
  CHECK(flash.errors.lost().count() == 1);
}

TEST_CASE("a read planned to fail spoils only its unit, until the superblock is erased") {
  CellsConfig cells = simple();
  cells.fresh_per_pbit = cells.retention_per_pbit = cells.disturb_per_pbit = 0;
  cells.planned_reads = {2, 3, 0, 0};
  Flash flash(cells);
  const MediaErrors::Rate rate = flash.errors.rate(flash.block, 0, Die{0});
  REQUIRE(flash.errors.plans_failures());
  REQUIRE(flash.errors.all_readable(rate));
  flash.errors.begin_read(flash.block, 0);
  CHECK((flash.errors.all_readable(rate) && flash.errors.spoiled() == 0));
  flash.errors.begin_read(flash.block, 1);
  flash.errors.begin_read(flash.block, 4);
  flash.errors.begin_read(flash.block, 5);
  CHECK((!flash.errors.all_readable(rate) && flash.errors.spoiled() == 2));
  for (std::uint32_t unit = 0; unit < 6; ++unit)
    CHECK(flash.errors.steps(flash.block, unit, rate) == (unit == 1 || unit == 4 ? flash.errors.uncorrectable() : 0));
  flash.medium.erase(flash.block);
  flash.errors.erase(flash.block);
  for (std::uint32_t unit = 0; unit < 6; ++unit) CHECK(flash.errors.steps(flash.block, unit, rate) == 0);
  CHECK_FALSE(Flash().errors.plans_failures());
}

TEST_CASE("a page known to be lost is checked however good the cells are") {
  CellsConfig cells = simple();
  cells.fresh_per_pbit = cells.retention_per_pbit = cells.disturb_per_pbit = 0;
  Flash flash(cells);
  const MediaErrors::Rate rate = flash.errors.rate(flash.block, 0, Die{0});
  REQUIRE(flash.errors.all_readable(rate));
  const Ppn page{number(flash.medium.layout().first_page(flash.block)) + 2};
  flash.errors.mark(page);
  CHECK_FALSE(flash.errors.all_readable(rate));
  flash.errors.mark(page);
  CHECK((flash.errors.lost().count() == 1 && flash.errors.lost().has(page)));
  CHECK_FALSE(flash.errors.lost().has(Ppn{number(page) + 1}));
  flash.errors.erase(flash.block);
  CHECK((flash.errors.lost().count() == 0 && flash.errors.all_readable(rate)));
}
