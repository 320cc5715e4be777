// Completed writes that are not on the platters yet, in order of arrival. A write replaces an older one that it covers; the
// older one is never written.
#pragma once

#include <cstdint>
#include <vector>

#include "models/hdd/platters.h"

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
  void put(Sector first, Sector end, const Place& place, Nanoseconds ready);
  bool empty() const { return pieces_.empty(); }
  std::size_t candidates() const { return pieces_.size() < config_.candidates ? pieces_.size() : config_.candidates; }
  const Piece& piece(std::size_t index) const { return pieces_[index]; }  // oldest first
  // Takes out a piece to write; its room is free only after written().
  Piece take(std::size_t index);
  void written(const Piece& piece) { used_bytes_ -= (piece.end - piece.first) * kSectorBytes; }
  // True if a single piece holds all of it.
  bool covers(Sector first, Sector end) const;

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

}  // namespace ftlab
