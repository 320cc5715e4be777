#include "models/nand/schedule/flash_die.h"

#include <utility>

#include "models/nand/schedule/flash_die_events.h"
#include "sim/core/archive.h"

namespace ftlab {
namespace {

DieTime::Use use_of(const FlashShared& shared, const FlashDie::Running& running) {
  if (running.flash_class == kErases) return DieTime::erases;
  if (running.flash_class == kHostReads || running.flash_class == FlashDie::Running::kHoldingForHost)
    return DieTime::host_reads;
  if (running.flash_class == kInternalReads || running.holds_data()) return DieTime::internal_reads;
  return program_use(shared.programs[running.flash_class - kPrograms].at(running.id));
}

}  // namespace

std::uint32_t planes_of(const DieRules& rules, const WorkRecord& record) {
  if (!rules.independent_planes || record.planes == 0) return (1u << FlashDie::kMostPlanes) - 1;
  FTLAB_DCHECK(record.first_plane + record.planes <= FlashDie::kMostPlanes, "planes of an operation that its die has not");
  return ((1u << record.planes) - 1) << record.first_plane;
}

void FlashDie::enqueue_and_begin(FlashShared& shared, std::uint32_t flash_class, std::uint32_t id) {
  const bool first = ready_[flash_class] == kNever;
  if (first) ready_[flash_class] = shared.now;
  const bool apart = shared.rules.independent_planes;
  if (apart && flash_class <= kInternalReads) {
    beside_[flash_class].add({planes_of(shared.rules, shared.operations[id].record), id});
  } else {
    shared.operations.append(it_.queues[flash_class], id);
  }
  if (is_free()) {
    if (first || apart) shared.is_usual() ? begin_next<true>(shared) : begin_next<false>(shared);
  } else if (shared.rules.suspends && flash_class == kHostReads) {
    suspend(shared);
  }
}

void FlashDie::load(FlashShared& shared, std::uint32_t frontier) {
  if (shared.is_usual()) {
    if (load_next<true>(shared, frontier)) begin_next<true>(shared);
  } else if (load_next<false>(shared, frontier)) {
    begin_next<false>(shared);
  }
}

// Sets the die's next event: an operation ends, or a waiting one can begin.
void FlashDie::set_moment(FlashShared& shared) {
  Nanoseconds moment = kNever;
  for (std::uint32_t i = 0; i < it_.runs; ++i) moment = std::min(moment, it_.run[i].end);
  if (is_free()) {
    moment = std::min(moment, it_.until);
    for (std::uint32_t c = kPrograms; c < shared.classes(); ++c) {  // only data of programs may still be on their way
      if (ready_[c] > shared.now && ready_[c] < moment) moment = ready_[c];
    }
  }
  shared.die_moments.set(number_, moment);
}

// Independent planes: takes the oldest read that can begin next to the running ones; kNone if none can begin.
std::uint32_t FlashDie::take_independent(FlashShared& shared, std::uint32_t flash_class) {
  PlaneQueues& waiting = beside_[flash_class];
  const std::uint32_t id = waiting.take(it_.planes_busy);
  if (id == OperationTable::kNone) return id;
  const std::uint32_t oldest = waiting.oldest();
  ready_[flash_class] = oldest == OperationTable::kNone ? kNever : shared.operations[oldest].ready;
  return id;
}

void FlashDie::begin_erase(FlashShared& shared, std::uint32_t oldest) {
  const std::uint32_t id = take(shared, kErases);
  const Operation& operation = shared.operations[id];
  FTLAB_DCHECK(operation.record.kind == WorkRecord::Kind::erase, "an erase begins that is none");
  const Nanoseconds length = shared.times.erase(Die{number_}, SuperblockId{operation.record.superblock});
  tell_policy<false>(shared, oldest, kErases, length);
  shared.log.note(operation.logged, shared.now, shared.now + length);
  spend(shared, DieTime::erases, length);
  run_alone(shared, id, kErases, shared.now, shared.now + length);
}

// A host read is ready: suspends the running operation if that is allowed and takes less time than it has left.
void FlashDie::suspend(FlashShared& shared) {
  if (it_.state != State::running || it_.runs == 0) return;  // the operation ends right now
  Running& running = it_.run[0];
  const Suspension& suspension = shared.rules.suspension;
  if (running.holds_data() || !is_suspendable(suspension, running.flash_class) || it_.suspends_left == 0) return;
  if (shared.now < it_.work_from) return shared.die_moments.set(number_, it_.work_from);
  const Nanoseconds remains = running.end - shared.now;  // array time, plus the rest of its resume time
  const Nanoseconds left = std::min(it_.left, remains), step = suspension.to_step_end(left);
  const Nanoseconds stop = shared.now + step + suspension.suspend;
  if (stop >= running.end) return;
  FTLAB_DCHECK(it_.holds == 0 && it_.runs == 1, "a die stops more than one thing at once");
  it_.left = left - step;
  take_back(shared, use_of(shared, running), it_.left);
  take_back(shared, DieTime::suspensions, remains - left);
  spend(shared, DieTime::suspensions, suspension.suspend);
  --it_.suspends_left;
  ++shared.use.suspensions;
  it_.state = State::stopping;
  it_.stop_end = stop;
  shared.die_moments.set(number_, stop);
}

void FlashDie::resume(FlashShared& shared) {
  FTLAB_DCHECK(it_.holds != 0 && it_.runs == 0, "a die resumes no operation, or two");
  Running& running = it_.run[0] = it_.held;
  it_.holds = 0;
  it_.runs = 1;
  it_.state = State::running;
  it_.work_from = shared.now;
  running.end = shared.now + shared.rules.suspension.resume + it_.left;
  spend(shared, DieTime::suspensions, shared.rules.suspension.resume);
  spend(shared, use_of(shared, running), it_.left);
  const std::uint32_t logged = running.flash_class == kErases
                                   ? shared.operations[running.id].logged
                                   : shared.programs[running.flash_class - kPrograms].at(running.id).logged;
  shared.log.note(logged, kNever, running.end);
  shared.die_moments.set(number_, running.end);
}

// Rare events: one of several reads ends, an operation has stopped, or an operation can begin or be stopped.
const FlashDie::Running* FlashDie::end_other(FlashShared& shared) {
  if (it_.state == State::stopping) {
    it_.held = it_.run[0];
    FTLAB_DCHECK(it_.runs == 1 && it_.holds == 0, "a die stops that runs nothing, or holds an operation already");
    it_.holds = 1;
    it_.runs = 0;
    it_.state = State::free;
  } else if (it_.state == State::running) {  // the array time of a program begins
    shared.die_moments.set(number_, it_.run[0].end);
    if (ready_[kHostReads] <= shared.now) suspend(shared);
  } else {
    std::uint32_t i = 0;
    while (i < it_.runs && it_.run[i].end != shared.now) ++i;
    if (i == it_.runs) return nullptr;
    std::swap(it_.run[i], it_.run[--it_.runs]);
    close();
    return &it_.run[it_.runs];
  }
  return nullptr;
}

void FlashDie::hold_data(FlashShared& shared, const Running& read, Nanoseconds done) {
  FTLAB_DCHECK(read.flash_class <= kInternalReads && done > shared.now, "data are held of no read, or that have left");
  it_.state = shared.rules.independent_planes ? State::free : State::running;
  const bool for_host = read.flash_class == kHostReads;
  spend(shared, for_host ? DieTime::host_reads : DieTime::internal_reads, done - shared.now);
  run(done, read.id, for_host ? Running::kHoldingForHost : Running::kHolding, read.planes);
  if (!is_free()) set_moment(shared);  // otherwise begin_next() does
}

void FlashDie::clear(FlashShared& shared) {
  if (it_.state == State::stopping) {
    const Nanoseconds rest = it_.stop_end - std::min(shared.now, it_.stop_end);
    const Nanoseconds stopping = std::min(rest, shared.rules.suspension.suspend);
    take_back(shared, DieTime::suspensions, stopping);
    take_back(shared, use_of(shared, it_.run[0]), rest - stopping);
  } else {
    for (std::uint32_t i = 0; i < it_.runs; ++i) take_back_rest(shared, it_.run[i]);
  }
  const Nanoseconds busy = it_.busy;
  it_ = {};
  it_.busy = busy;
  ready_.fill(kNever);
  inputs_.fill({});
  for (PlaneQueues& waiting : beside_) waiting.clear();
}

// At a power cut: takes back the time of a running operation that was counted but will not be spent.
void FlashDie::take_back_rest(FlashShared& shared, const Running& running) {
  const Nanoseconds remains = running.end - std::min(shared.now, running.end);
  const bool alone = !running.holds_data() && running.flash_class > kInternalReads;
  const Nanoseconds work = alone ? std::min(it_.left, remains) : remains;
  take_back(shared, use_of(shared, running), work);
  const Nanoseconds before = remains - work;  // until the array works, or works again
  if (shared.now >= it_.work_from || before == Nanoseconds{0}) return take_back(shared, DieTime::suspensions, before);
  // Its data cross the channel, or wait for it; waiting is not counted.
  const FlashProgram& program = shared.programs[running.flash_class - kPrograms].at(running.id);
  take_back(shared, use_of(shared, running), std::min(before, shared.transfer_in(program)));
}

void FlashDie::archive(Archive& archive, std::vector<FlashDie>& dies, const FlashShared& shared) {
  const std::uint32_t classes = shared.classes();
  std::vector<Nanoseconds> ready;
  std::vector<Saved> saved;
  for (const FlashDie& die : dies) {
    ready.insert(ready.end(), die.ready_.begin(), die.ready_.begin() + classes);
    saved.push_back(die.it_);
  }
  archive.exact(ready);
  archive.exact(saved);
  for (std::size_t d = 0; d < dies.size(); ++d) {
    dies[d].it_ = saved[d];
    std::copy_n(ready.begin() + d * classes, classes, dies[d].ready_.begin());
    if (!shared.rules.independent_planes) continue;
    for (PlaneQueues& waiting : dies[d].beside_) waiting.archive(archive, OperationTable::kMostSaved);
  }
}

void FlashDie::archive_inputs(Archive& archive, std::vector<FlashDie>& dies, std::uint32_t frontiers) {
  std::vector<Input> inputs;
  for (const FlashDie& die : dies) inputs.insert(inputs.end(), die.inputs_.begin(), die.inputs_.begin() + frontiers);
  archive.exact(inputs);
  for (std::size_t d = 0; d < dies.size(); ++d)
    std::copy_n(inputs.begin() + d * frontiers, frontiers, dies[d].inputs_.begin());
}

}  // namespace ftlab
