// What dies and channels do, event by event. What every event goes through is inlined into run(): saving registers for calls
// was a fifteenth of a write's instructions (validation/benchmarks/counters.py).
#include "models/nand/schedule/flash_engine.h"

#include <algorithm>
#include <utility>

#include "sim/core/check.h"

namespace ftlab {
namespace {

DieTime::Use program_use(const FlashProgram& program) {
  return (program.flags & FlashProgram::kHostData) != 0 ? DieTime::host_programs : DieTime::relocation_programs;
}

}  // namespace

FlashEngine::FlashEngine(const Geometry& geometry, const NandTiming& timing, std::uint32_t frontiers, BlockSpeed speed)
    : times_(geometry, timing, std::move(speed)),
      timing_(timing),
      policy_(timing.scheduling.make(geometry.dies())),
      suspends_(timing.suspension.any() && policy_->suspends()),
      first_come_(policy_->first_come()),
      reads_first_(policy_->host_reads_first()),
      usual_(timing.cache_program && timing.cache_read && !timing.independent_plane_reads &&
             frontiers <= kUsualClasses - kPrograms && (first_come_ || reads_first_)),
      tree_(2 * geometry.dies() + geometry.channels),
      dies_count_(geometry.dies()),
      superblocks_(std::min(times_.superblocks(), geometry.dies() * geometry.planes_per_die * geometry.blocks_per_plane)),
      frontiers_(frontiers),
      classes_(kPrograms + frontiers),
      dies_(dies_count_),
      beside_(timing.independent_plane_reads ? 2 * dies_count_ : 0),
      channels_(geometry.channels),
      programs_(frontiers) {
  FTLAB_CHECK(frontiers > 0 && frontiers <= kMostFrontiers, std::to_string(frontiers) + " frontiers");
  FTLAB_CHECK(!timing.independent_plane_reads || geometry.planes_per_die <= kMostPlanes,
              "more planes than reads tell apart");
  for (std::uint32_t d = 0; d < dies_count_; ++d) {
    dies_[d].ready.fill(kNever);
    dies_[d].number = d;
    dies_[d].channel = d % geometry.channels;
  }
}

void FlashEngine::run(Nanoseconds until) { usual_&& log_ == nullptr ? run_events<true>(until) : run_events<false>(until); }

template <bool kUsual>
void FlashEngine::run_events(Nanoseconds until) {
  const std::uint32_t dies = dies_count_, inputs = 2 * dies;
  until = std::min(until, kNever - Nanoseconds{1});
  news_ = has_news();
  do {
    const std::uint32_t leaf = tree_.first();
    const Nanoseconds next = tree_.next();
    if (next > until) return;
    now_ = next;
    if (leaf < dies) [[likely]] {
      die_event<kUsual>(dies_[leaf]);
    } else if (leaf >= inputs) {
      channel_event(leaf - inputs);
    } else {
      input_event(dies_[leaf - dies]);
    }
  } while (!news_);
}

void FlashEngine::input_event(DieState& die) {
  tree_.set(dies_count_ + die.number, kNever);
  if (!arriving_.empty()) [[unlikely]]
    take_arrived(die);
  for (std::uint32_t f = 0; f < frontiers_; ++f) {
    if (load(die, f)) wake(die);
  }
}

// The operation is ready: it joins its queue.
void FlashEngine::enqueue(std::uint32_t id) {
  Operation& operation = operations_[id];
  const WorkRecord& record = operation.record;
  const std::uint32_t flash_class = record.kind == WorkRecord::Kind::erase ? kErases
                                    : record.has(WorkRecord::kHost)        ? kHostReads
                                                                           : kInternalReads;
  operation.ready = now_;
  DieState& die = dies_[record.die];
  const bool first = die.ready[flash_class] == kNever;
  if (first) die.ready[flash_class] = now_;
  if (timing_.independent_plane_reads && flash_class <= kInternalReads) {
    beside_[2 * die.number + flash_class].add({planes_of(record), id});
  } else {
    List& queue = die.queues[flash_class];
    (first ? queue.head : operations_[queue.tail].next) = id;
    queue.tail = id;
  }
  if (die.state == State::free) {
    if (first || timing_.independent_plane_reads) begin(die);
  } else if (suspends_ && flash_class == kHostReads) {
    suspend(die);
  }
}

// The frontier's next program goes into its register, as soon as its data are there. Returns whether it did.
bool FlashEngine::load(DieState& die, std::uint32_t frontier) { return load_next<false>(die, frontier); }

template <bool kUsual>
[[gnu::always_inline]] inline bool FlashEngine::load_next(DieState& die, std::uint32_t frontier) {
  Input& in = die.inputs[frontier];
  if (in.loaded != kNone || in.head == kNone) return false;
  const FlashProgram& program = programs_[frontier].at(in.head - 1);
  if (program.waits > 0) return false;
  if (program.ready > now_) {
    const std::uint32_t leaf = dies_count_ + die.number;
    if (program.ready < tree_.at(leaf)) tree_.set(leaf, program.ready);
    return false;
  }
  in.loaded = in.head;
  in.head = program.next;
  const std::uint64_t relocated = (program.flags & FlashProgram::kHostData) == 0;
  die.relocated = (die.relocated & ~(std::uint64_t{1} << frontier)) | relocated << frontier;
  Nanoseconds there = now_;
  if (kUsual || timing_.cache_program) {
    Channel& channel = channels_[die.channel];
    transfer(channel, transfer_in(program));
    there = channel.free;
  }
  die.ready[kPrograms + frontier] = there;
  return true;
}

namespace {

// The class that is ready first; of equal ones the lower. Two conditional moves a class: a branch would be mispredicted.
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

}  // namespace

DieQueues FlashEngine::queues_of(const DieState& die, std::uint32_t oldest) const {
  return {die.number, classes_, now_, die.ready.data(), oldest, die.relocated};
}

// What is suspended goes on before anything but reads of the host; otherwise the policy says.
template <bool kUsual>
inline Choice FlashEngine::ask_policy(const DieState& die, std::uint32_t oldest) {
  if (die.holds != 0) [[unlikely]]
    return {die.ready[kHostReads] <= now_ ? kHostReads : Choice::kNothing};
  if (die.ready[oldest] > now_) return {};
  if (reads_first_ && die.ready[kHostReads] <= now_) return {kHostReads};
  if (kUsual || first_come_ || reads_first_) return {oldest};
  const Choice choice = policy_->choose(queues_of(die, oldest));
  FTLAB_CHECK(
      choice.flash_class == Choice::kNothing || (choice.flash_class < classes_ && die.ready[choice.flash_class] <= now_),
      "the scheduling policy chose what is not ready");
  return choice;
}

template <bool kUsual>
inline void FlashEngine::tell_policy(const DieState& die, std::uint32_t oldest, std::uint32_t flash_class,
                                     Nanoseconds length) {
  if (!kUsual && !first_come_) policy_->begins(queues_of(die, oldest), flash_class, length);
}

// The die is free: whatever the policy says begins.
template <bool kUsual>
[[gnu::always_inline]] inline void FlashEngine::begin_next(DieState& die) {
  for (;;) {
    const std::uint32_t oldest = oldest_of(die.ready.data(), kUsual ? kUsualClasses : classes_);
    const Choice choice = ask_policy<kUsual>(die, oldest);
    const std::uint32_t next = choice.flash_class;
    die.until = choice.until;
    if (next == Choice::kNothing) [[unlikely]] {
      if (die.runs > 0) return set_moment(die);
      if (die.holds != 0) return resume(die);
      const Nanoseconds first = die.ready[oldest];
      return first > now_ ? tree_.set(die.number, first) : set_moment(die);
    }
    if (next <= kInternalReads) {
      if (!begin_read<kUsual>(die, next, oldest)) return set_moment(die);
      if (kUsual || !timing_.independent_plane_reads) return;
      continue;  // of independent planes, another one may begin beside it
    }
    if (die.runs > 0) return set_moment(die);
    return next == kErases ? begin_erase(die, oldest) : begin_program<kUsual>(die, next - kPrograms, oldest);
  }
}

void FlashEngine::begin(DieState& die) { begin_next<false>(die); }

// When something ends, or can begin that cannot yet.
void FlashEngine::set_moment(DieState& die) {
  Nanoseconds moment = kNever;
  for (std::uint32_t i = 0; i < die.runs; ++i) moment = std::min(moment, die.run[i].end);
  if (die.state == State::free) {
    moment = std::min(moment, die.until);
    for (std::uint32_t c = 0; c < classes_; ++c) {
      if (die.ready[c] > now_ && die.ready[c] < moment) moment = die.ready[c];
    }
  }
  tree_.set(die.number, moment);
}

std::uint32_t FlashEngine::planes_of(const WorkRecord& record) const {
  if (!timing_.independent_plane_reads || record.planes == 0) return kAllPlanes;
  return ((1u << record.planes) - 1) << record.first_plane;
}

// Takes the first of the class out of its queue.
[[gnu::always_inline]] inline std::uint32_t FlashEngine::take(DieState& die, std::uint32_t flash_class) {
  List& queue = die.queues[flash_class];
  const std::uint32_t id = queue.head, next = operations_[id].next;
  queue.head = next;
  queue.tail = next == kNone ? kNone : queue.tail;
  die.ready[flash_class] = next == kNone ? kNever : operations_[next].ready;
  return id;
}

// Of independent planes: the first that can begin beside what runs. kNone: there is none.
std::uint32_t FlashEngine::take_beside(DieState& die, std::uint32_t flash_class) {
  PlaneQueues& waiting = beside_[2 * die.number + flash_class];
  const std::uint32_t id = waiting.take(die.planes_busy), oldest = waiting.oldest();
  die.ready[flash_class] = oldest == kNone ? kNever : operations_[oldest].ready;
  return id;
}

template <bool kUsual>
[[gnu::always_inline]] inline bool FlashEngine::begin_read(DieState& die, std::uint32_t flash_class, std::uint32_t oldest) {
  const bool apart = !kUsual && timing_.independent_plane_reads;
  const std::uint32_t id = apart ? take_beside(die, flash_class) : take(die, flash_class);
  if (apart && id == kNone) return false;
  Operation& operation = operations_[id];
  const WorkRecord& record = operation.record;
  Nanoseconds length = read_time(record);
  if ((record.repeats | record.retry_ns) != 0) [[unlikely]]
    length = length * (1 + record.repeats) + Nanoseconds{record.retry_ns};
  tell_policy<kUsual>(die, oldest, flash_class, length);
  operation.ready = now_;
  if (!kUsual) log_start(operation.logged, now_, kNever);
  const std::uint32_t planes = kUsual ? kAllPlanes : planes_of(record);
  die.planes_busy |= planes;
  spend(die, flash_class == kHostReads ? DieTime::host_reads : DieTime::internal_reads, length);
  run(die, now_ + length, id, flash_class, planes);
  if (!apart) {
    die.state = State::running;
    tree_.set(die.number, now_ + length);
  }
  return true;
}

void FlashEngine::begin_erase(DieState& die, std::uint32_t oldest) {
  const std::uint32_t id = take(die, kErases);
  Operation& operation = operations_[id];
  const Nanoseconds length = times_.erase(Die{operation.record.die}, SuperblockId{operation.record.superblock});
  tell_policy<false>(die, oldest, kErases, length);
  log_start(operation.logged, now_, now_ + length);
  spend(die, DieTime::erases, length);
  run_alone(die, id, kErases, now_, now_ + length);
}

template <bool kUsual>
[[gnu::always_inline]] inline void FlashEngine::begin_program(DieState& die, std::uint32_t frontier, std::uint32_t oldest) {
  Input& in = die.inputs[frontier];
  FTLAB_DCHECK(in.loaded != kNone, "a program begins that is not in its register");
  const std::uint32_t number = in.loaded - 1;
  const FlashProgram& program = programs_[frontier].at(number);
  const Nanoseconds length = times_.program(Die{die.number}, program.nand_page, SuperblockId{program.superblock},
                                            (program.flags & FlashProgram::kSlc) != 0);
  tell_policy<kUsual>(die, oldest, kPrograms + frontier, length);
  die.ready[kPrograms + frontier] = kNever;
  Nanoseconds start = now_, from = now_;  // the array works from then on
  if (kUsual || timing_.cache_program) {
    in.loaded = kNone;
  } else {
    Channel& channel = channels_[die.channel];
    const Nanoseconds in_transfer = transfer_in(program);
    start = transfer(channel, in_transfer);
    from = channel.free;
    spend(die, program_use(program), in_transfer);
  }
  spend(die, program_use(program), length);
  if (!kUsual) log_start(program.logged, start, from + length);
  run_alone(die, number, kPrograms + frontier, from, from + length);
  if (kUsual || timing_.cache_program) load_next<kUsual>(die, frontier);
}

// Fills the array element in place: copying a whole struct that was just written in parts stalls on store forwarding.
[[gnu::always_inline]] inline void FlashEngine::run(DieState& die, Nanoseconds end, std::uint32_t id,
                                                    std::uint32_t flash_class, std::uint32_t planes) {
  FTLAB_CHECK(die.runs < kMostPlanes, "a die does more at once than it has planes");
  Running& running = die.run[die.runs++];
  running.end = end;
  running.id = id;
  running.flash_class = flash_class;
  running.planes = planes;
}

// A program or an erase: nothing else runs on the die, but a host read may stop it.
[[gnu::always_inline]] inline void FlashEngine::run_alone(DieState& die, std::uint32_t id, std::uint32_t flash_class,
                                                          Nanoseconds from, Nanoseconds end) {
  run(die, end, id, flash_class, ~0u);
  die.state = State::running;
  die.work_from = from;
  die.left = end - from;
  die.suspends_left = timing_.suspension.most_suspends;
  // Host reads that wait already stop a program as soon as the array works on it.
  const bool stops = suspends_ && from > now_ && suspendable(flash_class) && die.ready[kHostReads] <= now_;
  tree_.set(die.number, stops ? from : end);
}

DieTime::Use FlashEngine::use_of(const Running& running) const {
  if (running.flash_class == kErases) return DieTime::erases;
  if (running.flash_class == kHostReads || running.flash_class == kHoldingForHost) return DieTime::host_reads;
  if (running.flash_class == kInternalReads || running.flash_class == kHolding) return DieTime::internal_reads;
  return program_use(programs_[running.flash_class - kPrograms].at(running.id));
}

bool FlashEngine::suspendable(std::uint32_t flash_class) const {
  return flash_class == kErases ? timing_.suspension.erase : flash_class >= kPrograms && timing_.suspension.program;
}

// A host read is ready: what runs stops for it, if it may and would run longer than stopping takes.
void FlashEngine::suspend(DieState& die) {
  if (die.state != State::running || die.runs == 0) return;  // what ran ends at this moment
  if (is_holding(die.run[0].flash_class) || !suspendable(die.run[0].flash_class)) return;
  if (die.suspends_left == 0) return;
  if (now_ < die.work_from) return tree_.set(die.number, die.work_from);
  Running& running = die.run[0];
  const Nanoseconds stop = now_ + timing_.suspension.suspend;
  if (stop >= running.end) return;
  FTLAB_DCHECK(die.holds == 0 && die.runs == 1, "a die stops more than one thing at once");
  const Nanoseconds remains = running.end - now_;  // of it `left` is the operation itself, the rest still going on with it
  die.left = std::min(die.left, remains);
  take_back(die, use_of(running), die.left);
  take_back(die, DieTime::suspensions, remains - die.left);
  spend(die, DieTime::suspensions, timing_.suspension.suspend);
  --die.suspends_left;
  ++suspensions_;
  die.state = State::stopping;
  die.stop_end = stop;
  tree_.set(die.number, stop);
}

void FlashEngine::resume(DieState& die) {
  FTLAB_DCHECK(die.holds != 0 && die.runs == 0, "a die goes on with nothing, or with two things");
  die.holds = 0;
  die.run[0] = die.held;
  die.runs = 1;
  die.state = State::running;
  die.work_from = now_;
  die.run[0].end = now_ + timing_.suspension.resume + die.left;
  spend(die, DieTime::suspensions, timing_.suspension.resume);
  spend(die, use_of(die.run[0]), die.left);
  if (log_ != nullptr) {
    const Running& running = die.run[0];
    const std::uint32_t logged = running.flash_class == kErases
                                     ? operations_[running.id].logged
                                     : programs_[running.flash_class - kPrograms].at(running.id).logged;
    log_start(logged, kNever, running.end);
  }
  tree_.set(die.number, die.run[0].end);
}

// What runs alone has ended, as a rule.
template <bool kUsual>
[[gnu::always_inline]] inline void FlashEngine::die_event(DieState& die) {
  const Running& running = die.run[0];
  if (die.state != State::running || running.end != now_) [[unlikely]]
    return other_die_event(die);
  die.runs = 0;
  finish<kUsual>(die, running.id, running.flash_class, running.planes);
  if (die.state == State::free) begin_next<kUsual>(die);
}

void FlashEngine::other_die_event(DieState& die) {
  if (die.state == State::stopping) {
    die.held = die.run[0];
    die.holds = 1;
    die.runs = 0;
    die.state = State::free;
    return begin(die);
  }
  if (die.state == State::running) {  // the array begins to work on a program
    tree_.set(die.number, die.run[0].end);
    if (die.ready[kHostReads] <= now_) suspend(die);
    return;
  }
  std::uint32_t i = 0;
  while (i < die.runs && die.run[i].end != now_) ++i;
  if (i < die.runs) {  // otherwise it is the moment when something can begin
    const Running ended = die.run[i];
    if (i != --die.runs) die.run[i] = die.run[die.runs];
    finish<false>(die, ended.id, ended.flash_class, ended.planes);
  }
  if (die.state == State::free) begin(die);
}

// The array operation is over, or the channel has taken what the die kept for it.
template <bool kUsual>
[[gnu::always_inline]] inline void FlashEngine::finish(DieState& die, std::uint32_t id, std::uint32_t flash_class,
                                                       std::uint32_t planes) {
  const State before = std::exchange(die.state, State::running);  // what it makes possible here begins when all is done
  if (flash_class <= kInternalReads) {
    const Nanoseconds done = transfer_out<kUsual>(die, id);
    if (!kUsual && !timing_.cache_read && done > now_) {
      die.state = before;
      const bool for_host = flash_class == kHostReads;
      spend(die, for_host ? DieTime::host_reads : DieTime::internal_reads, done - now_);
      run(die, done, id, for_host ? kHoldingForHost : kHolding, planes);
      return set_moment(die);
    }
  }
  die.planes_busy &= ~planes;
  die.state = State::free;
  if (flash_class <= kInternalReads || (!kUsual && is_holding(flash_class))) return;
  flash_class == kErases ? finish_erase(id) : finish_program<kUsual>(die, flash_class - kPrograms, id);
}

// The data of a read go over the channel, and are there at the moment that is returned.
template <bool kUsual>
[[gnu::always_inline]] inline Nanoseconds FlashEngine::transfer_out(DieState& die, std::uint32_t id) {
  const Operation& operation = operations_[id];
  const WorkRecord& record = operation.record;  // stays there when it is freed, as long as no record is accepted
  const std::uint32_t c = die.channel;
  Channel& channel = channels_[c];
  const bool crosses = !record.has(WorkRecord::kKeepsData);
  const Nanoseconds start = crosses ? transfer(channel, times_.read_transfer(record.bytes)) : now_;
  const Nanoseconds done = crosses ? channel.free : now_;
  if (!kUsual) log_start(operation.logged, kNever, done);
  if (record.has(WorkRecord::kHost) || record.feeds != kNoSignal) {  // somebody waits
    if (!crosses) {
      deliver({done, now_, start, id});
    } else {
      if (channel.out.empty()) tree_.set(2 * dies_count_ + c, done);
      ReadOut& out = channel.out.add();
      out.done = done;
      out.array_end = now_;
      out.bus_start = start;
      out.operation = id;
    }
  } else {
    free_operation(id);
  }
  if (record.span > 0) satisfy(record.frontier, record.target, record.span, done, Brings::data);
  return done;
}

void FlashEngine::channel_event(std::uint32_t c) {
  Channel& channel = channels_[c];
  FTLAB_DCHECK(!channel.out.empty() && channel.out.front().done == now_, "a channel's moment comes with nothing on it");
  const ReadOut out = channel.out.pop();
  tree_.set(2 * dies_count_ + c, channel.out.empty() ? kNever : channel.out.front().done);
  deliver(out);
}

void FlashEngine::deliver(const ReadOut& out) {
  const Operation& operation = operations_[out.operation];
  const WorkRecord& record = operation.record;
  if (record.has(WorkRecord::kHost)) {
    Nanoseconds repeats{record.retry_ns};
    if (record.repeats > 0) repeats += record.repeats * read_time(record);
    news_ = true;
    HostRead& read = host_reads_.emplace_back();
    read.tag = record.target;
    read.array_start = operation.ready;
    read.array_end = out.array_end;
    read.bus_start = out.bus_start;
    read.done = out.done;
    read.repeats = repeats;
    read.from_memory = operation.in_memory != 0;
  }
  free_operation(out.operation);
  if (record.feeds != kNoSignal) raise(record.feeds, now_);
}

template <bool kUsual>
[[gnu::always_inline]] inline void FlashEngine::finish_program(DieState& die, std::uint32_t frontier, std::uint32_t number) {
  FrontierPrograms& all = programs_[frontier];
  const FlashProgram& program = all.at(number);
  FTLAB_DCHECK((program.flags & FlashProgram::kKnown) != 0 && program.waits == 0, "a program ends that has not begun");
  FTLAB_CHECK(
      programs_in_flight_ > 0 && host_pages_in_flight_ >= program.host_pages && program.superblock < programs_of_.size(),
      "more programs end than were asked for");
  const std::uint32_t order = program.order;
  const bool of_host = (program.flags & FlashProgram::kHostData) != 0;
  const std::uint32_t host_order = program.host_order;
  const bool ends_next = (program.flags & FlashProgram::kEndsNext) != 0;
  const std::uint32_t first_read = program.first_read;
  OfSuperblock& of = programs_of_[program.superblock];
  of.open -= of.frontier == frontier && number - of.first < of.end - of.first ? 1 : 0;
  --under_way_;
  --programs_in_flight_;
  host_pages_in_flight_ -= program.host_pages;
  freed_places_ += program.host_pages;
  moved_pages_in_flight_ -= program.moved_pages;
  news_ = news_ || programs_are_news();
  all.end(number);
  if (first_read != kNone) [[unlikely]]
    release_reads(die, first_read);
  if (!kUsual && !timing_.cache_program) {
    die.inputs[frontier].loaded = kNone;
    if (load(die, frontier)) wake(die);
  }
  if (ends_next) [[unlikely]]
    satisfy(frontier, number + 1, 1, now_, Brings::nothing);
  if (order_.end(order) && !ordered_.empty()) [[unlikely]]
    release_ordered();
  if (!of_host || !host_order_.end(host_order)) return;
  while (!awaited_.empty() && host_order_.ended(awaited_.front().section)) reach(awaited_.pop().tag);
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

}  // namespace ftlab
