// Signals that are not raised yet: how many reads each waits for, and who waits for it. A signal that is unknown here was
// raised, however long ago.
#pragma once

#include <cstdint>
#include <vector>

#include "models/nand/schedule/work_record.h"
#include "sim/check.h"

namespace ftlab {

class Signals {
 public:
  // Who waits: a read that has not become ready, a range of programs, another signal, or somebody outside under a tag.
  struct Waiter {
    enum class Kind : std::uint32_t { read, programs, signal, outside };
    Kind kind;
    std::uint32_t id;        // of the read; number of the first program; signal; tag
    std::uint32_t frontier;  // of programs
    std::uint32_t span;      // of programs
  };

  // One more read feeds it.
  void feed(Signal signal) { ++entry(signal).feeders; }
  bool raised(Signal signal) const {
    for (const Entry& entry : open_) {
      if (entry.signal == signal) return false;
    }
    return true;
  }
  // REQUIRES: it is not raised.
  void wait(Signal signal, const Waiter& waiter) {
    const auto at = static_cast<std::uint32_t>(waiters_.size());
    waiters_.push_back({waiter, entry(signal).signal});
    (void)at;
  }
  // One of its reads is done. Returns whether it is raised with that; take_waiters() then hands out who waits for it.
  bool satisfy(Signal signal) {
    Entry& it = entry(signal);
    FTLAB_CHECK(it.feeders > 0, "signal " + std::to_string(signal) + " has no read that feeds it");
    if (--it.feeders > 0) return false;
    it = open_.back();
    open_.pop_back();
    return true;
  }
  // In the order in which they came.
  template <class Take>
  void take_waiters(Signal signal, Take&& take) {
    std::vector<Waiter> taken;
    std::erase_if(waiters_, [&](const Waiting& waiting) {
      if (waiting.signal != signal) return false;
      taken.push_back(waiting.waiter);
      return true;
    });
    for (const Waiter& waiter : taken) take(waiter);
  }
  bool empty() const { return open_.empty(); }
  void clear() {
    open_.clear();
    waiters_.clear();
  }

  template <class A>
  void archive(A& archive) {
    archive.list(open_, kMost);
    archive.list(waiters_, kMost);
    for (const Waiting& waiting : waiters_)
      archive.require(waiting.waiter.kind <= Waiter::Kind::outside && !raised(waiting.signal),
                      "a signal is waited for in vain.");
  }
  template <class Visit>
  void each_waiter(Visit&& visit) const {
    for (const Waiting& waiting : waiters_) visit(waiting.waiter);
  }

 private:
  static constexpr std::uint64_t kMost = 1 << 20;
  struct Entry {
    Signal signal;
    std::uint32_t feeders;
  };
  struct Waiting {
    Waiter waiter;
    Signal signal;
  };
  Entry& entry(Signal signal) {
    for (Entry& entry : open_) {
      if (entry.signal == signal) return entry;
    }
    open_.push_back({signal, 0});
    return open_.back();
  }

  std::vector<Entry> open_;  // few
  std::vector<Waiting> waiters_;
};

}  // namespace ftlab
