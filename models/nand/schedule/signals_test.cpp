#include "models/nand/schedule/signals.h"

#include <vector>

#include "sim/core/random.h"
#include "sim/testing/test.h"

using namespace ftlab;

namespace {

using Kind = Signals::Waiter::Kind;

std::vector<std::uint32_t> satisfy(Signals& signals, Signal signal) {
  std::vector<std::uint32_t> reported;
  signals.satisfy(signal, [&](const Signals::Waiter& waiter) { reported.push_back(waiter.id); });
  return reported;
}

}  // namespace

TEST_CASE("a signal is raised by the last of its reads, and its waiters are called in order") {
  Signals signals;
  CHECK(signals.raised(7));
  signals.feed(7);
  signals.feed(7);
  CHECK_FALSE(signals.raised(7));
  signals.wait(7, {Kind::outside, 1, 0, 0});
  signals.wait(7, {Kind::read, 2, 0, 0});
  CHECK(satisfy(signals, 7).empty());
  CHECK(satisfy(signals, 7) == std::vector<std::uint32_t>{1, 2});
  CHECK(signals.raised(7));
}

TEST_CASE("a signal without reads can be neither satisfied nor awaited") {
  Signals signals;
  CHECK_THROWS_AS(satisfy(signals, 3), CheckFailed);
  CHECK_THROWS_AS(signals.wait(3, {Kind::outside, 1, 0, 0}), CheckFailed);
}

TEST_CASE("signals can be fed in any order, again after they were raised, and while their numbers wrap around") {
  Signals signals;
  const Signal last = ~Signal{0};
  for (const Signal signal : {last, Signal{1}, last - 100, Signal{300}}) {
    signals.feed(signal);
    signals.wait(signal, {Kind::outside, signal, 0, 0});
  }
  CHECK(signals.raised(2));
  for (const Signal signal : {Signal{300}, last - 100, Signal{1}, last})
    CHECK(satisfy(signals, signal) == std::vector<std::uint32_t>{signal});
  signals.feed(last - 100);
  CHECK_FALSE(signals.raised(last - 100));
  CHECK(satisfy(signals, last - 100).empty());
}

TEST_CASE("a waiter may wait for another signal and raise it when it is called") {
  Signals signals;
  signals.feed(1);
  signals.feed(2);
  signals.wait(1, {Kind::signal, 2, 0, 0});
  signals.wait(2, {Kind::outside, 9, 0, 0});
  std::vector<std::uint32_t> reported;
  signals.satisfy(1, [&](const Signals::Waiter& waiter) {
    signals.feed(5);  // may reuse the entry just freed
    signals.wait(5, {Kind::outside, 8, 0, 0});
    for (const std::uint32_t id : satisfy(signals, waiter.id)) reported.push_back(id);
  });
  CHECK(reported == std::vector<std::uint32_t>{9});
  CHECK(satisfy(signals, 5) == std::vector<std::uint32_t>{8});
}

// In any order, and however long the oldest stays open.
TEST_CASE("each of thousands of signals is raised once, by the last of its reads") {
  Signals signals;
  RandomStream random(4, "signals");
  std::vector<std::uint32_t> feeds;  // by signal - 1
  std::vector<Signal> open;
  std::uint64_t raised = 0;
  for (Signal next = 1; next <= 5'000 || !open.empty();) {
    if (next <= 5'000 && random.chance(1, 2)) {
      const auto count = static_cast<std::uint32_t>(1 + random.below(3));
      for (std::uint32_t i = 0; i < count; ++i) signals.feed(next);
      signals.wait(next, {Kind::outside, next, 0, 0});
      feeds.push_back(count);
      open.push_back(next++);
      continue;
    }
    if (open.empty()) continue;
    const std::size_t at = random.below(open.size());
    const Signal signal = open[at];
    const std::vector<std::uint32_t> reported = satisfy(signals, signal);
    if (--feeds[signal - 1] > 0) {
      REQUIRE(reported.empty());
      continue;
    }
    REQUIRE(reported == std::vector<std::uint32_t>{signal});
    open.erase(open.begin() + static_cast<std::ptrdiff_t>(at));
    ++raised;
  }
  CHECK(raised == 5'000);
}
