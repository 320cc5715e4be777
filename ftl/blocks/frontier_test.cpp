// An open superblock and its staged pages: their positions, the remaining room, and what happens when their program fails.
#include "ftl/blocks/frontier.h"

#include <vector>

#include "ftl/write/stage.h"
#include "sim/core/check.h"
#include "sim/testing/test.h"

using namespace ftlab;

namespace {

// Stripes of four pages, superblocks of 32. With `parity` every fourth stripe holds no data.
Layout layout(bool parity = false) { return Layout({2, 2, 1, 4, 8, 2, 4096, 0, 512}, {4, 4, parity}, 4096); }

Frontier opened(FrontierPlan plan = {}, bool pslc = false, bool parity = false) {
  Frontier frontier(layout(parity), 3, plan);
  frontier.open(SuperblockId{5}, pslc);
  return frontier;
}

Stage staged(std::uint32_t pages, std::uint8_t slots = 1, std::uint32_t host_pages = 4) {
  Stage stage(4);
  for (std::uint32_t i = 0; i < pages; ++i) stage.add(Lpn{i}, Version{i}, i < host_pages, slots);
  return stage;
}

}  // namespace

TEST_CASE("a frontier without a superblock has no room, with a new one it has room for all data pages") {
  Frontier none(layout(), 3, {});
  CHECK((none.block() == kNoBlock && !none.has_room() && none.room() == 0 && none.number() == 3));
  CHECK(opened().room() == 32);
  CHECK(opened({}, false, true).room() == 24);
  CHECK(opened({0, false, 2}, true).room() == 16);  // one bit a cell
  CHECK(opened({0, false, 2}, false).room() == 32);
  CHECK(opened({0, false, 2}, true).pslc());
  Frontier taken_up(layout(), 3, {});
  taken_up.open(SuperblockId{6}, false, 8, 6);
  CHECK((taken_up.next() == 8 && taken_up.used() == 6 && taken_up.room() == 26));
}

TEST_CASE("slots of a superblock are taken, skipped and given up in order") {
  Frontier frontier = opened();
  for (std::uint32_t i = 0; i < 4; ++i) CHECK((frontier.take() == i && frontier.room() == 31 - i));
  frontier.pass(8);
  CHECK((frontier.next() == 12 && frontier.room() == 20));
  frontier.skip(4);  // parity
  CHECK((frontier.next() == 16 && frontier.room() == 20));
  frontier.reserve_slot();
  CHECK((frontier.next() == 16 && frontier.room() == 19));
  frontier.free_slots(1);
  CHECK(frontier.room() == 20);
  frontier.leave();
  CHECK((!frontier.has_room() && frontier.used() == 32));
  frontier.reserve_slot();
  CHECK(frontier.used() == 32);
}

TEST_CASE("staged pages are found by position until their stripe is programmed") {
  Stage stage(4);
  stage.begin(7);
  for (std::uint32_t i = 0; i < 4; ++i) {
    CHECK((!stage.complete() && stage.room() == 4 - i));
    stage.add(Lpn{10 + i}, Version{20 + i}, i == 1 || i == 2, static_cast<std::uint8_t>(1 + i % 2));
    CHECK(stage.count() == i + 1);
  }
  CHECK((stage.complete() && stage.room() == 0 && stage.host_pages() == 2 && stage.slots_in_ram() == 4 && stage.id() == 7));
  for (std::uint32_t i = 0; i < 4; ++i) {
    const StagedPage page = stage.at(8 + i, 12);
    CHECK((page.lpn == Lpn{10 + i} && page.version == Version{20 + i} && page.slots == 1 + i % 2));
    CHECK((stage.pages().lpns[i] == Lpn{10 + i} && stage.pages().versions[i] == Version{20 + i}));
  }
  stage.clear();
  CHECK((stage.count() == 0 && stage.host_pages() == 0 && stage.id() == 7));
}

TEST_CASE("a stripe counts as copyback if all of its pages came by copyback") {
  Stage stage(4);
  CHECK_FALSE(stage.internal());
  stage.add(Lpn{1}, Version{1}, false, 1, true);
  CHECK(stage.internal());
  stage.add(Lpn{2}, Version{2}, false);
  CHECK_FALSE(stage.internal());
  stage.clear();
  CHECK_FALSE(stage.internal());
}

TEST_CASE("slots that wait behind a complete stripe have their own positions and are staged next") {
  Stage stage = staged(4, 3);
  const Layout parity = layout(true);  // slots 12 to 15 hold no data
  CHECK(stage.wait({Lpn{8}, Version{80}, 2}, 11, parity) == 11);
  CHECK(stage.wait({kNoLpn, Version{0}, 0}, 11, parity) == 16);
  CHECK(stage.wait({Lpn{9}, Version{90}, 1}, 11, parity) == 17);
  CHECK(stage.slots_in_ram() == 7);
  CHECK((stage.at(10, 11).lpn == Lpn{3} && stage.at(10, 11).slots == 3));
  CHECK((stage.at(11, 11).lpn == Lpn{8} && stage.at(11, 11).version == Version{80} && stage.at(11, 11).slots == 2));
  CHECK((stage.at(17, 11).lpn == Lpn{9} && stage.at(17, 11).version == Version{90} && stage.at(17, 11).slots == 1));
  CHECK_THROWS_AS(stage.at(12, 11), CheckFailed);
  stage.renumber([](Lpn lpn, Version version) { return Version{number(version) + 1000 + (lpn == Lpn{8} ? 1 : 0)}; });
  CHECK((stage.at(10, 11).version == Version{1003} && stage.at(11, 11).version == Version{1081}));
  CHECK(stage.advance() == 3);
  CHECK((stage.waiting().empty() && stage.count() == 3 && stage.host_pages() == 3));
  CHECK((stage.at(11, 14).lpn == Lpn{8} && stage.at(12, 14).lpn == kNoLpn && stage.at(13, 14).lpn == Lpn{9}));
  CHECK((stage.at(11, 14).slots == 2 && stage.at(13, 14).version == Version{1090}));
}

TEST_CASE("a failed stage starts again with its number and its host pages") {
  Stage stage = staged(4, 1, 2);
  stage.begin(3);
  stage.wait({Lpn{9}, Version{9}, 1}, 4, layout());
  CHECK_FALSE(stage.failed());
  stage.restart();
  CHECK((stage.failed() && stage.count() == 0 && stage.waiting().empty() && stage.host_pages() == 2 && stage.id() == 3));
  stage.add(Lpn{0}, Version{0}, false);
  stage.clear();
  CHECK((!stage.failed() && stage.host_pages() == 0));
}

TEST_CASE("begun_before counts the slots of the first staged page that were programmed earlier") {
  const auto begun = [](std::uint32_t before, std::uint8_t slots) {
    Stage stage(4);
    for (std::uint32_t i = 0; i < before; ++i) stage.add(kNoLpn, Version{0}, true, 0);
    stage.add(Lpn{4}, Version{1}, true, slots);
    return stage.begun_before();
  };
  CHECK((begun(0, 1) == 0 && begun(0, 3) == 2 && begun(1, 2) == 0 && begun(2, 3) == 0 && begun(2, 7) == 4));
  CHECK(begun(3, 2) == 0);  // padding before it
  Stage padded(4);
  padded.add(kNoLpn, Version{0}, false, 0);
  CHECK((padded.begun_before() == 0 && Stage(4).begun_before() == 0));
}
