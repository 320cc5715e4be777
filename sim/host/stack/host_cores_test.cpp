// Which thread a core runs and when, to the nanosecond.
#include "sim/host/stack/host_cores.h"

#include <vector>

#include "sim/testing/test.h"

using namespace ftlab;

namespace {

Nanoseconds ns(std::uint64_t value) { return Nanoseconds{value}; }

struct Ended {
  std::uint64_t task;
  std::uint64_t at;
  bool operator==(const Ended&) const = default;
};

std::vector<Ended> run(HostCores& cores) {
  std::vector<Ended> all;
  while (cores.next() != kNever) {
    const HostCores::Done done = cores.step();
    if (done.any) all.push_back({done.task, done.at.count()});
  }
  return all;
}

constexpr HostThreads kThreads{Nanoseconds{100}, Nanoseconds{2500}};

}  // namespace

TEST_CASE("a core runs tasks in order of arrival if threads cost nothing, whatever their thread") {
  HostCores cores(1, {}, {});
  cores.add(0, ns(0), 1, ns(1000));
  cores.add(1, ns(100), 2, ns(500));
  cores.add(0, ns(200), 3, ns(200));
  CHECK(run(cores) == std::vector<Ended>{{1, 1000}, {2, 1500}, {3, 1700}});
}

TEST_CASE("threads on cores of their own do not wait for one another") {
  HostCores cores(0, {}, {});
  cores.add(0, ns(0), 1, ns(1000));
  cores.add(1, ns(100), 2, ns(500));
  CHECK(run(cores) == std::vector<Ended>{{2, 600}, {1, 1000}});
}

TEST_CASE("a core stays with a thread that has more tasks, and pays a switch for the next thread") {
  HostCores cores(1, kThreads, {});
  cores.add(0, ns(0), 1, ns(1000));
  cores.add(1, ns(100), 2, ns(500));
  cores.add(0, ns(200), 3, ns(200));
  // 100 + 1000, then 200 of the same thread without a switch, then 100 + 500 of the other.
  CHECK(run(cores) == std::vector<Ended>{{1, 1100}, {3, 1300}, {2, 1900}});
}

TEST_CASE("a thread that was idle pays a switch again") {
  HostCores cores(1, kThreads, {});
  cores.add(0, ns(0), 1, ns(1000));
  cores.add(0, ns(1100), 2, ns(10));  // arrives when the first one ends, so the thread was not idle
  cores.add(0, ns(5000), 3, ns(10));
  CHECK(run(cores) == std::vector<Ended>{{1, 1100}, {2, 1110}, {3, 5110}});
}

TEST_CASE("after a slice the waiting thread is next") {
  HostCores cores(1, kThreads, {});
  for (std::uint64_t task = 1; task <= 4; ++task) cores.add(0, ns(0), task, ns(1000));
  cores.add(1, ns(50), 9, ns(500));
  // Tasks end at 1100, 2100 and 3100. The slice of 2500, counted from 0, is over only then.
  CHECK(run(cores) == std::vector<Ended>{{1, 1100}, {2, 2100}, {3, 3100}, {9, 3700}, {4, 4800}});
}

TEST_CASE("a core sleeps after the given idle time, and not a nanosecond earlier") {
  const auto ends = [](std::uint64_t second) {
    HostCores cores(1, {}, {ns(2000), ns(700)});
    cores.add(0, ns(10), 1, ns(90));
    cores.add(0, ns(second), 2, ns(5));
    return run(cores)[1].at - second;
  };
  CHECK(ends(2099) == 5);
  CHECK(ends(2100) == 705);
}
