// When a job issues flushes: after every N-th write (fsync, fdatasync), before a barrier, and at its end.
#pragma once

#include <cstdint>

#include "sim/workload/jobs/flow.h"

namespace ftlab {

class Flushes {
 public:
  explicit Flushes(const Flow& flow) : flow_(flow), at_end_(flow.flush_at_end) {}

  // Kind of flush to be issued before the next request. As in fio, a flush is due again after each request that does not
  // change the count of writes: a mixed job flushes after each read that follows the N-th write.
  FlushKind due() const {
    if (last_was_flush_ || writes_ == 0) return barrier_is_due() ? FlushKind::unreported : FlushKind::none;
    if (divides(flow_.flush_every)) return FlushKind::full;
    if (divides(flow_.data_flush_every)) return FlushKind::data;
    return barrier_is_due() ? FlushKind::unreported : FlushKind::none;
  }

  void issued_flush(FlushKind kind) {
    last_was_flush_ = true;
    barrier_flushed_ = barrier_flushed_ || kind == FlushKind::unreported;
    awaited_ = !flow_.flush_keeps_queue || kind == FlushKind::unreported;
  }
  void completed_flush() { awaited_ = false; }
  // True if nothing else may be issued until the outstanding flush has completed.
  bool awaited() const { return awaited_; }

  // Counts a write; returns true if it must be FUA.
  bool issued_write() {
    const bool barrier = barrier_flushed_;
    barrier_flushed_ = last_was_flush_ = false;
    ++writes_;
    return flow_.forced_writes || barrier;
  }
  void issued_other() { last_was_flush_ = false; }

  // True once, if a flush is due after all else has completed.
  bool take_flush_at_end() {
    const bool due = at_end_;
    at_end_ = false;
    return due;
  }

 private:
  bool divides(std::uint64_t every) const { return every != 0 && writes_ % every == 0; }
  bool barrier_is_due() const { return !barrier_flushed_ && writes_ != 0 && divides(flow_.barrier_every); }

  const Flow& flow_;
  bool at_end_;
  std::uint64_t writes_ = 0;
  bool last_was_flush_ = false;
  bool barrier_flushed_ = false;
  bool awaited_ = false;
};

}  // namespace ftlab
