// Requests and their dependencies.
#include "models/nand/schedule/flash_engine.h"
#include "sim/core/check.h"

namespace ftlab {

void FlashEngine::accept(std::span<const WorkRecord> records, Nanoseconds now) {
  FTLAB_CHECK(now >= shared_.now, "work is asked for at " + std::to_string(now.count()) + " ns, already past");
  shared_.now = now;
  for (const WorkRecord& record : records) {
    FTLAB_CHECK(record.die < shared_.dies && record.frontier < shared_.programs.size(), "work of no frontier or die");
    switch (record.kind) {
      case WorkRecord::Kind::read: add_read(shared_.operations.add(record, now)); break;
      case WorkRecord::Kind::program: program_run(record, 1, [](const WorkRecord&, std::uint32_t) {}); break;
      case WorkRecord::Kind::erase: add_erase(record); break;
      case WorkRecord::Kind::attach: attach(record); break;
      case WorkRecord::Kind::barrier: order_.add_barrier(record.superblock); break;
    }
  }
}

void FlashEngine::add_read(std::uint32_t id) {
  Operation& operation = shared_.operations[id];
  const WorkRecord& record = operation.record;
  operation.logged = shared_.log.add(record, shared_.now);
  if (record.span > 0) shared_.programs[record.frontier].add_reads(record.target, record.span);
  if (record.feeds != kNoSignal) signals_.feed(record.feeds);
  if (early_.has_programs(record.superblock)) [[unlikely]] {
    const Programmed held_by = early_.program_of(record, shared_.programs);
    if (held_by.number != 0) {
      shared_.operations.append(shared_.programs[held_by.frontier].at(held_by.number - 1).reads, id);
      return serve_from_memory(held_by);
    }
  }
  await_signal(id);
}

void FlashEngine::await_signal(std::uint32_t read) {
  const Signal after = shared_.operations[read].record.after;
  if (after == kNoSignal || signals_.raised(after)) return begin_read(read);
  signals_.wait(after, {Signals::Waiter::Kind::read, read, 0, 0});
}

// Serves host reads once the program's data are in the controller's memory; with copyback they stay in the die.
void FlashEngine::serve_from_memory(const Programmed& held_by) {
  FTLAB_DCHECK(held_by.number > 0, "reads are served by no program");
  FlashProgram& program = shared_.programs[held_by.frontier].at(held_by.number - 1);
  if (program.unread > 0 || (program.flags & FlashProgram::kInRegister) != 0) return;
  OperationTable& operations = shared_.operations;
  bool any = false;
  for (std::uint32_t read = program.reads.head; read != OperationTable::kNone; read = operations[read].next)
    any = any || operations[read].record.has(WorkRecord::kHost);
  if (!any) return;
  if (program.ready > shared_.now) {
    shared_.look_again(program.die, program.ready);
    return early_.add_arriving(held_by);
  }
  OperationList there;
  operations.take_all(program.reads, [&](std::uint32_t read) {
    operations.append(operations[read].record.has(WorkRecord::kHost) ? there : program.reads, read);
  });
  operations.take_all(there, [&](std::uint32_t read) {
    operations[read].in_memory = 1;
    await_signal(read);
  });
}

// Rare cases: a log, a dependency on the frontier's previous program, a pending erase of the superblock.
void FlashEngine::add_to_program(const WorkRecord& record, std::uint32_t number) {
  FrontierPrograms& all = shared_.programs[record.frontier];
  FlashProgram& program = all.at(number);
  program.logged = shared_.log.add(record, shared_.now);
  if (record.looks_back() && number > 0 && all.open(number - 1)) {
    FlashProgram& before = all.at(number - 1);
    const bool in_flight = (before.flags & FlashProgram::kKnown) != 0;
    if (in_flight && record.has(WorkRecord::kWithPrevious)) {
      program.wait_until(before.ready);
      if (before.waits > 0) before.flags |= FlashProgram::kFeedsNext, ++program.waits, ++program.unread;
    }
    if (in_flight && record.has(WorkRecord::kAfterPrevious)) before.flags |= FlashProgram::kEndsNext, ++program.waits;
  }
  if (order_.is_gated(record.superblock)) ++program.waits, order_.gate(record.superblock, record.frontier, number);
}

void FlashEngine::add_erase(const WorkRecord& record) {
  shared_.times.set_erases(SuperblockId{record.superblock}, record.target);
  early_.add_erase(record.superblock);
  const std::uint32_t id = shared_.operations.add(record, shared_.now);
  shared_.operations[id].logged = shared_.log.add(record, shared_.now);
  if (order_.add_erase(id, record.superblock, record.has(WorkRecord::kAfterPrevious))) enqueue(kErases, id);
}

void FlashEngine::attach(const WorkRecord& record) {
  FTLAB_DCHECK(record.after != kNoSignal && record.feeds != record.after, "something waits for no signal, or for itself");
  if (signals_.raised(record.after)) return;
  if (record.span > 0) {
    shared_.programs[record.frontier].add_reads(record.target, record.span);
    signals_.wait(record.after, {Signals::Waiter::Kind::programs, record.target, record.frontier, record.span});
  }
  if (record.feeds != kNoSignal) {
    signals_.feed(record.feeds);
    signals_.wait(record.after, {Signals::Waiter::Kind::signal, record.feeds, 0, 0});
  }
}

void FlashEngine::await(Signal signal, std::uint32_t tag) {
  if (signal == kNoSignal || signals_.raised(signal)) return reach(tag);
  signals_.wait(signal, {Signals::Waiter::Kind::outside, tag, 0, 0});
}

void FlashEngine::await_programmed(std::uint32_t tag) {
  if (order_.add_flush(tag)) reach(tag);
}

}  // namespace ftlab
