// What each command of the host does: its way through controller, translation layer, flash and link.
#include <algorithm>

#include "ftl/drive.h"
#include "ftl/page_walk.h"

namespace ftlab {

void Drive::submit(std::span<const Request> batch) {
  const bool in_turn = timed_ && queues_.limit();
  for (const Request& request : batch) {
    if (in_turn) [[unlikely]] {
      let_in(request.issued);
      queues_.add(request);
      begin_waiting(request.issued);
    } else {
      begin(request, request.issued);
    }
  }
}

void Drive::begin(const Request& request, Nanoseconds entered) {
  const std::uint32_t place = outstanding_.add();
  carry_out(request, entered, outstanding_.at(place));
  if (contents_ != nullptr) [[unlikely]]
    tell_renumbering();
  if (timed_) {
    outstanding_.complete(place);
  } else {
    outstanding_.complete_at_once(place);
  }
  if (timed_ && queues_.limit()) [[unlikely]]
    queues_.completes(request, outstanding_.at(place).completed);
}

void Drive::begin_waiting(Nanoseconds now) {
  Request request;
  while (queues_.next(request)) begin(request, now);
}

// Commands that wait in the host begin as places become free, in order of time.
void Drive::let_in(Nanoseconds until) {
  while (queues_.next_place() <= until) {
    const Nanoseconds now = queues_.next_place();
    if (now == kNever) return;
    queues_.free_place();
    begin_waiting(now);
  }
}

std::size_t Drive::wait(Nanoseconds until, std::span<Completion> out) {
  if (!timed_) return outstanding_.take_at_once(out);
  if (queues_.limit()) let_in(outstanding_.none_timed() ? until : std::min(until, outstanding_.earliest()));
  return outstanding_.wait(until, out);
}

// `entered`: when the drive has a place for the command.
void Drive::carry_out(const Request& request, Nanoseconds entered, Completion& done) {
  done = {request.tag, entered, Status::ok, {}};
  charge(done, LatencyPart::queue_wait, request.issued, entered);
  const std::uint64_t end = request.offset_bytes + request.length_bytes;
  const bool sectors = request.offset_bytes % kSectorBytes == 0 && request.length_bytes % kSectorBytes == 0;
  if (!sectors || end > config_.user_bytes || end < request.offset_bytes) {
    done.status = Status::invalid;
    return;
  }
  if (timed_ && config_.ftl.gc.idle_after > Nanoseconds{0}) notice_idle_time(entered);
  if (config_.ftl.refresh.on()) look_after_cells(entered);
  Nanoseconds now = std::max(entered, not_before_);
  charge(done, LatencyPart::controller_wait, entered, now);
  if (config_.power && timed_) [[unlikely]]
    now = wake(now, done);
  Nanoseconds worked{0};
  if (timed_) now = accept(request, now, done, worked);
  switch (request.op) {
    case Op::read: read(request, now, done); break;
    case Op::write: write(request, now, done); break;
    case Op::trim: trim(request, now, done); break;
    case Op::flush: flush(now, done); break;
  }
  if (worked > done.completed) [[unlikely]] {
    charge(done, LatencyPart::controller, done.completed, worked);
    done.completed = worked;
  }
  const bool through = request.fua || (request.op == Op::write && !config_.ftl.buffer.write_back);
  if (through && done.status == Status::ok) force_to_flash(done);
  if (details_ && timed_) [[unlikely]]
    answer(done);
  last_completion_ = std::max(last_completion_, done.completed);
  if (config_.power) [[unlikely]]
    activity_.add(request.issued, done.completed);
}

// A request that finds the drive asleep waits until it is awake.
Nanoseconds Drive::wake(Nanoseconds now, Completion& done) const {
  if (!activity_.asleep_at(done.completed)) return now;
  const Nanoseconds awake = std::max(now, done.completed + config_.power->sleep->wake);
  charge(done, LatencyPart::controller_wait, now, awake);
  return awake;
}

// What passes before the command is carried out.
Nanoseconds Drive::accept(const Request& request, Nanoseconds now, Completion& done, Nanoseconds& worked) {
  if (details_) [[unlikely]]
    return accept_in_detail(request, now, done, worked);
  return work(now, request.op == Op::read ? config_.controller.read_command : config_.controller.write_command, done);
}

Nanoseconds Drive::accept_in_detail(const Request& request, Nanoseconds now, Completion& done, Nanoseconds& worked) {
  const ControllerConfig& controller = config_.controller;
  const bool reads = request.op == Op::read;
  charge(done, LatencyPart::link, now, now + config_.link.submit);
  now += config_.link.submit;
  Nanoseconds own = reads ? controller.read_command : controller.write_command;
  const Nanoseconds page = reads ? controller.read_page : request.op == Op::write ? controller.write_page : Nanoseconds{0};
  if (page > Nanoseconds{0}) own += page * PageWalk(request, config_.ftl.mapping_bytes).pages();
  if (deduplication_ && request.op == Op::write) own += look_up_contents(request);
  Nanoseconds behind{0};  // what pages without data take after the first one: done while that is on the line, see read()
  if (reads && controller.read_unmapped_page > Nanoseconds{0}) {
    const std::uint64_t pages = unmapped_pages(request);
    own += controller.read_unmapped_page * pages;
    if (pages > 1 && !config_.ftl.compression.on()) behind = controller.read_unmapped_page * (pages - 1);
  }
  const Nanoseconds search = reads && map_search_.costs() ? search_map(request) : Nanoseconds{0};
  const bool beside = controller.write_pages_beside_data && request.op == Op::write;
  now = beside ? work_beside_data(now, own, done, worked) : work(now, own + search, done);
  charge(done, LatencyPart::mapping, now - search, now);  // the last part of the work
  done.parts[static_cast<std::size_t>(LatencyPart::controller)] -= search + behind;
  now -= behind;
  const Nanoseconds latency = reads ? controller.read_latency : controller.write_latency;
  charge(done, LatencyPart::controller, now, now + latency);
  return now + latency;
}

std::uint64_t Drive::unmapped_pages(const Request& request) const {
  std::uint64_t pages = 0;
  for (PageWalk walk(request, config_.ftl.mapping_bytes); walk.more(); walk.step()) {
    pages += ftl_->find(walk.lpn()).where == Ftl::Found::Where::unmapped;
  }
  return pages;
}

Nanoseconds Drive::search_map(const Request& request) {
  const PageMap& map = ftl_->store().map();
  Nanoseconds time{0};
  for (PageWalk walk(request, config_.ftl.mapping_bytes); walk.more(); walk.step()) {
    time += map_search_.cost(walk.lpn(), map.find(walk.lpn()), map.extents());
  }
  return time;
}

// Of each page that the request writes whole.
Nanoseconds Drive::look_up_contents(const Request& request) const {
  const std::uint64_t page = config_.ftl.mapping_bytes;
  const std::uint64_t first = (request.offset_bytes + page - 1) / page;
  const std::uint64_t end = (request.offset_bytes + request.length_bytes) / page;
  return config_.ftl.deduplication.look_up * (end > first ? end - first : 0);
}

void Drive::answer(Completion& done) {
  charge(done, LatencyPart::link, done.completed, done.completed + config_.link.complete);
  done.completed += config_.link.complete;
}

Nanoseconds Drive::work(Nanoseconds now, Nanoseconds length, Completion& done) {
  const Controller::Times times = controller_.work(now, length);
  charge(done, LatencyPart::controller_wait, now, times.start);
  charge(done, LatencyPart::controller, times.start, times.done);
  return times.done;
}

// The core is kept for `length`; the data may come once the command itself is understood.
Nanoseconds Drive::work_beside_data(Nanoseconds now, Nanoseconds length, Completion& done, Nanoseconds& worked) {
  const Controller::Times times = controller_.work(now, length);
  const Nanoseconds understood = times.start + std::min(length, config_.controller.write_command);
  charge(done, LatencyPart::controller_wait, now, times.start);
  charge(done, LatencyPart::controller, times.start, understood);
  worked = times.done;
  return understood;
}

// What is in RAM is as good as in the flash; not at the end of life, when there may be no place for it.
bool Drive::outlives_power() const { return config_.ftl.buffer.power_loss_protected && !ftl_->read_only(); }

// A write with forced unit access is complete when its data are in the flash; all that waits in RAM goes with it.
void Drive::force_to_flash(Completion& done) {
  if (outlives_power()) return;
  set_date(done.completed);
  ftl_->flush();
  execute(done.completed);
  const Nanoseconds programmed = std::max(done.completed, executor_->all_in_flash());
  if (ftl_->read_only() && !ftl_->all_in_flash()) done.status = Status::read_only;
  charge(done, LatencyPart::die, done.completed, programmed);
  done.completed = std::max(done.completed, programmed);
}

// Step after step, as far ahead of the flash as one program on each die, until the time is over or nothing is left.
template <class NextStep>
void Drive::work_ahead(Nanoseconds from, Nanoseconds until, NextStep&& next_step) {
  std::vector<Nanoseconds> in_flight(medium_.layout().dies_per_superblock(), from);  // ends of programs, oldest first
  std::size_t oldest = 0;
  while (in_flight[oldest] < until) {
    const Relocation::Step step = next_step();
    execute(in_flight[oldest]);
    if (!step.worked) return;
    if (step.pages == 0) continue;
    in_flight[oldest] = std::max(from, executor_->programmed());
    oldest = (oldest + 1) % in_flight.size();
  }
}

// Scans of the cells that are due by `now`; what they find is written anew at once where the host was silent then,
// otherwise a few pages with each request.
void Drive::look_after_cells(Nanoseconds now) {
  if (ftl_->read_only()) return;
  while (scans_.is_due(now)) {
    scans_.skip(now, [this](Nanoseconds scan) {
      set_date(scan);
      return !ftl_->scan_would_find();
    });
    if (!scans_.is_due(now)) break;
    const Nanoseconds scan = scans_.next();
    set_date(scan);
    ftl_->scan_cells();
    execute(scan);
    scans_.scanned();
    for (std::uint32_t pool = 0; pool < ftl_->pools(); ++pool) {
      if (scan >= last_completion_ && ftl_->waits_for_refresh(pool))
        work_ahead(scan, now, [this, pool] { return ftl_->refresh_step(pool); });
    }
  }
  set_date(now);
  ftl_->refresh_some();
  execute(now);
}

void Drive::notice_idle_time(Nanoseconds now) {
  const Nanoseconds begin = last_completion_ + config_.ftl.gc.idle_after;
  if (begin >= now || ftl_->read_only()) return;
  set_date(begin);
  ftl_->begin_idle_time();
  execute(begin);
  for (std::uint32_t pool = 0; pool < ftl_->pools(); ++pool)
    work_ahead(begin, now, [this, pool] { return ftl_->idle_step(pool); });
  ftl_->end_idle_time();
  execute(begin);
}

void Drive::write(const Request& request, Nanoseconds now, Completion& done) {
  Nanoseconds command = link_.config().write_command;
  Nanoseconds stored = now;
  Controller::Times fingerprint{};  // of the last page
  for (PageWalk walk(request, config_.ftl.mapping_bytes); walk.more(); walk.step()) {
    WriteHints hints{request.stream, static_cast<std::uint16_t>(request.content.stored_thousandths)};
    const Nanoseconds room = timed_ ? executor_->room_at(now, ftl_->places_of(hints)) : now;
    const Link::Times moved = link_.to_drive(room, command, walk.bytes());
    charge(done, LatencyPart::buffer_wait, now, room);
    charge(done, LatencyPart::link_wait, room, moved.start);
    charge(done, LatencyPart::link, moved.start, moved.done);
    now = moved.done;
    stored = std::max(stored, store(now, walk.bytes()));
    Nanoseconds known = stored;
    if (deduplication_) [[unlikely]]
      known = make_fingerprint(request, walk, stored, hints, fingerprint);
    if (read_ahead_) read_ahead_->forget({number(walk.lpn()), number(walk.lpn()) + 1});
    command = Nanoseconds{0};
    const std::uint32_t first = walk.first_byte();
    set_date(room);
    const bool written = ftl_->write(walk.lpn(), first, first + walk.bytes(), hints);
    execute(room, known);
    if (written) {
      host_.host_write_bytes += walk.bytes();
    } else {
      done.status = Status::read_only;
      tell_refusal(request, walk.offset);
      break;
    }
  }
  charge(done, LatencyPart::dram, now, stored);
  done.completed = std::max(now, stored);
  if (deduplication_) [[unlikely]]
    wait_for_fingerprints(fingerprint, done);
}

// Of a page that is written whole, as soon as its data are in RAM; of any other one nothing is known. `made`: by the engine.
Nanoseconds Drive::make_fingerprint(const Request& request, const PageWalk& walk, Nanoseconds ready, WriteHints& hints,
                                    Controller::Times& made) {
  if (walk.bytes() < config_.ftl.mapping_bytes) return ready;
  hints.fingerprint = {request.content.id, (walk.offset - request.offset_bytes) / kSectorBytes};
  const Nanoseconds length = config_.ftl.deduplication.fingerprint;
  if (!timed_ || length == Nanoseconds{0}) return ready;
  made.start = fingerprinting_.reserve(ready, length);
  made.done = made.start + length;
  return made.done;
}

void Drive::wait_for_fingerprints(const Controller::Times& made, Completion& done) {
  charge(done, LatencyPart::controller_wait, done.completed, made.start);
  charge(done, LatencyPart::controller, std::max(done.completed, made.start), made.done);
  done.completed = std::max(done.completed, made.done);
}

// Data of the host are in the controller's memory when they have crossed its port; on their way to the flash they cross it
// once more, which keeps the port, but nobody waiting.
Nanoseconds Drive::store(Nanoseconds now, std::uint64_t bytes) {
  if (!timed_ || !dram_.limits()) return now;
  const Nanoseconds stored = dram_.cross(now, bytes, 1);
  dram_.cross(stored, bytes, 1);
  return stored;
}

// Whole pieces of the trim's granularity inside the range are unmapped; parts at its edges keep their content. A trim that
// is not queued waits for all that is under way, and holds back what comes later.
void Drive::trim(const Request& request, Nanoseconds now, Completion& done) {
  if (ftl_->read_only()) {
    done.status = Status::read_only;
    done.completed = now;
    tell_refusal(request, request.offset_bytes);
    return;
  }
  host_.host_trim_bytes += request.length_bytes;
  const TrimConfig& config = config_.ftl.trim;
  if (!config.queued && last_completion_ > now) {
    charge(done, LatencyPart::controller_wait, now, last_completion_);
    now = last_completion_;
  }
  const std::uint64_t page = config_.ftl.mapping_bytes;
  const std::uint64_t piece = std::max<std::uint64_t>(config.granularity_bytes, page);
  const std::uint64_t first = (request.offset_bytes + piece - 1) / piece * (piece / page);
  const std::uint64_t end = (request.offset_bytes + request.length_bytes) / piece * (piece / page);
  const auto pages = static_cast<std::uint32_t>(end > first ? end - first : 0);
  if (read_ahead_) read_ahead_->forget({static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(first) + pages});
  set_date(now);
  const Signal mapped = ftl_->trim(Lpn{static_cast<std::uint32_t>(first)}, pages);
  execute(now);
  const Nanoseconds known = executor_->raised(mapped, now);
  charge(done, LatencyPart::mapping, now, known);
  now = known;
  if (timed_ && pages > 0) now = work(now, config_.controller.trim_page * pages, done);
  const Link::Times moved = link_.to_drive(now, link_.config().write_command, 0);
  charge(done, LatencyPart::link_wait, now, moved.start);
  charge(done, LatencyPart::link, moved.start, moved.done);
  done.completed = moved.done;
  if (!config.queued) not_before_ = done.completed;
}

void Drive::flush(Nanoseconds now, Completion& done) {
  const bool safe = outlives_power();
  if (!safe) {
    set_date(now);
    ftl_->flush();
    execute(now);
  }
  const Nanoseconds programmed = safe ? now : std::max(now, executor_->all_in_flash());
  charge(done, LatencyPart::die, now, programmed);
  if (!safe && ftl_->read_only() && !ftl_->all_in_flash()) done.status = Status::read_only;
  const Link::Times moved = link_.to_drive(programmed, link_.config().write_command, 0);
  charge(done, LatencyPart::link_wait, programmed, moved.start);
  charge(done, LatencyPart::link, moved.start, moved.done);
  done.completed = moved.done;
}

}  // namespace ftlab
