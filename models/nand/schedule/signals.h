// Open signals, i.e. not raised yet: the number of reads that each waits for, and its waiters. An unknown signal has been
// raised.
//
// Signals are numbered in order of creation and raised soon after, so open ones have close numbers: a ring indexed by
// number.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/nand/schedule/work_record.h"
#include "sim/core/check.h"

namespace ftlab {

class Signals {
 public:
  // Waits for a signal: a read that is not ready, a range of programs, another signal, or the engine's caller (with a tag).
  struct Waiter {
    enum class Kind : std::uint32_t { read, programs, signal, outside };
    Kind kind;
    std::uint32_t id;        // read, number of the first program, signal, or tag
    std::uint32_t frontier;  // programs only
    std::uint32_t span;      // programs only
  };

  // Adds a read, or another signal, that feeds the signal.
  void feed(Signal signal) {
    reach(signal);
    ++at(signal).feeders;
  }
  bool raised(Signal signal) const { return signal - first_ >= count_ || ring_[signal & mask()].feeders == 0; }
  // REQUIRES: !raised(signal).
  void wait(Signal signal, const Waiter& waiter) {
    FTLAB_CHECK(!raised(signal), "signal " + std::to_string(signal) + " is waited for in vain");
    std::uint32_t node = free_;
    if (node == kNone) {
      node = static_cast<std::uint32_t>(nodes_.size());
      nodes_.emplace_back();
    } else {
      free_ = nodes_[node].next;
    }
    nodes_[node] = {waiter, kNone};
    Entry& entry = at(signal);
    (entry.first == kNone ? entry.first : nodes_[entry.last].next) = node;
    entry.last = node;
  }
  // One of the signal's reads is done. After the last one, calls take(waiter) for each waiter, in the order of wait().
  template <class Take>
  void satisfy(Signal signal, Take&& take) {
    FTLAB_CHECK(!raised(signal), "signal " + std::to_string(signal) + " has no read that feeds it");
    Entry& entry = at(signal);
    if (--entry.feeders > 0) return;
    std::uint32_t node = entry.first;
    entry = {};
    while (count_ > 0 && at(first_).feeders == 0) ++first_, --count_;
    while (node != kNone) {
      const Node taken = nodes_[node];
      nodes_[node].next = free_;
      free_ = node;
      node = taken.next;
      take(taken.waiter);
    }
  }
  void clear() {
    ring_.assign(ring_.size(), {});
    nodes_.resize(1);
    first_ = count_ = 0;
    free_ = kNone;
  }

  template <class A>
  void archive(A& archive) {
    std::vector<Open> open;
    std::vector<Waiting> waiting;
    for (Signal signal = first_; signal != first_ + count_; ++signal) {
      const Entry& entry = at(signal);
      if (entry.feeders > 0) open.push_back({signal, entry.feeders});
      for (std::uint32_t node = entry.first; node != kNone; node = nodes_[node].next)
        waiting.push_back({nodes_[node].waiter, signal});
    }
    archive.list(open, kMost);
    archive.list(waiting, kMost);
    if (!archive.loading()) return;
    clear();
    for (const Open& entry : open) {
      reach(entry.signal);
      at(entry.signal).feeders = entry.feeders;
    }
    for (const Waiting& one : waiting) wait(one.signal, one.waiter);
  }

 private:
  static constexpr std::uint64_t kMost = 1 << 20;
  static constexpr std::uint32_t kNone = 0;
  struct Entry {
    std::uint32_t feeders = 0;
    std::uint32_t first = kNone, last = kNone;  // list of waiters
  };
  struct Node {
    Waiter waiter{};
    std::uint32_t next = kNone;
  };

  // Saved form, in order of signals.
  struct Open {
    Signal signal;
    std::uint32_t feeders;
  };
  struct Waiting {
    Waiter waiter;
    Signal signal;
  };

  std::uint32_t mask() const { return static_cast<std::uint32_t>(ring_.size()) - 1; }
  Entry& at(Signal signal) { return ring_[signal & mask()]; }
  // Makes room in the ring for the signal, which may be lower than the others.
  void reach(Signal signal) {
    if (signal - first_ < count_) return;
    if (count_ == 0) first_ = signal;
    const bool before = first_ - signal < signal - first_;
    const std::uint32_t count = before ? first_ + count_ - signal : signal - first_ + 1;
    FTLAB_CHECK(count <= kMost, "signal " + std::to_string(signal) + " lies too far from " + std::to_string(first_));
    while (ring_.size() < count) grow();
    if (before) first_ = signal;
    count_ = count;
  }
  void grow() {
    std::vector<Entry> larger(2 * ring_.size());
    for (std::uint32_t i = 0; i < count_; ++i) larger[(first_ + i) & (larger.size() - 1)] = at(first_ + i);
    ring_.swap(larger);
  }

  std::vector<Entry> ring_ = std::vector<Entry>(64);  // by number
  std::vector<Node> nodes_ = std::vector<Node>(1);
  Signal first_ = 0;         // the oldest that may be open
  std::uint32_t count_ = 0;  // from first_ on
  std::uint32_t free_ = kNone;
};

}  // namespace ftlab
