// Writes the write cache to the platters, and holds commands that wait for that: writes for room, flushes for earlier
// writes. Writing out, once begun, continues until the cache is empty.
#pragma once

#include <deque>
#include <optional>

#include "models/hdd/command_table.h"
#include "models/hdd/write_cache.h"

namespace ftlab {

class WriteBack {
 public:
  using Slot = CommandTable::Slot;

  explicit WriteBack(const WriteCacheConfig& config) : cache_(config) {}

  const WriteCache& cache() const { return cache_; }
  void put(const DiskCommand& write, Nanoseconds ready) { cache_.put(write.first, write.end, write.place, ready); }
  // True if the cache, or the piece being written, holds all of it.
  bool covers(Sector first, Sector end) const {
    return cache_.covers(first, end) || (writing_ && writing_->first <= first && end <= writing_->end);
  }

  // True if a command waits for the cache to be written.
  bool is_urgent() const { return !admissions_.empty() || !flushes_.empty(); }
  // Time from which the next piece may be written; `last_request`: when the disk last had other work.
  Nanoseconds may_begin(Nanoseconds last_request) const {
    if (cache_.empty()) return kNever;
    const Nanoseconds there = cache_.piece(0).ready;
    return draining_ || is_urgent() ? there : std::max(there, last_request + cache_.config().idle_after);
  }

  const WriteCache::Piece& begin(std::size_t piece) {
    writing_ = cache_.take(piece);
    draining_ = !cache_.empty();
    return *writing_;
  }
  bool is_writing() const { return writing_.has_value(); }
  std::uint64_t writing_bytes() const { return writing_ ? (writing_->end - writing_->first) * kSectorBytes : 0; }
  void finish() {
    cache_.written(*writing_);
    writing_.reset();
  }

  // True if there is no room for a write, or earlier writes wait for room.
  bool must_wait(std::uint64_t bytes) const { return !admissions_.empty() || !cache_.has_room(bytes); }
  void wait_for_room(Slot slot, std::uint64_t bytes) { admissions_.push_back({slot, bytes}); }
  std::optional<Slot> first_waiting() const {
    return admissions_.empty() ? std::nullopt : std::optional(admissions_.front().slot);
  }
  // The next waiting write, if there is room for it now.
  std::optional<Slot> take_admitted() {
    return take_first(admissions_, !admissions_.empty() && cache_.has_room(admissions_.front().limit));
  }

  bool has_nothing() const { return cache_.empty() && !writing_; }
  void wait_for_cache(Slot flush) { flushes_.push_back({flush, cache_.next_sequence()}); }
  // The next waiting flush, if no write before it is left to write.
  std::optional<Slot> take_flushed() {
    return take_first(flushes_, !flushes_.empty() && cache_.taken_before(flushes_.front().limit));
  }

  // Completes the piece being written, drops the rest, and returns the bytes lost. REQUIRES: no command waits.
  std::uint64_t power_cycle() {
    if (writing_) finish();
    draining_ = false;
    const std::uint64_t lost = cache_.used_bytes();
    cache_.lose();
    return lost;
  }

 private:
  struct Waiting {
    Slot slot;
    std::uint64_t limit;  // writes: bytes; flushes: sequence number of the next write after it
  };
  static std::optional<Slot> take_first(std::deque<Waiting>& waiting, bool served) {
    if (!served) return std::nullopt;
    const Slot slot = waiting.front().slot;
    waiting.pop_front();
    return slot;
  }

  WriteCache cache_;
  std::optional<WriteCache::Piece> writing_;
  bool draining_ = false;
  std::deque<Waiting> admissions_;
  std::deque<Waiting> flushes_;
};

}  // namespace ftlab
