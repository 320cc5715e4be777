// The engine's events and what they make possible.
#include "models/nand/schedule/flash_engine.h"

#include <algorithm>

#include "models/nand/schedule/flash_die_events.h"
#include "sim/core/check.h"

namespace ftlab {

FlashEngine::FlashEngine(const Geometry& geometry, const NandTiming& timing, std::uint32_t frontiers, BlockSpeed speed,
                         const FlashUse& use)
    : shared_(geometry, timing, frontiers, std::move(speed), use) {
  FTLAB_CHECK(frontiers > 0 && frontiers <= kMostFrontiers, std::to_string(frontiers) + " frontiers");
  FTLAB_CHECK(!timing.independent_plane_reads || geometry.planes_per_die <= kMostPlanes,
              "more planes than reads tell apart");
  for (std::uint32_t d = 0; d < geometry.dies(); ++d) dies_.emplace_back(d, geometry.channel_of(d));
}

// The data of the read are in the controller. Without a sink they are reported later. Returns the time up to which the
// engine may run then.
[[gnu::always_inline]] inline Nanoseconds FlashEngine::deliver(const ReadOut& out, HostReadSink* sink) {
  const Operation& operation = shared_.operations[out.operation];
  const WorkRecord& record = operation.record;
  FTLAB_DCHECK(record.kind == WorkRecord::Kind::read && out.done == shared_.now, "data come of no read, or at another time");
  Nanoseconds until = kNever;
  if (record.has(WorkRecord::kHost)) {
    Nanoseconds repeats{record.retry_ns};
    if (record.repeats > 0) repeats += record.repeats * shared_.read_time(record);
    const HostRead read{record.target, operation.in_memory != 0,
                        {operation.ready, out.array_end, out.bus_start, out.done, repeats}};
    if (sink != nullptr) {
      until = sink->read_ended(read);
    } else {
      host_reads_.push_back(read);
      reports_ = stops_ = true;
    }
  }
  shared_.operations.end(out.operation);
  if (record.feeds != kNoSignal) raise(record.feeds, shared_.now);
  return until;
}

[[gnu::always_inline]] inline Nanoseconds FlashEngine::channel_event(std::uint32_t c, HostReadSink* sink) {
  RingBuffer<ReadOut>& on_the_way = shared_.channels[c].out;
  FTLAB_DCHECK(!on_the_way.empty() && on_the_way.front().done == shared_.now, "a channel's moment comes with nothing on it");
  const ReadOut out = on_the_way.pop();
  shared_.arrivals.set(shared_.channel_leaf(c), on_the_way.empty() ? kNever : on_the_way.front().done);
  return deliver(out, sink);
}

// The read's signal was raised, if any: the read joins its die's queue, or gets its data from the controller's memory.
void FlashEngine::begin_read(std::uint32_t read) {
  Operation& operation = shared_.operations[read];
  FTLAB_DCHECK(operation.record.kind == WorkRecord::Kind::read, "a signal lets something begin that is no read");
  if (operation.in_memory == 0) return enqueue(operation.record.has(WorkRecord::kHost) ? kHostReads : kInternalReads, read);
  const Nanoseconds now = operation.ready = shared_.now;
  ++shared_.use.buffered_reads;
  operation.record.repeats = operation.record.retry_ns = 0;
  shared_.log.note(operation.logged, now, now);
  const WorkRecord record = operation.record;
  deliver({now, now, now, read}, nullptr);
  if (record.span > 0) satisfy(record.frontier, record.target, record.span, now, Brings::data);
}

// The loop is compiled twice: for any flash, and for the usual one, which has cache_program and cache_read, no independent
// plane reads, at most two frontiers, fifo or read-first scheduling, and no log.
Nanoseconds FlashEngine::run(Nanoseconds until, HostReadSink* sink) {
  shared_.is_usual() ? run_events<true>(until, sink) : run_events<false>(until, sink);
  return shared_.now;
}

template <bool kUsual>
void FlashEngine::run_events(Nanoseconds until, HostReadSink* sink) {
  until = std::min(until, kNever - Nanoseconds{1});
  stops_ = reports() || in_flight_.below_limit();
  do {
    const Nanoseconds next = shared_.die_moments.next(), arrival = shared_.arrivals.next();
    if (std::min(next, arrival) > until) return;
    if (next <= arrival) [[likely]] {
      shared_.now = next;
      FlashDie& die = dies_[shared_.die_moments.first()];
      const FlashDie::Running* const ended = die.end(shared_);
      if (ended != nullptr) [[likely]]
        end<kUsual>(die, *ended);
      die.begin_next<kUsual>(shared_);
      continue;
    }
    shared_.now = arrival;
    const std::uint32_t leaf = shared_.arrivals.first(), first_channel = shared_.channel_leaf(0);
    if (leaf >= first_channel)
      until = std::min(until, channel_event(leaf - first_channel, sink));
    else
      input_event(leaf);
  } while (!stops_);
}

// The array operation has ended, or the channel has taken the data that the die held. Operations that the end of a read
// makes possible on this die begin only after it has been handled completely.
template <bool kUsual>
[[gnu::always_inline]] inline void FlashEngine::end(FlashDie& die, const FlashDie::Running& ended) {
  if (ended.flash_class <= kInternalReads) {
    const Nanoseconds done = end_read<kUsual>(die, ended.id);
    const bool holds = !kUsual && !shared_.rules.cache_read && done > shared_.now;
    return holds ? die.hold_data(shared_, ended, done) : die.release(ended.planes);
  }
  die.release(ended.planes);
  if (!kUsual && ended.holds_data()) return;
  ended.flash_class == kErases ? end_erase(ended.id) : end_program<kUsual>(die, ended.flash_class - kPrograms, ended.id);
}

// Sends the data over the channel; returns when they are there.
template <bool kUsual>
[[gnu::always_inline]] inline Nanoseconds FlashEngine::end_read(FlashDie& die, std::uint32_t id) {
  const Operation& operation = shared_.operations[id];
  const WorkRecord& record = operation.record;
  FlashChannel& channel = shared_.channels[die.channel()];
  const bool crosses = !record.has(WorkRecord::kKeepsData);
  const Nanoseconds now = shared_.now;
  const Nanoseconds start = crosses ? channel.transfer(now, shared_.times.read_transfer(record.bytes)) : now;
  const Nanoseconds done = crosses ? channel.free : now;
  if (!kUsual) shared_.log.note(operation.logged, kNever, done);
  if (!record.has(WorkRecord::kHost) && record.feeds == kNoSignal) {
    shared_.operations.end(id);
  } else if (!crosses) {
    deliver({done, now, start, id}, nullptr);
  } else {
    if (channel.out.empty()) shared_.arrivals.set(shared_.channel_leaf(die.channel()), done);
    ReadOut& out = channel.out.add();
    out.done = done;
    out.array_end = now;
    out.bus_start = start;
    out.operation = id;
  }
  if (record.span > 0) satisfy(record.frontier, record.target, record.span, done, Brings::data);
  return done;
}

template <bool kUsual>
[[gnu::always_inline]] inline void FlashEngine::end_program(FlashDie& die, std::uint32_t frontier, std::uint32_t number) {
  FrontierPrograms& all = shared_.programs[frontier];
  FlashProgram& program = all.at(number);
  FTLAB_DCHECK((program.flags & FlashProgram::kKnown) != 0 && program.waits == 0, "a program ends that has not begun");
  FTLAB_CHECK(in_flight_.has(program), "more programs end than were asked for");
  const std::uint32_t order = program.order, host_order = program.host_order;
  const std::uint8_t flags = program.flags;
  OperationList reads = program.reads;
  early_.end_program(program.superblock, frontier, number);
  in_flight_.end(program);
  stops_ = stops_ || in_flight_.below_limit();
  all.end(number);
  if (reads.head != OperationTable::kNone) [[unlikely]] {  // all are queued before one begins
    die.close();
    shared_.operations.take_all(reads, [this](std::uint32_t read) { await_signal(read); });
    die.release(0);
  }
  if (!kUsual && !shared_.rules.cache_program) die.unload(shared_, frontier);
  if ((flags & FlashProgram::kEndsNext) != 0) [[unlikely]]
    satisfy(frontier, number + 1, 1, shared_.now, Brings::nothing);
  order_.end_program(
      order, [this](std::uint32_t erase) { enqueue(kErases, erase); },
      [this](std::uint32_t f, std::uint32_t n) { satisfy(f, n, 1, shared_.now, Brings::nothing); });
  if ((flags & FlashProgram::kHostData) != 0) order_.end_host_program(host_order, [this](std::uint32_t tag) { reach(tag); });
}

void FlashEngine::end_erase(std::uint32_t id) {
  const std::uint32_t superblock = shared_.operations[id].record.superblock;
  FTLAB_DCHECK(shared_.operations[id].record.kind == WorkRecord::Kind::erase, "an erase ends that is none");
  shared_.operations.end(id);
  order_.end_erase(
      id, superblock, [this](std::uint32_t erase) { enqueue(kErases, erase); },
      [this](std::uint32_t f, std::uint32_t n) { satisfy(f, n, 1, shared_.now, Brings::nothing); });
}

// Data have arrived for which a program, or a read of its page, waits.
void FlashEngine::input_event(std::uint32_t die) {
  shared_.arrivals.set(shared_.input_leaf(die), kNever);
  if (early_.any_arriving()) [[unlikely]] {
    for (const Programmed& program : early_.take_arriving(die, shared_.programs)) serve_from_memory(program);
  }
  for (std::uint32_t f = 0; f < shared_.programs.size(); ++f) dies_[die].load(shared_, f);
}

void FlashEngine::satisfy(std::uint32_t frontier, std::uint32_t number, std::uint32_t span, Nanoseconds at, Brings brings) {
  FrontierPrograms& programs = shared_.programs[frontier];
  for (std::uint32_t n = number; n < number + span; ++n) {
    FlashProgram& program = programs.at(n);
    program.wait_until(at);
    FTLAB_CHECK(program.waits > 0, "a program waits for nothing");
    --program.waits;
    FTLAB_DCHECK(program.unread >= static_cast<std::uint32_t>(brings), "data come that the program has already");
    program.unread -= static_cast<std::uint32_t>(brings);
    if (program.reads.head != OperationTable::kNone && brings == Brings::data && program.unread == 0) [[unlikely]]
      serve_from_memory({frontier, n + 1});
    // Tested first, because this branch is predictable: usually the register is taken. Whether this was the program's last
    // dependency is not.
    if (dies_[program.die].has_loaded(frontier) && (program.flags & FlashProgram::kFeedsNext) == 0) [[likely]]
      continue;
    if (program.can_be_loaded()) load(frontier, n, program);
  }
}

// The program has no dependencies left.
void FlashEngine::load(std::uint32_t frontier, std::uint32_t number, FlashProgram& program) {
  FTLAB_DCHECK(program.unread == 0, "a program is loaded whose data are not there");
  if ((program.flags & FlashProgram::kFeedsNext) != 0) [[unlikely]] {
    program.flags &= static_cast<std::uint8_t>(~FlashProgram::kFeedsNext);
    satisfy(frontier, number + 1, 1, program.ready, Brings::data);
  }
  FlashDie& die = dies_[program.die];
  if (die.loads_next(frontier, number)) die.load(shared_, frontier);
}

void FlashEngine::raise(Signal signal, Nanoseconds at) {
  signals_.satisfy(signal, [&](const Signals::Waiter& waiter) {
    switch (waiter.kind) {
      case Signals::Waiter::Kind::read: begin_read(waiter.id); break;
      case Signals::Waiter::Kind::programs: satisfy(waiter.frontier, waiter.id, waiter.span, at, Brings::data); break;
      case Signals::Waiter::Kind::signal: raise(waiter.id, at); break;
      case Signals::Waiter::Kind::outside: reach(waiter.id); break;
    }
  });
}

}  // namespace ftlab
