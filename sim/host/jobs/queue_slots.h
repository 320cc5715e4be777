// How full a job keeps its queue, as fio does: it submits until the queue is full, then waits until so many requests have
// come back (iodepth_batch_complete), and goes on taking them until no more than iodepth_low are left.
#pragma once

#include <cstdint>

#include "sim/stats/run_stats.h"

namespace ftlab {

class QueueSlots {
 public:
  QueueSlots(const Flow& flow, std::uint64_t depth);

  // A latency target's search sets it; from the next request on.
  void set_depth(std::uint64_t depth) { depth_ = depth; }

  // Whether another request may be issued. Takes what has come back when the queue was full.
  bool has_room();
  void issued() {
    ++used_;
    ++unsubmitted_;
    if (unsubmitted_ >= submit_batch_) submit();
  }
  void completed() { ++back_; }
  // The host waits for everything: takes all that has come back.
  void take_all();
  // Hands over what is not yet; called before any waiting.
  void submit();

  std::uint64_t used() const { return used_; }      // issued and not yet taken back, which is the depth fio speaks of
  std::uint64_t reaped() const { return reaped_; }  // taken back
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
  std::uint64_t back_ = 0;  // completed and not yet taken
  std::uint64_t unsubmitted_ = 0;
  std::uint64_t reaped_ = 0;
  bool draining_ = false;
  BatchLevels submits_{};
  BatchLevels reaps_{};
};

}  // namespace ftlab
