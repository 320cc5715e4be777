// Effect of a power cut on single operations. Whole drives: ftl/recovery/power_cut_test.cpp,
// validation/soak/soak_test.cpp.
#include "models/nand/schedule/flash_journal.h"

#include <vector>

#include "sim/testing/test.h"

namespace ftlab {
namespace {

// Two dies, blocks of four pages with two bits per cell: page 0 shares its cells with page 1, page 2 with page 3. Two pages
// of superblock 0 were programmed before the journal began.
struct TwoDies {
  TwoDies() : layout({2, 1, 1, 1, 4, 4, 4096, 0, 512}, {2, 1}, 4096), medium(layout), journal(layout, timing(), 4) {
    for (const std::uint32_t block : {0u, 1u}) medium.open(SuperblockId{block}, 0);
    medium.program(SuperblockId{0}, 0, lpns(0), versions(1));
    medium.program(SuperblockId{0}, 1, lpns(1), versions(2));
    medium.keep_journal(&journal);
  }
  static NandTiming timing() {
    return {
        Nanoseconds{50}, {Nanoseconds{300}, Nanoseconds{900}}, Nanoseconds{2000}, 100'000'000, Nanoseconds{0}, false, false};
  }
  static std::vector<Lpn> lpns(std::uint32_t lpn) { return {Lpn{lpn}}; }
  static std::vector<Version> versions(std::uint32_t version) { return {Version{version}}; }

  // Programs page `nand_page` of the die, the next of the superblock.
  void program(SuperblockId block, std::uint32_t die, std::uint32_t nand_page, std::uint32_t lpn, Nanoseconds from,
               Nanoseconds to) {
    medium.program(block, nand_page * 2 + die, lpns(lpn), versions(lpn + 1));
    note(FlashOperation::Kind::program, block, die, nand_page, from, to);
  }
  void erase(SuperblockId block, Nanoseconds first, Nanoseconds second) {
    medium.erase(block);
    note(FlashOperation::Kind::erase, block, 0, 0, first, first + Nanoseconds{2000});
    note(FlashOperation::Kind::erase, block, 1, 0, second, second + Nanoseconds{2000});
  }
  void note(FlashOperation::Kind kind, SuperblockId block, std::uint32_t die, std::uint32_t nand_page, Nanoseconds from,
            Nanoseconds to) {
    FlashOperation asked;
    asked.kind = kind;
    asked.die = layout.die_of(block, die);
    asked.page = layout.flash_page(block, nand_page * 2 + die, nand_page * 2 + die, nand_page * 2 + die);
    journal.add({asked, from, to});
  }

  Layout layout;
  Medium medium;
  FlashJournal journal;
};

}  // namespace

TEST_CASE("an erase begun only on the second die makes the lower pages before it safe") {
  for (const bool begun : {false, true}) {
    TwoDies flash;
    flash.program(SuperblockId{1}, 0, 0, 0, Nanoseconds{0}, Nanoseconds{300});
    flash.program(SuperblockId{1}, 1, 0, 1, Nanoseconds{0}, Nanoseconds{300});
    flash.erase(SuperblockId{0}, Nanoseconds{5000}, begun ? Nanoseconds{1000} : Nanoseconds{6000});
    flash.program(SuperblockId{1}, 0, 1, 2, Nanoseconds{1000}, Nanoseconds{1900});  // upper page in page 0's cells
    const FlashJournal::Damage damage =
        flash.journal.cut(flash.medium, Nanoseconds{1500}, [](std::uint32_t count) { return count - 1; });
    CHECK(damage.erases_under_way == (begun ? 1 : 0));
    CHECK(damage.torn_slots > 0);
    CHECK(damage.destroyed_lower_slots == (begun ? 0 : 1));
    CHECK(flash.medium.pages().lpn(flash.layout.first_page(SuperblockId{1})) == (begun ? Lpn{0} : kTornLpn));
  }
}

TEST_CASE("a superblock whose erase has not begun is restored") {
  TwoDies flash;
  flash.medium.open(SuperblockId{2}, 3, true);
  flash.program(SuperblockId{2}, 0, 0, 5, Nanoseconds{0}, Nanoseconds{300});
  flash.medium.close(SuperblockId{2});
  Medium before = flash.medium;
  flash.erase(SuperblockId{2}, Nanoseconds{1000}, Nanoseconds{1000});
  flash.medium.open(SuperblockId{2}, 0);
  for (std::uint32_t page = 0; page < 3; ++page)  // the layer has rewritten it already
    flash.program(SuperblockId{2}, page % 2, page / 2, 20 + page, Nanoseconds{4000}, Nanoseconds{4300});
  const FlashJournal::Damage damage =
      flash.journal.cut(flash.medium, Nanoseconds{900}, [](std::uint32_t count) { return count - 1; });
  Signature was, is;
  add_to(was, before, true);
  add_to(is, flash.medium, true);
  CHECK(is.value() == was.value());
  CHECK(flash.medium.pages().programmed() == before.pages().programmed());
  CHECK(flash.medium.superblocks().erased() == before.superblocks().erased());
  CHECK(damage.undone_slots == 3);
  CHECK(flash.medium.superblocks().frontier(SuperblockId{2}) == 3);
  CHECK(flash.medium.superblocks().pslc(SuperblockId{2}));
  CHECK(flash.medium.pages().lpn(flash.layout.first_page(SuperblockId{2})) == Lpn{5});
}

TEST_CASE("a half-erased superblock loses exactly the pages on the dies where the erase has begun") {
  for (const bool second_begun : {false, true}) {
    CAPTURE(second_begun);
    TwoDies flash;
    flash.medium.open(SuperblockId{2}, 0);
    for (std::uint32_t page = 0; page < 6; ++page)  // three on each die
      flash.program(SuperblockId{2}, page % 2, page / 2, 10 + page, Nanoseconds{0}, Nanoseconds{100});
    const Nanoseconds soon{1000}, late{5000};
    flash.erase(SuperblockId{2}, second_begun ? late : soon, second_begun ? soon : late);
    // Two fates are possible, not begun and half erased (done is not, since one die has not begun): chooses the second.
    std::vector<std::uint32_t> asked;
    const FlashJournal::Damage damage = flash.journal.cut(flash.medium, Nanoseconds{1500}, [&](std::uint32_t count) {
      asked.push_back(count);
      return count - 1;
    });
    CHECK(asked == std::vector<std::uint32_t>{2});
    CHECK((damage.erases_under_way == 1 && damage.half_erased == 1));
    const std::uint32_t first = number(flash.layout.first_page(SuperblockId{2}));
    REQUIRE(flash.medium.superblocks().programmed(SuperblockId{2}) == 6);
    for (std::uint32_t page = 0; page < 6; ++page) {
      const bool erased = (page % 2 == 1) == second_begun;
      CHECK(flash.medium.pages().lpn(Ppn{first + page}) == (erased ? kTornLpn : Lpn{10 + page}));
    }
    CHECK(flash.medium.superblocks().erases(SuperblockId{2}) == 0);
  }
}

TEST_CASE("an operation that begins at the time of a cut has not begun, and one that ends then is done") {
  for (const std::uint64_t at : {999u, 1000u, 1001u, 1299u, 1300u}) {
    CAPTURE(at);
    TwoDies flash;
    flash.program(SuperblockId{1}, 0, 0, 20, Nanoseconds{1000}, Nanoseconds{1300});  // the only program
    const FlashJournal::Damage damage = flash.journal.cut(flash.medium, Nanoseconds{at}, [](std::uint32_t) { return 2u; });
    const bool under_way = at > 1000 && at < 1300;
    CHECK(damage.programs_under_way == under_way);
    CHECK(damage.torn_slots == under_way);
    CHECK(flash.medium.superblocks().programmed(SuperblockId{1}) == (at > 1000 ? 1 : 0));
    if (at > 1000)
      CHECK(flash.medium.pages().lpn(flash.layout.first_page(SuperblockId{1})) == (under_way ? kTornLpn : Lpn{20}));
  }
}

TEST_CASE("only a die that has ended its part of an erase runs later operations") {
  for (const bool ended : {false, true}) {
    CAPTURE(ended);
    TwoDies flash;
    flash.medium.open(SuperblockId{2}, 0);
    for (std::uint32_t page = 0; page < 2; ++page)
      flash.program(SuperblockId{2}, page, 0, 10 + page, Nanoseconds{0}, Nanoseconds{100});
    flash.erase(SuperblockId{2}, Nanoseconds{1000}, Nanoseconds{1500});  // until 3000 and 3500
    const std::uint32_t die = ended ? 0 : 1;
    if (die == 1) flash.program(SuperblockId{1}, 0, 0, 20, Nanoseconds{3000}, Nanoseconds{3050});
    flash.program(SuperblockId{1}, die, 0, 21, Nanoseconds{3000 + 500 * die}, Nanoseconds{3900});
    std::vector<std::uint32_t> asked;
    const FlashJournal::Damage damage = flash.journal.cut(flash.medium, Nanoseconds{3400}, [&](std::uint32_t count) {
      asked.push_back(count);
      return 0u;
    });
    CHECK((damage.erases_under_way == 1 && damage.half_erased == 0));  // it has ended on one die, so it is done
    CHECK(asked.size() == (ended ? 2 : 1));                            // the program after it is in flight
    CHECK(damage.programs_under_way == (ended ? 1 : 0));
    CHECK(flash.medium.superblocks().programmed(SuperblockId{1}) == 1);
  }
}

TEST_CASE("after a half-done erase the die that ended its part still programs, the other one does not") {
  TwoDies flash;
  flash.medium.open(SuperblockId{2}, 0);
  for (std::uint32_t page = 0; page < 2; ++page)
    flash.program(SuperblockId{2}, page, 0, 10 + page, Nanoseconds{0}, Nanoseconds{100});
  flash.erase(SuperblockId{2}, Nanoseconds{1000}, Nanoseconds{1500});
  flash.program(SuperblockId{1}, 0, 0, 20, Nanoseconds{3000}, Nanoseconds{3900});
  std::vector<std::uint32_t> asked;
  const FlashJournal::Damage damage = flash.journal.cut(flash.medium, Nanoseconds{3400}, [&](std::uint32_t count) {
    asked.push_back(count);
    return asked.size() == 1 ? count - 1 : 0u;  // half erased; the program is done
  });
  CHECK((damage.half_erased == 1 && damage.programs_under_way == 1));
  CHECK(asked == std::vector<std::uint32_t>{2, 3});
  CHECK(flash.medium.pages().lpn(flash.layout.first_page(SuperblockId{1})) == Lpn{20});
}

TEST_CASE("nothing on a die has begun after an operation that is not done") {
  for (const std::uint32_t fate : {0u, 1u, 2u}) {  // done, not begun, torn
    CAPTURE(fate);
    TwoDies flash;
    for (std::uint32_t page = 0; page < 4; ++page)  // each die programs two pages in sequence
      flash.program(SuperblockId{1}, page % 2, page / 2, 10 + page, Nanoseconds{1000 * (page / 2)},
                    Nanoseconds{1000 * (page / 2) + 1000});
    std::uint32_t asked = 0;
    const FlashJournal::Damage damage = flash.journal.cut(flash.medium, Nanoseconds{500}, [&](std::uint32_t count) {
      ++asked;
      CHECK(count == 3);  // lower pages have three fates
      return fate;
    });
    CHECK((asked == 2 && damage.programs_under_way == 2));
    const std::uint32_t left = fate == 1 ? 0 : 2;
    CHECK(flash.medium.superblocks().programmed(SuperblockId{1}) == left);
    CHECK(damage.undone_slots == 4 - left);
    CHECK(damage.torn_slots == (fate == 2 ? 2 : 0));
    const std::uint32_t first = number(flash.layout.first_page(SuperblockId{1}));
    for (std::uint32_t page = 0; page < left; ++page)
      CHECK(flash.medium.pages().lpn(Ppn{first + page}) == (fate == 2 ? kTornLpn : Lpn{10 + page}));
  }
}

// With a data register a program begins while the die still runs the one before it.
TEST_CASE("a program that has begun after one that is not done counts as not begun") {
  for (const std::uint32_t fate : {0u, 1u, 2u}) {  // fate of the first one: done, not begun, torn
    CAPTURE(fate);
    TwoDies flash;
    for (std::uint32_t page = 0; page < 4; ++page) {
      const bool slow = page % 2 == 0;
      flash.program(SuperblockId{1}, page % 2, page / 2, 10 + page, Nanoseconds{slow ? 200 * page : 0},
                    Nanoseconds{slow ? 1000 * (page + 1) : 100});
    }
    std::vector<std::uint32_t> asked;
    const FlashJournal::Damage damage = flash.journal.cut(flash.medium, Nanoseconds{500}, [&](std::uint32_t count) {
      asked.push_back(count);
      return asked.size() == 1 ? fate : 0;
    });
    CHECK(asked == (fate == 0 ? std::vector<std::uint32_t>{3, 4} : std::vector<std::uint32_t>{3}));
    CHECK(damage.programs_under_way == asked.size());
    const std::uint32_t first = number(flash.layout.first_page(SuperblockId{1}));
    for (const std::uint32_t page : {0u, 2u})  // pages of the slow die, skipped by the other one
      CHECK(flash.medium.pages().lpn(Ppn{first + page}) == (fate == 0 ? Lpn{10 + page} : kTornLpn));
    for (const std::uint32_t page : {1u, 3u}) CHECK(flash.medium.pages().lpn(Ppn{first + page}) == Lpn{10 + page});
  }
}

TEST_CASE("a torn pSLC program destroys no other page") {
  for (const bool slc : {false, true}) {
    TwoDies flash;
    flash.program(SuperblockId{1}, 0, 0, 0, Nanoseconds{0}, Nanoseconds{100});
    flash.program(SuperblockId{1}, 1, 0, 1, Nanoseconds{0}, Nanoseconds{100});
    flash.medium.program(SuperblockId{1}, 2, TwoDies::lpns(2), TwoDies::versions(3));
    FlashOperation asked;
    asked.kind = FlashOperation::Kind::program;
    asked.die = flash.layout.die_of(SuperblockId{1}, 2);
    asked.page = flash.layout.flash_page(SuperblockId{1}, 2, 2, 2);
    asked.page.slc = slc;
    flash.journal.add({asked, Nanoseconds{200}, Nanoseconds{1000}});
    std::uint32_t possibilities = 0;
    flash.journal.cut(flash.medium, Nanoseconds{500}, [&](std::uint32_t count) {
      possibilities = count;
      return 0;
    });
    CHECK(possibilities == (slc ? 3 : 4));
  }
}

TEST_CASE("trims that are not durable yet are lost from the last one back, and the trim before them holds again") {
  for (const std::uint32_t lost : {0u, 1u, 2u, 3u}) {
    TwoDies flash;
    flash.medium.trim(Lpn{0}, Version{1});
    flash.medium.trim(Lpn{1}, Version{2});
    flash.medium.trim(Lpn{0}, Version{7});
    const FlashJournal::Damage damage =
        flash.journal.cut(flash.medium, Nanoseconds{500}, [lost](std::uint32_t) { return lost; });
    CHECK(damage.lost_trims == lost);
    CHECK(flash.medium.trims().version(Lpn{0}) == Version{lost == 0 ? 7u : lost < 3 ? 1u : 0u});
    CHECK(flash.medium.trims().version(Lpn{1}) == Version{lost < 2 ? 2u : 0u});
  }
}

TEST_CASE("an erase that begins on the second die before earlier programs have ended is detected") {
  for (const bool early : {false, true}) {
    TwoDies flash;
    flash.program(SuperblockId{1}, 0, 0, 0, Nanoseconds{0}, Nanoseconds{300});
    flash.erase(SuperblockId{0}, Nanoseconds{400}, Nanoseconds{early ? 200u : 300u});
    const auto cut = [&flash] { flash.journal.cut(flash.medium, Nanoseconds{500}, [](std::uint32_t) { return 0u; }); };
    if (early) {
      CHECK_THROWS(cut());
    } else {
      CHECK_NOTHROW(cut());
    }
  }
}

}  // namespace ftlab
