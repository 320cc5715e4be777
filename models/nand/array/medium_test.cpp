#include "models/nand/array/medium.h"

#include "sim/testing/test.h"

using namespace ftlab;

namespace {

Layout small_layout() { return Layout({1, 1, 1, 1, 4, 4, 4096, 0, 512}, {1, 1}, 4096); }

void program(Medium& medium, std::uint32_t block, std::uint32_t page, std::uint32_t lpn, std::uint32_t version) {
  const Lpn l{lpn};
  const Version v{version};
  medium.program(SuperblockId{block}, page, {&l, 1}, {&v, 1});
}

}  // namespace

TEST_CASE("a physical page keeps its LPN and version until its block is erased") {
  Medium medium(small_layout());
  medium.open(SuperblockId{1}, 0);
  program(medium, 1, 0, 7, 42);
  program(medium, 1, 1, 8, 43);
  CHECK(medium.pages().lpn(Ppn{4}) == Lpn{7});
  CHECK(medium.pages().version(Ppn{5}) == Version{43});
  CHECK(medium.superblocks().programmed(SuperblockId{1}) == 2);
  medium.erase(SuperblockId{1});
  CHECK(medium.superblocks().programmed(SuperblockId{1}) == 0);
  CHECK(medium.superblocks().erases(SuperblockId{1}) == 1);
  CHECK(medium.pages().programmed() == 2);
  CHECK(medium.superblocks().erased() == 1);
}

TEST_CASE("pages are programmed once and in order, in opened blocks only") {
  Medium medium(small_layout());
  CHECK_THROWS_AS(program(medium, 0, 0, 1, 1), CheckFailed);  // not opened
  medium.open(SuperblockId{0}, 0);
  program(medium, 0, 0, 1, 1);
  CHECK_THROWS_AS(program(medium, 0, 0, 1, 2), CheckFailed);  // twice
  CHECK_THROWS_AS(program(medium, 0, 2, 1, 2), CheckFailed);  // skips a page
  for (std::uint32_t p = 1; p < 4; ++p) program(medium, 0, p, p, 1);
  CHECK_THROWS_AS(program(medium, 0, 4, 1, 2), CheckFailed);      // past the end
  CHECK_THROWS_AS(medium.open(SuperblockId{0}, 0), CheckFailed);  // not erased
  medium.erase(SuperblockId{0});
  CHECK_THROWS_AS(medium.erase(SuperblockId{0}), CheckFailed);  // erased twice
  CHECK_THROWS_AS(program(medium, 0, 0, 1, 1), CheckFailed);    // closed by the erase
}
