#include "sim/host/stack/elevator.h"

#include <catch2/catch.hpp>

namespace ftlab {
namespace {

using Order = std::vector<std::uint32_t>;
constexpr Nanoseconds kMs{1'000'000};

// Adds requests of one sector at 0 ms, numbered in order of arrival, and dispatches one per millisecond.
Order order_of(const ElevatorConfig& config, const std::vector<std::uint64_t>& sectors, std::uint32_t in_disk = 0,
               const std::vector<bool>& writes = {}) {
  Elevator elevator(config);
  for (std::uint32_t i = 0; i < sectors.size(); ++i)
    elevator.add(i, sectors[i], sectors[i] + 1, i < writes.size() && writes[i]);
  Order order;
  for (Nanoseconds now{0}; !elevator.empty(); now += kMs) order.push_back(elevator.next(now, in_disk));
  return order;
}

ElevatorConfig patient() { return {16, 128, 500 * kMs, 5000 * kMs}; }

TEST_CASE("the scheduler goes upwards, and restarts at the lowest sector if no request is above") {
  CHECK(order_of(patient(), {50, 10, 30, 20, 40}) == Order{1, 3, 2, 4, 0});
  Elevator elevator(patient());
  elevator.add(0, 50, 51, false);
  CHECK(elevator.next(kMs, 0) == 0);
  elevator.add(1, 10, 11, false);
  elevator.add(2, 60, 61, false);
  CHECK(elevator.next(kMs, 0) == 2);
  CHECK(elevator.next(kMs, 0) == 1);
}

TEST_CASE("a batch begins at the oldest request when that has waited too long, and goes upwards from there") {
  ElevatorConfig config = patient();
  config.batch = 2;
  config.read_expire = kMs;
  // At 0 ms none has waited: 10 and 20. At 2 ms all have waited too long: 50 is the oldest, and 60 follows; then 30 and 40.
  CHECK(order_of(config, {50, 10, 30, 20, 40, 60}) == Order{1, 3, 0, 5, 2, 4});
}

TEST_CASE("the scheduler holds a limited number of requests, including those in the disk") {
  ElevatorConfig config = patient();
  config.requests = 5;
  CHECK(order_of(config, {50, 40, 30, 20, 10}, 3) == Order{1, 0, 3, 2, 4});  // choices: 50 40, 50 30, 30 20, 30 10, 10
  CHECK(order_of(config, {50, 40, 30, 20, 10}, 0) == Order{4, 3, 2, 1, 0});
}

TEST_CASE("reads go first, until writes were passed over twice") {
  ElevatorConfig config = patient();
  config.batch = 1;
  CHECK(order_of(config, {10, 20, 30, 40, 50, 60}, 0, {true, true}) == Order{2, 3, 0, 4, 5, 1});
}

}  // namespace
}  // namespace ftlab
