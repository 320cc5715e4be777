#include "sim/stats/steady_watch.h"

#include "sim/core/random.h"
#include "sim/testing/test.h"

using namespace ftlab;

namespace {

constexpr std::uint64_t kCapacity = 1'000'000;

// A run of intervals of one second, with writes of 1000 bytes.
class Run {
 public:
  SeriesRow row(std::uint64_t requests, std::uint64_t media_bytes_per_host_byte = 3) {
    SeriesRow row;
    row.length = Nanoseconds{1'000'000'000};
    row.end = end_ += row.length;
    row.requests[1] = requests;
    row.bytes[1] = requests * 1000;
    device_.host_write_bytes += row.bytes[1];
    device_.media_host_bytes += row.bytes[1] * media_bytes_per_host_byte;
    row.device = device_;
    return row;
  }

 private:
  Nanoseconds end_{0};
  Counters device_;
};

// Number of intervals until the run is steady; 0: never.
template <class Rate>
std::size_t steady_after(SteadyWatch& watch, Rate rate, std::size_t most = 2000) {
  Run run;
  for (std::size_t i = 1; i <= most; ++i) {
    if (watch.add(run.row(rate(i)))) return i;
  }
  return 0;
}

}  // namespace

TEST_CASE("constant rates are steady once the drive was written twice over before the second half") {
  SteadyWatch watch(0.02, {kCapacity, 4096}, {});
  const std::size_t after = steady_after(watch, [](std::size_t) { return std::uint64_t{100}; });
  CHECK(after >= 40);  // 100 kB an interval: 20 of them write the drive twice
  CHECK(after <= 44);
  CHECK(watch.verdict().reached);
  CHECK(watch.verdict().wa.mean == Approx(3));
  CHECK(watch.verdict().iops.mean == Approx(100));
  Counters before;
  before.host_write_bytes = 2 * kCapacity;
  SteadyWatch aged(0.02, {kCapacity, 4096}, before);
  CHECK(steady_after(aged, [](std::size_t) { return std::uint64_t{100}; }) == 20);  // 10 of them write it once
}

TEST_CASE("bursts longer than many intervals are not mistaken for the steady state") {
  Counters before;
  before.host_write_bytes = 2 * kCapacity;
  SteadyWatch watch(0.02, {kCapacity, 4096},
                    before);  // a burst of 40 intervals writes 4 % of the drive, the time between 36 %
  const auto rate = [](std::size_t i) { return std::uint64_t{i % 80 < 40 ? 1u : 9u}; };
  const std::size_t after = steady_after(watch, rate, 20'000);
  CHECK((after == 0 || after > 400));
  if (after > 0) CHECK(watch.verdict().iops.mean == Approx(5).epsilon(0.03));
}

TEST_CASE("a rate that keeps falling is never steady") {
  SteadyWatch watch(0.02, {kCapacity, 4096}, {});
  CHECK(steady_after(watch, [](std::size_t i) { return 10'000 - 4 * i; }) == 0);
  CHECK_FALSE(watch.verdict().why_not.empty());
}

TEST_CASE("a narrower confidence interval needs a longer run") {
  std::size_t last = 0;
  for (const double fraction : {0.05, 0.02, 0.01}) {
    SteadyWatch watch(fraction, {kCapacity, 4096}, {});
    RandomStream random(5, "rates");
    const std::size_t after = steady_after(watch, [&random](std::size_t) { return 800 + random.below(400); });
    CHECK(after > last);
    last = after;
  }
}

TEST_CASE("a run of reads alone becomes steady without writes") {
  SteadyWatch watch(0.02, {kCapacity, 4096}, {});
  std::size_t after = 0;
  for (std::size_t i = 1; i <= 100 && after == 0; ++i) {
    SeriesRow row;
    row.length = Nanoseconds{1'000'000'000};
    row.end = Nanoseconds{i * 1'000'000'000};
    row.requests[0] = 50;
    if (watch.add(row)) after = i;
  }
  CHECK(after == 20);
  CHECK_FALSE(watch.verdict().wa.measured);
}

TEST_CASE("write amplification is media bytes over host bytes, however unevenly the host writes") {
  SteadyWatch watch(0.1, {kCapacity, 4096}, {});
  Run run;
  for (std::size_t i = 1; i <= 8000; ++i) watch.add(i % 8 < 4 ? run.row(1, 17) : run.row(9, 1));
  const SteadyWatch::Verdict verdict = watch.verdict();
  CHECK(verdict.wa.mean == Approx((1 * 17 + 9 * 1) / 10.0).epsilon(0.03));
  CHECK(verdict.iops.mean == Approx(5));
}

TEST_CASE("reads of space never written are never steady") {
  SteadyWatch watch(0.02, {kCapacity, 4096}, {});
  SteadyWatch written(0.02, {kCapacity, 4096}, {});
  SeriesRow row;
  row.length = Nanoseconds{1'000'000'000};
  for (int i = 0; i < 100; ++i) {
    row.end += row.length;
    row.requests[0] = 1000;
    row.device.host_read_bytes += 1000 * 4096;
    written.add(row);
    SeriesRow empty = row;
    empty.device.unmapped_read_pages = row.device.host_read_bytes / 4096 / 50;  // 2 %
    watch.add(empty);
  }
  CHECK(written.verdict().reached);
  CHECK(watch.verdict().why_not == "reads of space never written come from no flash");
}

TEST_CASE("without a clock only write amplification is judged, by bytes written by the host") {
  Run run;
  SteadyWatch watch(0.02, {kCapacity, 4096}, {});
  std::size_t intervals = 0;
  for (bool known = false; !known && intervals < 500; ++intervals) {
    SeriesRow row = run.row(100);
    row.end = row.length = Nanoseconds{0};
    known = watch.add(row);
  }
  const SteadyWatch::Verdict verdict = watch.verdict();
  REQUIRE(verdict.reached);
  CHECK_FALSE(verdict.iops.measured);
  CHECK(verdict.wa.mean == Approx(3));
  CHECK(verdict.from_bytes >= 2 * kCapacity);
  CHECK(verdict.at_bytes == intervals * 100'000);
}
