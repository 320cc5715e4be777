// Executes the layer's work records event by event. Exact and causal: everything that an event makes possible begins at
// once, and nothing depends on later events.
//
// The end of a transfer is known when it is requested, because a channel serves in order. So a program takes one event (the
// end of its array time), and a read takes a second one (the end of its transfer) only if something waits for it.
//
//   read     waits for its signal, then for the die; its data cross the channel after the array time. Without cache_read the
//            die is busy until then. While the program of its page has not ended, see early_reads.h
//   program  is loaded into its frontier's register on the die, in order, when its data are there, its superblock is erased
//            and the register is free. With cache_program this overlaps with other array operations; without, die and
//            channel are taken together
//   erase    ready when all programs requested before it have ended
//
// The policy (policy.h) chooses the next of a die's waiting operations; during a suspension only host reads begin.
// docs/scheduling.md lists all rules and what is not modelled.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/nand/schedule/early_reads.h"
#include "models/nand/schedule/flash_die.h"
#include "models/nand/schedule/flash_order.h"
#include "models/nand/schedule/flash_shared.h"
#include "models/nand/schedule/host_read.h"
#include "models/nand/schedule/in_flight.h"
#include "models/nand/schedule/signals.h"

namespace ftlab {

class Archive;

class FlashEngine {
 public:
  static constexpr std::uint32_t kMostPlanes = FlashDie::kMostPlanes, kMostFrontiers = FlashDie::kMostFrontiers;

  // `frontiers`: number of frontiers. `use`: counters of earlier work.
  FlashEngine(const Geometry& geometry, const NandTiming& timing, std::uint32_t frontiers, BlockSpeed speed = {},
              const FlashUse& use = {});

  // Accepts the records for execution from `now` on. REQUIRES: `now` does not decrease, and no event before it is pending.
  void accept(std::span<const WorkRecord> records, Nanoseconds now);
  // Time at which the runs below are accepted. REQUIRES: as for accept().
  void set_now(Nanoseconds now) { shared_.now = now; }
  // Accepts `count` programs of a superblock; place(record, i) fills in what differs between them.
  template <class Place>
  void program_run(WorkRecord record, std::uint32_t count, Place&& place);
  // Accepts `count` reads of one superblock, host reads or reads that feed programs; place(record, with_planes) fills in
  // what differs, with the planes if times depend on them.
  template <class Place>
  void read_run(const WorkRecord& record, std::uint32_t count, Place&& place);
  // Executes events up to `until`, or up to one that the caller waits for. Returns the time of the last event or record.
  Nanoseconds run(Nanoseconds until, HostReadSink* sink = nullptr);
  // Time of the next event; kNever if nothing is pending.
  Nanoseconds next() const { return shared_.next(); }

  // --- reports, fetched by the caller after each call above ---
  // Calls read(HostRead) for each host read that has ended, then reached(tag) for each awaited signal or flush. Both may
  // request more work; its reports are included. Returns the number of write buffer slots that programs have freed.
  template <class Read, class Reached>
  std::uint32_t take_reports(Read&& read, Reached&& reached);
  bool reports() const { return reports_; }
  // The caller also waits until fewer than `fewer_than` are in flight; 0: it does not.
  void watch(InFlight::Watched what, std::uint32_t fewer_than) { in_flight_.watch(what, fewer_than); }
  void await(Signal signal, std::uint32_t tag);
  // Both may report the tag at once: when the signal is raised, when all programs of host data requested so far have ended.
  void await_programmed(std::uint32_t tag);

  const InFlight& in_flight() const { return in_flight_; }
  bool idle() const { return shared_.operations.open() == 0 && in_flight_.programs() == 0; }
  // Power cut: everything queued or in flight is lost. Frontiers number their programs from 0 again.
  void clear(Nanoseconds now);

  // Sets the erase counts that the times of worn blocks depend on. The engine counts the erases that it executes.
  void set_erases(std::span<const std::uint32_t> by_superblock) { shared_.times.set_erases(by_superblock); }
  const FlashUse& use() const { return shared_.use; }
  std::vector<Nanoseconds> busy() const;  // dies, then channels

  // Records every operation in `log` when it is requested, its start and end when they are known (kNever before). Null:
  // stops. REQUIRES: `log` outlives the recording, and nothing is removed from it while an operation is in flight.
  void record(std::vector<TimedOperation>* log);

  void archive(Archive& archive);

 private:
  using Programmed = EarlyReads::Programmed;
  enum class Brings : std::uint32_t { nothing, data };  // brought by an ended dependency

  // --- requests ---
  void add_read(std::uint32_t id);
  void add_erase(const WorkRecord& record);
  void attach(const WorkRecord& record);
  void add_to_program(const WorkRecord& record, std::uint32_t number);
  void await_signal(std::uint32_t read);
  void begin_read(std::uint32_t read);
  void serve_from_memory(const Programmed& program);

  // --- events ---
  template <bool kUsual>
  void run_events(Nanoseconds until, HostReadSink* sink);
  template <bool kUsual>
  void end(FlashDie& die, const FlashDie::Running& ended);
  template <bool kUsual>
  Nanoseconds end_read(FlashDie& die, std::uint32_t id);
  template <bool kUsual>
  void end_program(FlashDie& die, std::uint32_t frontier, std::uint32_t number);
  void end_erase(std::uint32_t id);
  void input_event(std::uint32_t die);
  Nanoseconds channel_event(std::uint32_t channel, HostReadSink* sink);
  Nanoseconds deliver(const ReadOut& out, HostReadSink* sink);
  void satisfy(std::uint32_t frontier, std::uint32_t number, std::uint32_t span, Nanoseconds at, Brings brings);
  void load(std::uint32_t frontier, std::uint32_t number, FlashProgram& program);
  void raise(Signal signal, Nanoseconds at);
  void reach(std::uint32_t tag) {
    reached_.push_back(tag);
    reports_ = stops_ = true;
  }
  void enqueue(std::uint32_t flash_class, std::uint32_t id) {
    Operation& operation = shared_.operations[id];
    operation.ready = shared_.now;
    dies_[operation.record.die].enqueue(shared_, flash_class, id);
  }

  FlashShared shared_;
  std::vector<FlashDie> dies_;
  Signals signals_;
  FlashOrder order_;
  EarlyReads early_;
  InFlight in_flight_;
  std::vector<HostRead> host_reads_;
  std::vector<std::uint32_t> reached_;
  bool reports_ = false;  // there is something for take_reports()
  bool stops_ = false;    // run() returns: the last event brought something that the caller waits for
};

template <class Read, class Reached>
[[gnu::always_inline]] inline std::uint32_t FlashEngine::take_reports(Read&& read, Reached&& reached) {
  if (!reports()) return in_flight_.take_freed_slots();
  for (std::size_t r = 0, t = 0; r < host_reads_.size() || t < reached_.size();) {
    if (r < host_reads_.size()) {
      const HostRead one = host_reads_[r++];  // a copy: read() may append to host_reads_
      read(one);
    } else {
      reached(reached_[t++]);
    }
  }
  host_reads_.clear();
  reached_.clear();
  reports_ = false;
  return in_flight_.take_freed_slots();
}

template <class Place>
void FlashEngine::program_run(WorkRecord record, std::uint32_t count, Place&& place) {
  FrontierPrograms& all = shared_.programs[record.frontier];
  const std::uint32_t first = all.add(count);
  const FlashOrder::Sections sections = order_.add_programs(count, record.has(WorkRecord::kHostData));
  early_.add_programs(record, first, count);
  in_flight_.add(count, count * record.host_pages);
  const bool is_plain = !record.looks_back() && !order_.is_gated(record.superblock) && !shared_.log.on();
  for (std::uint32_t i = 0; i < count; ++i) {
    place(record, i);
    const std::uint32_t number = first + i;
    FlashProgram& program = all.at(number);
    FTLAB_DCHECK((program.flags & FlashProgram::kKnown) == 0, "a program is asked for a second time");
    program.wait_until(shared_.now);
    program.order = sections.all;
    program.host_order = sections.host;
    program.describe(record);
    in_flight_.add_moved_pages(record.moved_pages);
    if (!is_plain) [[unlikely]]
      add_to_program(record, number);
    dies_[program.die].enqueue_program(shared_, record.frontier, number);
  }
}

template <class Place>
[[gnu::always_inline]] inline void FlashEngine::read_run(const WorkRecord& record, std::uint32_t count, Place&& place) {
  const bool is_plain = !early_.has_programs(record.superblock) && !shared_.log.on();
  const bool with_planes = !is_plain || shared_.rules.independent_planes || shared_.times.reads_depend_on_page();
  const bool for_host = record.has(WorkRecord::kHost);
  FrontierPrograms& programs = shared_.programs[record.frontier];
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t id = shared_.operations.add(record, shared_.now);
    WorkRecord& one = shared_.operations[id].record;
    place(one, with_planes);
    if (!is_plain) [[unlikely]] {
      add_read(id);
      continue;
    }
    if (!for_host) programs.add_reads(one.target, one.span);
    dies_[one.die].enqueue(shared_, for_host ? kHostReads : kInternalReads, id);
  }
}

}  // namespace ftlab
