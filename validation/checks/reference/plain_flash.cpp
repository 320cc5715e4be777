#include "validation/checks/reference/plain_flash.h"

namespace ftlab {

void PlainFlash::accept(std::span<const WorkRecord> records, Nanoseconds now) {
  dies_.set_now(now);
  for (const WorkRecord& record : records) accept(record);
}

void PlainFlash::step() {
  const auto [at, who] = find_next();
  dies_.set_now(at);
  const std::size_t dies = dies_.count();
  if (who < dies) {
    const PlainDies::Run ended = dies_.take_ended(who);
    if (ended.work == kNone) return;
    end(who, ended);
    dies_.begin_if_free(who);
  } else if (who < 2 * dies) {
    serve_from_memory(who - dies);
    dies_.load_all(who - dies);
  } else {
    deliver(dies_.take_transferred(who - 2 * dies));
  }
}

void PlainFlash::await_programmed(std::uint32_t tag) {
  flushes_.push_back({host_programs_, tag});
  report_flushes();
}

void PlainFlash::accept(const WorkRecord& record) {
  switch (record.kind) {
    case WorkRecord::Kind::read: {
      const std::size_t work = works_.add(record);
      works_.ask_for(work);
      for (std::uint32_t i = 0; i < record.span; ++i) await_data(works_.program_of(record.frontier, record.target + i));
      if (record.feeds != kNoSignal) ++feeders_[record.feeds];
      const std::size_t program = works_.newest_open_program(record);
      if (program == kNone) return await_signal(work);
      held_reads_.emplace_back(program, work);
      return serve_from_memory(record.die);
    }
    case WorkRecord::Kind::program: return accept_program(record);
    case WorkRecord::Kind::erase: return accept_erase(record);
    case WorkRecord::Kind::attach:
      if (feeders_.count(record.after) == 0) return;
      for (std::uint32_t i = 0; i < record.span; ++i) await_data(works_.program_of(record.frontier, record.target + i));
      if (record.feeds != kNoSignal) ++feeders_[record.feeds];
      waiters_.push_back({record.after, kNone, record});
      return;
    case WorkRecord::Kind::barrier: {
      const std::vector<std::size_t> open = works_.open_programs();
      if (open.empty()) return;
      ++asked_[record.superblock];
      ordered_.push_back({open, kNone, record.superblock});
      return;
    }
  }
}

void PlainFlash::await_signal(std::size_t read) {
  const Signal after = works_[read].record.after;
  if (after == kNoSignal || feeders_.count(after) == 0) return proceed(read);
  waiters_.push_back({after, read, {}});
}

void PlainFlash::proceed(std::size_t read) {
  PlainWork& work = works_[read];
  if (!work.in_memory) return dies_.join(read);
  work.start = work.done = dies_.now();
  deliver(read);
  const WorkRecord record = works_[read].record;
  for (std::uint32_t i = 0; i < record.span; ++i)
    fulfil(works_.program_of(record.frontier, record.target + i), dies_.now(), true);
}

void PlainFlash::serve_from_memory(std::size_t die) {
  std::vector<std::size_t> there;
  std::erase_if(held_reads_, [&](const auto& held) {
    const PlainWork& program = works_[held.first];
    const WorkRecord& read = works_[held.second].record;
    const bool answered =
        read.die == die && read.has(WorkRecord::kHost) && in_memory(program) && program.data <= dies_.now();
    if (answered) there.push_back(held.second);
    return answered;
  });
  for (const std::size_t read : there) {
    works_[read].in_memory = true;
    await_signal(read);
  }
}

void PlainFlash::accept_program(const WorkRecord& record) {
  const std::size_t w = works_.next_program_of(record.frontier);
  works_.ask_for(w);
  PlainWork& work = works_[w];
  const std::uint32_t number = work.number;
  work.record = record;
  work.asked = true;
  work.data = std::max(work.data, dies_.now());
  if (record.has(WorkRecord::kHostData)) work.class_of_host = ++host_programs_;
  if (number > 0) {
    const std::size_t b = works_.program_of(record.frontier, number - 1);
    PlainWork& before = works_[b];
    PlainWork& self = works_[w];
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
  dies_.queue_program(w);
}

void PlainFlash::accept_erase(const WorkRecord& record) {
  const std::size_t work = works_.add(record);
  works_[work].asked = true;
  works_.ask_for(work);
  ++asked_[record.superblock];
  const std::size_t before = std::exchange(last_erase_, work);
  if (record.has(WorkRecord::kAfterPrevious)) {
    if (before == kNone || works_[before].ended) return dies_.join(work);
    after_erase_.emplace_back(before, work);
    return;
  }
  const std::vector<std::size_t> open = works_.open_programs();
  if (open.empty()) return dies_.join(work);
  ordered_.push_back({open, work, record.superblock});
}

void PlainFlash::fulfil(std::size_t w, Nanoseconds at, bool brings_data) {
  works_[w].data = std::max(works_[w].data, at);
  const auto waits = [w](const auto& held) { return held.first == w; };
  if (brings_data && --works_[w].unread == 0 && std::any_of(held_reads_.begin(), held_reads_.end(), waits))
    serve_from_memory(works_[w].record.die);
  if (--works_[w].waits > 0 || !works_[w].asked) return;
  if (works_[w].feeds_next) {
    works_[w].feeds_next = false;
    fulfil(works_.program_of(works_[w].record.frontier, works_[w].number + 1), works_[w].data, true);
  }
  dies_.load_if_first(w);
}

void PlainFlash::raise(Signal signal, Nanoseconds at) {
  if (--feeders_[signal] > 0) return;
  feeders_.erase(signal);
  std::vector<Waiter> open;
  std::erase_if(waiters_, [&](const Waiter& waiter) {
    if (waiter.signal == signal) open.push_back(waiter);
    return waiter.signal == signal;
  });
  for (const Waiter& waiter : open) {
    if (waiter.read != kNone) {
      proceed(waiter.read);
      continue;
    }
    const WorkRecord& record = waiter.attached;
    for (std::uint32_t i = 0; i < record.span; ++i) fulfil(works_.program_of(record.frontier, record.target + i), at, true);
    if (record.feeds != kNoSignal) raise(record.feeds, at);
  }
}

void PlainFlash::open_superblock(std::uint32_t superblock) {
  const std::uint64_t over = ++over_[superblock];
  std::vector<std::size_t> open;
  std::erase_if(gates_, [&](const Gate& gate) {
    const bool opens = works_[gate.program].record.superblock == superblock && gate.before <= over;
    if (opens) open.push_back(gate.program);
    return opens;
  });
  for (const std::size_t program : open) fulfil(program, dies_.now(), false);
}

void PlainFlash::release_ordered() {
  const auto over = [this](std::size_t program) { return works_[program].ended; };
  while (!ordered_.empty() && std::all_of(ordered_.front().programs.begin(), ordered_.front().programs.end(), over)) {
    const Ordered first = ordered_.front();
    ordered_.pop_front();
    first.erase == kNone ? open_superblock(first.superblock) : dies_.join(first.erase);
  }
}

void PlainFlash::report_flushes() {
  while (!flushes_.empty()) {
    for (const PlainWork& work : works_.all()) {
      if (work.class_of_host > 0 && work.class_of_host <= flushes_.front().first && !work.ended) return;
    }
    reports.push_back({flushes_.front().second, dies_.now()});
    flushes_.pop_front();
  }
}

void PlainFlash::end(std::size_t d, const PlainDies::Run& run) {
  const PlainDies::State before = dies_.set_state(d, PlainDies::State::running);
  if (works_[run.work].record.kind == WorkRecord::Kind::read && !run.holding) {
    send(d, run.work);
    if (dies_.holds_data(d, run.work)) {
      dies_.set_state(d, before);
      return;
    }
  }
  dies_.set_state(d, PlainDies::State::free);
  if (works_[run.work].record.kind == WorkRecord::Kind::program) end_program(d, run.work);
  if (works_[run.work].record.kind == WorkRecord::Kind::erase) end_erase(run.work);
}

void PlainFlash::send(std::size_t d, std::size_t w) {
  const WorkRecord record = works_[w].record;
  const bool waited_for = record.has(WorkRecord::kHost) || record.feeds != kNoSignal;
  const Nanoseconds done = record.has(WorkRecord::kKeepsData) ? dies_.now() : dies_.transfer_read(d, record.bytes);
  works_[w].done = done;
  if (waited_for && record.has(WorkRecord::kKeepsData)) deliver(w);
  if (waited_for && !record.has(WorkRecord::kKeepsData)) dies_.await_transfer(d, w);
  for (std::uint32_t i = 0; i < record.span; ++i) fulfil(works_.program_of(record.frontier, record.target + i), done, true);
}

void PlainFlash::deliver(std::size_t w) {
  const WorkRecord record = works_[w].record;
  if (record.has(WorkRecord::kHost)) reports.push_back({record.target, works_[w].done});
  if (record.feeds != kNoSignal) raise(record.feeds, dies_.now());
}

void PlainFlash::end_program(std::size_t d, std::size_t w) {
  works_[w].ended = true;
  std::vector<std::size_t> released;
  std::erase_if(held_reads_, [&](const auto& held) {
    if (held.first == w) released.push_back(held.second);
    return held.first == w;
  });
  dies_.set_state(d, PlainDies::State::running);  // begins nothing before all simultaneous ends
  for (const std::size_t read : released) await_signal(read);
  dies_.set_state(d, PlainDies::State::free);
  const std::uint32_t frontier = works_[w].record.frontier;
  dies_.program_ended(d, frontier);
  if (works_[w].ends_next) fulfil(works_.program_of(frontier, works_[w].number + 1), dies_.now(), false);
  release_ordered();
  report_flushes();
}

void PlainFlash::end_erase(std::size_t w) {
  works_[w].ended = true;
  for (std::size_t i = 0; i < after_erase_.size(); ++i) {
    if (after_erase_[i].first != w) continue;
    const std::size_t again = after_erase_[i].second;
    after_erase_.erase(after_erase_.begin() + static_cast<std::ptrdiff_t>(i));
    dies_.join(again);
    break;
  }
  open_superblock(works_[w].record.superblock);
}

std::pair<Nanoseconds, std::size_t> PlainFlash::find_next() const {
  std::pair<Nanoseconds, std::size_t> best{kNever, 0};
  const auto offer = [&best](Nanoseconds at, std::size_t who) {
    if (at < best.first) best = {at, who};
  };
  const std::size_t dies = dies_.count();
  for (std::size_t d = 0; d < dies; ++d) offer(dies_.moment_of(d), d);
  for (std::size_t d = 0; d < dies; ++d) offer(dies_.input_moment_of(d), dies + d);
  for (const auto& [program, read] : held_reads_) {
    const PlainWork& work = works_[program];
    if (works_[read].record.has(WorkRecord::kHost) && in_memory(work)) offer(work.data, dies + work.record.die);
  }
  for (std::size_t c = 0; c < dies_.channels(); ++c) offer(dies_.channel_moment_of(c), 2 * dies + c);
  return best;
}

}  // namespace ftlab
