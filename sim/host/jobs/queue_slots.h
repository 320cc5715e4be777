// How full a job keeps its queue, as in fio: it submits until the queue is full, then waits until iodepth_batch_complete
// requests have completed, and reaps until at most iodepth_low are left.
#pragma once

#include <cstdint>

#include "sim/stats/run_stats.h"

namespace ftlab {

class QueueSlots {
 public:
  QueueSlots(const Flow& flow, std::uint64_t depth);

  // Called by the search for a latency target; applies from the next request on.
  void set_depth(std::uint64_t depth) { depth_ = depth; }

  // True if another request may be issued. Reaps completions if the queue was full.
  bool has_room();
  void issued() {
    ++used_;
    ++unsubmitted_;
    if (unsubmitted_ >= submit_batch_) submit();
  }
  void completed() { ++back_; }
  // Reaps all completions, because the host waits for everything.
  void take_all();
  // Submits requests not yet submitted; called before any wait.
  void submit();

  std::uint64_t used() const { return used_; }  // issued and not yet reaped: the depth in fio's sense
  std::uint64_t reaped() const { return reaped_; }
  const BatchLevels& submits() const { return submits_; }
  const BatchLevels& reaps() const { return reaps_; }
  void forget_batches() { submits_ = reaps_ = {}; }

 private:
  void take(std::uint64_t count);

  std::uint64_t depth_;
  std::uint64_t low_;
  std::uint64_t submit_batch_;
  std::uint64_t least_;
  std::uint64_t most_;
  std::uint64_t used_ = 0;
  std::uint64_t back_ = 0;  // completed and not yet reaped
  std::uint64_t unsubmitted_ = 0;
  std::uint64_t reaped_ = 0;
  bool draining_ = false;
  BatchLevels submits_{};
  BatchLevels reaps_{};
};

}  // namespace ftlab
