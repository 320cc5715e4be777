// One die's schedule when reads may go before programs and erases. Those that have not begun wait in a backlog
// (backlog.h); what has begun, and reads, of which it is known from when to when they last, are pieces in order of time. The
// queue is advanced only when something is asked for, so that no event is needed.
//
// Rules. Programs and erases begin in the order in which they became ready, those of one frontier in their own, when the
// die is free for as long as they take. Reads keep their order. Read first: a read passes every program and erase that has
// not begun when it is ready, and these move back. With suspension it also stops the one that runs, if it still may be
// stopped and would run longer than stopping takes; the rest follows the reads. Reads of different planes overlap when
// plane reads are independent.
//
// What is approximated, beside an exact simulation of the same rules (exact_backend.h):
//   - A time that was promised stays promised. A program that moved back ends later than its caller was told, by what the
//     reads that passed it took, with what stopping and going on cost; the die itself knows the true end, and everything
//     asked for later waits for it. So the work of a die is conserved, and promises do not drift: the error of one is at
//     most the die's time for the reads that come between the promise and the end of what was promised.
//   - A read for which a later moment was promised (its translation page is read before) is moved back in the same way by
//     reads that are ready before it.
//   - Data of a program that moved back cross the channel when they would have crossed it.
//   - At most kRemembered pieces that are over are remembered: an operation that is ready before the last one forgotten
//     ended begins after it.
#pragma once

#include <cstdint>
#include <vector>

#include "models/nand/backlog.h"
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

  // When a program would begin that is ready at `ready` and takes `length`, as it looks now.
  Nanoseconds earliest(Nanoseconds ready, Nanoseconds length, std::uint32_t frontier) const;

  // Takes the die for `length` from `start` on, or from when reads let it. REQUIRES: start is the earliest, or later. The
  // last `work` of it can be suspended.
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
    archive.require(pieces_are_sound(), "what it does is out of order.");
    backlog_.archive(archive);
    archive.list(last_ready_, kMostFrontiers);
    archive.value(forgotten_until_);
    archive.duration(busy_);  // longer than the die's life where planes read at once
    archive.value(suspensions_);
    archive.value(window_);
    archive.duration(window_reads_);
    archive.duration(last_window_reads_);
  }

 private:
  enum class Kind : std::uint32_t { read, stopped, program, erase };  // stopped: the part before a suspension
  // An operation, or a part of one.
  struct Piece {
    Nanoseconds ready, start, end;
    Nanoseconds work;  // at its end, that can be suspended
    std::uint32_t planes;
    Kind kind;
    std::uint32_t suspends;  // that it may still suffer
    std::uint32_t resumed;   // 1: goes on after a suspension

    bool passable() const { return kind == Kind::program || kind == Kind::erase; }
  };
  static constexpr Nanoseconds kWindow{32'000'000};
  static constexpr std::uint64_t kMostReadsPermille = 950;
  static constexpr std::size_t kMany = 4096;
  static constexpr std::size_t kRemembered = 16;
  static constexpr std::size_t kMostPieces = 1 << 16;
  static constexpr std::size_t kMostFrontiers = 1 << 16;

  static bool goes_before_read(const Piece& piece, Nanoseconds ready, const Rules& rules);
  Nanoseconds order_of(Nanoseconds ready, std::uint32_t frontier) const;
  Nanoseconds first_gap(Nanoseconds ready, Nanoseconds length) const;
  void wait(const Backlog::Work& work);
  void begin_until(Nanoseconds now, const Rules& rules);
  void move_back_waiting();
  std::size_t insert(const Piece& piece);
  Nanoseconds suspend_from(const Piece& piece, Nanoseconds now) const;
  bool may_suspend(const Piece& piece, Nanoseconds from, const Suspension& rules) const;
  void suspend(std::size_t index, Nanoseconds ready, Nanoseconds from, Nanoseconds read_length, std::uint32_t planes,
               const Suspension& rules);
  bool pieces_are_sound() const;  // of what was loaded
  std::size_t first_open(Nanoseconds now) const;
  void push_back_after(std::size_t index);
  void forget(Nanoseconds now);
  void note_read(Nanoseconds ready, Nanoseconds cost);

  std::vector<Piece> pieces_;  // by start
  Backlog backlog_;
  std::vector<Nanoseconds> last_ready_;  // by frontier: its last program's place in the order
  Nanoseconds forgotten_until_{0};
  Nanoseconds busy_{0};
  std::uint64_t suspensions_ = 0;
  // What reads took of the die in this window of time and in the one before.
  std::uint64_t window_ = 0;
  Nanoseconds window_reads_{0};
  Nanoseconds last_window_reads_{0};
};

}  // namespace ftlab
