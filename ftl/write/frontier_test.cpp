// An open superblock and the pages that wait in RAM: where they will lie, what room is left, what becomes of them when their
// program fails.
#include "ftl/write/frontier.h"

#include <vector>

#include "sim/core/check.h"
#include "sim/testing/test.h"

using namespace ftlab;

namespace {

// Stripes of four pages, superblocks of 32; of every fourth stripe of `parity` the pages are not for data.
Layout layout(bool parity = false) { return Layout({2, 2, 1, 4, 8, 2, 4096, 0, 512}, {4, 4, parity}, 4096); }

Frontier opened(FrontierPlan plan = {}, bool pslc = false, bool parity = false) {
  Frontier frontier(layout(parity), 3, plan);
  frontier.open(SuperblockId{5}, pslc);
  return frontier;
}

}  // namespace

TEST_CASE("a frontier without a superblock has no room, one with a new one has all of its data pages") {
  Frontier none(layout(), 3, {});
  CHECK((none.block() == kNoBlock && !none.has_room() && none.room() == 0 && none.number() == 3));
  CHECK(opened().room() == 32);
  CHECK(opened({}, false, true).room() == 24);
  CHECK(opened({0, false, 2}, true).room() == 16);  // one bit a cell
  CHECK(opened({0, false, 2}, false).room() == 32);
  CHECK(opened({0, false, 2}, true).pslc());
  Frontier taken_up(layout(), 3, {});
  taken_up.open(SuperblockId{6}, false, 8, 6);
  CHECK((taken_up.next() == 8 && taken_up.used() == 6 && taken_up.room() == 26 && taken_up.staged_first() == 8));
}

TEST_CASE("staged pages lie one behind the other until their stripe is complete, and are known by their places") {
  Frontier frontier = opened();
  frontier.begin_stage(7);
  for (std::uint32_t i = 0; i < 4; ++i) {
    CHECK_FALSE(frontier.stripe_complete());
    CHECK(frontier.stripe_room() == 4 - i);
    CHECK(frontier.stage(Lpn{10 + i}, Version{20 + i}, i == 1 || i == 2, static_cast<std::uint8_t>(1 + i % 2)) == i);
    CHECK((frontier.staged_count() == i + 1 && frontier.room() == 31 - i && frontier.last() == i));
  }
  CHECK((frontier.stripe_complete() && frontier.stripe_room() == 0 && frontier.staged_first() == 0));
  CHECK((frontier.staged_host_pages() == 2 && frontier.slots_in_ram() == 4 && frontier.stage_id() == 7));
  for (std::uint32_t i = 0; i < 4; ++i) {
    CHECK((frontier.staged_lpn(i) == Lpn{10 + i} && frontier.staged_version(i) == Version{20 + i}));
    CHECK(frontier.staged_slots(i) == 1 + i % 2);
    CHECK((frontier.staged_lpns()[i] == Lpn{10 + i} && frontier.staged_versions()[i] == Version{20 + i}));
  }
  frontier.clear_stage();
  CHECK((frontier.staged_count() == 0 && frontier.staged_host_pages() == 0 && frontier.next() == 4));
  CHECK((frontier.staged_first() == 4 && frontier.room() == 28));
  frontier.pass(8, 9);
  CHECK((frontier.next() == 12 && frontier.room() == 20 && frontier.stage_id() == 9));
  frontier.skip(4);  // parity
  CHECK((frontier.next() == 16 && frontier.room() == 20));
  frontier.leave();
  CHECK((!frontier.has_room() && frontier.used() == 32));
}

TEST_CASE("a stripe came by copyback when all of its pages did") {
  Frontier frontier = opened();
  CHECK_FALSE(frontier.staged_internally());
  frontier.stage(Lpn{1}, Version{1}, false);
  frontier.count_internal(1);
  CHECK(frontier.staged_internally());
  frontier.stage(Lpn{2}, Version{2}, false);
  CHECK_FALSE(frontier.staged_internally());
  frontier.count_internal(1);
  CHECK(frontier.staged_internally());
  frontier.clear_stage();
  CHECK_FALSE(frontier.staged_internally());
}

TEST_CASE("what waits behind a complete stripe has places of its own, takes room, and is staged next") {
  Frontier frontier = opened();
  for (std::uint32_t i = 0; i < 4; ++i) frontier.stage(Lpn{i}, Version{i}, true, 3);
  CHECK(frontier.wait(Lpn{8}, Version{80}, 2, 4) == 4);
  CHECK(frontier.wait(kNoLpn, Version{0}, 0, 6) == 6);  // the one between is not for data
  CHECK(frontier.wait(Lpn{9}, Version{90}, 1, 7) == 7);
  CHECK((frontier.last() == 7 && frontier.slots_in_ram() == 7 && frontier.room() == 32 - 7));
  CHECK((frontier.staged_lpn(3) == Lpn{3} && frontier.staged_version(3) == Version{3} && frontier.staged_slots(3) == 3));
  CHECK((frontier.staged_lpn(4) == Lpn{8} && frontier.staged_version(4) == Version{80} && frontier.staged_slots(4) == 2));
  CHECK((frontier.staged_lpn(7) == Lpn{9} && frontier.staged_version(7) == Version{90} && frontier.staged_slots(7) == 1));
  CHECK_THROWS_AS(frontier.staged_lpn(5), CheckFailed);
  frontier.renumber([](Lpn lpn, Version version) { return Version{number(version) + 1000 + (lpn == Lpn{8} ? 1 : 0)}; });
  CHECK((frontier.staged_version(3) == Version{1003} && frontier.staged_version(4) == Version{1081}));
  CHECK(frontier.staged_version(7) == Version{1090});
  frontier.clear_stage();
  frontier.stage_waiting(2);
  CHECK((frontier.waiting().empty() && frontier.staged_count() == 3 && frontier.staged_host_pages() == 2));
  CHECK((frontier.staged_lpn(4) == Lpn{8} && frontier.staged_lpn(5) == kNoLpn && frontier.staged_lpn(6) == Lpn{9}));
  CHECK((frontier.staged_slots(4) == 2 && frontier.staged_version(6) == Version{1090} && frontier.room() == 32 - 7));
}

TEST_CASE("a frontier that takes no more pages has no room for those that wait, and keeps them") {
  Frontier frontier = opened();
  for (std::uint32_t i = 0; i < 4; ++i) frontier.stage(Lpn{i}, Version{i}, true);
  frontier.leave();
  frontier.wait(Lpn{8}, Version{80}, 1, 4);
  CHECK((frontier.room() == 0 && frontier.used() == 32 && frontier.slots_in_ram() == 5));
}

TEST_CASE("a failed stripe is staged anew in another superblock, or in the next stripe of this one") {
  for (const bool elsewhere : {false, true}) {
    CAPTURE(elsewhere);
    Frontier frontier = opened();
    for (std::uint32_t i = 0; i < 4; ++i) frontier.stage(Lpn{i}, Version{i}, i < 2);
    frontier.wait(Lpn{9}, Version{9}, 1, 4);
    CHECK_FALSE(frontier.stage_failed());
    elsewhere ? frontier.restage(SuperblockId{2}) : frontier.restage_behind();
    CHECK((frontier.stage_failed() && frontier.staged_count() == 0 && frontier.waiting().empty()));
    CHECK(frontier.block() == SuperblockId{elsewhere ? 2u : 5u});
    CHECK(frontier.next() == (elsewhere ? 0 : 4));
    CHECK(frontier.room() == (elsewhere ? 32 : 28));
    CHECK(frontier.staged_host_pages() == 2);  // they are the host's still
    frontier.stage(Lpn{0}, Version{0}, false);
    frontier.clear_stage();
    CHECK((!frontier.stage_failed() && frontier.staged_host_pages() == 0));
  }
}

TEST_CASE("of the first page that is staged so many slots were programmed before") {
  const auto begun = [](std::uint32_t before, std::uint8_t slots) {
    Frontier frontier = opened();
    for (std::uint32_t i = 0; i < before; ++i) frontier.stage(kNoLpn, Version{0}, true, 0);
    frontier.stage(Lpn{4}, Version{1}, true, slots);
    return frontier.begun_before();
  };
  CHECK((begun(0, 1) == 0 && begun(0, 3) == 2 && begun(1, 2) == 0 && begun(2, 3) == 0 && begun(2, 7) == 4));
  CHECK(begun(3, 2) == 0);  // padding before it
  Frontier padded = opened();
  padded.stage(kNoLpn, Version{0}, false, 0);
  CHECK((padded.begun_before() == 0 && opened().begun_before() == 0));
}
