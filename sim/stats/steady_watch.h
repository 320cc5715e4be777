// Ends a run when it has reached its steady state: `ftlab run --until-steady`. After every interval of the series
// (HostOptions::enough) it treats the first half of the run so far as warm-up and the second half as the steady part. The
// steady state is reached if, over the second half, the 95 % confidence intervals (batch_means.h) of requests per second and
// of write amplification are within the wanted share of their means, neighbouring batches are independent after merging,
// neither of the two drifts, and the capacity was written at least twice before the second half and once during it.
// The last two conditions are for drives whose time scale is longer than a few intervals: a drive whose spare space was
// never used up has the constant write amplification of an empty drive, and one that collects in bursts between two
// watermarks is constant within a burst. Twice is SNIA's workload-independent preconditioning. Reads of space never written
// are never steady: they do not reach the flash. A run without a clock is judged by write amplification alone.
#pragma once

#include <string>

#include "sim/stats/batch_means.h"
#include "sim/stats/run_stats.h"

namespace ftlab {

// Sizes of the device under test.
struct DeviceSize {
  std::uint64_t capacity_bytes = 0;  // capacity visible to the host
  std::uint64_t mapping_bytes = 0;   // unit of Counters::unmapped_read_pages
};

// Share of the bytes read that had never been written.
double unwritten_share(const Counters& run, std::uint64_t mapping_bytes);
// Smaller shares hardly affect a mean.
inline constexpr double kUnwrittenShare = 0.01;

class SteadyWatch {
 public:
  // `fraction`: wanted half width of the interval, as a fraction of the mean. `before`: counters of the device when the run
  // begins; on a device without counters, only what the run itself writes counts. REQUIRES: 0 < fraction < 1.
  SteadyWatch(double fraction, const DeviceSize& size, const Counters& before);

  // Adds an interval; returns true if the steady state is reached. Checks, walking all intervals, only each time
  // their number has grown by a twentieth.
  bool add(const SeriesRow& row);

  struct Estimate {
    bool measured = false;  // false: no data (write amplification without writes)
    double mean = 0;
    double half_width = 0;  // infinity: unknown
    bool known = false;
    std::string why_not;  // empty when known, or not measured
  };
  struct Verdict {
    bool reached = false;
    std::string why_not;                         // empty when reached
    Nanoseconds at{0};                           // end of the interval in which it was reached, or of the last one
    Nanoseconds from{0};                         // start of the steady part
    std::uint64_t at_bytes = 0, from_bytes = 0;  // `at` and `from` in bytes written by the host in the run
    Estimate iops, wa;
  };
  // Verdict on the intervals so far.
  Verdict verdict() const;
  double fraction() const { return fraction_; }

 private:
  Estimate estimate(const BatchMeans& batches) const;

  std::string why_not(const Verdict& verdict, std::size_t first, std::size_t batches) const;

  double fraction_;
  DeviceSize size_;
  Counters before_;
  std::vector<SeriesRow> rows_;
  std::size_t next_look_;
};

}  // namespace ftlab
