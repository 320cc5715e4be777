// Fetches of pages that are read ahead. Each has a number, a count of pieces in flight, and the pieces of commands that wait
// for it.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "ftl/drive/path/agenda.h"
#include "ftl/drive/path/pieces.h"
#include "sim/core/check.h"
#include "sim/core/ring_buffer.h"

namespace ftlab {

class Fetches {
 public:
  std::uint32_t add() {
    pieces_.push(0);
    return first_ + static_cast<std::uint32_t>(pieces_.size()) - 1;
  }
  bool under_way(std::uint32_t fetch) const {
    const std::uint32_t index = fetch - first_;
    return index < pieces_.size() && pieces_[index] > 0;
  }
  // Counts the piece for each of its fetches.
  void add_piece(const Piece& piece) {
    FTLAB_DCHECK(piece.fetch - first_ + piece.fetches <= pieces_.size(), "a piece belongs to fetches that were not begun");
    for (std::uint32_t f = piece.fetch; f != piece.fetch + piece.fetches; ++f) ++pieces_[f - first_];
  }
  // The piece has arrived. Calls there(piece) for each piece of a command whose awaited fetch is complete now.
  template <class There>
  void remove_piece(const Piece& piece, There&& there);
  void wait(std::uint32_t fetch, std::uint32_t piece) {
    FTLAB_DCHECK(under_way(fetch), "a piece waits for a fetch that is not under way");
    waiters_.emplace_back(fetch, piece);
  }
  void clear() {
    pieces_.clear();
    waiters_.clear();
  }

  template <class A>
  void archive(A& archive) {
    pieces_.archive(archive, Agenda::kMostIds);
    archive.value(first_);
  }

 private:
  std::vector<std::uint32_t> waiters_of(std::uint32_t fetch) {
    std::vector<std::uint32_t> of;
    std::erase_if(waiters_, [&](const auto& waiter) {
      if (waiter.first == fetch) of.push_back(waiter.second);
      return waiter.first == fetch;
    });
    return of;
  }

  RingBuffer<std::uint32_t> pieces_;  // indexed by fetch - first_
  std::uint32_t first_ = 1;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> waiters_;  // fetch, piece
};

template <class There>
void Fetches::remove_piece(const Piece& piece, There&& there) {
  for (std::uint32_t f = piece.fetch; f != piece.fetch + piece.fetches; ++f) {
    FTLAB_CHECK(under_way(f), "a page that is not read ahead came");
    if (--pieces_[f - first_] > 0 || waiters_.empty()) continue;
    for (const std::uint32_t waiter : waiters_of(f)) there(waiter);
  }
  while (!pieces_.empty() && pieces_.front() == 0) {
    pieces_.pop();
    ++first_;
  }
}

}  // namespace ftlab
