// Pieces of reads: data that arrive with one flash operation, or from RAM.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ftl/drive/path/agenda.h"
#include "models/nand/schedule/host_read.h"
#include "models/nand/schedule/signals.h"
#include "sim/core/check.h"

namespace ftlab {

// A piece belongs to a command or to read-ahead.
struct Piece {
  static constexpr std::uint32_t kNone = 0;

  HostRead::Times read{};            // of the flash
  Nanoseconds there{0}, crossed{0};  // when all of it is in the controller; when it has crossed its memory
  std::uint64_t bytes = 0;           // for the host
  std::uint32_t command = 0;
  std::uint32_t next = kNone;            // next piece of the command
  std::uint32_t fetch = 0, fetches = 0;  // read-ahead: the fetches that it belongs to
  Signal rebuilt = kNoSignal;
  std::uint8_t crossings = 0;  // how often it crosses the controller's memory
  std::uint8_t waits = 0;      // events before its data are complete: its read, the rebuild
  std::uint8_t flash = 0;      // flags from here on; a saved state cannot hold bool
  std::uint8_t lost = 0;
  std::uint8_t unmapped = 0;
  std::uint8_t ready = 0;
  std::uint8_t unused[6] = {};
};

class Pieces {
 public:
  Piece& operator[](std::uint32_t id) {
    FTLAB_DCHECK(id != Piece::kNone && has(id), "piece " + std::to_string(id) + " of " + std::to_string(pieces_.size()));
    return pieces_[id];
  }
  bool has(std::uint32_t id) const { return id < pieces_.size(); }
  // Adds an empty piece.
  std::uint32_t add() {
    if (free_.empty()) {
      pieces_.emplace_back();
      return static_cast<std::uint32_t>(pieces_.size()) - 1;
    }
    const std::uint32_t id = free_.back();
    free_.pop_back();
    pieces_[id] = Piece{};
    return id;
  }
  void remove(std::uint32_t id) {
    FTLAB_DCHECK(id != Piece::kNone && has(id), "a piece is removed that there is not");
    free_.push_back(id);
  }
  void clear() {
    pieces_.resize(1);
    free_.clear();
  }

  template <class A>
  void archive(A& archive) {
    archive.list(pieces_, Agenda::kMostIds);
    archive.list(free_, Agenda::kMostIds);
  }

 private:
  std::vector<Piece> pieces_ = std::vector<Piece>(1);
  std::vector<std::uint32_t> free_;
};

}  // namespace ftlab
