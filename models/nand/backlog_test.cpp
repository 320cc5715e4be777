// The backlog's shortcuts, held against the schedule that they stand for, worked out anew after each step.
#include "models/nand/backlog.h"

#include <deque>

#include "sim/archive.h"
#include "sim/random.h"
#include "sim/test.h"
#include "sim/test_archive.h"

using namespace ftlab;

namespace {

Backlog saved_and_loaded(Backlog& backlog) {
  Archive out = Archive::saving();
  backlog.archive(out);
  Backlog loaded;
  Archive in = Archive::loading(out.finish());
  loaded.archive(in);
  in.end();
  return loaded;
}

// Each with the moment at which it begins; whatever comes only moves others back.
class PlainBacklog {
 public:
  struct Planned {
    Backlog::Work work;
    Nanoseconds begins;
    Nanoseconds over() const { return begins + work.length; }
  };
  std::deque<Planned> planned;

  void add(std::size_t place, const Backlog::Work& work, Nanoseconds begins) {
    planned.insert(planned.begin() + static_cast<std::ptrdiff_t>(place), {work, begins});
    push_back_after(place);
  }
  void delay_until(Nanoseconds begins) {
    planned[0].begins = std::max(planned[0].begins, begins);
    push_back_after(0);
  }
  std::size_t place_of(Nanoseconds ready) const {
    std::size_t place = planned.size();
    while (place > 0 && planned[place - 1].work.resumed == 0 && planned[place - 1].work.ready > ready) --place;
    return place;
  }

 private:
  void push_back_after(std::size_t index) {
    for (std::size_t i = index + 1; i < planned.size(); ++i) {
      planned[i].begins = std::max(planned[i].begins, planned[i - 1].over());
    }
  }
};

Nanoseconds ns(std::uint64_t value) { return Nanoseconds{value}; }

}  // namespace

TEST_CASE("work begins when it is ready and the one before it is over, and idle time takes delays up") {
  Backlog backlog;
  backlog.add_first({ns(100), ns(100), ns(50), ns(50)}, ns(100));
  backlog.add({ns(120), ns(120), ns(50), ns(50)});
  backlog.add({ns(300), ns(300), ns(50), ns(50)});
  CHECK(backlog.begins() == ns(100));
  CHECK(backlog.ends() == ns(350));
  CHECK(backlog.would_begin(ns(120)) == ns(200));
  CHECK(backlog.would_begin(ns(310)) == ns(350));
  backlog.delay_until(ns(199));  // 99 of 100 idle
  CHECK(backlog.ends() == ns(350));
  backlog.delay_until(ns(201));
  CHECK(backlog.ends() == ns(351));
  backlog.begin_first();
  CHECK(backlog.begins() == ns(251));
  CHECK(backlog.size() == 2);
}

TEST_CASE("the rest of what was suspended stays first, whatever is ready before") {
  Backlog backlog;
  backlog.add_first({ns(500), ns(500), ns(50), ns(50), ns(0), 1, 0, 1}, ns(600));
  CHECK(!backlog.would_be_first(ns(1)));
  backlog.add({ns(1), ns(1), ns(10), ns(10)});
  CHECK(backlog.front().resumed == 1);
  CHECK(backlog.ends() == ns(660));
}

TEST_CASE("after any steps the beginning and the end are those of the plain schedule") {
  RandomStream random(3, "backlog");
  for (int trial = 0; trial < 200; ++trial) {
    Backlog fast;
    PlainBacklog plain;
    const std::uint64_t spread = random.chance(1, 2) ? 100 : 5000;
    Nanoseconds now{0};
    for (int step = 0; step < 200; ++step) {
      const std::uint64_t what = random.below(10);
      const Nanoseconds ready = now + ns(random.below(spread));
      const Backlog::Work work{ready, ready + ns(random.below(20)), ns(1 + random.below(100)), ns(1)};
      if (what < 6) {
        const std::size_t place = plain.place_of(work.ready);
        REQUIRE(fast.would_be_first(work.ready) == (place == 0));
        const Nanoseconds begins = std::max(work.from, place == 0 ? now : plain.planned[place - 1].over());
        plain.add(place, work, begins);
        if (place > 0 && work.from == work.ready) REQUIRE(fast.would_begin(work.ready) == begins);
        place == 0 ? fast.add_first(work, begins) : fast.add(work);
      } else if (what < 8 && !plain.planned.empty()) {
        now = plain.planned[0].over();
        plain.planned.pop_front();
        fast.begin_first();
      } else if (!plain.planned.empty()) {
        const Nanoseconds until = plain.planned[0].begins + ns(random.below(200));
        plain.delay_until(until);
        fast.delay_until(until);
      }
      if (step % 20 == 19) fast = saved_and_loaded(fast);
      REQUIRE(fast.empty() == plain.planned.empty());
      if (plain.planned.empty()) continue;
      REQUIRE(fast.begins() == plain.planned.front().begins);
      REQUIRE(fast.ends() == plain.planned.back().over());
    }
  }
}

TEST_CASE("a backlog is saved with what begins hours later, and refused when it does not add up") {
  constexpr Nanoseconds kHour = std::chrono::hours(1);
  Backlog backlog;
  backlog.add_first({ns(0), ns(0), ns(500), ns(500)}, ns(0));
  backlog.add({3 * kHour, 3 * kHour, ns(700), ns(700)});
  CHECK(saved_and_loaded(backlog).ends() == 3 * kHour + ns(700));

  Archive out = Archive::saving();
  backlog.archive(out);
  std::string state = out.finish();
  state[state.size() - 16] += 1;  // the sum of the idle time, before the checksum
  testing::seal(state.data(), state.size());
  Archive in = Archive::loading(state);
  Backlog made_up;
  CHECK_THROWS_WITH(made_up.archive(in),
                    "the state does not fit: before the first section: what waits for it does not add up.");
}
