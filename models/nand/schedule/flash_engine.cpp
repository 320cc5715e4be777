#include "models/nand/schedule/flash_engine.h"

#include <algorithm>
#include <utility>

#include "sim/check.h"

namespace ftlab {
namespace {

constexpr std::uint32_t kHolding =
    ~std::uint32_t{0};  // in place of a class: the die waits for its channel to take a read's data

}  // namespace

FlashEngine::FlashEngine(const Geometry& geometry, const NandTiming& timing, std::uint32_t frontiers, WinnerTree& tree,
                         BlockSpeed speed)
    : times_(geometry, timing, std::move(speed)),
      timing_(timing),
      policy_(timing.scheduling.make(geometry.dies())),
      suspends_(timing.suspension.any() && policy_->suspends()),
      tree_(tree),
      dies_count_(geometry.dies()),
      channel_count_(geometry.channels),
      classes_(kPrograms + frontiers),
      ready_(std::size_t{dies_count_} * classes_, kNever),
      dies_(dies_count_),
      channels_(channel_count_),
      programs_(frontiers),
      slots_(std::size_t{dies_count_} * frontiers),
      inputs_(std::size_t{dies_count_} * frontiers) {
  FTLAB_CHECK(frontiers > 0 && frontiers <= kMostFrontiers, std::to_string(frontiers) + " frontiers");
  FTLAB_CHECK(leaves(geometry) <= tree.leaves(), "the tree has too few leaves for this flash");
  FTLAB_CHECK(!timing.independent_plane_reads || geometry.planes_per_die <= kMostPlanes,
              "more planes than reads tell apart");
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

void FlashEngine::handle(std::uint32_t leaf, Nanoseconds now) {
  FTLAB_DCHECK(now >= now_ && tree_.at(leaf) == now, "a moment that is not pending");
  now_ = now;
  if (leaf < dies_count_) return die_event(leaf);
  if (leaf >= 2 * dies_count_) return channel_event(leaf - 2 * dies_count_);
  const std::uint32_t die = leaf - dies_count_;
  tree_.set(leaf, kNever);
  for (std::uint32_t f = 0; f < programs_.size(); ++f) load(die, f);
}

// --- records ---

std::uint32_t FlashEngine::new_operation(const WorkRecord& record) {
  FTLAB_CHECK(record.die < dies_count_, "die " + std::to_string(record.die) + " of " + std::to_string(dies_count_));
  ++under_way_;
  std::uint32_t id = free_operation_;
  if (id == kNone) {
    id = static_cast<std::uint32_t>(operations_.size());
    operations_.emplace_back();
  } else {
    free_operation_ = operations_[id].next;
  }
  operations_[id] = {now_, log(record), kNone, record};
  return id;
}

void FlashEngine::free_operation(std::uint32_t id) {
  --under_way_;
  operations_[id].next = free_operation_;
  free_operation_ = id;
}

void FlashEngine::add_read(const WorkRecord& record) {
  const std::uint32_t id = new_operation(record);
  if (record.span > 0) depend(record.frontier, record.target, record.span);
  if (record.feeds != kNoSignal) signals_.feed(record.feeds);
  if (record.after != kNoSignal && !signals_.raised(record.after)) {
    signals_.wait(record.after, {Signals::Waiter::Kind::read, id, 0, 0});
    return;
  }
  enqueue(id);
}

void FlashEngine::depend(std::uint32_t frontier, std::uint32_t number, std::uint32_t span) {
  FTLAB_CHECK(frontier < programs_.size(), "frontier " + std::to_string(frontier));
  for (std::uint32_t n = number; n < number + span; ++n) ++programs_[frontier].at(n).waits;
}

void FlashEngine::add_program(const WorkRecord& record) {
  FTLAB_CHECK(record.frontier < programs_.size() && record.die < dies_count_, "a program of no frontier or die");
  FrontierPrograms& all = programs_[record.frontier];
  const std::uint32_t number = all.add();
  FlashProgram& program = all.at(number);
  FTLAB_CHECK((program.flags & FlashProgram::kKnown) == 0, "a program is asked for a second time");
  program.ready = std::max(program.ready, now_);
  program.order = order_.add();
  if (record.has(WorkRecord::kHostData)) program.host_order = host_order_.add() + 1;
  program.logged = log(record);
  program.next = kNone;
  program.superblock = record.superblock;
  program.nand_page = record.nand_page;
  program.die = record.die;
  program.host_pages = record.host_pages;
  program.moved_pages = record.moved_pages;
  program.planes = record.planes;
  program.flags = static_cast<std::uint8_t>(FlashProgram::kKnown | (record.has(WorkRecord::kSlc) ? FlashProgram::kSlc : 0) |
                                            (record.has(WorkRecord::kInRegister) ? FlashProgram::kInRegister : 0));
  ++under_way_;
  ++programs_in_flight_;
  host_pages_in_flight_ += record.host_pages;
  moved_pages_in_flight_ += record.moved_pages;
  const bool looks_back = (record.flags & (WorkRecord::kWithPrevious | WorkRecord::kAfterPrevious)) != 0;
  if (looks_back && number > 0 && all.open(number - 1)) [[unlikely]] {
    FlashProgram& before = all.at(number - 1);
    const bool known = (before.flags & FlashProgram::kKnown) != 0;  // it has not ended
    if (record.has(WorkRecord::kWithPrevious) && known) {
      all.at(number).ready = std::max(all.at(number).ready, before.ready);
      if (before.waits > 0) before.flags |= FlashProgram::kFeedsNext, ++all.at(number).waits;
    }
    if (record.has(WorkRecord::kAfterPrevious) && known) before.flags |= FlashProgram::kEndsNext, ++all.at(number).waits;
  }
  if (record.superblock < erasing_.size() && erasing_[record.superblock].asked > 0) {
    ++all.at(number).waits;
    Erasing& erasing = erasing_[record.superblock];
    gated_.push_back({record.superblock, record.frontier, number, erasing.asked});
    if (erasing.opens_at == 0) erasing.opens_at = erasing.asked;  // later ones wait for as many, or more
  }
  List& input = inputs_[record.die * programs_.size() + record.frontier];
  if (input.head == kNone) {
    input = {number + 1, number + 1};
    load(record.die, record.frontier);
  } else {
    all.at(input.tail - 1).next = number + 1;
    input.tail = number + 1;
  }
}

void FlashEngine::add_erase(const WorkRecord& record) {
  times_.speed().set_erases(BlockId{record.superblock}, record.target);
  ask_erase(record.superblock);
  const std::uint32_t id = new_operation(record);
  const std::uint32_t before = std::exchange(last_erase_, id);
  if (record.has(WorkRecord::kAfterPrevious)) {
    if (before == kNone) return enqueue(id);
    after_erase_.push_back({before, id});
    return;
  }
  if (order_.oldest() == order_.next()) return enqueue(id);
  ordered_.push({order_.next(), id, record.superblock});
}

void FlashEngine::add_barrier(const WorkRecord& record) {
  if (order_.oldest() == order_.next()) return;
  ask_erase(record.superblock);
  ordered_.push({order_.next(), kNone, record.superblock});
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

// --- what waits for something ---

void FlashEngine::satisfy(std::uint32_t frontier, std::uint32_t number, std::uint32_t span, Nanoseconds data) {
  for (std::uint32_t n = number; n < number + span; ++n) {
    FlashProgram& program = programs_[frontier].at(n);
    program.ready = std::max(program.ready, data);
    FTLAB_CHECK(program.waits > 0, "program " + std::to_string(n) + " waits for nothing");
    if (--program.waits == 0) satisfied(frontier, n);
  }
}

void FlashEngine::satisfied(std::uint32_t frontier, std::uint32_t number) {
  FlashProgram& program = programs_[frontier].at(number);
  if ((program.flags & FlashProgram::kKnown) == 0) return;
  const std::uint32_t die = program.die;
  if ((program.flags & FlashProgram::kFeedsNext) != 0) [[unlikely]] {
    program.flags &= static_cast<std::uint8_t>(~FlashProgram::kFeedsNext);
    satisfy(frontier, number + 1, 1, program.ready);
  }
  if (inputs_[die * programs_.size() + frontier].head == number + 1) load(die, frontier);
}

void FlashEngine::raise(Signal signal, Nanoseconds at) {
  if (!signals_.satisfy(signal)) return;
  signals_.take_waiters(signal, [&](const Signals::Waiter& waiter) {
    switch (waiter.kind) {
      case Signals::Waiter::Kind::read: enqueue(waiter.id); break;
      case Signals::Waiter::Kind::programs: satisfy(waiter.frontier, waiter.id, waiter.span, at); break;
      case Signals::Waiter::Kind::signal: raise(waiter.id, at); break;
      case Signals::Waiter::Kind::outside: reached_.push_back(waiter.id); break;
    }
  });
}

void FlashEngine::await(Signal signal, std::uint32_t tag) {
  if (signal == kNoSignal || signals_.raised(signal)) return reached_.push_back(tag);
  signals_.wait(signal, {Signals::Waiter::Kind::outside, tag, 0, 0});
}

void FlashEngine::await_programmed(std::uint32_t tag) {
  if (host_order_.oldest() == host_order_.next()) return reached_.push_back(tag);
  awaited_.push({host_order_.next(), tag});
}

void FlashEngine::release_ordered() {
  while (!ordered_.empty() && ordered_.front().programs <= order_.oldest()) {
    const Ordered ordered = ordered_.pop();
    ordered.operation == kNone ? release_superblock(ordered.superblock) : enqueue(ordered.operation);
  }
}

void FlashEngine::ask_erase(std::uint32_t superblock) {
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
  for (const Gated& gated : open) satisfy(gated.frontier, gated.number, 1, now_);
}

// --- dies ---

// The operation is ready: it joins its queue.
void FlashEngine::enqueue(std::uint32_t id) {
  Operation& operation = operations_[id];
  const WorkRecord& record = operation.record;
  const std::uint32_t flash_class = record.kind == WorkRecord::Kind::erase ? kErases
                                    : record.has(WorkRecord::kHost)        ? kHostReads
                                                                           : kInternalReads;
  operation.ready = now_;
  const std::uint32_t d = record.die;
  DieState& die = dies_[d];
  List& queue = die.queues[flash_class];
  const bool first = queue.head == kNone;
  if (first) {
    queue = {id, id};
    ready(d, flash_class) = now_;
  } else {
    operations_[queue.tail].next = id;
    queue.tail = id;
  }
  if (die.state == State::free) {
    if (first || timing_.independent_plane_reads) begin(d);
  } else if (suspends_ && flash_class == kHostReads) {
    suspend(d);
  }
}

// The frontier's next program goes into its register, as soon as its data are there.
void FlashEngine::load(std::uint32_t d, std::uint32_t frontier) {
  List& input = inputs_[d * programs_.size() + frontier];
  std::uint32_t& slot = slots_[d * programs_.size() + frontier];
  if (slot != kNone || input.head == kNone) return;
  FlashProgram& program = programs_[frontier].at(input.head - 1);
  if (program.waits > 0) return;
  if (program.ready > now_) {
    const std::uint32_t leaf = dies_count_ + d;
    if (program.ready < tree_.at(leaf)) tree_.set(leaf, program.ready);
    return;
  }
  slot = input.head;
  input.head = program.next;
  DieState& die = dies_[d];
  die.relocated &= ~(1u << frontier);
  die.relocated |= static_cast<std::uint32_t>(program.host_order == 0) << frontier;
  Nanoseconds in = now_;
  if (timing_.cache_program) {
    Channel& channel = channel_of(d);
    const Nanoseconds transfer =
        times_.program_transfer((program.flags & FlashProgram::kInRegister) != 0 ? 0 : program.planes);
    const Nanoseconds start = std::max(now_, channel.free);
    in = channel.free = start + transfer;
    channel.busy += transfer;
  }
  ready(d, kPrograms + frontier) = in;
  wake(d);
}

// The die is free: whatever the policy says begins.
void FlashEngine::begin(std::uint32_t d) {
  DieState& die = dies_[d];
  for (;;) {
    const DieQueues queues{d, now_, &ready_[std::size_t{d} * classes_], classes_, die.relocated};
    Choice choice;
    if (die.holds != 0) {
      if (queues.ready[kHostReads] <= now_) {
        choice.flash_class = kHostReads;
      } else if (die.runs == 0) {
        return resume(d);
      }
    } else {
      choice = policy_->choose(queues);
    }
    die.until = choice.until;
    const std::uint32_t next = choice.flash_class;
    if (next == Choice::kNothing) return set_moment(d);
    FTLAB_CHECK(next < classes_ && queues.ready[next] <= now_, "the scheduling policy chose what is not ready");
    if (next <= kInternalReads) {
      if (!begin_read(d, next, queues) || die.state != State::free) return set_moment(d);
      continue;  // of independent planes, another one may begin beside it
    }
    if (die.runs > 0) return set_moment(d);
    return next == kErases ? begin_erase(d, queues) : begin_program(d, next - kPrograms, queues);
  }
}

// When something ends, or can begin that cannot yet.
void FlashEngine::set_moment(std::uint32_t d) {
  const DieState& die = dies_[d];
  Nanoseconds moment = kNever;
  for (std::uint32_t i = 0; i < die.runs; ++i) moment = std::min(moment, die.run[i].end);
  if (die.state == State::free) {
    moment = std::min(moment, die.until);
    const Nanoseconds* const ready = &ready_[std::size_t{d} * classes_];
    for (std::uint32_t c = 0; c < classes_; ++c) {
      if (ready[c] > now_ && ready[c] < moment) moment = ready[c];
    }
  }
  tree_.set(d, moment);
}

std::uint32_t FlashEngine::planes_of(const WorkRecord& record) const {
  constexpr std::uint32_t kAll = (1u << kMostPlanes) - 1;
  if (!timing_.independent_plane_reads || record.planes == 0) return kAll;
  return ((1u << record.planes) - 1) << record.first_plane;
}

// Takes the first of the class that can begin out of its queue; an earlier one keeps its planes free of later ones. kNone:
// there is none.
std::uint32_t FlashEngine::take(std::uint32_t d, std::uint32_t flash_class, std::uint32_t busy) {
  DieState& die = dies_[d];
  List& queue = die.queues[flash_class];
  std::uint32_t before = kNone, id = queue.head;
  while (id != kNone && (planes_of(operations_[id].record) & busy) != 0) {
    busy |= planes_of(operations_[id].record);
    before = id;
    id = operations_[id].next;
  }
  if (id == kNone) return kNone;
  const std::uint32_t next = operations_[id].next;
  (before == kNone ? queue.head : operations_[before].next) = next;
  if (next == kNone) queue.tail = before;
  if (before == kNone) ready(d, flash_class) = next == kNone ? kNever : operations_[next].ready;
  return id;
}

bool FlashEngine::begin_read(std::uint32_t d, std::uint32_t flash_class, const DieQueues& queues) {
  DieState& die = dies_[d];
  const std::uint32_t id = take(d, flash_class, die.planes_busy);
  if (id == kNone) return false;
  Operation& operation = operations_[id];
  const WorkRecord& record = operation.record;
  const Nanoseconds once = times_.read(Die{record.die}, record.page());
  const Nanoseconds length = once * (1 + record.repeats) + Nanoseconds{record.retry_ns};
  policy_->begins(queues, flash_class, length);
  operation.ready = now_;
  log_start(operation.logged, now_, kNever);
  const std::uint32_t planes = planes_of(record);
  if (!timing_.independent_plane_reads) die.state = State::running;
  die.planes_busy |= planes;
  run(d, {now_ + length, id, flash_class, planes}, now_, length);
  return true;
}

void FlashEngine::begin_erase(std::uint32_t d, const DieQueues& queues) {
  const std::uint32_t id = take(d, kErases, 0);
  Operation& operation = operations_[id];
  const Nanoseconds length = times_.erase(Die{operation.record.die}, BlockId{operation.record.superblock});
  policy_->begins(queues, kErases, length);
  log_start(operation.logged, now_, now_ + length);
  dies_[d].state = State::running;
  dies_[d].work_from = now_;
  run(d, {now_ + length, id, kErases, ~0u}, now_, length);
}

void FlashEngine::begin_program(std::uint32_t d, std::uint32_t frontier, const DieQueues& queues) {
  DieState& die = dies_[d];
  std::uint32_t& slot = slots_[d * programs_.size() + frontier];
  const std::uint32_t number = slot - 1;
  const FlashProgram& program = programs_[frontier].at(number);
  const Nanoseconds length =
      times_.program(Die{d}, program.nand_page, BlockId{program.superblock}, (program.flags & FlashProgram::kSlc) != 0);
  policy_->begins(queues, kPrograms + frontier, length);
  ready(d, kPrograms + frontier) = kNever;
  die.state = State::running;
  Nanoseconds from = now_;  // the array works from then on
  if (!timing_.cache_program) {
    Channel& channel = channel_of(d);
    const Nanoseconds transfer =
        times_.program_transfer((program.flags & FlashProgram::kInRegister) != 0 ? 0 : program.planes);
    const Nanoseconds start = std::max(now_, channel.free);
    from = channel.free = start + transfer;
    channel.busy += transfer;
    die.busy += transfer;
    log_start(program.logged, start, from + length);
  } else {
    log_start(program.logged, from, from + length);
    slot = kNone;
  }
  die.work_from = from;
  run(d, {from + length, number, kPrograms + frontier, ~0u}, from, length);
  if (timing_.cache_program) load(d, frontier);
}

void FlashEngine::run(std::uint32_t d, const Running& running, Nanoseconds from, Nanoseconds length) {
  DieState& die = dies_[d];
  FTLAB_CHECK(die.runs < kMostPlanes, "die " + std::to_string(d) + " does more at once than it has planes");
  die.run[die.runs++] = running;
  die.busy += length;
  if (running.flash_class <= kInternalReads) return set_moment(d);
  die.left = length;
  die.suspends_left = timing_.suspension.most_suspends;
  // Host reads that wait already stop a program as soon as the array works on it.
  const bool stops = suspends_ && from > now_ && suspendable(running.flash_class) && ready(d, kHostReads) <= now_;
  tree_.set(d, stops ? from : running.end);
}

bool FlashEngine::suspendable(std::uint32_t flash_class) const {
  return flash_class == kErases ? timing_.suspension.erase : flash_class >= kPrograms && timing_.suspension.program;
}

// A host read is ready: what runs stops for it, if it may and would run longer than stopping takes.
void FlashEngine::suspend(std::uint32_t d) {
  DieState& die = dies_[d];
  if (die.state != State::running || die.run[0].flash_class == kHolding || !suspendable(die.run[0].flash_class)) return;
  if (die.suspends_left == 0) return;
  if (now_ < die.work_from) return tree_.set(d, die.work_from);
  Running& running = die.run[0];
  const Nanoseconds stop = now_ + timing_.suspension.suspend;
  if (stop >= running.end) return;
  die.left = std::min(die.left, running.end - now_);
  die.busy -= running.end - stop;
  --die.suspends_left;
  ++suspensions_;
  die.state = State::stopping;
  die.stop_end = stop;
  tree_.set(d, stop);
}

void FlashEngine::resume(std::uint32_t d) {
  DieState& die = dies_[d];
  die.holds = 0;
  die.run[0] = die.held;
  die.runs = 1;
  die.state = State::running;
  die.work_from = now_;
  die.run[0].end = now_ + timing_.suspension.resume + die.left;
  die.busy += die.run[0].end - now_;
  if (log_ != nullptr) {
    const Running& running = die.run[0];
    const std::uint64_t logged = running.flash_class == kErases
                                     ? operations_[running.id].logged
                                     : programs_[running.flash_class - kPrograms].at(running.id).logged;
    log_start(logged, kNever, running.end);
  }
  tree_.set(d, die.run[0].end);
}

void FlashEngine::die_event(std::uint32_t d) {
  DieState& die = dies_[d];
  if (die.state == State::stopping) {
    die.held = die.run[0];
    die.holds = 1;
    die.runs = 0;
    die.state = State::free;
    return begin(d);
  }
  if (die.state == State::running && now_ < die.run[0].end) {  // the array begins to work on a program
    tree_.set(d, die.run[0].end);
    if (ready(d, kHostReads) <= now_) suspend(d);
    return;
  }
  for (std::uint32_t i = 0; i < die.runs; ++i) {
    if (die.run[i].end != now_) continue;
    const Running ended = die.run[i];
    die.run[i] = die.run[--die.runs];
    finish(d, ended);
    break;
  }
  if (die.state == State::free) begin(d);
}

// The array operation is over, or the channel has taken what the die kept for it.
void FlashEngine::finish(std::uint32_t d, Running running) {
  DieState& die = dies_[d];
  const State before = std::exchange(die.state, State::running);  // what it makes possible here begins when all is done
  if (running.flash_class <= kInternalReads) {
    const Nanoseconds done = transfer_out(d, running.id);
    if (!timing_.cache_read && done > now_) {
      die.state = before;
      die.busy += done - now_;
      running.flash_class = kHolding;
      running.end = done;
      die.run[die.runs++] = running;
      return set_moment(d);
    }
  }
  die.planes_busy &= ~running.planes;
  die.state = State::free;
  if (running.flash_class == kErases) {
    finish_erase(running.id);
  } else if (running.flash_class != kHolding && running.flash_class >= kPrograms) {
    finish_program(d, running.flash_class - kPrograms, running.id);
  }
}

// The data of a read go over the channel, and are there at the moment that is returned.
Nanoseconds FlashEngine::transfer_out(std::uint32_t d, std::uint32_t id) {
  const Operation& operation = operations_[id];
  const WorkRecord record = operation.record;
  Channel& channel = channel_of(d);
  Nanoseconds start = now_, done = now_;
  if (!record.has(WorkRecord::kKeepsData)) {
    const Nanoseconds transfer = times_.read_transfer(record.bytes);
    start = std::max(now_, channel.free);
    done = channel.free = start + transfer;
    channel.busy += transfer;
  }
  log_start(operation.logged, kNever, done);
  const bool somebody_waits = record.has(WorkRecord::kHost) || record.feeds != kNoSignal;
  if (somebody_waits) {
    const ReadOut out{done, now_, start, id};
    if (record.has(WorkRecord::kKeepsData)) {
      deliver(out);
    } else {
      const std::uint32_t c = d % channel_count_;
      if (channel.out.empty()) tree_.set(2 * dies_count_ + c, done);
      channel.out.push(out);
    }
  } else {
    free_operation(id);
  }
  if (record.span > 0) satisfy(record.frontier, record.target, record.span, done);
  return done;
}

void FlashEngine::channel_event(std::uint32_t c) {
  Channel& channel = channels_[c];
  const ReadOut out = channel.out.pop();
  tree_.set(2 * dies_count_ + c, channel.out.empty() ? kNever : channel.out.front().done);
  deliver(out);
}

void FlashEngine::deliver(const ReadOut& out) {
  const Operation& operation = operations_[out.operation];
  const WorkRecord record = operation.record;
  if (record.has(WorkRecord::kHost)) {
    const Nanoseconds once = times_.read(Die{record.die}, record.page());
    const Nanoseconds repeats = record.repeats * once + Nanoseconds{record.retry_ns};
    host_reads_.push_back({record.target, operation.ready, out.array_end, out.bus_start, out.done, repeats});
  }
  free_operation(out.operation);
  if (record.feeds != kNoSignal) raise(record.feeds, now_);
}

void FlashEngine::finish_program(std::uint32_t d, std::uint32_t frontier, std::uint32_t number) {
  FrontierPrograms& all = programs_[frontier];
  const FlashProgram program = all.at(number);
  --under_way_;
  --programs_in_flight_;
  host_pages_in_flight_ -= program.host_pages;
  freed_places_ += program.host_pages;
  moved_pages_in_flight_ -= program.moved_pages;
  all.end(number);
  if (!timing_.cache_program) {
    slots_[d * programs_.size() + frontier] = kNone;
    load(d, frontier);
  }
  if ((program.flags & FlashProgram::kEndsNext) != 0) satisfy(frontier, number + 1, 1, now_);
  if (order_.end(program.order) && !ordered_.empty()) release_ordered();
  if (program.host_order == 0 || !host_order_.end(program.host_order - 1)) return;
  while (!awaited_.empty() && awaited_.front().programs <= host_order_.oldest()) reached_.push_back(awaited_.pop().tag);
}

void FlashEngine::finish_erase(std::uint32_t id) {
  const std::uint32_t superblock = operations_[id].record.superblock;
  if (last_erase_ == id) last_erase_ = kNone;
  std::uint32_t again = kNone;
  std::erase_if(after_erase_, [&](const AfterErase& pair) {
    if (pair.first == id) again = pair.second;
    return pair.first == id;
  });
  free_operation(id);
  if (again != kNone) enqueue(again);
  release_superblock(superblock);
}

// --- from outside ---

void FlashEngine::clear(Nanoseconds now) {
  now_ = std::max(now_, now);
  for (std::uint32_t d = 0; d < dies_count_; ++d) {
    DieState& die = dies_[d];
    const Nanoseconds busy = die.busy;
    Nanoseconds left{0};
    for (std::uint32_t i = 0; i < die.runs; ++i) {
      const Nanoseconds end = die.state == State::stopping ? die.stop_end : die.run[i].end;
      left += end > now_ ? end - now_ : Nanoseconds{0};
    }
    die = DieState{};
    die.busy = busy - std::min(left, busy);
  }
  for (Channel& channel : channels_) {
    channel.busy -= std::min(channel.busy, channel.free > now_ ? channel.free - now_ : Nanoseconds{0});
    channel.free = std::min(channel.free, now_);
    channel.out.clear();
  }
  std::fill(ready_.begin(), ready_.end(), kNever);
  std::fill(slots_.begin(), slots_.end(), kNone);
  std::fill(inputs_.begin(), inputs_.end(), List{});
  for (FrontierPrograms& programs : programs_) programs.restart();
  operations_.resize(1);
  free_operation_ = last_erase_ = kNone;
  signals_.clear();
  order_.clear();
  host_order_.clear();
  ordered_.clear();
  awaited_.clear();
  gated_.clear();
  after_erase_.clear();
  erasing_.clear();
  host_reads_.clear();
  reached_.clear();
  programs_in_flight_ = host_pages_in_flight_ = moved_pages_in_flight_ = freed_places_ = 0;
  under_way_ = 0;
  for (std::uint32_t leaf = 0; leaf < 2 * dies_count_ + channel_count_; ++leaf) tree_.set(leaf, kNever);
}

// Of what was loaded: every number leads to something, so that nothing walks out of its list. What contradicts itself beyond
// that is found by a check when it is used.
bool FlashEngine::is_sound() const {
  const std::size_t count = operations_.size(), frontiers = programs_.size();
  const auto operation = [count](std::uint32_t id) { return id < count; };
  const auto program = [this](std::size_t frontier, std::uint32_t number) {  // number + 1
    return number == kNone || programs_[frontier].open(number - 1);
  };
  bool sound = count > 0 && operation(free_operation_) && operation(last_erase_);
  for (const Operation& it : operations_) {
    sound = sound && operation(it.next) && it.record.die < dies_count_ && it.record.frontier < frontiers &&
            it.record.kind <= WorkRecord::Kind::barrier && it.record.nand_page < times_.pages_per_block() &&
            it.record.bytes <= times_.most_bytes() && it.record.planes <= times_.planes() &&
            it.record.first_plane + it.record.planes <= kMostPlanes;
  }
  for (const DieState& die : dies_) {
    sound = sound && die.runs <= kMostPlanes && die.state <= State::stopping && (die.state == State::free || die.runs > 0);
    for (const List& queue : die.queues) sound = sound && operation(queue.head) && operation(queue.tail);
    for (std::uint32_t i = 0; sound && i < die.runs; ++i) sound = is_sound(die.run[i]);
    sound = sound && (die.holds == 0 || is_sound(die.held));
  }
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const std::size_t frontier = i % frontiers;
    sound = sound && program(frontier, slots_[i]) && program(frontier, inputs_[i].head) &&
            (inputs_[i].head == kNone || program(frontier, inputs_[i].tail));
  }
  for (const FrontierPrograms& programs : programs_)
    sound = sound && programs.is_sound(dies_count_, times_.pages_per_block());
  for (const Channel& channel : channels_) {
    for (std::size_t i = 0; i < channel.out.size(); ++i) sound = sound && operation(channel.out[i].operation);
  }
  for (std::size_t i = 0; i < ordered_.size(); ++i)
    sound = sound && operation(ordered_[i].operation) && ordered_[i].superblock < erasing_.size();
  for (const Gated& gated : gated_) sound = sound && gated.frontier < frontiers && gated.superblock < erasing_.size();
  for (const AfterErase& after : after_erase_) sound = sound && operation(after.first) && operation(after.second);
  return sound && lists_end();
}

bool FlashEngine::is_sound(const Running& running) const {
  if (running.flash_class == kHolding || running.flash_class < kPrograms) return running.id < operations_.size();
  return running.flash_class < classes_ && programs_[running.flash_class - kPrograms].open(running.id);
}

// No list of operations goes round.
bool FlashEngine::lists_end() const {
  const auto ends = [this](std::uint32_t id) {
    for (std::size_t steps = 0; id != kNone; id = operations_[id].next) {
      if (++steps > operations_.size()) return false;
    }
    return true;
  };
  bool all = ends(free_operation_);
  for (const DieState& die : dies_) {
    for (const List& queue : die.queues) all = all && ends(queue.head);
  }
  return all;
}

void FlashEngine::record(std::vector<TimedOperation>* log) {
  log_ = log;
  ++log_epoch_;
}

// Numbers of another log are told from those of this one by their epoch.
std::uint64_t FlashEngine::log(const WorkRecord& record) {
  if (log_ == nullptr) [[likely]]
    return 0;
  FlashOperation asked;
  asked.kind = record.kind == WorkRecord::Kind::program ? FlashOperation::Kind::program
               : record.kind == WorkRecord::Kind::erase ? FlashOperation::Kind::erase
               : record.has(WorkRecord::kKeepsData)     ? FlashOperation::Kind::read_internally
                                                        : FlashOperation::Kind::read;
  asked.die = Die{record.die};
  asked.ready = now_;
  asked.page = record.page();
  asked.bytes = record.bytes;
  asked.planes = record.planes;
  asked.frontier = record.frontier;
  asked.in_register = record.has(WorkRecord::kInRegister);
  log_->push_back({asked, kNever, kNever});
  return log_epoch_ << 32 | log_->size();
}

void FlashEngine::log_start(std::uint64_t logged, Nanoseconds start, Nanoseconds done) {
  if (log_ == nullptr || logged >> 32 != log_epoch_) [[likely]]
    return;
  TimedOperation& operation = (*log_)[(logged & 0xffff'ffff) - 1];
  if (start != kNever) operation.start = start;
  if (done != kNever) operation.done = done;
}

}  // namespace ftlab
