#include "models/nand/exact_backend.h"

#include <algorithm>
#include <utility>

#include "sim/check.h"

namespace ftlab {

ExactBackend::ExactBackend(const Geometry& geometry, const NandTiming& timing, std::uint32_t frontiers, BlockSpeed speed)
    : times_(geometry, timing, std::move(speed)), timing_(timing), dies_(geometry.dies()), channels_(geometry.channels) {
  for (DieState& die : dies_) {
    die.order.resize(frontiers);
    die.inputs.resize(frontiers);
    die.in_register.resize(frontiers, kNone);
  }
}

std::uint64_t ExactBackend::submit(const FlashOperation& asked) {
  FTLAB_CHECK(asked.ready >= now_, "an operation for a moment that has passed");
  using Kind = FlashOperation::Kind;
  Operation operation{asked, {}, {}, DieQueue::kAllPlanes};
  const FlashPage& page = asked.page;
  switch (asked.kind) {
    case Kind::read:
    case Kind::read_internally:
      operation.array = times_.read(asked.die, page);
      if (asked.kind == Kind::read) operation.transfer = times_.read_transfer(asked.bytes);
      if (timing_.independent_plane_reads && page.planes > 0) {
        operation.planes = ((1u << page.planes) - 1) << page.first_plane;
      }
      break;
    case Kind::program:
      operation.array = times_.program(asked.die, page.nand_page, page.block, page.slc);
      operation.transfer = times_.program_transfer(asked.in_register ? 0 : asked.planes);
      if (timing_.suspension.program) operation.suspends = timing_.suspension.most_suspends;
      break;
    case Kind::erase:
      operation.array = times_.erase(asked.die, page.block);
      if (timing_.suspension.erase) operation.suspends = timing_.suspension.most_suspends;
      break;
  }
  const std::uint64_t id = operations_.size();
  operations_.push_back(operation);
  if (operation.programs()) {
    die_of(id).order[asked.frontier].push_back(id);
    if (timing_.cache_program) die_of(id).inputs[asked.frontier].push_back(id);
  }
  at(asked.ready, Step::ready, id);
  return id;
}

TimedOperation ExactBackend::result(std::uint64_t id) const {
  return {operations_[id].asked, operations_[id].start, operations_[id].done};
}

std::vector<TimedOperation> ExactBackend::run(ExactBackend backend, const std::vector<TimedOperation>& recorded) {
  for (const TimedOperation& operation : recorded) backend.submit(operation.asked);
  std::vector<std::uint64_t> done;
  while (backend.advance(done)) done.clear();
  std::vector<TimedOperation> results;
  for (std::uint64_t id = 0; id < recorded.size(); ++id) results.push_back(backend.result(id));
  return results;
}

void ExactBackend::at(Nanoseconds time, Step step, std::uint64_t id) {
  events_.push({time, sequence_++, id, operations_[id].attempt, step});
}

// All that happens at one moment happens before anything begins.
bool ExactBackend::advance(std::vector<std::uint64_t>& done) {
  const std::size_t before = done.size();
  while (done.size() == before && !events_.empty()) {
    now_ = events_.top().time;
    while (!events_.empty() && events_.top().time == now_) {
      const Event event = events_.top();
      events_.pop();
      handle(event, done);
    }
    start_what_can();
  }
  return done.size() > before;
}

void ExactBackend::handle(const Event& event, std::vector<std::uint64_t>& done) {
  if (event.attempt != operations_[event.operation].attempt) return;  // it was suspended
  switch (event.step) {
    case Step::ready: become_ready(event.operation); break;
    case Step::transferred: finish_transfer(event.operation, done); break;
    case Step::array_done: finish_array(event.operation, done); break;
    case Step::stopped: {
      DieState& die = die_of(event.operation);
      die.suspended = std::exchange(die.running, kNone);
      die.busy_planes = 0;
      break;
    }
  }
}

void ExactBackend::become_ready(std::uint64_t id) {
  if (operations_[id].programs() && timing_.cache_program) return;  // see start_inputs()
  die_of(id).waiting.push_back(id);
}

void ExactBackend::finish_transfer(std::uint64_t id, std::vector<std::uint64_t>& done) {
  Operation& operation = operations_[id];
  DieState& die = die_of(id);
  channel_of(id).busy = false;
  if (operation.reads()) {
    if (!timing_.cache_read) die.busy_planes &= ~operation.planes;
    return finish(id, done);
  }
  if (timing_.cache_program) {
    die.waiting.push_back(id);
    return;
  }
  die.working = true;
  operation.ends = now_ + operation.array;
  at(operation.ends, Step::array_done, id);
}

void ExactBackend::finish_array(std::uint64_t id, std::vector<std::uint64_t>& done) {
  Operation& operation = operations_[id];
  DieState& die = die_of(id);
  if (operation.asked.kind == FlashOperation::Kind::read) {
    if (timing_.cache_read) die.busy_planes &= ~operation.planes;
    channel_of(id).waiting.push_back(id);
    return;
  }
  die.busy_planes &= ~operation.planes;
  if (!operation.reads()) {
    die.running = kNone;
    die.working = false;
  }
  if (operation.programs()) die.order[operation.asked.frontier].pop_front();
  finish(id, done);
}

void ExactBackend::finish(std::uint64_t id, std::vector<std::uint64_t>& done) {
  operations_[id].done = now_;
  done.push_back(id);
}

void ExactBackend::start_what_can() {
  for (bool more = true; more;) {
    more = false;
    for (DieState& die : dies_) more |= start_inputs(die);
    for (ChannelState& channel : channels_) more |= start_transfer(channel);
    for (DieState& die : dies_) more |= suspend_or_resume(die) || start_on(die);
  }
}

// Cached programs ask for the channel when they are ready and their frontier's register is free.
bool ExactBackend::start_inputs(DieState& die) {
  bool any = false;
  for (std::size_t f = 0; f < die.inputs.size(); ++f) {
    if (die.inputs[f].empty() || die.in_register[f] != kNone) continue;
    const std::uint64_t id = die.inputs[f].front();
    if (operations_[id].asked.ready > now_) continue;
    die.inputs[f].pop_front();
    die.in_register[f] = id;
    channel_of(id).waiting.push_back(id);
    any = true;
  }
  return any;
}

// The oldest that can use it; a plain program can when its die can begin it.
bool ExactBackend::start_transfer(ChannelState& channel) {
  if (channel.busy) return false;
  for (auto next = channel.waiting.begin(); next != channel.waiting.end(); ++next) {
    const std::uint64_t id = *next;
    Operation& operation = operations_[id];
    const bool plain = operation.programs() && !timing_.cache_program;
    if (plain && !may_begin(die_of(id), id, kept_before(die_of(id), id))) continue;
    channel.waiting.erase(next);
    if (plain) {
      std::erase(die_of(id).waiting, id);
      begin(die_of(id), id);
    } else {
      channel.busy = true;
      if (operation.programs()) operation.start = now_;
      at(now_ + operation.transfer, Step::transferred, id);
    }
    return true;
  }
  return false;
}

bool ExactBackend::read_waits(const DieState& die) const {
  return std::any_of(die.waiting.begin(), die.waiting.end(), [this](std::uint64_t id) { return operations_[id].reads(); });
}

bool ExactBackend::suspend_or_resume(DieState& die) {
  if (die.suspended != kNone && die.busy_planes == 0 && !read_waits(die)) {
    Operation& operation = operations_[die.suspended];
    die.running = std::exchange(die.suspended, kNone);
    die.busy_planes = DieQueue::kAllPlanes;
    die.working = true;
    operation.ends = now_ + timing_.suspension.resume + operation.array;
    at(operation.ends, Step::array_done, die.running);
    return true;
  }
  if (!die.working || !read_waits(die)) return false;
  Operation& operation = operations_[die.running];
  const Nanoseconds stopped = now_ + timing_.suspension.suspend;
  if (operation.suspends == 0 || stopped >= operation.ends) return false;
  operation.array = std::min(operation.array, operation.ends - now_);  // what is left of the work
  ++operation.attempt;
  --operation.suspends;
  ++suspensions_;
  die.working = false;
  at(stopped, Step::stopped, die.running);
  return true;
}

// The planes that a later operation leaves to this one, which waits for nothing else: not those of a program that waits for
// an earlier one, or of one that reads pass anyway.
std::uint32_t ExactBackend::kept_for(const DieState& die, std::uint64_t id) const {
  const Operation& operation = operations_[id];
  if (operation.reads()) return operation.planes;
  if (operation.programs() && die.order[operation.asked.frontier].front() != id) return 0;
  return timing_.scheduling == DieScheduling::read_first ? 0 : operation.planes;
}

std::uint32_t ExactBackend::kept_before(const DieState& die, std::uint64_t id) const {
  std::uint32_t kept = 0;
  for (const std::uint64_t earlier : die.waiting) {
    if (earlier == id) break;
    kept |= kept_for(die, earlier);
  }
  return kept;
}

bool ExactBackend::may_begin(const DieState& die, std::uint64_t id, std::uint32_t kept_planes) const {
  const Operation& operation = operations_[id];
  if (((die.busy_planes | kept_planes) & operation.planes) != 0) return false;
  if (operation.reads()) return true;
  if (operation.programs() && die.order[operation.asked.frontier].front() != id) return false;
  return die.suspended == kNone && !(timing_.scheduling == DieScheduling::read_first && read_waits(die));
}

// The first in the queue that can begin. A plain program that lacks only its channel waits there, in order, and the die
// with it: whatever could pass it has been looked at before.
bool ExactBackend::start_on(DieState& die) {
  for (std::size_t i = 0; i < die.waiting.size(); ++i) {
    const std::uint64_t id = die.waiting[i];
    if (!may_begin(die, id, kept_before(die, id))) continue;
    if (operations_[id].programs() && !timing_.cache_program) {
      ChannelState& channel = channel_of(id);
      if (channel.busy || !channel.waiting.empty()) {
        const bool asked = std::find(channel.waiting.begin(), channel.waiting.end(), id) != channel.waiting.end();
        if (!asked) channel.waiting.push_back(id);
        return !asked;
      }
    }
    die.waiting.erase(die.waiting.begin() + static_cast<std::ptrdiff_t>(i));
    begin(die, id);
    return true;
  }
  return false;
}

void ExactBackend::begin(DieState& die, std::uint64_t id) {
  Operation& operation = operations_[id];
  die.busy_planes |= operation.planes;
  if (!operation.programs() || !timing_.cache_program) operation.start = now_;
  if (!operation.reads()) die.running = id;
  if (operation.programs() && !timing_.cache_program) {
    channel_of(id).busy = true;
    at(now_ + operation.transfer, Step::transferred, id);
    return;
  }
  if (operation.programs()) die.in_register[operation.asked.frontier] = kNone;
  die.working = !operation.reads();
  operation.ends = now_ + operation.array;
  at(operation.ends, Step::array_done, id);
}

}  // namespace ftlab
