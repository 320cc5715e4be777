// One die: its running array operation, its queues of waiting operations, and the registers of its frontiers. It runs one
// array operation at a time, or several reads if planes are independent. At most one event is pending for the die, and one
// for its input.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "models/nand/schedule/flash_shared.h"
#include "models/nand/schedule/plane_queues.h"

namespace ftlab {

class Archive;

class FlashDie {
 public:
  static constexpr std::uint32_t kMostPlanes = 8;      // limit with independent plane reads
  static constexpr std::uint32_t kMostFrontiers = 61;  // an unused one costs 20 bytes per die and no time

  // A running array operation; several only if planes read independently. No padding: archived, like the structs below.
  struct Running {
    // Instead of a class: the die waits for its channel to take a read's data.
    static constexpr std::uint32_t kHoldingForHost = ~std::uint32_t{1}, kHolding = ~std::uint32_t{0};
    bool holds_data() const { return flash_class >= kHoldingForHost; }

    Nanoseconds end{0};
    std::uint32_t id = 0;  // id of an operation, or the program's number in its frontier
    std::uint32_t flash_class = 0;
    std::uint32_t planes = 0;
    std::uint32_t unused = 0;
  };
  enum class State : std::uint32_t { free, running, stopping };
  struct Saved {
    std::array<OperationList, 3> queues;   // by class
    std::array<Running, kMostPlanes> run;  // the first `runs` are in use
    std::uint32_t runs = 0;
    State state = State::free;
    std::uint32_t planes_busy = 0;
    std::uint32_t holds = 0;      // 1: `held` is suspended
    std::uint64_t relocated = 0;  // a bit per frontier: its loaded program carries no host data
    Nanoseconds stop_end{0};      // while stopping: when the die is free for reads
    Nanoseconds left{0};          // array time left of the running or suspended operation
    Nanoseconds until{kNever};    // the policy lets the die wait until then
    Nanoseconds work_from{0};     // begin of the running operation's array time, after any transfer
    Running held;                 // the suspended operation
    std::uint32_t suspends_left = 0;
    std::uint32_t unused = 0;
    Nanoseconds busy{0};
  };
  // Programs of a frontier, as number + 1: the one in the register, and the list of those that wait for it.
  struct Input {
    std::uint32_t loaded = 0;
    std::uint32_t head = 0, tail = 0;
  };

  FlashDie(std::uint32_t number, std::uint32_t channel) : number_(number), channel_(channel) { ready_.fill(kNever); }
  std::uint32_t channel() const { return channel_; }

  // --- incoming work ---
  // Adds a ready operation to the queue of its class.
  void enqueue(FlashShared& shared, std::uint32_t flash_class, std::uint32_t id) {
    OperationList& queue = it_.queues[flash_class];
    if (flash_class != kInternalReads || queue.tail == OperationTable::kNone)
      return enqueue_and_begin(shared, flash_class, id);
    shared.operations[queue.tail].next = id;
    queue.tail = id;
  }
  // Adds a program behind the waiting ones of its frontier.
  void enqueue_program(FlashShared& shared, std::uint32_t frontier, std::uint32_t number) {
    Input& in = inputs_[frontier];
    if (in.head == 0) {
      in.head = in.tail = number + 1;
      load(shared, frontier);
    } else {
      shared.programs[frontier].at(in.tail - 1).next = number + 1;
      in.tail = number + 1;
    }
  }
  bool has_loaded(std::uint32_t frontier) const { return inputs_[frontier].loaded != 0; }
  bool loads_next(std::uint32_t frontier, std::uint32_t number) const { return inputs_[frontier].head == number + 1; }
  // Loads the frontier's next program into its register as soon as its data are there.
  void load(FlashShared& shared, std::uint32_t frontier);

  // --- execution ---
  // Returns the operation that ends now, valid until another begins, or null. The die is closed until it is released.
  const Running* end(FlashShared& shared);
  // Without cache_read the die holds the data of an ended read until the channel has taken them.
  void hold_data(FlashShared& shared, const Running& read, Nanoseconds done);
  // Nothing begins while the die is closed.
  void close() { it_.state = State::running; }
  void release(std::uint32_t planes) {
    it_.planes_busy &= ~planes;
    it_.state = State::free;
  }
  // Without cache_program the register becomes free when the program has ended.
  void unload(FlashShared& shared, std::uint32_t frontier) {
    inputs_[frontier].loaded = 0;
    load(shared, frontier);
  }
  // Begins the operation that the policy chooses, if the die is free.
  template <bool kUsual>
  void begin_next(FlashShared& shared);
  // Power cut.
  void clear(FlashShared& shared);

  // --- its state ---
  const Saved& state() const { return it_; }
  // All dies together, except for their inputs.
  static void archive(Archive& archive, std::vector<FlashDie>& dies, const FlashShared& shared);
  static void archive_inputs(Archive& archive, std::vector<FlashDie>& dies, std::uint32_t frontiers);

 private:
  static constexpr std::uint32_t kAllPlanes = (1u << kMostPlanes) - 1;

  void enqueue_and_begin(FlashShared& shared, std::uint32_t flash_class, std::uint32_t id);
  bool is_free() const { return it_.state == State::free; }
  template <bool kUsual>
  bool load_next(FlashShared& shared, std::uint32_t frontier);
  template <bool kUsual>
  Choice ask_policy(FlashShared& shared, std::uint32_t oldest) const;
  template <bool kUsual>
  void tell_policy(FlashShared& shared, std::uint32_t oldest, std::uint32_t flash_class, Nanoseconds length) const;
  template <bool kUsual>
  bool begin_read(FlashShared& shared, std::uint32_t flash_class, std::uint32_t oldest);
  template <bool kUsual>
  void begin_program(FlashShared& shared, std::uint32_t frontier, std::uint32_t oldest);
  void begin_erase(FlashShared& shared, std::uint32_t oldest);
  std::uint32_t take(FlashShared& shared, std::uint32_t flash_class);
  std::uint32_t take_independent(FlashShared& shared, std::uint32_t flash_class);
  void run(Nanoseconds end, std::uint32_t id, std::uint32_t flash_class, std::uint32_t planes);
  void run_alone(FlashShared& shared, std::uint32_t id, std::uint32_t flash_class, Nanoseconds from, Nanoseconds end);
  const Running* end_other(FlashShared& shared);
  void suspend(FlashShared& shared);
  void resume(FlashShared& shared);
  void set_moment(FlashShared& shared);
  void spend(FlashShared& shared, DieTime::Use use, Nanoseconds time) {
    it_.busy += time;
    shared.use.die_time.add(use, time);
  }
  void take_back(FlashShared& shared, DieTime::Use use, Nanoseconds time) {
    it_.busy -= time;
    shared.use.die_time.take_back(use, time);
  }
  void take_back_rest(FlashShared& shared, const Running& running);

  std::uint32_t number_, channel_;
  Saved it_;
  std::array<PlaneQueues, 2> beside_;  // by class of read; replaces its queue if planes read independently
  std::array<Nanoseconds, kPrograms + kMostFrontiers> ready_;  // by class: when its first operation is ready
  std::array<Input, kMostFrontiers> inputs_;                   // by frontier
};

// Bit mask of the planes that the read uses.
std::uint32_t planes_of(const DieRules& rules, const WorkRecord& record);

}  // namespace ftlab
