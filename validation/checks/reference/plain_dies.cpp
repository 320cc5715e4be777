#include "validation/checks/reference/plain_dies.h"

namespace ftlab {

std::size_t PlainWorks::add(const WorkRecord& record) {
  works_.push_back({});
  works_.back().record = record;
  return works_.size() - 1;
}

std::size_t PlainWorks::program_of(std::uint32_t frontier, std::uint32_t number) {
  const auto key = std::pair(frontier, number);
  const auto found = programs_.find(key);
  if (found != programs_.end()) return found->second;
  const std::size_t work = add({});
  works_[work].number = number;
  return programs_[key] = work;
}

std::size_t PlainWorks::newest_open_program(const WorkRecord& read) const {
  for (auto w = order_.rbegin(); w != order_.rend(); ++w) {
    const PlainWork& work = works_[*w];
    if (work.record.kind == WorkRecord::Kind::erase && work.record.superblock == read.superblock) return kNone;
    const bool open = work.asked && work.record.kind == WorkRecord::Kind::program && !work.ended;
    if (open && work.record.die == read.die && work.record.superblock == read.superblock &&
        work.record.nand_page == read.nand_page)
      return *w;
  }
  return kNone;
}

std::vector<std::size_t> PlainWorks::open_programs() const {
  std::vector<std::size_t> open;
  for (std::size_t w = 0; w < works_.size(); ++w) {
    const PlainWork& work = works_[w];
    if (work.asked && work.record.kind == WorkRecord::Kind::program && !work.ended) open.push_back(w);
  }
  return open;
}

std::vector<std::pair<Nanoseconds, Nanoseconds>> PlainWorks::times() const {
  std::vector<std::pair<Nanoseconds, Nanoseconds>> all;
  for (const std::size_t work : order_) all.emplace_back(works_[work].start, works_[work].done);
  return all;
}

PlainDies::PlainDies(PlainWorks& works, const Geometry& geometry, const NandTiming& timing, std::uint32_t frontiers)
    : works_(works),
      times_(geometry, timing, BlockSpeed{}),
      timing_(timing),
      policy_(timing.scheduling.make(geometry.dies())),
      frontiers_(frontiers),
      dies_(geometry.dies()),
      channels_(geometry.channels) {
  for (Die& die : dies_) {
    die.in_register.assign(frontiers, kNone);
    die.inputs.resize(frontiers);
  }
}

Nanoseconds PlainDies::input_moment_of(std::size_t d) const {
  Nanoseconds moment = kNever;
  for (std::uint32_t f = 0; f < frontiers_; ++f) {
    if (dies_[d].in_register[f] != kNone || dies_[d].inputs[f].empty()) continue;
    const PlainWork& work = works_[dies_[d].inputs[f].front()];
    if (work.waits == 0) moment = std::min(moment, work.data);
  }
  return moment;
}

Nanoseconds PlainDies::channel_moment_of(std::size_t c) const {
  return channels_[c].out.empty() ? kNever : works_[channels_[c].out.front()].done;
}

void PlainDies::join(std::size_t w) {
  PlainWork& work = works_[w];
  Die& die = dies_[work.record.die];
  work.ready = now_;
  const bool host = work.record.kind == WorkRecord::Kind::read && work.record.has(WorkRecord::kHost);
  (work.record.kind == WorkRecord::Kind::erase ? die.erases : die.reads[host ? 0 : 1]).push_back(w);
  if (die.state == State::free) {
    begin(work.record.die);
  } else if (die.state == State::running && host) {
    stop(work.record.die);
  }
}

void PlainDies::queue_program(std::size_t w) {
  const WorkRecord& record = works_[w].record;
  dies_[record.die].inputs[record.frontier].push_back(w);
  load(record.die, record.frontier);
}

void PlainDies::load_if_first(std::size_t w) {
  const WorkRecord& record = works_[w].record;
  const std::deque<std::size_t>& input = dies_[record.die].inputs[record.frontier];
  if (!input.empty() && input.front() == w) load(record.die, record.frontier);
}

void PlainDies::load_all(std::size_t d) {
  for (std::uint32_t f = 0; f < frontiers_; ++f) load(d, f);
}

PlainDies::Run PlainDies::take_ended(std::size_t d) {
  Die& die = dies_[d];
  if (die.state == State::stopping) {
    die.held = die.runs.front();
    die.runs.clear();
    die.state = State::free;
    begin(d);
    return {};
  }
  if (die.looks && die.work_from == now_ && !die.runs.empty() && die.runs.front().end > now_) {
    die.looks = false;
    stop(d);
    return {};
  }
  for (std::size_t i = 0; i < die.runs.size(); ++i) {
    if (die.runs[i].end != now_) continue;
    const Run over = die.runs[i];
    die.runs[i] = die.runs.back();  // simultaneous ends: order of swap-and-pop removal
    die.runs.pop_back();
    return over;
  }
  begin_if_free(d);
  return {};
}

void PlainDies::begin_if_free(std::size_t d) {
  if (dies_[d].state == State::free) begin(d);
}

bool PlainDies::holds_data(std::size_t d, std::size_t read) {
  if (timing_.cache_read || works_[read].done <= now_) return false;
  dies_[d].busy += works_[read].done - now_;
  dies_[d].runs.push_back({read, works_[read].done, true});
  return true;
}

void PlainDies::program_ended(std::size_t d, std::uint32_t frontier) {
  if (timing_.cache_program) return;
  dies_[d].in_register[frontier] = kNone;
  load(d, frontier);
}

std::size_t PlainDies::take_transferred(std::size_t c) {
  const std::size_t work = channels_[c].out.front();
  channels_[c].out.pop_front();
  return work;
}

void PlainDies::load(std::size_t d, std::uint32_t frontier) {
  Die& die = dies_[d];
  if (die.in_register[frontier] != kNone || die.inputs[frontier].empty()) return;
  const std::size_t w = die.inputs[frontier].front();
  PlainWork& work = works_[w];
  if (work.waits > 0 || work.data > now_) return;
  die.inputs[frontier].pop_front();
  die.in_register[frontier] = w;
  work.ready = timing_.cache_program ? transfer(d, program_transfer(work)) : now_;
  if (die.state == State::free) begin(d);
}

Nanoseconds PlainDies::program_transfer(const PlainWork& work) const {
  return times_.program_transfer(work.record.has(WorkRecord::kInRegister) ? 0 : work.record.planes);
}

Nanoseconds PlainDies::transfer(std::size_t d, Nanoseconds length) {
  Nanoseconds& free = channels_[d % channels_.size()].free;
  return free = std::max(free, now_) + length;
}

std::vector<Nanoseconds> PlainDies::ready_of(const Die& die) const {
  std::vector<Nanoseconds> ready(kPrograms + frontiers_, kNever);
  for (int c = 0; c < 2; ++c) {
    if (!die.reads[c].empty()) ready[static_cast<std::size_t>(c)] = works_[die.reads[c].front()].ready;
  }
  if (!die.erases.empty()) ready[kErases] = works_[die.erases.front()].ready;
  for (std::uint32_t f = 0; f < frontiers_; ++f) {
    const std::size_t w = die.in_register[f];
    if (w != kNone && works_[w].start == kNever) ready[kPrograms + f] = works_[w].ready;
  }
  return ready;
}

std::uint32_t PlainDies::relocated_in(const Die& die) const {
  std::uint32_t bits = 0;
  for (std::uint32_t f = 0; f < frontiers_; ++f) {
    const std::size_t w = die.in_register[f];
    if (w != kNone && !works_[w].record.has(WorkRecord::kHostData)) bits |= 1u << f;
  }
  return bits;
}

std::uint32_t PlainDies::planes_of(std::size_t w) const {
  const WorkRecord& record = works_[w].record;
  if (!timing_.independent_plane_reads || record.planes == 0) return 0xff;
  return ((1u << record.planes) - 1) << record.first_plane;
}

void PlainDies::begin(std::size_t d) {
  dies_[d].looked = now_;
  while (begin_next(d)) {
  }
}

std::uint32_t PlainDies::choose(std::size_t d, const std::vector<Nanoseconds>& ready, const DieQueues& queues) {
  Die& die = dies_[d];
  die.until = kNever;
  if (die.held.work != kNone) {
    if (ready[kHostReads] <= now_) return kHostReads;
    if (die.runs.empty()) go_on(d);
    return Choice::kNothing;
  }
  if (ready[queues.oldest] > now_) return Choice::kNothing;
  const Choice choice = policy_->choose(queues);
  die.until = choice.until;
  return choice.flash_class;
}

bool PlainDies::begin_next(std::size_t d) {
  Die& die = dies_[d];
  const std::vector<Nanoseconds> ready = ready_of(die);
  DieQueues queues{};
  queues.die = static_cast<std::uint32_t>(d);
  queues.classes = static_cast<std::uint32_t>(ready.size());
  queues.now = now_;
  queues.ready = ready.data();
  queues.oldest = static_cast<std::uint32_t>(std::min_element(ready.begin(), ready.end()) - ready.begin());
  queues.relocated = relocated_in(die);
  const std::uint32_t next = choose(d, ready, queues);
  if (next == Choice::kNothing) return false;
  if (next <= kInternalReads) return begin_read(d, next, queues);
  if (die.runs.empty()) begin_change(d, next, queues);
  return false;
}

bool PlainDies::begin_read(std::size_t d, std::uint32_t next, const DieQueues& queues) {
  Die& die = dies_[d];
  const std::size_t read = first_free_read(die, next);
  if (read == kNone) return false;
  PlainWork& work = works_[read];
  const Nanoseconds length = times_.read(ftlab::Die{work.record.die}, work.record.page()) * (1 + work.record.repeats) +
                             Nanoseconds{work.record.retry_ns};
  policy_->begins(queues, next, length);
  std::erase(die.reads[next], read);
  work.start = now_;
  die.runs.push_back({read, now_ + length});
  die.busy += length;
  if (!timing_.independent_plane_reads) die.state = State::running;
  return die.state == State::free;
}

void PlainDies::begin_change(std::size_t d, std::uint32_t next, const DieQueues& queues) {
  Die& die = dies_[d];
  const std::size_t w = next == kErases ? die.erases.front() : die.in_register[next - kPrograms];
  PlainWork& work = works_[w];
  const Nanoseconds length = next == kErases
                                 ? times_.erase(ftlab::Die{work.record.die}, SuperblockId{work.record.superblock})
                                 : times_.program(ftlab::Die{work.record.die}, work.record.nand_page,
                                                  SuperblockId{work.record.superblock}, work.record.has(WorkRecord::kSlc));
  policy_->begins(queues, next, length);
  die.state = State::running;
  die.suspends_left = timing_.suspension.most_suspends;
  die.left = length;
  die.work_from = now_;
  work.start = now_;
  if (next == kErases) {
    die.erases.erase(die.erases.begin());
  } else if (!timing_.cache_program) {
    const Nanoseconds transferred = program_transfer(work);
    die.work_from = transfer(d, transferred);
    work.start = die.work_from - transferred;
    die.busy += transferred;
  } else {
    die.in_register[next - kPrograms] = kNone;
  }
  work.done = die.work_from + length;
  die.busy += length;
  die.runs.push_back({w, work.done});
  die.looks = die.work_from > now_ && may_stop(w) && !die.reads[0].empty();
  if (next != kErases && timing_.cache_program) load(d, next - kPrograms);
}

std::size_t PlainDies::first_free_read(const Die& die, std::uint32_t flash_class) const {
  std::uint32_t busy = 0;
  for (const Run& run : die.runs) busy |= planes_of(run.work);
  for (const std::size_t read : die.reads[flash_class]) {
    if ((planes_of(read) & busy) == 0) return read;
    busy |= planes_of(read);
  }
  return kNone;
}

bool PlainDies::may_stop(std::size_t w) const {
  if (!policy_->suspends()) return false;
  const WorkRecord::Kind kind = works_[w].record.kind;
  return kind == WorkRecord::Kind::erase ? timing_.suspension.erase
                                         : kind == WorkRecord::Kind::program && timing_.suspension.program;
}

void PlainDies::stop(std::size_t d) {
  Die& die = dies_[d];
  if (die.runs.empty()) return;  // the last run ends now
  Run& run = die.runs.front();
  if (run.holding || !may_stop(run.work) || die.suspends_left == 0) return;
  if (now_ < die.work_from) {
    die.looks = true;
    return;
  }
  const Nanoseconds left = std::min(die.left, run.end - now_), step = timing_.suspension.step;
  const Nanoseconds more = step.count() == 0 ? Nanoseconds{0} : left - left / step * step;  // to the end of its step
  const Nanoseconds end = now_ + more + timing_.suspension.suspend;
  if (end >= run.end) return;
  die.left = left - more;
  die.busy -= run.end - end;
  --die.suspends_left;
  die.state = State::stopping;
  die.stop_end = end;
}

void PlainDies::go_on(std::size_t d) {
  Die& die = dies_[d];
  Run run = std::exchange(die.held, Run{});
  die.state = State::running;
  die.work_from = now_;
  run.end = now_ + timing_.suspension.resume + die.left;
  die.busy += run.end - now_;
  works_[run.work].done = run.end;
  die.runs = {run};
}

Nanoseconds PlainDies::moment_of(const Die& die) const {
  if (die.state == State::stopping) return die.stop_end;
  Nanoseconds moment = kNever;
  for (const Run& run : die.runs) moment = std::min(moment, run.end);
  if (die.state == State::running && die.looks) moment = std::min(moment, die.work_from);
  if (die.state != State::free) return moment;
  for (const Nanoseconds ready : ready_of(die)) {
    if (ready > die.looked) moment = std::min(moment, ready);
  }
  return std::min(moment, die.until);
}

}  // namespace ftlab
