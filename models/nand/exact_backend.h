// The reference that backend.h is held against: the same dies and channels, simulated event by event, for clarity and not
// for speed (some microseconds an operation). It decides only when something happens, knowing what waits at that moment
// and nothing of what will come, whereas the fast one promises an end when it is asked.
//
// Policy. Each die has a queue of the operations that are ready, in the order in which they became so.
//   fifo        The oldest begins. Only a program that waits for an earlier one of its frontier is passed, and reads whose
//               planes are taken are by those of other planes.
//   read_first  As fifo among the reads; programs and erases begin only when no read waits.
//   suspension  A read that waits stops the program or erase that runs, unless that takes as long as the operation itself
//               or it has been stopped as often as it may be. It goes on when no read waits or runs, before all others.
// Each channel carries one transfer at a time, in the order in which they were asked for. A program takes its die and its
// channel together (cached: the channel first, as soon as the frontier's register there is free, and the die afterwards).
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <queue>
#include <vector>

#include "models/nand/die_queue.h"
#include "models/nand/flash_operation.h"
#include "models/nand/geometry.h"
#include "models/nand/operation_times.h"

namespace ftlab {

class ExactBackend {
 public:
  ExactBackend(const Geometry& geometry, const NandTiming& timing, std::uint32_t frontiers, BlockSpeed speed = {});

  // Hands over an operation; returns its number. REQUIRES: its moment has not passed.
  std::uint64_t submit(const FlashOperation& operation);
  // Goes on until something is done, and tells the numbers; false when nothing is left.
  bool advance(std::vector<std::uint64_t>& done);
  // All of them, submitted at once, to their end.
  static std::vector<TimedOperation> run(ExactBackend backend, const std::vector<TimedOperation>& recorded);

  Nanoseconds now() const { return now_; }
  TimedOperation result(std::uint64_t number) const;
  std::uint64_t suspensions() const { return suspensions_; }

 private:
  enum class Step : std::uint8_t { ready, transferred, array_done, stopped };
  struct Event {
    Nanoseconds time;
    std::uint64_t sequence;
    std::uint64_t operation;
    std::uint64_t attempt;  // of an end that a suspension may have overtaken
    Step step;
    bool operator>(const Event& other) const { return time != other.time ? time > other.time : sequence > other.sequence; }
  };
  struct Operation {
    FlashOperation asked;
    Nanoseconds array, transfer;
    std::uint32_t planes;  // bits
    Nanoseconds start{0}, done{0};
    Nanoseconds ends{0};  // of the array's work, as it looks now
    std::uint64_t attempt = 0;
    std::uint32_t suspends = 0;  // left
    bool reads() const { return asked.kind <= FlashOperation::Kind::read_internally; }
    bool programs() const { return asked.kind == FlashOperation::Kind::program; }
  };
  struct DieState {
    std::vector<std::uint64_t> waiting;  // ready, in order
    std::uint32_t busy_planes = 0;       // bits
    std::uint64_t running = kNone;       // program or erase
    std::uint64_t suspended = kNone;
    bool working = false;                           // the running one can be stopped
    std::vector<std::deque<std::uint64_t>> order;   // by frontier: programs that are not done, the first may begin
    std::vector<std::deque<std::uint64_t>> inputs;  // by frontier, cached: programs whose data are not in the register yet
    std::vector<std::uint64_t> in_register;         // by frontier, cached: whose array work has not begun; or none
  };
  struct ChannelState {
    bool busy = false;
    std::deque<std::uint64_t> waiting;
  };
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};

  void at(Nanoseconds time, Step step, std::uint64_t operation);
  void handle(const Event& event, std::vector<std::uint64_t>& done);
  void become_ready(std::uint64_t id);
  void finish_transfer(std::uint64_t id, std::vector<std::uint64_t>& done);
  void finish_array(std::uint64_t id, std::vector<std::uint64_t>& done);
  void finish(std::uint64_t id, std::vector<std::uint64_t>& done);
  void start_what_can();
  bool start_inputs(DieState& die);
  bool start_transfer(ChannelState& channel);
  bool start_on(DieState& die);
  bool may_begin(const DieState& die, std::uint64_t id, std::uint32_t kept_planes) const;
  std::uint32_t kept_for(const DieState& die, std::uint64_t id) const;
  std::uint32_t kept_before(const DieState& die, std::uint64_t id) const;
  void begin(DieState& die, std::uint64_t id);
  bool suspend_or_resume(DieState& die);
  bool read_waits(const DieState& die) const;
  DieState& die_of(std::uint64_t id) { return dies_[number(operations_[id].asked.die)]; }
  ChannelState& channel_of(std::uint64_t id) { return channels_[number(operations_[id].asked.die) % channels_.size()]; }

  OperationTimes times_;
  NandTiming timing_;
  Nanoseconds now_{0};
  std::vector<DieState> dies_;
  std::vector<ChannelState> channels_;
  std::vector<Operation> operations_;  // by number
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::uint64_t sequence_ = 0;
  std::uint64_t suspensions_ = 0;
};

}  // namespace ftlab
