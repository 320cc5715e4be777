// Executes the layer's work records, event by event: which die and which channel does what from when to when. Exact and
// causal: everything that an event makes possible begins at once, and nothing is known before its time.
//
// A die does one array operation at a time (reads of different planes together, where they are independent), a channel one
// transfer. A transfer's end is known when it is asked for, since a channel serves in order; so a program takes one event,
// the end of its array time, and a read that somebody waits for a second one, when its data are there. At most one moment is
// pending for each die, each die's input and each channel (winner_tree.h). Events of one moment: ends of array operations by
// die, inputs by die, channels.
//
//   read     waits for its signal, then for the die; its data cross the channel after the array time. Without cache_read
//            they keep the die until then. While the program of its page has not ended, a read of the host gets its data
//            from the controller's memory, as soon as they are there; any other waits for the end
//   program  loaded into the die's register of its frontier, in order, when its data are there, its superblock is erased and
//            the register is free; with cache_program while the array is busy with something else. Without, die and channel
//            are taken together
//   erase    ready when all programs that were asked for before it have ended
//
// Which of a die's waiting operations is next the policy says (policy.h). While something is suspended only reads of the
// host begin; nothing is programmed or erased in the time that stopping and going on takes. docs/scheduling.md has the whole
// list of rules and what is not modelled.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "models/nand/array/geometry.h"
#include "models/nand/schedule/die_time.h"
#include "models/nand/schedule/flash_operation.h"
#include "models/nand/schedule/plane_queues.h"
#include "models/nand/schedule/policy.h"
#include "models/nand/schedule/program_order.h"
#include "models/nand/schedule/programs.h"
#include "models/nand/schedule/signals.h"
#include "models/nand/schedule/winner_tree.h"
#include "models/nand/schedule/work_record.h"
#include "models/nand/timing/operation_times.h"
#include "models/nand/timing/timing.h"
#include "sim/core/ring_buffer.h"
#include "sim/core/rule.h"

namespace ftlab {

class FlashEngine {
 public:
  static constexpr std::uint32_t kMostPlanes = 8;      // that reads tell apart
  static constexpr std::uint32_t kMostFrontiers = 61;  // an unused one costs 20 bytes a die and no time

  // `frontiers` of them may program at the same time.
  FlashEngine(const Geometry& geometry, const NandTiming& timing, std::uint32_t frontiers, BlockSpeed speed = {});

  // All these are to be done, in this order, from now on. REQUIRES: now does not decrease from call to call, and no moment
  // before it is pending.
  void accept(std::span<const WorkRecord> records, Nanoseconds now);
  // Sets the time at which the runs below are accepted. REQUIRES: as for accept().
  void set_now(Nanoseconds now) { now_ = now; }
  // Whether program_run() and read_run() may be called; otherwise runs are passed to accept() as records.
  bool takes_runs() const { return log_ == nullptr && !timing_.independent_plane_reads; }
  // Accepts `count` programs; place(record, i) fills in what differs between them. REQUIRES: takes_runs().
  template <class Place>
  void program_run(WorkRecord record, std::uint32_t count, Place&& place);
  // Accepts `count` reads of one superblock that feed programs of a frontier; place(record, i) fills in die, page, bytes,
  // target and span, which is 1 or 2. REQUIRES: takes_runs(), no program of the superblock is in flight.
  template <class Place>
  void read_run(const WorkRecord& record, std::uint32_t count, Place&& place);
  // Read times depend on page and plane, so read_run() needs them.
  bool looks_at_pages() const { return times_.looks_at_pages(); }
  bool has_programs(SuperblockId block) const { return has_programs(number(block)); }  // in flight
  // Executes event after event up to `until`, or up to one that the caller waits for.
  void run(Nanoseconds until);
  // Time of the next event; kNever if nothing is pending.
  Nanoseconds next() const { return tree_.next(); }
  // The moment of the last event or record.
  Nanoseconds now() const { return now_; }

  // --- what the caller waits for; taken from here after each of the above ---
  // A read of the host: its data are in the controller at `done`.
  struct HostRead {
    std::uint32_t tag;  // the record's target
    Nanoseconds array_start, array_end, bus_start, done;
    Nanoseconds repeats;  // of the array's time, what went into reading again
    bool from_memory;     // of the controller: the program of its page had not ended
  };
  // Calls read(HostRead) for each read of the host that has come, then reached(tag) for what was awaited and is there; both
  // may ask for more, which is told then, too.
  template <class Read, class Reached>
  void take_reports(Read&& read, Reached&& reached);
  bool reports() const { return !host_reads_.empty() || !reached_.empty(); }
  // The caller also waits until fewer relocated pages, or programs, than that are in flight; 0: it does not.
  void watch_moved_pages(std::uint32_t fewer_than) { watched_moved_pages_ = fewer_than; }
  void watch_programs(std::uint32_t fewer_than) { watched_programs_ = fewer_than; }
  // When the signal is raised, or at once.
  void await(Signal signal, std::uint32_t tag);
  // When all programs with data of the host that were asked for so far have ended, or at once.
  void await_programmed(std::uint32_t tag);

  // --- what is under way ---
  // The number of the frontier's next program.
  std::uint32_t next_program(std::uint32_t frontier) const { return programs_[frontier].known(); }
  std::uint32_t programs_in_flight() const { return programs_in_flight_; }
  std::uint32_t host_pages_in_flight() const { return host_pages_in_flight_; }
  // Places of the write buffer whose programs have ended since this was asked last.
  std::uint32_t take_freed_places() { return std::exchange(freed_places_, 0); }
  std::uint32_t moved_pages_in_flight() const { return moved_pages_in_flight_; }
  bool idle() const { return under_way_ == 0; }
  // The power fails: what is queued or under way is gone. Frontiers count their programs from 0 again.
  void clear(Nanoseconds now);

  // All superblocks have been erased so often: what wear does to their times is found anew. The engine knows of its own
  // erases.
  void set_erases(std::span<const std::uint32_t> by_superblock) { times_.set_erases(by_superblock); }
  Nanoseconds die_busy(Die die) const { return dies_[number(die)].busy; }
  Nanoseconds channel_busy(std::uint32_t channel) const { return channels_[channel].busy; }
  std::uint64_t suspensions() const { return suspensions_; }        // of programs and erases, by reads
  std::uint64_t buffered_reads() const { return buffered_reads_; }  // of the host, answered from the controller's memory
  const DieTime& die_time() const { return die_time_; }
  // Counts on from where another one stood. REQUIRES: nothing was done yet.
  void count_on(const FlashEngine& other) {
    suspensions_ = other.suspensions_;
    buffered_reads_ = other.buffered_reads_;
    die_time_ = other.die_time_;
  }

  // Every operation is put down in `log` too, when it is asked for; its start and end when they are known (kNever before).
  // Null: no more. REQUIRES: it lives on, and nothing is taken out of it while something is under way.
  void record(std::vector<TimedOperation>* log);

  template <class A>
  void archive(A& archive);

 private:
  // By value: of two references the compiler chooses with a branch.
  static Nanoseconds later(Nanoseconds a, Nanoseconds b) { return a < b ? b : a; }
  // Whether something has come that the caller waits for.
  bool has_news() const { return reports() || programs_are_news(); }
  bool programs_are_news() const {  // those that have ended
    return freed_places_ != 0 || moved_pages_in_flight_ < watched_moved_pages_ || programs_in_flight_ < watched_programs_;
  }
  void reach(std::uint32_t tag) {
    reached_.push_back(tag);
    news_ = true;
  }
  static constexpr std::uint32_t kNone = 0;  // ids begin at 1
  // In place of a class: the die waits for its channel to take a read's data.
  static constexpr std::uint32_t kHoldingForHost = ~std::uint32_t{1}, kHolding = ~std::uint32_t{0};
  static bool is_holding(std::uint32_t flash_class) { return flash_class >= kHoldingForHost; }
  static constexpr std::uint64_t kMostSaved = std::uint64_t{1} << 28;
  // A read or an erase that has not ended. No padding: it is archived, as the others below.
  struct Operation {
    Nanoseconds ready{0};      // then, when it has begun, its start
    std::uint32_t logged = 0;  // number in the log, plus 1
    std::uint32_t next = 0;
    std::uint32_t in_memory = 0;  // 1: a read's data are in the controller's memory, with the program of its page
    WorkRecord record;
  };
  struct List {
    std::uint32_t head = 0, tail = 0;
  };
  // What the array is at. Several only where planes read independently.
  struct Running {
    Nanoseconds end{0};
    std::uint32_t id = 0;  // of an operation, or a program's number in its frontier
    std::uint32_t flash_class = 0;
    std::uint32_t planes = 0;
    std::uint32_t unused = 0;
  };
  enum class State : std::uint32_t { free, running, stopping };
  struct SavedDie {
    std::array<List, 3> queues;            // by class
    std::array<Running, kMostPlanes> run;  // the first `runs` of them
    std::uint32_t runs = 0;
    State state = State::free;
    std::uint32_t planes_busy = 0;
    std::uint32_t holds = 0;      // 1: something is suspended
    std::uint64_t relocated = 0;  // by frontier: the program in the register carries nothing of the host
    Nanoseconds stop_end{0};      // while stopping: when the die is free for reads
    Nanoseconds left{0};          // of the work of what runs, or is suspended
    Nanoseconds until{kNever};    // of a policy that lets it wait
    Nanoseconds work_from{0};     // of a program without cache_program: from here on it can be suspended
    Running held;                 // what is suspended
    std::uint32_t suspends_left = 0;
    std::uint32_t unused = 0;
    Nanoseconds busy{0};
  };
  // Programs of a frontier on a die, as their numbers + 1: the one in the register, and those that wait for it.
  struct Input {
    std::uint32_t loaded = kNone;
    std::uint32_t head = kNone, tail = kNone;
  };
  // All that an event of a die touches lies together.
  struct DieState : SavedDie {
    std::array<Nanoseconds, kPrograms + kMostFrontiers> ready;  // by class: of the first in it
    std::array<Input, kMostFrontiers> inputs;                   // by frontier
    std::uint32_t number, channel;
  };
  struct ReadOut {  // data on their way over a channel that somebody waits for
    Nanoseconds done, array_end, bus_start;
    std::uint32_t operation;
    std::uint32_t unused = 0;
  };
  struct Channel {
    Nanoseconds free{0}, busy{0};
    RingBuffer<ReadOut> out;
  };
  // Waits for all programs before it: an erase, or a barrier.
  struct Ordered {
    std::uint32_t section;    // of all programs: up to here
    std::uint32_t operation;  // kNone: a barrier
    std::uint32_t superblock;
  };
  struct Gated {  // a program whose superblock is not erased yet
    std::uint32_t superblock, frontier, number;
    std::uint32_t asked;  // erases and barriers that were asked for before it
  };
  struct Erasing {  // erases and barriers of a superblock, since none was under way
    std::uint32_t asked = 0, ended = 0;
    std::uint32_t opens_at = 0;  // when so many have ended, the first of its programs that wait goes on; 0: none waits
  };
  struct AfterErase {  // an erase of a spare block, behind the one before it
    std::uint32_t first, second;
  };
  // A program of a frontier; number + 1.
  struct Programmed {
    std::uint32_t frontier = 0, number = kNone;
  };
  // Programs of a superblock since its last erase was asked for: one frontier's, one behind the other.
  struct OfSuperblock {
    std::uint32_t frontier = 0;
    std::uint32_t first = 0, end = 0;  // their numbers
    std::uint32_t open = 0;            // that have not ended
  };
  struct Awaited {
    std::uint32_t section;  // of the programs with data of the host: up to here
    std::uint32_t tag;
  };

  template <class A>
  void archive_dies(A& archive);
  template <class A>
  void archive_inputs(A& archive);
  friend struct LoadedStates;
  static std::span<const Rule<FlashEngine>> rules();
  bool is_operation(std::uint32_t id) const { return id < operations_.size(); }
  bool is_program(std::size_t frontier, std::uint32_t number) const {  // number + 1
    return number == kNone || programs_[frontier].open(number - 1);
  }
  bool can_run(const Running& running) const;
  bool each_in_one_place() const;
  bool adds_up() const;
  void add_read(const WorkRecord& record);
  void await_signal(std::uint32_t read);
  void go_on(std::uint32_t read);
  void answer_from_memory(std::uint32_t read);
  bool has_programs(std::uint32_t superblock) const {  // that have not ended
    return superblock < programs_of_.size() && programs_of_[superblock].open > 0;
  }
  Programmed program_of(const WorkRecord& read) const;
  // Programs of the record's superblock, from `number` on.
  void note_programs(const WorkRecord& record, std::uint32_t number, std::uint32_t count) {
    if (record.superblock >= programs_of_.size()) [[unlikely]]
      programs_of_.resize(record.superblock + 1);
    OfSuperblock& of = programs_of_[record.superblock];
    if (of.end == of.first || of.frontier != record.frontier) of = {record.frontier, number, number, 0};
    of.end = number + count;
    of.open += count;
  }
  // Behind those of its frontier that wait for the same die.
  void queue_program(std::uint32_t frontier, std::uint32_t number, const FlashProgram& program) {
    DieState& die = dies_[program.die];
    Input& in = die.inputs[frontier];
    if (in.head == kNone) {
      in.head = in.tail = number + 1;
      if (load(die, frontier)) wake(die);
    } else {
      programs_[frontier].at(in.tail - 1).next = number + 1;
      in.tail = number + 1;
    }
  }
  void hold(std::uint32_t read, const Programmed& program);
  void answer_reads(const Programmed& program);
  void take_arrived(DieState& die);
  void release_reads(DieState& die, std::uint32_t first);
  void add_program(const WorkRecord& record);
  void add_erase(const WorkRecord& record);
  void add_barrier(const WorkRecord& record);
  void attach(const WorkRecord& record);
  void enqueue(std::uint32_t id);
  void depend(std::uint32_t frontier, std::uint32_t number, std::uint32_t span);
  // With data, or else with nothing but the moment.
  enum class Brings : std::uint32_t { nothing, data };
  void satisfy(std::uint32_t frontier, std::uint32_t number, std::uint32_t span, Nanoseconds at, Brings brings);
  void satisfied(std::uint32_t frontier, std::uint32_t number, FlashProgram& program);
  void look_back(const WorkRecord& record, std::uint32_t number);
  void gate(std::uint32_t superblock, std::uint32_t frontier, std::uint32_t number);
  void raise(Signal signal, Nanoseconds at);
  bool load(DieState& die, std::uint32_t frontier);
  // The event loop is compiled twice: for any flash, and for the usual one. That has cache program and cache read, no
  // independent plane reads, at most two frontiers, fifo or read-first scheduling, and no log.
  static constexpr std::uint32_t kUsualClasses = kPrograms + 2;
  static constexpr std::uint32_t kAllPlanes = (1u << kMostPlanes) - 1;
  template <bool kUsual>
  void run_events(Nanoseconds until);
  template <bool kUsual>
  bool load_next(DieState& die, std::uint32_t frontier);
  void wake(DieState& die) {
    if (die.state == State::free) begin(die);
  }
  void begin(DieState& die);
  template <bool kUsual>
  void begin_next(DieState& die);
  DieQueues queues_of(const DieState& die, std::uint32_t oldest) const;
  template <bool kUsual>
  Choice ask_policy(const DieState& die, std::uint32_t oldest);
  template <bool kUsual>
  void tell_policy(const DieState& die, std::uint32_t oldest, std::uint32_t flash_class, Nanoseconds length);
  template <bool kUsual>
  bool begin_read(DieState& die, std::uint32_t flash_class, std::uint32_t oldest);
  template <bool kUsual>
  void begin_program(DieState& die, std::uint32_t frontier, std::uint32_t oldest);
  void begin_erase(DieState& die, std::uint32_t oldest);
  std::uint32_t take(DieState& die, std::uint32_t flash_class);
  std::uint32_t take_beside(DieState& die, std::uint32_t flash_class);
  void run(DieState& die, Nanoseconds end, std::uint32_t id, std::uint32_t flash_class, std::uint32_t planes);
  void run_alone(DieState& die, std::uint32_t id, std::uint32_t flash_class, Nanoseconds from, Nanoseconds end);
  void resume(DieState& die);
  void suspend(DieState& die);
  template <bool kUsual>
  void die_event(DieState& die);
  void other_die_event(DieState& die);
  void input_event(DieState& die);
  template <bool kUsual>
  void finish(DieState& die, std::uint32_t id, std::uint32_t flash_class, std::uint32_t planes);
  template <bool kUsual>
  Nanoseconds transfer_out(DieState& die, std::uint32_t id);
  template <bool kUsual>
  void finish_program(DieState& die, std::uint32_t frontier, std::uint32_t number);
  void finish_erase(std::uint32_t id);
  void release_ordered();
  void ask_erase(std::uint32_t superblock);
  void release_superblock(std::uint32_t superblock);
  void channel_event(std::uint32_t channel);
  void deliver(const ReadOut& out);
  void set_moment(DieState& die);
  std::uint32_t planes_of(const WorkRecord& record) const;
  bool suspendable(std::uint32_t flash_class) const;
  DieTime::Use use_of(const Running& running) const;
  void spend(DieState& die, DieTime::Use use, Nanoseconds time) {
    die.busy += time;
    die_time_.add(use, time);
  }
  void take_back_rest(DieState& die, const Running& running);
  void take_back(DieState& die, DieTime::Use use, Nanoseconds time) {
    die.busy -= time;
    die_time_.take_back(use, time);
  }

  std::uint32_t take_operation() {  // a free one
    const std::uint32_t id = free_operation_;
    if (id == kNone) [[unlikely]]
      return operations_.emplace_back(), static_cast<std::uint32_t>(operations_.size() - 1);
    free_operation_ = operations_[id].next;
    return id;
  }
  std::uint32_t new_operation(const WorkRecord& record);
  void free_operation(std::uint32_t id);
  // The number in the log is 0 where there is none.
  std::uint32_t log(const WorkRecord& record) { return log_ == nullptr ? 0 : add_to_log(record); }
  std::uint32_t add_to_log(const WorkRecord& record);
  void log_start(std::uint32_t logged, Nanoseconds start, Nanoseconds done) {
    if (logged != 0) [[unlikely]]
      append_to_log(logged, start, done);
  }
  void append_to_log(std::uint32_t logged, Nanoseconds start, Nanoseconds done);
  // The transfer takes the channel as soon as it is free. Returns when it starts.
  Nanoseconds transfer(Channel& channel, Nanoseconds length) {
    const Nanoseconds start = later(now_, channel.free);
    channel.free = start + length;
    channel.busy += length;
    return start;
  }
  Nanoseconds transfer_in(const FlashProgram& program) const {
    return times_.program_transfer((program.flags & FlashProgram::kInRegister) != 0 ? 0 : program.planes);
  }
  Nanoseconds read_time(const WorkRecord& record) const {  // of the array, once
    return times_.looks_at_pages() ? times_.read(Die{record.die}, record.page()) : times_.read();
  }

  OperationTimes times_;
  NandTiming timing_;
  std::unique_ptr<SchedulingPolicy> policy_;
  bool suspends_, first_come_, reads_first_;
  bool usual_;         // as most drives are, see run_events()
  bool news_ = false;  // since the last event something has come that the caller waits for
  WinnerTree tree_;
  std::uint32_t dies_count_, superblocks_, frontiers_, classes_;
  Nanoseconds now_{0};
  std::vector<DieState> dies_;
  std::vector<PlaneQueues> beside_;  // by die and kind of read, where planes read independently; in place of its queues
  std::vector<Channel> channels_;
  std::vector<FrontierPrograms> programs_;  // by frontier
  std::vector<Operation> operations_ = std::vector<Operation>(1);
  std::uint32_t free_operation_ = kNone;
  Signals signals_;
  ProgramOrder order_, host_order_;
  RingBuffer<Ordered> ordered_;
  std::vector<Gated> gated_;
  std::vector<Erasing> erasing_;      // by superblock; grows
  std::uint32_t last_erase_ = kNone;  // accepted last; that of a spare block waits for it
  std::vector<AfterErase> after_erase_;
  std::vector<OfSuperblock> programs_of_;  // by superblock; grows
  std::vector<Programmed> arriving_;       // reads of the host wait for the data of these, which are on their way
  RingBuffer<Awaited> awaited_;
  std::vector<HostRead> host_reads_;
  std::vector<std::uint32_t> reached_;
  std::uint32_t watched_moved_pages_ = 0, watched_programs_ = 0;
  std::uint32_t programs_in_flight_ = 0, host_pages_in_flight_ = 0, moved_pages_in_flight_ = 0, freed_places_ = 0;
  std::uint64_t under_way_ = 0;  // operations and programs that have not ended
  std::uint64_t suspensions_ = 0, buffered_reads_ = 0;
  DieTime die_time_;
  std::vector<TimedOperation>* log_ = nullptr;
};

template <class Read, class Reached>
void FlashEngine::take_reports(Read&& read, Reached&& reached) {
  for (std::size_t r = 0, t = 0; r < host_reads_.size() || t < reached_.size();) {
    if (r < host_reads_.size()) {
      const HostRead one = host_reads_[r++];  // what it brings about may be answered at once, behind it
      read(one);
    } else {
      reached(reached_[t++]);
    }
  }
  host_reads_.clear();
  reached_.clear();
}

template <class Place>
void FlashEngine::program_run(WorkRecord record, std::uint32_t count, Place&& place) {
  FrontierPrograms& all = programs_[record.frontier];
  const std::uint32_t first = all.add(count), section = order_.add(count);
  const std::uint32_t host_section = record.has(WorkRecord::kHostData) ? host_order_.add(count) : 0;
  note_programs(record, first, count);
  under_way_ += count;
  programs_in_flight_ += count;
  host_pages_in_flight_ += count * record.host_pages;
  const bool gated = record.superblock < erasing_.size() && erasing_[record.superblock].asked > 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    place(record, i);
    const std::uint32_t number = first + i;
    FlashProgram& program = all.at(number);
    program.ready = later(program.ready, now_);
    program.order = section;
    program.host_order = host_section;
    program.describe(record);
    moved_pages_in_flight_ += record.moved_pages;
    if (gated) [[unlikely]]
      gate(record.superblock, record.frontier, number);
    queue_program(record.frontier, number, program);
  }
}

template <class Place>
void FlashEngine::read_run(const WorkRecord& record, std::uint32_t count, Place&& place) {
  FTLAB_CHECK(!has_programs(record.superblock), "a run of reads comes before the programs of its pages have ended");
  under_way_ += count;
  FrontierPrograms& programs = programs_[record.frontier];
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t id = take_operation();
    Operation& operation = operations_[id];
    operation.ready = now_;
    operation.logged = operation.next = operation.in_memory = 0;
    operation.record = record;
    place(operation.record, i);
    const std::uint32_t target = operation.record.target, more = operation.record.span - 1u;
    programs.reach(target + 2);
    FlashProgram &first = programs.at(target), &second = programs.at(target + 1);
    ++first.waits, ++first.unread;
    second.waits += more, second.unread += more;
    DieState& die = dies_[operation.record.die];
    List& queue = die.queues[kInternalReads];
    if (die.ready[kInternalReads] == kNever) {
      die.ready[kInternalReads] = now_;
      queue.head = queue.tail = id;
      wake(die);
    } else {
      operations_[queue.tail].next = id;
      queue.tail = id;
    }
  }
}

template <class A>
void FlashEngine::archive_dies(A& archive) {
  std::vector<Nanoseconds> ready;
  for (const DieState& die : dies_) ready.insert(ready.end(), die.ready.begin(), die.ready.begin() + classes_);
  std::vector<SavedDie> dies(dies_.begin(), dies_.end());
  archive.exact(ready);
  archive.exact(dies);
  if (!archive.loading()) return;
  for (std::size_t d = 0; d < dies.size(); ++d) {
    static_cast<SavedDie&>(dies_[d]) = dies[d];
    std::copy_n(ready.begin() + d * classes_, classes_, dies_[d].ready.begin());
  }
}

template <class A>
void FlashEngine::archive_inputs(A& archive) {
  std::vector<Input> inputs;
  for (const DieState& die : dies_) inputs.insert(inputs.end(), die.inputs.begin(), die.inputs.begin() + frontiers_);
  archive.exact(inputs);
  if (!archive.loading()) return;
  for (std::size_t d = 0; d < dies_.size(); ++d)
    std::copy_n(inputs.begin() + d * frontiers_, frontiers_, dies_[d].inputs.begin());
}

template <class A>
void FlashEngine::archive(A& archive) {
  archive.section("flash engine");
  FTLAB_CHECK(host_reads_.empty() && reached_.empty() && freed_places_ == 0, "saved amid an event");
  archive.value(now_);
  archive_dies(archive);
  for (PlaneQueues& waiting : beside_) waiting.archive(archive, kMostSaved);
  for (Channel& channel : channels_) {
    archive.value(channel.free);
    archive.duration(channel.busy);
    channel.out.archive(archive, kMostSaved);
  }
  for (FrontierPrograms& programs : programs_)
    programs.archive(archive, dies_count_, superblocks_, times_.pages_per_block());
  archive_inputs(archive);
  archive.list(operations_, kMostSaved);
  archive.value(free_operation_);
  signals_.archive(archive);
  order_.archive(archive);
  host_order_.archive(archive);
  ordered_.archive(archive, kMostSaved);
  awaited_.archive(archive, kMostSaved);
  archive.list(gated_, kMostSaved);
  archive.list(erasing_, kMostSaved);
  archive.value(last_erase_);
  archive.list(after_erase_, kMostSaved);
  archive.list(programs_of_, kMostSaved);
  archive.list(arriving_, kMostSaved);
  for (auto* count : {&programs_in_flight_, &host_pages_in_flight_, &moved_pages_in_flight_}) archive.value(*count);
  archive.value(under_way_);
  archive.value(suspensions_);
  archive.value(buffered_reads_);
  die_time_.archive(archive);
  if (std::vector<std::uint64_t> state = policy_->state(); !state.empty()) {
    archive.exact(state);
    policy_->set_state(state);
  }
  for (std::uint32_t leaf = 0; leaf < 2 * dies_count_ + channels_.size(); ++leaf) {
    Nanoseconds moment = tree_.at(leaf);
    archive.value(moment);
    if (archive.loading()) tree_.set(leaf, moment);
  }
  if (archive.loading()) record(log_);  // what is under way was in another one's log, if in any
  archive.require(rules(), *this);
}

}  // namespace ftlab
