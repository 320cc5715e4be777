// What is asked for, and what waits for what.
#include <algorithm>
#include <utility>

#include "models/nand/schedule/flash_engine.h"
#include "sim/core/check.h"

namespace ftlab {

[[gnu::always_inline]] inline std::uint32_t FlashEngine::new_operation(const WorkRecord& record) {
  FTLAB_CHECK(record.die < dies_count_, "die " + std::to_string(record.die) + " of " + std::to_string(dies_count_));
  ++under_way_;
  const std::uint32_t id = take_operation();
  Operation& operation = operations_[id];
  operation.ready = now_;
  operation.logged = log(record);
  operation.next = kNone;
  operation.in_memory = 0;
  operation.record = record;
  return id;
}

void FlashEngine::free_operation(std::uint32_t id) {
  FTLAB_DCHECK(id != kNone && under_way_ > 0, "an operation ends that was not asked for");
  --under_way_;
  operations_[id].next = free_operation_;
  free_operation_ = id;
}

[[gnu::always_inline]] inline void FlashEngine::depend(std::uint32_t frontier, std::uint32_t number, std::uint32_t span) {
  FTLAB_CHECK(frontier < frontiers_, "data go to a frontier that is not there");
  FrontierPrograms& programs = programs_[frontier];
  programs.reach(number + span);
  for (std::uint32_t n = number; n < number + span; ++n) ++programs.at(n).waits, ++programs.at(n).unread;
}

[[gnu::always_inline]] inline void FlashEngine::add_read(const WorkRecord& record) {
  const std::uint32_t id = new_operation(record);
  if (record.span > 0) depend(record.frontier, record.target, record.span);
  if (record.feeds != kNoSignal) signals_.feed(record.feeds);
  if (has_programs(record.superblock)) [[unlikely]] {
    const Programmed program = program_of(record);
    if (program.number != kNone) return hold(id, program);
  }
  await_signal(id);
}

[[gnu::always_inline]] inline void FlashEngine::await_signal(std::uint32_t read) {
  const Signal after = operations_[read].record.after;
  if (after == kNoSignal || signals_.raised(after)) return go_on(read);
  signals_.wait(after, {Signals::Waiter::Kind::read, read, 0, 0});
}

inline void FlashEngine::go_on(std::uint32_t read) {
  operations_[read].in_memory == 0 ? enqueue(read) : answer_from_memory(read);
}

// --- reads of pages whose program has not ended ---

// The program of the page that has not ended; the newest ones are looked at first, for most of the others have.
FlashEngine::Programmed FlashEngine::program_of(const WorkRecord& read) const {
  const OfSuperblock& of = programs_of_[read.superblock];
  const FrontierPrograms& all = programs_[of.frontier];
  std::uint32_t left = of.open;
  for (std::uint32_t number = of.end; left > 0 && number != of.first && all.open(number - 1); --number) {
    const FlashProgram& program = all.at(number - 1);
    if ((program.flags & FlashProgram::kKnown) == 0 || program.superblock != read.superblock) continue;
    if (program.die == read.die && program.nand_page == read.nand_page) return {of.frontier, number};
    --left;
  }
  return {};
}

void FlashEngine::hold(std::uint32_t read, const Programmed& held_by) {
  FlashProgram& program = programs_[held_by.frontier].at(held_by.number - 1);
  (program.first_read == kNone ? program.first_read : operations_[program.last_read].next) = read;
  program.last_read = read;
  answer_reads(held_by);
}

// Those of the host, when the controller has the data in memory; copyback leaves them in the die.
void FlashEngine::answer_reads(const Programmed& held_by) {
  FlashProgram& program = programs_[held_by.frontier].at(held_by.number - 1);
  if (program.unread > 0 || (program.flags & FlashProgram::kInRegister) != 0) return;
  std::vector<std::uint32_t> there, others;
  for (std::uint32_t read = program.first_read; read != kNone; read = operations_[read].next)
    (operations_[read].record.has(WorkRecord::kHost) ? there : others).push_back(read);
  if (there.empty()) return;
  if (program.ready > now_) {
    const std::uint32_t leaf = dies_count_ + program.die;
    if (program.ready < tree_.at(leaf)) tree_.set(leaf, program.ready);
    return arriving_.push_back(held_by);
  }
  program.first_read = program.last_read = kNone;
  for (const std::uint32_t read : others) {
    (program.first_read == kNone ? program.first_read : operations_[program.last_read].next) = read;
    program.last_read = read;
    operations_[read].next = kNone;
  }
  for (const std::uint32_t read : there) {
    operations_[read].next = kNone;
    operations_[read].in_memory = 1;
    await_signal(read);
  }
}

void FlashEngine::take_arrived(DieState& die) {
  std::vector<Programmed> here;
  std::erase_if(arriving_, [&](const Programmed& program) {
    const bool is_here = programs_[program.frontier].at(program.number - 1).die == die.number;
    if (is_here) here.push_back(program);
    return is_here;
  });
  for (const Programmed& program : here) answer_reads(program);
}

// They join their queues; what begins is decided when all that the program's end makes possible is known.
void FlashEngine::release_reads(DieState& die, std::uint32_t first) {
  die.state = State::running;
  while (first != kNone) {
    const std::uint32_t read = std::exchange(first, operations_[first].next);
    operations_[read].next = kNone;
    await_signal(read);
  }
  die.state = State::free;
}

void FlashEngine::answer_from_memory(std::uint32_t read) {
  ++buffered_reads_;
  Operation& operation = operations_[read];
  operation.ready = now_;
  operation.record.repeats = operation.record.retry_ns = 0;
  log_start(operation.logged, now_, now_);
  const WorkRecord record = operation.record;
  deliver({now_, now_, now_, read});
  if (record.span > 0) satisfy(record.frontier, record.target, record.span, now_, Brings::data);
}

[[gnu::always_inline]] inline void FlashEngine::add_program(const WorkRecord& record) {
  FTLAB_CHECK(record.frontier < frontiers_ && record.die < dies_count_, "a program of no frontier or die");
  FrontierPrograms& all = programs_[record.frontier];
  const std::uint32_t number = all.add();
  FlashProgram& program = all.at(number);
  FTLAB_CHECK((program.flags & FlashProgram::kKnown) == 0, "a program is asked for a second time");
  program.ready = later(program.ready, now_);
  program.order = order_.add();
  if (record.has(WorkRecord::kHostData)) program.host_order = host_order_.add();
  program.logged = log(record);
  note_programs(record, number, 1);
  program.describe(record);
  ++under_way_;
  ++programs_in_flight_;
  host_pages_in_flight_ += record.host_pages;
  moved_pages_in_flight_ += record.moved_pages;
  const bool looks_back = (record.flags & (WorkRecord::kWithPrevious | WorkRecord::kAfterPrevious)) != 0;
  if (looks_back && number > 0 && all.open(number - 1)) [[unlikely]]
    look_back(record, number);
  if (record.superblock < erasing_.size() && erasing_[record.superblock].asked > 0) [[unlikely]]
    gate(record.superblock, record.frontier, number);
  queue_program(record.frontier, number, program);
}

void FlashEngine::look_back(const WorkRecord& record, std::uint32_t number) {
  FrontierPrograms& all = programs_[record.frontier];
  FlashProgram& program = all.at(number);
  FlashProgram& before = all.at(number - 1);
  if ((before.flags & FlashProgram::kKnown) == 0) return;  // it has ended
  if (record.has(WorkRecord::kWithPrevious)) {
    program.ready = std::max(program.ready, before.ready);
    if (before.waits > 0) before.flags |= FlashProgram::kFeedsNext, ++program.waits, ++program.unread;
  }
  if (record.has(WorkRecord::kAfterPrevious)) before.flags |= FlashProgram::kEndsNext, ++program.waits;
}

// The superblock is not erased yet.
void FlashEngine::gate(std::uint32_t superblock, std::uint32_t frontier, std::uint32_t number) {
  ++programs_[frontier].at(number).waits;
  Erasing& erasing = erasing_[superblock];
  gated_.push_back({superblock, frontier, number, erasing.asked});
  if (erasing.opens_at == 0) erasing.opens_at = erasing.asked;  // later ones wait for as many, or more
}

void FlashEngine::add_erase(const WorkRecord& record) {
  times_.set_erases(SuperblockId{record.superblock}, record.target);
  ask_erase(record.superblock);
  if (record.superblock < programs_of_.size()) programs_of_[record.superblock] = {};
  const std::uint32_t id = new_operation(record);
  const std::uint32_t before = std::exchange(last_erase_, id);
  if (record.has(WorkRecord::kAfterPrevious)) {
    if (before == kNone) return enqueue(id);
    after_erase_.push_back({before, id});
    return;
  }
  if (order_.all_ended()) return enqueue(id);
  ordered_.push({order_.end_section(), id, record.superblock});
}

void FlashEngine::add_barrier(const WorkRecord& record) {
  if (order_.all_ended()) return;
  ask_erase(record.superblock);
  ordered_.push({order_.end_section(), kNone, record.superblock});
}

void FlashEngine::attach(const WorkRecord& record) {
  if (signals_.raised(record.after)) return;
  if (record.span > 0) {
    depend(record.frontier, record.target, record.span);
    signals_.wait(record.after, {Signals::Waiter::Kind::programs, record.target, record.frontier, record.span});
  }
  if (record.feeds != kNoSignal) {
    signals_.feed(record.feeds);
    signals_.wait(record.after, {Signals::Waiter::Kind::signal, record.feeds, 0, 0});
  }
}

void FlashEngine::accept(std::span<const WorkRecord> records, Nanoseconds now) {
  FTLAB_CHECK(now >= now_, "work is asked for at " + std::to_string(now.count()) + " ns, already past");
  now_ = now;
  for (const WorkRecord& record : records) {
    switch (record.kind) {
      case WorkRecord::Kind::read: add_read(record); break;
      case WorkRecord::Kind::program: add_program(record); break;
      case WorkRecord::Kind::erase: add_erase(record); break;
      case WorkRecord::Kind::attach: attach(record); break;
      case WorkRecord::Kind::barrier: add_barrier(record); break;
    }
  }
}

// --- what waits for something ---

void FlashEngine::satisfy(std::uint32_t frontier, std::uint32_t number, std::uint32_t span, Nanoseconds at, Brings brings) {
  FrontierPrograms& programs = programs_[frontier];
  for (std::uint32_t n = number; n < number + span; ++n) {
    FlashProgram& program = programs.at(n);
    program.ready = later(program.ready, at);
    FTLAB_CHECK(program.waits > 0, "a program waits for nothing");
    --program.waits;
    program.unread -= static_cast<std::uint32_t>(brings);
    if (program.first_read != kNone && brings == Brings::data && program.unread == 0) [[unlikely]]
      answer_reads({frontier, n + 1});
    // Asked first, since it can be foretold: the register is taken, as a rule. Whether this was the last that the program
    // waits for cannot.
    if (dies_[program.die].inputs[frontier].loaded != kNone && (program.flags & FlashProgram::kFeedsNext) == 0) [[likely]]
      continue;
    if (program.can_be_loaded()) satisfied(frontier, n, program);
  }
}

// It is asked for, and waits for nothing any more.
void FlashEngine::satisfied(std::uint32_t frontier, std::uint32_t number, FlashProgram& program) {
  DieState& die = dies_[program.die];
  if ((program.flags & FlashProgram::kFeedsNext) != 0) [[unlikely]] {
    program.flags &= static_cast<std::uint8_t>(~FlashProgram::kFeedsNext);
    satisfy(frontier, number + 1, 1, program.ready, Brings::data);
  }
  if (die.inputs[frontier].head == number + 1 && load(die, frontier)) wake(die);
}

void FlashEngine::raise(Signal signal, Nanoseconds at) {
  signals_.satisfy(signal, [&](const Signals::Waiter& waiter) {
    switch (waiter.kind) {
      case Signals::Waiter::Kind::read: go_on(waiter.id); break;
      case Signals::Waiter::Kind::programs: satisfy(waiter.frontier, waiter.id, waiter.span, at, Brings::data); break;
      case Signals::Waiter::Kind::signal: raise(waiter.id, at); break;
      case Signals::Waiter::Kind::outside: reach(waiter.id); break;
    }
  });
}

void FlashEngine::await(Signal signal, std::uint32_t tag) {
  if (signal == kNoSignal || signals_.raised(signal)) return reach(tag);
  signals_.wait(signal, {Signals::Waiter::Kind::outside, tag, 0, 0});
}

void FlashEngine::await_programmed(std::uint32_t tag) {
  if (host_order_.all_ended()) return reach(tag);
  awaited_.push({host_order_.end_section(), tag});
}

void FlashEngine::release_ordered() {
  while (!ordered_.empty() && order_.ended(ordered_.front().section)) {
    const Ordered ordered = ordered_.pop();
    ordered.operation == kNone ? release_superblock(ordered.superblock) : enqueue(ordered.operation);
  }
}

void FlashEngine::ask_erase(std::uint32_t superblock) {
  FTLAB_DCHECK(superblock != number(kNoBlock), "an erase of no superblock");
  if (superblock >= erasing_.size()) erasing_.resize(superblock + 1);
  ++erasing_[superblock].asked;
}

// Programs wait for the erases and barriers before them, not for those that were asked for later.
void FlashEngine::release_superblock(std::uint32_t superblock) {
  Erasing& erasing = erasing_[superblock];
  FTLAB_CHECK(erasing.ended < erasing.asked, "superblock " + std::to_string(superblock) + " is not being erased");
  const std::uint32_t ended = ++erasing.ended;
  const bool opens = erasing.opens_at > 0 && erasing.opens_at <= ended;
  if (ended == erasing.asked) erasing = {};
  if (!opens) return;
  std::vector<Gated> open;
  std::uint32_t next = 0;
  std::erase_if(gated_, [&](const Gated& gated) {
    if (gated.superblock != superblock) return false;
    if (gated.asked <= ended) return open.push_back(gated), true;
    if (next == 0 || gated.asked < next) next = gated.asked;
    return false;
  });
  erasing_[superblock].opens_at = next;
  for (const Gated& gated : open) satisfy(gated.frontier, gated.number, 1, now_, Brings::nothing);
}

}  // namespace ftlab
