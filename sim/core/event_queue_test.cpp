#include "sim/core/event_queue.h"

#include "sim/core/random.h"
#include "sim/testing/test.h"

using namespace ftlab;

TEST_CASE("events come in order of time, then class, then sequence") {
  EventQueue<int> queue;
  queue.push(Nanoseconds{5}, EventClass::timer, 1);
  queue.push(Nanoseconds{5}, EventClass::completion, 2);
  queue.push(Nanoseconds{4}, EventClass::timer, 3);
  queue.push(Nanoseconds{5}, EventClass::completion, 4);
  queue.push(Nanoseconds{5}, EventClass::timer, 5);
  std::vector<int> order;
  while (!queue.empty()) order.push_back(queue.pop().payload);
  REQUIRE(order == std::vector<int>{3, 2, 4, 1, 5});
}

TEST_CASE("ten thousand random events come out sorted and none is lost") {
  EventQueue<std::uint32_t> queue;
  RandomStream random(3, "events");
  for (std::uint32_t i = 0; i < 10'000; ++i) queue.push(Nanoseconds{random.below(500)}, EventClass::completion, i);
  std::vector<bool> seen(10'000);
  Nanoseconds last_time{0};
  std::uint32_t last = 0;
  for (int i = 0; i < 10'000; ++i) {
    const auto event = queue.pop();
    REQUIRE(event.time >= last_time);
    if (event.time == last_time && i > 0) REQUIRE(event.payload > last);
    REQUIRE_FALSE(seen[event.payload]);
    seen[event.payload] = true;
    last_time = event.time;
    last = event.payload;
  }
  REQUIRE(queue.empty());
}

TEST_CASE("an event in the past is refused") {
  EventQueue<int> queue;
  queue.push(Nanoseconds{10}, EventClass::timer, 0);
  queue.pop();
  REQUIRE_NOTHROW(queue.push(Nanoseconds{10}, EventClass::timer, 0));
  REQUIRE_THROWS_AS(queue.push(Nanoseconds{9}, EventClass::timer, 0), CheckFailed);
}
