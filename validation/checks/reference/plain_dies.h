// The dies and channels of the plain flash: what runs, what is suspended, what waits for a die, and when each comes to an
// end. After each event every moment is found anew.
#pragma once

#include <algorithm>
#include <deque>
#include <memory>
#include <vector>

#include "models/nand/timing/operation_times.h"
#include "models/nand/timing/policy.h"
#include "models/nand/timing/timing.h"
#include "validation/checks/reference/plain_works.h"

namespace ftlab {

class PlainDies {
 public:
  static constexpr std::size_t kNobody = PlainWorks::kNobody;
  enum class State { free, running, stopping };
  struct Run {
    std::size_t work = kNobody;
    Nanoseconds end{0};
    bool holding = false;  // its data wait for the channel
  };

  PlainDies(PlainWorks& works, const Geometry& geometry, const NandTiming& timing, std::uint32_t frontiers);

  Nanoseconds now() const { return now_; }
  void set_now(Nanoseconds now) { now_ = now; }
  std::size_t count() const { return dies_.size(); }
  std::size_t channels() const { return channels_.size(); }
  Nanoseconds busy(std::size_t die) const { return dies_[die].busy; }

  // The next moment of a die; of a program that waits for its register; of data on a channel.
  Nanoseconds moment_of(std::size_t d) const { return moment_of(dies_[d]); }
  Nanoseconds input_moment_of(std::size_t d) const;
  Nanoseconds channel_moment_of(std::size_t c) const;

  // A read or an erase may begin.
  // --- a die ---
  void join(std::size_t w);
  // A program, behind those of its frontier.
  void queue_program(std::size_t w);
  // A program waits for nothing any more.
  void load_if_first(std::size_t w);
  void load_all(std::size_t d);

  // At the moment of a die. Returns what has ended there, taken out; kNobody: nothing. The caller does what follows from
  // that, then calls begin_if_free().
  Run take_ended(std::size_t d);
  void begin_if_free(std::size_t d);
  State set_state(std::size_t d, State state) { return std::exchange(dies_[d].state, state); }
  // Without a cache register its data keep the die until the channel has taken them. Returns whether they do.
  bool holds_data(std::size_t d, std::size_t read);
  void program_ended(std::size_t d, std::uint32_t frontier);

  // Data of a read on the channel. Returns when they are over.
  Nanoseconds transfer_read(std::size_t d, std::uint32_t bytes) { return transfer(d, times_.read_transfer(bytes)); }
  void await_transfer(std::size_t d, std::size_t read) { channels_[d % channels_.size()].out.push_back(read); }
  std::size_t take_transferred(std::size_t c);

 private:
  struct Die {
    std::vector<std::size_t> reads[2];  // of the host, of the layer; in the order in which they became ready
    std::vector<std::size_t> erases;
    std::vector<std::size_t> in_register;
    std::vector<std::deque<std::size_t>> inputs;
    std::vector<Run> runs;
    State state = State::free;
    Run held;
    Nanoseconds stop_end{0}, left{0}, work_from{0}, until = kNever, busy{0};
    std::uint32_t suspends_left = 0;
    bool looks = false;     // whether a read waits, when the array begins
    Nanoseconds looked{0};  // for something that could begin
  };
  struct Channel {
    Nanoseconds free{0};
    std::deque<std::size_t> out;
  };
  void load(std::size_t d, std::uint32_t frontier);
  Nanoseconds program_transfer(const PlainWork& work) const;
  // Returns when it is over.
  Nanoseconds transfer(std::size_t d, Nanoseconds length);
  std::vector<Nanoseconds> ready_of(const Die& die) const;
  std::uint32_t relocated_in(const Die& die) const;
  std::uint32_t planes_of(std::size_t w) const;

  void begin(std::size_t d);
  // What may run next, as the policy says; kNothing.
  std::uint32_t choose(std::size_t d, const std::vector<Nanoseconds>& ready, const DieQueues& queues);
  // Whether another one may begin beside what began.
  bool begin_next(std::size_t d);
  bool begin_read(std::size_t d, std::uint32_t next, const DieQueues& queues);
  // A program or an erase.
  void begin_change(std::size_t d, std::uint32_t next, const DieQueues& queues);
  // Of the class, one whose planes neither something that runs nor an earlier one of the class wants.
  std::size_t first_free_read(const Die& die, std::uint32_t flash_class) const;
  bool may_stop(std::size_t w) const;
  void stop(std::size_t d);
  void go_on(std::size_t d);
  Nanoseconds moment_of(const Die& die) const;

  PlainWorks& works_;
  OperationTimes times_;
  NandTiming timing_;
  std::unique_ptr<SchedulingPolicy> policy_;
  std::uint32_t frontiers_;
  Nanoseconds now_{0};
  std::vector<Die> dies_;
  std::vector<Channel> channels_;
};

}  // namespace ftlab
