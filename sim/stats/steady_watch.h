// Ends a run when its steady state is known well enough: `ftlab run --until-steady`. Told about every interval of the series
// (HostOptions::enough), it takes the second half of the run so far for the steady part and the first half for warm-up. The
// state is reached when, over that second half, the 95 % confidence intervals (batch_means.h) of the requests per second and
// of write amplification are within the wanted share of their means, neighbouring batches are independent after merging,
// neither of the two drifts, the drive had been written twice over before the half began, and the half writes it once over.
// The last two are for drives whose time scale is longer than a few intervals: one whose spare space was never used up has
// the write amplification of an empty drive, perfectly constant, and one that collects in bursts between two watermarks is
// perfectly constant within a burst. Twice is SNIA's workload-independent preconditioning. Reads of space never written are
// never steady: no flash answers them. A run without a clock is judged by write amplification alone.
#pragma once

#include <string>

#include "sim/stats/batch_means.h"
#include "sim/stats/run_stats.h"

namespace ftlab {

// Sizes of the device under test.
struct DeviceSize {
  std::uint64_t capacity_bytes = 0;  // that the host can write to
  std::uint64_t mapping_bytes = 0;   // unit of Counters::unmapped_read_pages
};

// Share of the bytes read that were never written.
double unwritten_share(const Counters& run, std::uint64_t mapping_bytes);
// A smaller share hardly moves a mean.
inline constexpr double kUnwrittenShare = 0.01;

class SteadyWatch {
 public:
  // `fraction`: of the mean, half the width of the interval. `before`: counters of the device as the run begins; on a device
  // that counts nothing, what the run itself writes counts. REQUIRES: 0 < fraction < 1.
  SteadyWatch(double fraction, const DeviceSize& size, const Counters& before);

  // One more interval; true when the steady state is known. Costs a walk over all intervals each time their number has grown
  // by a twentieth, otherwise nothing.
  bool add(const SeriesRow& row);

  struct Estimate {
    bool measured = false;  // false: there is nothing of the kind (write amplification without writes)
    double mean = 0;
    double half_width = 0;  // infinite: not known
    bool known = false;
    std::string why_not;  // empty when known, or not measured
  };
  struct Verdict {
    bool reached = false;
    std::string why_not;                         // empty when reached
    Nanoseconds at{0};                           // the end of the interval with which it was reached, or of the last one
    Nanoseconds from{0};                         // where the steady part begins
    std::uint64_t at_bytes = 0, from_bytes = 0;  // the same moments by what the host had written in the run
    Estimate iops, wa;
  };
  // Of the intervals so far.
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
