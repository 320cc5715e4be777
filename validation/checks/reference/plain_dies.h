// Dies and channels of PlainFlash: running, suspended and waiting operations and their end times. All event times are
// recomputed after each event.
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "models/nand/schedule/work_record.h"
#include "models/nand/timing/operation_times.h"
#include "models/nand/timing/policy.h"
#include "models/nand/timing/timing.h"

namespace ftlab {

// All operations requested from PlainFlash: reads, programs and erases, searched linearly.
struct PlainWork {
  WorkRecord record;
  std::uint32_t number = 0;  // programs only: index in the frontier
  std::uint32_t waits = 0, unread = 0;
  std::uint64_t class_of_host = 0;  // index among the programs with host data, plus 1
  Nanoseconds data{0}, ready = kNever, start = kNever, done = kNever;
  bool asked = false, ended = false, feeds_next = false, ends_next = false, in_memory = false;
};

class PlainWorks {
 public:
  static constexpr std::size_t kNone = ~std::size_t{0};

  PlainWork& operator[](std::size_t work) { return works_[work]; }
  const PlainWork& operator[](std::size_t work) const { return works_[work]; }
  const std::vector<PlainWork>& all() const { return works_; }

  std::size_t add(const WorkRecord& record);
  std::size_t program_of(std::uint32_t frontier, std::uint32_t number);
  // The next program of a frontier, in the order of requests.
  std::size_t next_program_of(std::uint32_t frontier) { return program_of(frontier, next_number_[frontier]++); }
  void ask_for(std::size_t work) { order_.push_back(work); }

  // The newest unfinished program of the read's page, requested after the last erase of its superblock; or kNone.
  std::size_t newest_open_program(const WorkRecord& read) const;
  std::vector<std::size_t> open_programs() const;
  // Start and end of reads, programs and erases, in the order of requests.
  std::vector<std::pair<Nanoseconds, Nanoseconds>> times() const;

 private:
  std::vector<PlainWork> works_;
  std::vector<std::size_t> order_;                                           // in the order of requests
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> programs_;  // by frontier and number
  std::map<std::uint32_t, std::uint32_t> next_number_;
};

class PlainDies {
 public:
  static constexpr std::size_t kNone = PlainWorks::kNone;
  enum class State { free, running, stopping };
  struct Run {
    std::size_t work = kNone;
    Nanoseconds end{0};
    bool holding = false;  // data wait for the channel
  };

  PlainDies(PlainWorks& works, const Geometry& geometry, const NandTiming& timing, std::uint32_t frontiers);

  Nanoseconds now() const { return now_; }
  void set_now(Nanoseconds now) { now_ = now; }
  std::size_t count() const { return dies_.size(); }
  std::size_t channels() const { return channels_.size(); }
  Nanoseconds busy(std::size_t die) const { return dies_[die].busy; }

  // Time of the next event: of a die, of a program that waits for its register, of data on a channel.
  Nanoseconds moment_of(std::size_t d) const { return moment_of(dies_[d]); }
  Nanoseconds input_moment_of(std::size_t d) const;
  Nanoseconds channel_moment_of(std::size_t c) const;

  // Queues a read or an erase that is ready.
  void join(std::size_t w);
  // Queues a program after those of its frontier.
  void queue_program(std::size_t w);
  // Loads a program without dependencies into the register if it is the first.
  void load_if_first(std::size_t w);
  void load_all(std::size_t d);

  // Handles the event of a die. Returns the operation that ended and removes it; kNone if none. The caller then handles
  // the end and calls begin_if_free().
  Run take_ended(std::size_t d);
  void begin_if_free(std::size_t d);
  State set_state(std::size_t d, State state) { return std::exchange(dies_[d].state, state); }
  // Without a cache register, a read keeps the die busy until the channel has taken its data. Returns true in that case.
  bool holds_data(std::size_t d, std::size_t read);
  void program_ended(std::size_t d, std::uint32_t frontier);

  // Transfers data of a read on the channel. Returns the end time.
  Nanoseconds transfer_read(std::size_t d, std::uint32_t bytes) { return transfer(d, times_.read_transfer(bytes)); }
  void await_transfer(std::size_t d, std::size_t read) { channels_[d % channels_.size()].out.push_back(read); }
  std::size_t take_transferred(std::size_t c);

 private:
  struct Die {
    std::vector<std::size_t> reads[2];  // host reads, internal reads; by the time when they became ready
    std::vector<std::size_t> erases;
    std::vector<std::size_t> in_register;
    std::vector<std::deque<std::size_t>> inputs;
    std::vector<Run> runs;
    State state = State::free;
    Run held;
    Nanoseconds stop_end{0}, left{0}, work_from{0}, until = kNever, busy{0};
    std::uint32_t suspends_left = 0;
    bool looks = false;     // check for waiting reads at work_from, when the array operation begins
    Nanoseconds looked{0};  // time of the last search for an operation to begin
  };
  struct Channel {
    Nanoseconds free{0};
    std::deque<std::size_t> out;
  };
  void load(std::size_t d, std::uint32_t frontier);
  Nanoseconds program_transfer(const PlainWork& work) const;
  // Returns the end time.
  Nanoseconds transfer(std::size_t d, Nanoseconds length);
  std::vector<Nanoseconds> ready_of(const Die& die) const;
  std::uint32_t relocated_in(const Die& die) const;
  std::uint32_t planes_of(std::size_t w) const;

  void begin(std::size_t d);
  // Class of the next operation, chosen by the policy, or kNothing.
  std::uint32_t choose(std::size_t d, const std::vector<Nanoseconds>& ready, const DieQueues& queues);
  // Begins an operation. Returns true if another one may begin in parallel.
  bool begin_next(std::size_t d);
  bool begin_read(std::size_t d, std::uint32_t next, const DieQueues& queues);
  // Begins a program or an erase.
  void begin_change(std::size_t d, std::uint32_t next, const DieQueues& queues);
  // First read of the class whose planes are not used by a running or by an earlier waiting read.
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
