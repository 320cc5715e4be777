// One die's schedule when reads may go before programs and erases: what it does from when to when, in order of time. The
// queue is advanced only when something is asked for, so that no event is needed; 10 to 30 ns an operation.
//
// Rules. Programs and erases take the first gap that is long enough, those of one frontier in order. Reads keep their
// order. Read first: a read passes every program and erase that has not begun when it is ready, and these move back. With
// suspension it also stops the one that runs, if it still may be stopped and would run longer than stopping takes; the
// rest follows the reads. Reads of different planes overlap when plane reads are independent.
//
// What is approximated, beside an exact simulation of the same rules (exact_backend.h):
//   - A time that was promised stays promised. A program that moved back ends later than its caller was told, by what the
//     reads that passed it took, with what stopping and going on cost; the die itself knows the true end, and everything
//     asked for later waits for it. So the work of a die is conserved, and promises do not drift: the error of one is at
//     most the die's time for the reads that come between the promise and the end of what was promised.
//   - A read for which a later moment was promised (its translation page is read before) is moved back in the same way by
//     reads that are ready before it.
//   - Data of a program that moved back cross the channel when they would have crossed it.
//   - At most kRemembered operations that are over are remembered: an operation that is ready before the last one
//     forgotten ended begins after it.
#pragma once

#include <cstdint>
#include <vector>

#include "models/nand/timing.h"
#include "sim/types.h"

namespace ftlab {

class DieQueue {
 public:
  static constexpr std::uint32_t kMostPlanes = 8;
  static constexpr std::uint32_t kAllPlanes = (1u << kMostPlanes) - 1;
  static constexpr std::uint32_t kNoFrontier = 0xffff'ffff;

  struct Rules {
    bool read_first;
    Suspension suspension;
  };

  // When a program or erase begins that is ready at `ready`.
  Nanoseconds earliest(Nanoseconds ready, std::uint32_t frontier, const Rules& rules) const;

  // Takes the die from `start` on for `length`. REQUIRES: start is the earliest. The last `work` of it can be suspended.
  void program(Nanoseconds ready, Nanoseconds start, Nanoseconds length, Nanoseconds work, std::uint32_t frontier,
               const Rules& rules);
  // Takes the die from the earliest moment, which is returned.
  Nanoseconds erase(Nanoseconds ready, Nanoseconds length, const Rules& rules);
  // Takes the planes, by their bits, for `length` from when the read begins, which is returned.
  Nanoseconds read(Nanoseconds ready, Nanoseconds length, std::uint32_t planes, const Rules& rules);
  // The operation that began at `start` takes longer, because its transfer came later.
  void lengthen(Nanoseconds start, Nanoseconds by);
  // `planned` if nothing comes between; otherwise when it will be, if as many reads come from `ready` on as came lately.
  Nanoseconds expected(Nanoseconds ready, Nanoseconds planned, const Rules& rules) const;

  Nanoseconds end() const;                    // of the last operation
  Nanoseconds busy() const { return busy_; }  // sum over all operations, with stopping and going on
  std::uint64_t suspensions() const { return suspensions_; }

  template <class A>
  void archive(A& archive) {
    archive.list(pieces_, kMostPieces);
    archive.value(forgotten_until_);
    archive.value(busy_);
    archive.value(suspensions_);
    archive.value(window_);
    archive.value(window_reads_);
    archive.value(last_window_reads_);
  }

 private:
  enum class Kind : std::uint32_t { read, stopped, program, erase };  // stopped: the part before a suspension
  // An operation, or a part of one.
  struct Piece {
    Nanoseconds ready, start, end;
    Nanoseconds work;  // at its end, that can be suspended
    std::uint32_t planes;
    Kind kind;
    std::uint32_t frontier;
    std::uint32_t suspends;  // that it may still suffer
    std::uint64_t resumed;   // 1: goes on after a suspension

    bool passable() const { return kind == Kind::program || kind == Kind::erase; }
  };
  static constexpr Nanoseconds kWindow{32'000'000};
  static constexpr std::uint64_t kMostReadsPermille = 950;
  static constexpr std::size_t kMany = 4096;  // no drive's buffer is so deep
  static constexpr std::size_t kRemembered = 16;
  static constexpr std::size_t kMostPieces = 1 << 16;

  bool goes_before(bool read, Nanoseconds ready, const Piece& piece, const Rules& rules) const;
  std::size_t insert(const Piece& piece);
  Nanoseconds suspend_from(const Piece& piece, Nanoseconds now) const;
  bool may_suspend(const Piece& piece, Nanoseconds from, const Suspension& rules) const;
  void suspend(std::size_t index, Nanoseconds ready, Nanoseconds from, Nanoseconds read_length, std::uint32_t planes,
               const Suspension& rules);
  std::size_t first_open(Nanoseconds now) const;
  void push_back_after(std::size_t index);
  void forget(Nanoseconds now);
  void note_read(Nanoseconds ready, Nanoseconds cost);

  std::vector<Piece> pieces_;  // by start
  Nanoseconds forgotten_until_{0};
  Nanoseconds busy_{0};
  std::uint64_t suspensions_ = 0;
  // What reads took of the die in this window of time and in the one before.
  std::uint64_t window_ = 0;
  Nanoseconds window_reads_{0};
  Nanoseconds last_window_reads_{0};
};

}  // namespace ftlab
