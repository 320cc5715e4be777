// Places in the write buffer: taken in order, free again in the order of programming.
#include "ftl/write_buffer.h"

#include "sim/test.h"

using namespace ftlab;

namespace {

constexpr Nanoseconds at(std::uint64_t ns) { return Nanoseconds{ns}; }

}  // namespace

TEST_CASE("an empty write buffer has room at once, for all its places") {
  const WriteBuffer buffer(3);
  REQUIRE(buffer.room_at() == at(0));
  REQUIRE(buffer.room_at(3) == at(0));
  REQUIRE(buffer.all_programmed() == at(0));
}

TEST_CASE("a place of the write buffer is free when what was in it is programmed, and no earlier") {
  WriteBuffer buffer(3);
  buffer.take(3);
  buffer.programmed(1, at(100));
  buffer.programmed(2, at(70));
  REQUIRE(buffer.room_at() == at(100));
  REQUIRE(buffer.room_at(2) == at(100));
  buffer.take();
  REQUIRE(buffer.room_at() == at(70));
  REQUIRE(buffer.room_at(2) == at(70));
  REQUIRE(buffer.room_at(3) == at(100));  // round to the first place again
}

TEST_CASE("places of the write buffer go round") {
  WriteBuffer buffer(2);
  for (std::uint64_t i = 1; i <= 7; ++i) {
    REQUIRE(buffer.room_at() == at(i > 2 ? 10 * (i - 2) : 0));
    buffer.take();
    buffer.programmed(1, at(10 * i));
    REQUIRE(buffer.all_programmed() == at(10 * i));
  }
}

TEST_CASE("all is programmed when the latest is, in whatever order it came") {
  WriteBuffer buffer(2);
  buffer.take(2);
  buffer.programmed(1, at(50));
  buffer.programmed(1, at(20));
  REQUIRE(buffer.all_programmed() == at(50));
}
