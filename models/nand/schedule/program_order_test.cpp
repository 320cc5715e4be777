#include "models/nand/schedule/program_order.h"

#include "models/nand/schedule/programs.h"
#include "sim/testing/test.h"

using namespace ftlab;

TEST_CASE("all programs before one have ended when the oldest of them has") {
  ProgramOrder order;
  CHECK(order.all_ended());
  const std::uint32_t first = order.add(), second = order.add(), third = order.add();
  const std::uint32_t after = order.next();
  CHECK_FALSE(order.end(second));  // the first is the oldest still
  CHECK_FALSE(order.ended(second));
  CHECK(order.ended(first));  // there is none before it
  CHECK(order.end(first));
  CHECK((order.ended(third) && !order.ended(after)));
  CHECK(order.end(third));
  CHECK((order.ended(after) && order.all_ended()));
  CHECK_THROWS_AS(order.end(third), CheckFailed);
}

TEST_CASE("the order of programs holds with many more under way than at first, and after a power cut") {
  ProgramOrder order;
  for (std::uint32_t i = 0; i < 1'000; ++i) CHECK(order.add() == i);
  for (std::uint32_t i = 999; i > 0; --i) CHECK_FALSE(order.end(i));
  CHECK_FALSE(order.ended(1));
  CHECK(order.end(0));
  CHECK(order.all_ended());
  order.add();
  order.clear();
  CHECK(order.all_ended());
  CHECK(order.add() == 1'001);
}

TEST_CASE("a program may be waited for before it is asked for, and its place is empty when it has ended") {
  FrontierPrograms programs;
  programs.reach(200);
  programs.at(150).waits = 3;
  for (std::uint32_t i = 0; i < 160; ++i) {
    REQUIRE(programs.add() == i);
    programs.at(i).flags = FlashProgram::kKnown;
  }
  CHECK(programs.at(150).waits == 3);
  programs.end(1);
  programs.end(0);
  CHECK_FALSE(programs.open(1));
  CHECK(programs.open(2));
  for (std::uint32_t i = 2; i < 160; ++i) programs.end(i);
  CHECK(programs.at(150).waits == 0);
  programs.restart();
  CHECK(programs.add() == 0);
}
