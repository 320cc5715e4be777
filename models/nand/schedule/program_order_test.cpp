#include "models/nand/schedule/program_order.h"

#include <vector>

#include "models/nand/schedule/programs.h"
#include "sim/testing/test.h"

using namespace ftlab;

TEST_CASE("all programs up to a section have ended when the oldest open section ends") {
  ProgramOrder order;
  CHECK(order.all_ended());
  const std::uint32_t first = order.add(), second = order.add();
  CHECK(first == second);  // nothing waits in between
  const std::uint32_t both = order.end_section();
  CHECK(order.end_section() == both);  // no program since
  const std::uint32_t third = order.add();
  CHECK(third != first);
  const std::uint32_t all = order.end_section();
  CHECK_FALSE(order.end(third));  // the first section is still the oldest
  CHECK_FALSE(order.end(first));
  CHECK_FALSE((order.ended(both) || order.ended(all)));
  CHECK(order.end(second));
  CHECK((order.ended(both) && order.ended(all) && order.all_ended()));
  CHECK_THROWS_AS(order.end(third), CheckFailed);
  CHECK_THROWS_AS(order.end(order.add() + 1), CheckFailed);
}

TEST_CASE("a section of programs can end while newer ones are open") {
  ProgramOrder order;
  const std::uint32_t first = order.add();
  const std::uint32_t before = order.end_section();
  const std::uint32_t second = order.add();
  CHECK(order.end(first));
  CHECK((order.ended(before) && !order.all_ended()));
  CHECK_FALSE(order.end(second));  // nothing waits for it
  CHECK(order.all_ended());
}

TEST_CASE("the order of programs holds after the ring of sections has grown, and after a power cut") {
  ProgramOrder order;
  std::vector<std::uint32_t> sections;
  for (std::uint32_t i = 0; i < 1'000; ++i) {
    sections.push_back(order.add());
    CHECK(order.end_section() == sections.back());
  }
  for (std::uint32_t i = 999; i > 0; --i) CHECK_FALSE(order.end(sections[i]));
  CHECK_FALSE(order.ended(sections[1]));
  CHECK(order.end(sections[0]));
  CHECK((order.all_ended() && order.ended(sections[999])));
  order.add();
  order.clear();
  CHECK(order.all_ended());
  CHECK_FALSE(order.end(order.add()));
  CHECK(order.all_ended());
}

TEST_CASE("a program can be awaited before it is requested, and its entry is empty after its end") {
  FrontierPrograms programs;
  programs.reach(200);
  programs.at(150).waits = 3;
  for (std::uint32_t i = 0; i < 160; ++i) {
    REQUIRE(programs.add(1) == i);
    programs.at(i).flags = FlashProgram::kKnown;
  }
  CHECK(programs.at(150).waits == 3);
  programs.end(1);
  programs.end(0);
  CHECK((programs.at(1).flags == 0 && programs.at(2).flags != 0));
  CHECK((programs.open(2) && !programs.open(2'000)));
  for (std::uint32_t i = 2; i < 160; ++i) programs.end(i);
  CHECK(programs.at(150).waits == 0);
  programs.restart();
  CHECK(programs.add(1) == 0);
}

TEST_CASE("a program can be loaded once it is requested and nothing is left to wait for, whatever their number") {
  FlashProgram program;
  CHECK_FALSE(program.can_be_loaded());
  program.flags = FlashProgram::kKnown;
  CHECK(program.can_be_loaded());
  for (program.waits = 1; program.waits < 300; ++program.waits) CHECK_FALSE(program.can_be_loaded());
}
