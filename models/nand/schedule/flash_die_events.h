// The hot path of a die's events, inlined into the engine's loop: saving registers for calls was a fifteenth of a write's
// instructions (validation/benchmarks/counters.py). kUsual: see FlashEngine::run().
#pragma once

#include "models/nand/schedule/flash_die.h"
#include "sim/core/check.h"

namespace ftlab {

inline DieTime::Use program_use(const FlashProgram& program) {
  return (program.flags & FlashProgram::kHostData) != 0 ? DieTime::host_programs : DieTime::relocation_programs;
}

// Returns true if a program was loaded.
template <bool kUsual>
[[gnu::always_inline]] inline bool FlashDie::load_next(FlashShared& shared, std::uint32_t frontier) {
  Input& in = inputs_[frontier];
  if (in.loaded != 0 || in.head == 0) return false;
  const FlashProgram& program = shared.programs[frontier].at(in.head - 1);
  FTLAB_DCHECK((program.flags & FlashProgram::kKnown) != 0, "a program is loaded that nobody has asked for");
  if (program.waits > 0) return false;
  if (program.ready > shared.now) {
    shared.look_again(number_, program.ready);
    return false;
  }
  in.loaded = in.head;
  in.head = program.next;
  const std::uint64_t relocated = (program.flags & FlashProgram::kHostData) == 0;
  it_.relocated = (it_.relocated & ~(std::uint64_t{1} << frontier)) | relocated << frontier;
  Nanoseconds there = shared.now;
  if (kUsual || shared.rules.cache_program) {
    FlashChannel& channel = shared.channels[channel_];
    channel.transfer(shared.now, shared.transfer_in(program));
    there = channel.free;
  }
  ready_[kPrograms + frontier] = there;
  return true;
}

// The class that was ready first, the lower one of equals. Two conditional moves per class: a branch would be mispredicted.
inline std::uint32_t oldest_of(const Nanoseconds* ready, std::uint32_t classes) {
  std::uint64_t first = ready[0].count();
  std::uint64_t oldest = 0;
  for (std::uint64_t c = 1; c < classes; ++c) {
    const std::uint64_t other = ready[c].count();
    const bool earlier = other < first;
    oldest = earlier ? c : oldest;
    first = earlier ? other : first;
  }
  return static_cast<std::uint32_t>(oldest);
}

// A suspended operation resumes before anything but host reads; otherwise the policy chooses.
template <bool kUsual>
inline Choice FlashDie::ask_policy(FlashShared& shared, std::uint32_t oldest) const {
  const bool host_read = ready_[kHostReads] <= shared.now;
  if (it_.holds != 0) [[unlikely]]
    return {host_read ? kHostReads : Choice::kNothing};
  if (ready_[oldest] > shared.now) return {};
  if (shared.rules.reads_first && host_read) return {kHostReads};
  if (kUsual || shared.rules.first_come || shared.rules.reads_first) return {oldest};
  const Choice choice = shared.policy->choose({number_, shared.classes(), shared.now, ready_.data(), oldest, it_.relocated});
  FTLAB_CHECK(choice.flash_class == Choice::kNothing ||
                  (choice.flash_class < shared.classes() && ready_[choice.flash_class] <= shared.now),
              "the scheduling policy chose what is not ready");
  return choice;
}

template <bool kUsual>
inline void FlashDie::tell_policy(FlashShared& shared, std::uint32_t oldest, std::uint32_t flash_class,
                                  Nanoseconds length) const {
  if (kUsual || shared.rules.first_come) return;
  shared.policy->begins({number_, shared.classes(), shared.now, ready_.data(), oldest, it_.relocated}, flash_class, length);
}

template <bool kUsual>
[[gnu::always_inline]] inline void FlashDie::begin_next(FlashShared& shared) {
  if (!is_free()) return;
  for (;;) {
    const std::uint32_t oldest = oldest_of(ready_.data(), kUsual ? DieRules::kUsualClasses : shared.classes());
    const Choice choice = ask_policy<kUsual>(shared, oldest);
    const std::uint32_t next = choice.flash_class;
    it_.until = choice.until;
    if (next == Choice::kNothing) [[unlikely]] {
      if (it_.runs > 0) return set_moment(shared);
      if (it_.holds != 0) return resume(shared);
      const Nanoseconds first = ready_[oldest];
      return first > shared.now ? shared.die_moments.set(number_, first) : set_moment(shared);
    }
    if (next <= kInternalReads) {
      if (!begin_read<kUsual>(shared, next, oldest)) return set_moment(shared);
      if (kUsual || !shared.rules.independent_planes) return;
      continue;  // independent planes: another read may begin
    }
    if (it_.runs > 0) return set_moment(shared);
    return next == kErases ? begin_erase(shared, oldest) : begin_program<kUsual>(shared, next - kPrograms, oldest);
  }
}

// Removes the first operation of the class from its queue.
[[gnu::always_inline]] inline std::uint32_t FlashDie::take(FlashShared& shared, std::uint32_t flash_class) {
  OperationList& queue = it_.queues[flash_class];
  const std::uint32_t id = shared.operations.take_first(queue);
  ready_[flash_class] = queue.head == OperationTable::kNone ? kNever : shared.operations[queue.head].ready;
  return id;
}

template <bool kUsual>
[[gnu::always_inline]] inline bool FlashDie::begin_read(FlashShared& shared, std::uint32_t flash_class,
                                                        std::uint32_t oldest) {
  const bool apart = !kUsual && shared.rules.independent_planes;
  const std::uint32_t id = apart ? take_independent(shared, flash_class) : take(shared, flash_class);
  if (apart && id == OperationTable::kNone) return false;
  Operation& operation = shared.operations[id];
  const WorkRecord& record = operation.record;
  FTLAB_DCHECK(record.kind == WorkRecord::Kind::read, "a read begins that is none");
  Nanoseconds length = shared.read_time(record);
  if ((record.repeats | record.retry_ns) != 0) [[unlikely]]
    length = length * (1 + record.repeats) + Nanoseconds{record.retry_ns};
  tell_policy<kUsual>(shared, oldest, flash_class, length);
  operation.ready = shared.now;
  if (!kUsual) shared.log.note(operation.logged, shared.now, kNever);
  const std::uint32_t planes = kUsual ? kAllPlanes : planes_of(shared.rules, record);
  it_.planes_busy |= planes;
  spend(shared, flash_class == kHostReads ? DieTime::host_reads : DieTime::internal_reads, length);
  run(shared.now + length, id, flash_class, planes);
  if (!apart) {
    it_.state = State::running;
    shared.die_moments.set(number_, shared.now + length);
  }
  return true;
}

template <bool kUsual>
[[gnu::always_inline]] inline void FlashDie::begin_program(FlashShared& shared, std::uint32_t frontier,
                                                           std::uint32_t oldest) {
  Input& in = inputs_[frontier];
  FTLAB_DCHECK(in.loaded != 0, "a program begins that is not in its register");
  const std::uint32_t number = in.loaded - 1;
  const FlashProgram& program = shared.programs[frontier].at(number);
  const Nanoseconds length = shared.times.program(Die{number_}, program.nand_page, SuperblockId{program.superblock},
                                                  (program.flags & FlashProgram::kSlc) != 0);
  tell_policy<kUsual>(shared, oldest, kPrograms + frontier, length);
  ready_[kPrograms + frontier] = kNever;
  Nanoseconds start = shared.now, from = shared.now;  // `from`: begin of the array time
  const bool cached = kUsual || shared.rules.cache_program;
  if (cached) {
    in.loaded = 0;
  } else {
    FlashChannel& channel = shared.channels[channel_];
    const Nanoseconds in_transfer = shared.transfer_in(program);
    start = channel.transfer(shared.now, in_transfer);
    from = channel.free;
    spend(shared, program_use(program), in_transfer);
  }
  spend(shared, program_use(program), length);
  if (!kUsual) shared.log.note(program.logged, start, from + length);
  run_alone(shared, number, kPrograms + frontier, from, from + length);
  if (cached) load_next<kUsual>(shared, frontier);
}

// Fills the array element in place: copying a whole struct that was just written in parts stalls on store forwarding.
[[gnu::always_inline]] inline void FlashDie::run(Nanoseconds end, std::uint32_t id, std::uint32_t flash_class,
                                                 std::uint32_t planes) {
  FTLAB_CHECK(it_.runs < kMostPlanes, "a die does more at once than it has planes");
  Running& running = it_.run[it_.runs++];
  running.end = end;
  running.id = id;
  running.flash_class = flash_class;
  running.planes = planes;
}

inline bool is_suspendable(const Suspension& suspension, std::uint32_t flash_class) {
  return flash_class == kErases ? suspension.erase : flash_class >= kPrograms && suspension.program;
}

// Starts a program or an erase: nothing else runs on the die, but a host read may suspend it.
[[gnu::always_inline]] inline void FlashDie::run_alone(FlashShared& shared, std::uint32_t id, std::uint32_t flash_class,
                                                       Nanoseconds from, Nanoseconds end) {
  run(end, id, flash_class, ~0u);
  it_.state = State::running;
  it_.work_from = from;
  it_.left = end - from;
  it_.suspends_left = shared.rules.suspension.most_suspends;
  // Host reads that already wait suspend a program as soon as its array time begins.
  const bool stops = shared.rules.suspends && from > shared.now && is_suspendable(shared.rules.suspension, flash_class) &&
                     ready_[kHostReads] <= shared.now;
  shared.die_moments.set(number_, stops ? from : end);
}

// Usually the only running operation has ended.
[[gnu::always_inline]] inline const FlashDie::Running* FlashDie::end(FlashShared& shared) {
  if (it_.state != State::running || it_.run[0].end != shared.now) [[unlikely]]
    return end_other(shared);
  it_.runs = 0;
  return &it_.run[0];
}

}  // namespace ftlab
