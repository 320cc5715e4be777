// The rules of docs/scheduling.md once more, as plainly as they can be written: lists that are searched from end
// to end, and after each event every moment is found anew. Slow, and of nothing but the rules: what the engine is held
// against.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "models/nand/schedule/policy.h"
#include "models/nand/schedule/work_record.h"
#include "models/nand/timing/operation_times.h"
#include "models/nand/timing/timing.h"

namespace ftlab {

class PlainFlash {
 public:
  // What callers that wait get, in order: reads of the host under their tags, and what was awaited.
  struct Report {
    std::uint32_t tag;
    Nanoseconds at;
    bool operator==(const Report&) const = default;
  };

 private:
  struct Work {
    WorkRecord record;
    std::uint32_t number = 0;  // of a program in its frontier
    std::uint32_t waits = 0, unread = 0;
    std::uint64_t class_of_host = 0;  // place among the programs with data of the host, plus 1
    Nanoseconds data{0}, ready = kNever, start = kNever, done = kNever;
    bool asked = false, ended = false, feeds_next = false, ends_next = false, in_memory = false;
  };

 public:
  PlainFlash(const Geometry& geometry, const NandTiming& timing, std::uint32_t frontiers)
      : times_(geometry, timing, BlockSpeed{}),
        timing_(timing),
        policy_(timing.scheduling.make(geometry.dies())),
        frontiers_(frontiers),
        dies_(geometry.dies()),
        channels_(geometry.channels) {
    for (Die& die : dies_) {
      die.in_register.assign(frontiers, kNobody);
      die.inputs.resize(frontiers);
    }
  }

  void accept(std::span<const WorkRecord> records, Nanoseconds now) {
    now_ = now;
    for (const WorkRecord& record : records) accept(record);
  }
  Nanoseconds next() const { return find_next().first; }
  void step() {
    const auto [at, who] = find_next();
    now_ = at;
    const std::size_t dies = dies_.size();
    if (who < dies) {
      die_event(who);
    } else if (who < 2 * dies) {
      answer_reads(who - dies);
      for (std::uint32_t f = 0; f < frontiers_; ++f) load(who - dies, f);
    } else {
      Channel& channel = channels_[who - 2 * dies];
      const std::size_t work = channel.out.front();
      channel.out.pop_front();
      deliver(work);
    }
  }
  void await_programmed(std::uint32_t tag) {
    flushes_.push_back({host_programs_, tag});
    report_flushes();
  }

  std::vector<Report> reports;
  Nanoseconds die_busy(std::size_t die) const { return dies_[die].busy; }
  // Reads, programs and erases in the order in which they were asked for.
  std::vector<std::pair<Nanoseconds, Nanoseconds>> times() const {
    std::vector<std::pair<Nanoseconds, Nanoseconds>> all;
    for (const std::size_t work : order_) all.emplace_back(works_[work].start, works_[work].done);
    return all;
  }

 private:
  static constexpr std::size_t kNobody = ~std::size_t{0};
  enum class State { free, running, stopping };
  struct Run {
    std::size_t work = kNobody;
    Nanoseconds end{0};
    bool holding = false;  // its data wait for the channel
  };
  struct Die {
    std::vector<std::size_t> reads[2];  // of the host, of the layer; in the order in which they became ready
    std::vector<std::size_t> erases;
    std::vector<std::size_t> in_register;
    std::vector<std::deque<std::size_t>> inputs;
    std::vector<Run> runs;
    State state = State::free;
    Run held;
    Nanoseconds stop_end{0}, left{0}, work_from{0}, until = kNever, busy{0};
    std::uint32_t suspends_left = 0;
    bool looks = false;     // whether a read waits, when the array begins
    Nanoseconds looked{0};  // for something that could begin
  };
  struct Channel {
    Nanoseconds free{0};
    std::deque<std::size_t> out;
  };
  struct Ordered {
    std::vector<std::size_t> programs;  // that must have ended
    std::size_t erase;                  // kNobody: a barrier
    std::uint32_t superblock;
  };
  struct Gate {
    std::size_t program;
    std::uint64_t before;  // erases and barriers of its superblock, of those ever asked for
  };

  struct Waiter {
    Signal signal;
    std::size_t read;  // kNobody: what is attached
    WorkRecord attached;
  };

  std::size_t add(const WorkRecord& record) {
    works_.push_back({});
    works_.back().record = record;
    return works_.size() - 1;
  }
  std::size_t program_of(std::uint32_t frontier, std::uint32_t number) {
    const auto key = std::pair(frontier, number);
    const auto found = programs_.find(key);
    if (found != programs_.end()) return found->second;
    const std::size_t work = add({});
    works_[work].number = number;
    return programs_[key] = work;
  }

  void accept(const WorkRecord& record) {
    switch (record.kind) {
      case WorkRecord::Kind::read: {
        const std::size_t work = add(record);
        order_.push_back(work);
        for (std::uint32_t i = 0; i < record.span; ++i) await_data(program_of(record.frontier, record.target + i));
        if (record.feeds != kNoSignal) ++feeders_[record.feeds];
        const std::size_t program = newest_open_program(record);
        if (program == kNobody) return await_signal(work);
        held_reads_.emplace_back(program, work);
        return answer_reads(record.die);
      }
      case WorkRecord::Kind::program: return accept_program(record);
      case WorkRecord::Kind::erase: return accept_erase(record);
      case WorkRecord::Kind::attach:
        if (feeders_.count(record.after) == 0) return;
        for (std::uint32_t i = 0; i < record.span; ++i) await_data(program_of(record.frontier, record.target + i));
        if (record.feeds != kNoSignal) ++feeders_[record.feeds];
        waiters_.push_back({record.after, kNobody, record});
        return;
      case WorkRecord::Kind::barrier: {
        const std::vector<std::size_t> open = open_programs();
        if (open.empty()) return;
        ++asked_[record.superblock];
        ordered_.push_back({open, kNobody, record.superblock});
        return;
      }
    }
  }

  void await_signal(std::size_t read) {
    const Signal after = works_[read].record.after;
    if (after == kNoSignal || feeders_.count(after) == 0) return proceed(read);
    waiters_.push_back({after, read, {}});
  }
  void proceed(std::size_t read) {
    Work& work = works_[read];
    if (!work.in_memory) return join(read);
    work.start = work.done = now_;
    deliver(read);
    const WorkRecord record = works_[read].record;
    for (std::uint32_t i = 0; i < record.span; ++i) fulfil(program_of(record.frontier, record.target + i), now_, true);
  }
  void await_data(std::size_t program) { ++works_[program].waits, ++works_[program].unread; }
  bool in_memory(const Work& program) const { return program.unread == 0 && !program.record.has(WorkRecord::kInRegister); }
  void answer_reads(std::size_t die) {
    std::vector<std::size_t> there;
    std::erase_if(held_reads_, [&](const auto& held) {
      const Work& program = works_[held.first];
      const WorkRecord& read = works_[held.second].record;
      const bool answered = read.die == die && read.has(WorkRecord::kHost) && in_memory(program) && program.data <= now_;
      if (answered) there.push_back(held.second);
      return answered;
    });
    for (const std::size_t read : there) {
      works_[read].in_memory = true;
      await_signal(read);
    }
  }
  // Of the page that the read is of, since the last erase of its superblock was asked for.
  std::size_t newest_open_program(const WorkRecord& read) const {
    for (auto w = order_.rbegin(); w != order_.rend(); ++w) {
      const Work& work = works_[*w];
      if (work.record.kind == WorkRecord::Kind::erase && work.record.superblock == read.superblock) return kNobody;
      const bool open = work.asked && work.record.kind == WorkRecord::Kind::program && !work.ended;
      if (open && work.record.die == read.die && work.record.superblock == read.superblock &&
          work.record.nand_page == read.nand_page)
        return *w;
    }
    return kNobody;
  }
  std::vector<std::size_t> open_programs() const {
    std::vector<std::size_t> open;
    for (std::size_t w = 0; w < works_.size(); ++w) {
      const Work& work = works_[w];
      if (work.asked && work.record.kind == WorkRecord::Kind::program && !work.ended) open.push_back(w);
    }
    return open;
  }

  void accept_program(const WorkRecord& record) {
    const std::uint32_t number = next_number_[record.frontier]++;
    const std::size_t w = program_of(record.frontier, number);
    order_.push_back(w);
    Work& work = works_[w];
    work.record = record;
    work.asked = true;
    work.data = std::max(work.data, now_);
    if (record.has(WorkRecord::kHostData)) work.class_of_host = ++host_programs_;
    if (number > 0) {
      const std::size_t b = program_of(record.frontier, number - 1);
      Work& before = works_[b];
      Work& self = works_[w];
      if (!before.ended && record.has(WorkRecord::kWithPrevious)) {
        self.data = std::max(self.data, before.data);
        if (before.waits > 0) before.feeds_next = true, ++self.waits, ++self.unread;
      }
      if (!before.ended && record.has(WorkRecord::kAfterPrevious)) before.ends_next = true, ++self.waits;
    }
    if (asked_[record.superblock] > over_[record.superblock]) {
      ++works_[w].waits;
      gates_.push_back({w, asked_[record.superblock]});
    }
    Die& die = dies_[record.die];
    die.inputs[record.frontier].push_back(w);
    load(record.die, record.frontier);
  }

  void accept_erase(const WorkRecord& record) {
    const std::size_t work = add(record);
    works_[work].asked = true;
    order_.push_back(work);
    ++asked_[record.superblock];
    const std::size_t before = std::exchange(last_erase_, work);
    if (record.has(WorkRecord::kAfterPrevious)) {
      if (before == kNobody || works_[before].ended) return join(work);
      after_erase_.emplace_back(before, work);
      return;
    }
    const std::vector<std::size_t> open = open_programs();
    if (open.empty()) return join(work);
    ordered_.push_back({open, work, record.superblock});
  }

  // --- what waits ---
  void fulfil(std::size_t w, Nanoseconds at, bool brings_data) {
    works_[w].data = std::max(works_[w].data, at);
    const auto waits = [w](const auto& held) { return held.first == w; };
    if (brings_data && --works_[w].unread == 0 && std::any_of(held_reads_.begin(), held_reads_.end(), waits))
      answer_reads(works_[w].record.die);
    if (--works_[w].waits > 0 || !works_[w].asked) return;
    const std::uint32_t frontier = works_[w].record.frontier, die = works_[w].record.die;
    if (works_[w].feeds_next) {
      works_[w].feeds_next = false;
      fulfil(program_of(frontier, works_[w].number + 1), works_[w].data, true);
    }
    const std::deque<std::size_t>& input = dies_[die].inputs[frontier];
    if (!input.empty() && input.front() == w) load(die, frontier);
  }
  void raise(Signal signal, Nanoseconds at) {
    if (--feeders_[signal] > 0) return;
    feeders_.erase(signal);
    std::vector<Waiter> open;
    std::erase_if(waiters_, [&](const Waiter& waiter) {
      if (waiter.signal == signal) open.push_back(waiter);
      return waiter.signal == signal;
    });
    for (const Waiter& waiter : open) {
      if (waiter.read != kNobody) {
        proceed(waiter.read);
        continue;
      }
      const WorkRecord& record = waiter.attached;
      for (std::uint32_t i = 0; i < record.span; ++i) fulfil(program_of(record.frontier, record.target + i), at, true);
      if (record.feeds != kNoSignal) raise(record.feeds, at);
    }
  }
  void open_superblock(std::uint32_t superblock) {
    const std::uint64_t over = ++over_[superblock];
    std::vector<std::size_t> open;
    std::erase_if(gates_, [&](const Gate& gate) {
      const bool opens = works_[gate.program].record.superblock == superblock && gate.before <= over;
      if (opens) open.push_back(gate.program);
      return opens;
    });
    for (const std::size_t program : open) fulfil(program, now_, false);
  }
  void release_ordered() {
    const auto over = [this](std::size_t program) { return works_[program].ended; };
    while (!ordered_.empty() && std::all_of(ordered_.front().programs.begin(), ordered_.front().programs.end(), over)) {
      const Ordered first = ordered_.front();
      ordered_.pop_front();
      first.erase == kNobody ? open_superblock(first.superblock) : join(first.erase);
    }
  }
  void report_flushes() {
    while (!flushes_.empty()) {
      for (const Work& work : works_) {
        if (work.class_of_host > 0 && work.class_of_host <= flushes_.front().first && !work.ended) return;
      }
      reports.push_back({flushes_.front().second, now_});
      flushes_.pop_front();
    }
  }

  // --- a die ---
  void join(std::size_t w) {
    Work& work = works_[w];
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
  void load(std::size_t d, std::uint32_t frontier) {
    Die& die = dies_[d];
    if (die.in_register[frontier] != kNobody || die.inputs[frontier].empty()) return;
    const std::size_t w = die.inputs[frontier].front();
    Work& work = works_[w];
    if (work.waits > 0 || work.data > now_) return;
    die.inputs[frontier].pop_front();
    die.in_register[frontier] = w;
    work.ready = timing_.cache_program ? transfer(d, program_transfer(work)) : now_;
    if (die.state == State::free) begin(d);
  }
  Nanoseconds program_transfer(const Work& work) const {
    return times_.program_transfer(work.record.has(WorkRecord::kInRegister) ? 0 : work.record.planes);
  }
  // Returns when it is over.
  Nanoseconds transfer(std::size_t d, Nanoseconds length) {
    Nanoseconds& free = channels_[d % channels_.size()].free;
    return free = std::max(free, now_) + length;
  }

  std::vector<Nanoseconds> ready_of(const Die& die) const {
    std::vector<Nanoseconds> ready(kPrograms + frontiers_, kNever);
    for (int c = 0; c < 2; ++c) {
      if (!die.reads[c].empty()) ready[static_cast<std::size_t>(c)] = works_[die.reads[c].front()].ready;
    }
    if (!die.erases.empty()) ready[kErases] = works_[die.erases.front()].ready;
    for (std::uint32_t f = 0; f < frontiers_; ++f) {
      const std::size_t w = die.in_register[f];
      if (w != kNobody && works_[w].start == kNever) ready[kPrograms + f] = works_[w].ready;
    }
    return ready;
  }
  std::uint32_t relocated_in(const Die& die) const {
    std::uint32_t bits = 0;
    for (std::uint32_t f = 0; f < frontiers_; ++f) {
      const std::size_t w = die.in_register[f];
      if (w != kNobody && !works_[w].record.has(WorkRecord::kHostData)) bits |= 1u << f;
    }
    return bits;
  }
  std::uint32_t planes_of(std::size_t w) const {
    const WorkRecord& record = works_[w].record;
    if (!timing_.independent_plane_reads || record.planes == 0) return 0xff;
    return ((1u << record.planes) - 1) << record.first_plane;
  }

  void begin(std::size_t d) {
    Die& die = dies_[d];
    die.looked = now_;
    for (;;) {
      const std::vector<Nanoseconds> ready = ready_of(die);
      DieQueues queues{};
      queues.die = static_cast<std::uint32_t>(d);
      queues.classes = static_cast<std::uint32_t>(ready.size());
      queues.now = now_;
      queues.ready = ready.data();
      queues.oldest = static_cast<std::uint32_t>(std::min_element(ready.begin(), ready.end()) - ready.begin());
      queues.relocated = relocated_in(die);
      die.until = kNever;
      std::uint32_t next = Choice::kNothing;
      if (die.held.work != kNobody) {
        if (ready[kHostReads] <= now_) {
          next = kHostReads;
        } else {
          if (die.runs.empty()) go_on(d);
          return;
        }
      } else if (ready[queues.oldest] <= now_) {
        const Choice choice = policy_->choose(queues);
        next = choice.flash_class;
        die.until = choice.until;
      }
      if (next == Choice::kNothing) return;
      if (next <= kInternalReads) {
        const std::size_t read = first_free_read(die, next);
        if (read == kNobody) return;
        Work& work = works_[read];
        const Nanoseconds length = times_.read(ftlab::Die{work.record.die}, work.record.page()) * (1 + work.record.repeats) +
                                   Nanoseconds{work.record.retry_ns};
        policy_->begins(queues, next, length);
        std::erase(die.reads[next], read);
        work.start = now_;
        die.runs.push_back({read, now_ + length});
        die.busy += length;
        if (!timing_.independent_plane_reads) die.state = State::running;
        if (die.state != State::free) return;
        continue;
      }
      if (!die.runs.empty()) return;
      const std::size_t w = next == kErases ? die.erases.front() : die.in_register[next - kPrograms];
      Work& work = works_[w];
      const Nanoseconds length =
          next == kErases ? times_.erase(ftlab::Die{work.record.die}, SuperblockId{work.record.superblock})
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
        die.in_register[next - kPrograms] = kNobody;
      }
      work.done = die.work_from + length;
      die.busy += length;
      die.runs.push_back({w, work.done});
      die.looks = die.work_from > now_ && may_stop(w) && !die.reads[0].empty();
      if (next != kErases && timing_.cache_program) load(d, next - kPrograms);
      return;
    }
  }
  // Of the class, one whose planes neither something that runs nor an earlier one of the class wants.
  std::size_t first_free_read(const Die& die, std::uint32_t flash_class) const {
    std::uint32_t busy = 0;
    for (const Run& run : die.runs) busy |= planes_of(run.work);
    for (const std::size_t read : die.reads[flash_class]) {
      if ((planes_of(read) & busy) == 0) return read;
      busy |= planes_of(read);
    }
    return kNobody;
  }

  bool may_stop(std::size_t w) const {
    if (!policy_->suspends()) return false;
    const WorkRecord::Kind kind = works_[w].record.kind;
    return kind == WorkRecord::Kind::erase ? timing_.suspension.erase
                                           : kind == WorkRecord::Kind::program && timing_.suspension.program;
  }
  void stop(std::size_t d) {
    Die& die = dies_[d];
    if (die.runs.empty()) return;  // what ran ends at this moment
    Run& run = die.runs.front();
    if (run.holding || !may_stop(run.work) || die.suspends_left == 0) return;
    if (now_ < die.work_from) {
      die.looks = true;
      return;
    }
    const Nanoseconds end = now_ + timing_.suspension.suspend;
    if (end >= run.end) return;
    die.left = std::min(die.left, run.end - now_);
    die.busy -= run.end - end;
    --die.suspends_left;
    die.state = State::stopping;
    die.stop_end = end;
  }
  void go_on(std::size_t d) {
    Die& die = dies_[d];
    Run run = std::exchange(die.held, Run{});
    die.state = State::running;
    die.work_from = now_;
    run.end = now_ + timing_.suspension.resume + die.left;
    die.busy += run.end - now_;
    works_[run.work].done = run.end;
    die.runs = {run};
  }

  void die_event(std::size_t d) {
    Die& die = dies_[d];
    if (die.state == State::stopping) {
      die.held = die.runs.front();
      die.runs.clear();
      die.state = State::free;
      return begin(d);
    }
    if (die.looks && die.work_from == now_ && !die.runs.empty() && die.runs.front().end > now_) {
      die.looks = false;
      return stop(d);
    }
    for (std::size_t i = 0; i < die.runs.size(); ++i) {
      if (die.runs[i].end != now_) continue;
      const Run over = die.runs[i];
      die.runs[i] = die.runs.back();  // of those that end together, in the order that taking one out leaves
      die.runs.pop_back();
      end(d, over);
      break;
    }
    if (die.state == State::free) begin(d);
  }
  void end(std::size_t d, Run run) {
    Die& die = dies_[d];
    const State before = std::exchange(die.state, State::running);
    if (works_[run.work].record.kind == WorkRecord::Kind::read && !run.holding) {
      send(d, run.work);
      if (!timing_.cache_read && works_[run.work].done > now_) {
        die.state = before;
        die.busy += works_[run.work].done - now_;
        die.runs.push_back({run.work, works_[run.work].done, true});
        return;
      }
    }
    die.state = State::free;
    if (works_[run.work].record.kind == WorkRecord::Kind::program) end_program(d, run.work);
    if (works_[run.work].record.kind == WorkRecord::Kind::erase) end_erase(run.work);
  }
  void send(std::size_t d, std::size_t w) {
    const WorkRecord record = works_[w].record;
    const bool waited_for = record.has(WorkRecord::kHost) || record.feeds != kNoSignal;
    const Nanoseconds done = record.has(WorkRecord::kKeepsData) ? now_ : transfer(d, times_.read_transfer(record.bytes));
    works_[w].done = done;
    if (waited_for && record.has(WorkRecord::kKeepsData)) deliver(w);
    if (waited_for && !record.has(WorkRecord::kKeepsData)) channels_[d % channels_.size()].out.push_back(w);
    for (std::uint32_t i = 0; i < record.span; ++i) fulfil(program_of(record.frontier, record.target + i), done, true);
  }
  void deliver(std::size_t w) {
    const WorkRecord record = works_[w].record;
    if (record.has(WorkRecord::kHost)) reports.push_back({record.target, works_[w].done});
    if (record.feeds != kNoSignal) raise(record.feeds, now_);
  }
  void end_program(std::size_t d, std::size_t w) {
    works_[w].ended = true;
    std::vector<std::size_t> released;
    std::erase_if(held_reads_, [&](const auto& held) {
      if (held.first == w) released.push_back(held.second);
      return held.first == w;
    });
    dies_[d].state = State::running;  // nothing begins before all that ends is over
    for (const std::size_t read : released) await_signal(read);
    dies_[d].state = State::free;
    const std::uint32_t frontier = works_[w].record.frontier;
    if (!timing_.cache_program) {
      dies_[d].in_register[frontier] = kNobody;
      load(d, frontier);
    }
    if (works_[w].ends_next) fulfil(program_of(frontier, works_[w].number + 1), now_, false);
    release_ordered();
    report_flushes();
  }
  void end_erase(std::size_t w) {
    works_[w].ended = true;
    for (std::size_t i = 0; i < after_erase_.size(); ++i) {
      if (after_erase_[i].first != w) continue;
      const std::size_t again = after_erase_[i].second;
      after_erase_.erase(after_erase_.begin() + static_cast<std::ptrdiff_t>(i));
      join(again);
      break;
    }
    open_superblock(works_[w].record.superblock);
  }

  // The earliest moment, and whose it is: a die's, a die's input's or a channel's.
  std::pair<Nanoseconds, std::size_t> find_next() const {
    std::pair<Nanoseconds, std::size_t> best{kNever, 0};
    const auto offer = [&best](Nanoseconds at, std::size_t who) {
      if (at < best.first) best = {at, who};
    };
    for (std::size_t d = 0; d < dies_.size(); ++d) offer(moment_of(dies_[d]), d);
    for (std::size_t d = 0; d < dies_.size(); ++d) {
      for (std::uint32_t f = 0; f < frontiers_; ++f) {
        const Die& die = dies_[d];
        if (die.in_register[f] != kNobody || die.inputs[f].empty()) continue;
        const Work& work = works_[die.inputs[f].front()];
        if (work.waits == 0) offer(work.data, dies_.size() + d);
      }
    }
    for (const auto& [program, read] : held_reads_) {
      const Work& work = works_[program];
      if (works_[read].record.has(WorkRecord::kHost) && in_memory(work)) offer(work.data, dies_.size() + work.record.die);
    }
    for (std::size_t c = 0; c < channels_.size(); ++c) {
      if (!channels_[c].out.empty()) offer(works_[channels_[c].out.front()].done, 2 * dies_.size() + c);
    }
    return best;
  }
  Nanoseconds moment_of(const Die& die) const {
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

  OperationTimes times_;
  NandTiming timing_;
  std::unique_ptr<SchedulingPolicy> policy_;
  std::uint32_t frontiers_;
  Nanoseconds now_{0};
  std::vector<Die> dies_;
  std::vector<Channel> channels_;
  std::vector<Work> works_;
  std::vector<std::size_t> order_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> programs_;
  std::map<std::uint32_t, std::uint32_t> next_number_;
  std::map<Signal, std::uint32_t> feeders_;
  std::vector<Waiter> waiters_;
  std::map<std::uint32_t, std::uint64_t> asked_, over_;  // erases and barriers by superblock
  std::vector<Gate> gates_;
  std::deque<Ordered> ordered_;
  std::size_t last_erase_ = kNobody;
  std::vector<std::pair<std::size_t, std::size_t>> after_erase_;
  std::vector<std::pair<std::size_t, std::size_t>> held_reads_;  // program of its page, read
  std::uint64_t host_programs_ = 0;
  std::deque<std::pair<std::uint64_t, std::uint32_t>> flushes_;
};

}  // namespace ftlab
