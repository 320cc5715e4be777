// Completed writes that are not on the platters yet, in order of arrival. A write replaces an older one that it covers; the
// older one is never written.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "models/hdd/commands.h"
#include "models/hdd/platters.h"
#include "sim/core/check.h"

namespace ftlab {

struct WriteCacheConfig {
  std::uint64_t bytes = 0;       // 0: every write reaches the platters before it completes
  std::uint32_t candidates = 1;  // number of oldest pieces from which the next to write is chosen
  Nanoseconds idle_after{0};     // idle time before writing out begins
};

class WriteCache {
 public:
  explicit WriteCache(const WriteCacheConfig& config) : config_(config) {}

  struct Piece {
    Sector first, end;
    Place place;
    Nanoseconds ready;       // when the host's data are in RAM
    std::uint64_t sequence;  // number of the write, in order of arrival
  };

  bool has_room(std::uint64_t bytes) const { return used_bytes_ + bytes <= config_.bytes; }
  bool could_hold(std::uint64_t bytes) const { return bytes <= config_.bytes; }
  // REQUIRES: has_room.
  void put(Sector first, Sector end, const Place& place, Nanoseconds ready) {
    FTLAB_CHECK(has_room((end - first) * kSectorBytes), std::to_string(used_bytes_) + " bytes are used already");
    const auto covered = [&](const Piece& piece) {
      if (piece.first < first || piece.end > end) return false;
      used_bytes_ -= (piece.end - piece.first) * kSectorBytes;
      absorbed_bytes_ += (piece.end - piece.first) * kSectorBytes;
      return true;
    };
    pieces_.erase(std::remove_if(pieces_.begin(), pieces_.end(), covered), pieces_.end());
    pieces_.push_back({first, end, place, ready, next_sequence_++});
    used_bytes_ += (end - first) * kSectorBytes;
  }

  bool empty() const { return pieces_.empty(); }
  std::size_t candidates() const { return pieces_.size() < config_.candidates ? pieces_.size() : config_.candidates; }
  const Piece& piece(std::size_t index) const { return pieces_[index]; }  // oldest first
  // Takes out a piece to write; its room is free only after written().
  Piece take(std::size_t index) {
    FTLAB_CHECK(index < pieces_.size(), "no piece " + std::to_string(index));
    const Piece piece = pieces_[index];
    pieces_.erase(pieces_.begin() + static_cast<std::ptrdiff_t>(index));
    return piece;
  }

  void written(const Piece& piece) { used_bytes_ -= (piece.end - piece.first) * kSectorBytes; }
  // True if a single piece holds all of it.
  bool covers(Sector first, Sector end) const {
    return std::any_of(pieces_.begin(), pieces_.end(),
                       [&](const Piece& piece) { return piece.first <= first && end <= piece.end; });
  }

  std::uint64_t used_bytes() const { return used_bytes_; }
  std::uint64_t absorbed_bytes() const { return absorbed_bytes_; }  // overwritten in RAM, never written
  std::uint64_t next_sequence() const { return next_sequence_; }
  // True if no write before `sequence` is left in the cache.
  bool taken_before(std::uint64_t sequence) const { return pieces_.empty() || pieces_.front().sequence >= sequence; }
  const WriteCacheConfig& config() const { return config_; }
  // Power cut.
  void lose() {
    pieces_.clear();
    used_bytes_ = 0;
  }

 private:
  WriteCacheConfig config_;
  std::vector<Piece> pieces_;
  std::uint64_t used_bytes_ = 0;
  std::uint64_t absorbed_bytes_ = 0;
  std::uint64_t next_sequence_ = 0;
};

// Writes the write cache to the platters, and holds commands that wait for that: writes for room, flushes for earlier
// writes. Writing out, once begun, continues until the cache is empty.
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
