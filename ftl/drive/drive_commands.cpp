// What each command of the host goes through: a place in the device, the firmware, and then its own way; reads and writes
// have files of their own.
#include <algorithm>

#include "ftl/drive/drive.h"
#include "ftl/read/page_walk.h"

namespace ftlab {

// Commands that wait in the host begin as places become free, in order of time.
void Drive::begin_waiting() {
  Request request;
  while (queues_.next(request)) begin(request);
  next_place_ = queues_.empty() ? kNever : queues_.next_place();
}

bool Drive::at_rest() const { return in_work_ == 0 && outstanding_.empty() && queues_.empty(); }

bool Drive::is_valid(const Request& request) const {
  const std::uint64_t end = request.offset_bytes + request.length_bytes;
  const bool sectors = request.offset_bytes % kSectorBytes == 0 && request.length_bytes % kSectorBytes == 0;
  return sectors && end <= config_.user_bytes && end >= request.offset_bytes;
}

// The drive has a place for the command.
void Drive::begin(const Request& request) {
  const std::uint32_t id = outstanding_.add();
  if (id >= commands_.size()) commands_.resize(id + 1);
  Command& command = commands_[id];
  command = Command{};
  command.request = request;
  command.at = now_;
  command.pages.order = ++arrivals_;
  Completion& done = outstanding_.at(id);
  done = {request.tag, now_, Status::ok, {}};
  charge(done, LatencyPart::queue_wait, request.issued, now_);
  ++in_work_;
  used_idle_time_ = false;
  if (config_.power) [[unlikely]] {
    if (activity_.asleep_at(now_)) awake_from_ = now_ + config_.power->sleep->wake;
    activity_.begin(request.issued);
  }
  if (!is_valid(request)) {
    done.status = Status::invalid;
    return finish(id, now_);
  }
  if (config_.ftl.refresh.on()) scrub_cells();
  hold_back_or_start(id);
}

// A trim that is not queued waits for all that is under way, and holds back what comes later.
void Drive::hold_back_or_start(std::uint32_t id) {
  const bool lone = commands_[id].request.op == Op::trim && !config_.ftl.trim.queued;
  if (lone_trim_ == kNobody && !lone) [[likely]]
    return start(id);
  if (lone_trim_ != kNobody) return held_back_.push_back(id);
  lone_trim_ = id;
  if (in_work_ > 1) return;  // the last of the others starts it
  schedule(std::max(now_, last_completion_), Due::freed, id);
}

// It is complete: the next ones may begin, up to another of its kind.
void Drive::end_trim_barrier() {
  lone_trim_ = kNobody;
  std::vector<std::uint32_t> waiting;
  waiting.swap(held_back_);
  in_work_ -= static_cast<std::uint32_t>(waiting.size());
  for (const std::uint32_t id : waiting) {
    ++in_work_;
    hold_back_or_start(id);
  }
}

// The firmware's part: when it is over is known at once, for commands queue for its cores in order.
void Drive::start(std::uint32_t id) {
  Command& command = commands_[id];
  Completion& done = outstanding_.at(id);
  const Nanoseconds from = std::max(now_, awake_from_);
  charge(done, LatencyPart::controller_wait, command.at, from);
  command.at = std::max(command.at, from);
  const Request& request = command.request;
  if (request.op != Op::flush) {
    find_pages(command);
    conflicts_.add(command.pages, request.op != Op::read);
  }
  if (request.op == Op::write) {
    command.count = command.pages.end - command.pages.first;
    const WriteHints hints{request.stream, static_cast<std::uint16_t>(request.content.stored_thousandths)};
    command.reserved = ftl_->slots_of(hints);
  }
  if (request.op != Op::read) {
    if (changes_.empty()) held_ = Held::by_nothing;
    changes_.push(id);
  }
  command.at = firmware(request, command, done, command.at);
  schedule(command.at, Due::understood, id);
}

// Returns when the command goes on.
Nanoseconds Drive::firmware(const Request& request, Command& command, Completion& done, Nanoseconds from) {
  const ControllerConfig& controller = config_.controller;
  const bool reads = request.op == Op::read;
  charge(done, LatencyPart::link, from, from + config_.link.submit);
  from += config_.link.submit;
  const Nanoseconds command_alone = reads ? controller.read_command : controller.write_command;
  Nanoseconds own{0};  // of its pages
  const Nanoseconds page = reads ? controller.read_page : request.op == Op::write ? controller.write_page : Nanoseconds{0};
  if (page > Nanoseconds{0}) own += page * std::uint64_t{command.pages.end - command.pages.first};
  if (deduplication_ && request.op == Op::write) own += look_up_contents(request);
  Nanoseconds behind{0};  // what pages without data take after the first one: done while that is on the line, see deliver()
  if (reads && controller.read_unmapped_page > Nanoseconds{0}) {
    const std::uint64_t pages = unmapped_pages(request);
    own += controller.read_unmapped_page * pages;
    if (pages > 1 && !config_.ftl.compression.on()) behind = controller.read_unmapped_page * (pages - 1);
  }
  const Nanoseconds search = reads && map_search_.costs() ? search_map(request) : Nanoseconds{0};
  if (request.op == Op::write) controller_.note_write(from, request.length_bytes);
  const Controller::Stages stages = controller_.work_in_stages(from, command_alone, own + search);
  charge(done, LatencyPart::controller_wait, from, stages.start);
  charge(done, LatencyPart::controller, stages.start, stages.commanded);
  Nanoseconds now = stages.done;
  if (controller.write_pages_beside_data && request.op == Op::write) {  // data may come once the command is understood
    now = stages.commanded;
    command.worked = stages.done;
  } else {
    charge(done, LatencyPart::controller_wait, stages.commanded, stages.pages_start);
    charge(done, LatencyPart::controller, stages.pages_start, now);
  }
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

// --- commands that concern the same pages ---

void Drive::find_pages(Command& command) const {
  const std::uint64_t size = config_.ftl.mapping_bytes, begin = command.request.offset_bytes;
  const std::uint32_t first = static_cast<std::uint32_t>(begin / size);
  const std::uint64_t length = begin - first * size + command.request.length_bytes;  // from the first page's beginning on
  command.pages.first = first;
  command.pages.end = first + (length <= size ? length > 0 : static_cast<std::uint32_t>((length + size - 1) / size));
}

// Until now it stood behind others.
void Drive::wait_over(std::uint32_t id) {
  Command& command = commands_[id];
  charge(outstanding_.at(id), LatencyPart::controller_wait, command.at, now_);
  command.at = std::max(command.at, now_);
}

void Drive::took_effect(std::uint32_t id, bool changes) {
  conflicts_.remove(commands_[id].pages.order, changes);
  if (!changes && !ready_pages_.empty()) write_ready_pages();
  if (blocked_.empty()) return;
  std::vector<std::uint32_t> waiting;
  waiting.swap(blocked_);
  for (const std::uint32_t other : waiting) schedule(now_, Due::understood, other);
}

void Drive::understood(std::uint32_t id) {
  FTLAB_DCHECK(id < commands_.size(), "command " + std::to_string(id) + " of " + std::to_string(commands_.size()));
  Command& command = commands_[id];
  if (command.request.op != Op::read) {
    command.understood = true;
    return admit();
  }
  if (conflicts_.blocks(command.pages, false)) [[unlikely]]
    return blocked_.push_back(id);
  wait_over(id);
  begin_read(id);
}

// --- trim and flush ---

// Whole pieces of the trim's granularity inside the range are unmapped; parts at its edges keep their content.
std::uint32_t Drive::trim_pages(const Request& request, std::uint32_t& first) const {
  const std::uint64_t page = config_.ftl.mapping_bytes;
  const std::uint64_t piece = std::max<std::uint64_t>(config_.ftl.trim.granularity_bytes, page);
  first = static_cast<std::uint32_t>((request.offset_bytes + piece - 1) / piece * (piece / page));
  const std::uint64_t end = (request.offset_bytes + request.length_bytes) / piece * (piece / page);
  return static_cast<std::uint32_t>(end > first ? end - first : 0);
}

void Drive::begin_trim(std::uint32_t id) {
  Command& command = commands_[id];
  wait_over(id);
  const Request& request = command.request;
  if (ftl_->read_only()) {
    outstanding_.at(id).status = Status::read_only;
    report_refusal(request, request.offset_bytes);
    took_effect(id, true);
    return finish(id, now_);
  }
  host_.host_trim_bytes += request.length_bytes;
  std::uint32_t first;
  const std::uint32_t pages = trim_pages(request, first);
  if (read_ahead_) read_ahead_->forget({first, first + pages});
  set_date();
  const Signal mapped = ftl_->trim(Lpn{first}, pages);
  hand_over();
  took_effect(id, true);
  if (mapped == kNoSignal) return finish_trim(id);
  engine_->await(mapped, due(Due::mapped, id));
}

void Drive::finish_trim(std::uint32_t id) {
  Command& command = commands_[id];
  Completion& done = outstanding_.at(id);
  charge(done, LatencyPart::mapping, command.at, now_);
  Nanoseconds now = now_;
  std::uint32_t first;
  const std::uint32_t pages = trim_pages(command.request, first);
  if (pages > 0) {
    const Controller::Times times = controller_.work(now, config_.controller.trim_page * pages);
    charge(done, LatencyPart::controller_wait, now, times.start);
    charge(done, LatencyPart::controller, times.start, times.done);
    now = times.done;
  }
  const Link::Times moved = link_.to_drive(now, link_.config().write_command, 0);
  charge(done, LatencyPart::link_wait, now, moved.start);
  charge(done, LatencyPart::link, moved.start, moved.done);
  finish(id, moved.done);
}

// What is in RAM is as good as in the flash; not at the end of life, when there may be no place for it.
bool Drive::outlives_power() const { return config_.ftl.buffer.power_loss_protected && !ftl_->read_only(); }

void Drive::begin_flush(std::uint32_t id) {
  wait_over(id);
  if (outlives_power()) return finish_flush(id);
  force_to_flash(id);
}

// Also of a write that was forced to the flash.
void Drive::finish_flush(std::uint32_t id) {
  Command& command = commands_[id];
  Completion& done = outstanding_.at(id);
  charge(done, LatencyPart::die, command.at, now_);
  command.at = std::max(command.at, now_);
  if (command.request.op != Op::flush) return finish(id, command.at);
  const Link::Times moved = link_.to_drive(now_, link_.config().write_command, 0);
  charge(done, LatencyPart::link_wait, now_, moved.start);
  charge(done, LatencyPart::link, moved.start, moved.done);
  finish(id, moved.done);
}

// It is answered at that moment, and the host knows after the link's part.
void Drive::finish(std::uint32_t id, Nanoseconds at) {
  Completion& done = outstanding_.at(id);
  if (id == lone_trim_) [[unlikely]]  // refused ones, too, end their barrier
    schedule(at, Due::trimmed, id);
  if (done.status != Status::invalid) {
    charge(done, LatencyPart::link, at, at + config_.link.complete);
    at += config_.link.complete;
  }
  done.completed = at;
  last_completion_ = std::max(last_completion_, at);
  if (journal_ != nullptr && commands_[id].flush != 0) [[unlikely]]
    journal_->flush_ended(commands_[id].flush, at);
  if (config_.power) [[unlikely]]
    activity_.end(at);
  --in_work_;
  if (contents_ != nullptr) [[unlikely]]
    report_renumbering();
  if (queues_.limit()) [[unlikely]] {
    queues_.completes(commands_[id].request, at);
    next_place_ = queues_.empty() ? kNever : queues_.next_place();
  }
  outstanding_.complete(id);
  const bool last = lone_trim_ != kNobody && id != lone_trim_ && in_work_ == 1 + held_back_.size();
  if (last) [[unlikely]]
    schedule(std::max(now_, last_completion_), Due::freed, lone_trim_);
}

// --- without a clock: the layer's part alone, at once ---

void Drive::execute_untimed(const Request& request) {
  now_ = std::max(now_, request.issued);
  const std::uint32_t id = outstanding_.add();
  Completion& done = outstanding_.at(id);
  done = {request.tag, request.issued, Status::ok, {}};
  if (!is_valid(request)) {
    done.status = Status::invalid;
    return outstanding_.complete_at_once(id);
  }
  if (config_.ftl.refresh.on()) scrub_cells();
  set_date();
  switch (request.op) {
    case Op::read:
      host_.host_read_bytes += request.length_bytes;
      ++host_.host_read_commands;
      if (ftl_->demand() != nullptr) {
        Signal known = kNoSignal;
        for (PageWalk walk(request, config_.ftl.mapping_bytes); walk.more(); walk.step()) ftl_->look_up(walk.lpn(), known);
      }
      if (id >= commands_.size()) commands_.resize(id + 1);
      commands_[id].request = request;
      read_untimed(id, done);
      break;
    case Op::write:
      ++host_.host_write_commands;
      for (PageWalk walk(request, config_.ftl.mapping_bytes); walk.more(); walk.step()) {
        if (read_ahead_) read_ahead_->forget({number(walk.lpn()), number(walk.lpn()) + 1});
        const std::uint32_t first = walk.first_byte();
        if (!ftl_->write(walk.lpn(), first, first + walk.bytes(), hints_of(request, walk.offset, walk.bytes()))) {
          done.status = Status::read_only;
          report_refusal(request, walk.offset);
          break;
        }
        host_.host_write_bytes += walk.bytes();
      }
      break;
    case Op::trim: {
      if (ftl_->read_only()) {
        done.status = Status::read_only;
        report_refusal(request, request.offset_bytes);
        break;
      }
      host_.host_trim_bytes += request.length_bytes;
      std::uint32_t first;
      const std::uint32_t pages = trim_pages(request, first);
      if (read_ahead_) read_ahead_->forget({first, first + pages});
      ftl_->trim(Lpn{first}, pages);
      break;
    }
    case Op::flush: break;
  }
  const bool through = request.op == Op::flush || request.fua || (request.op == Op::write && !config_.ftl.buffer.write_back);
  if (through && done.status == Status::ok && !outlives_power()) {
    ftl_->flush();
    if (ftl_->read_only() && !ftl_->all_in_flash()) done.status = Status::read_only;
  }
  last_completion_ = std::max(last_completion_, done.completed);
  if (config_.power) [[unlikely]] {
    activity_.begin(request.issued);
    activity_.end(done.completed);
  }
  if (contents_ != nullptr) [[unlikely]]
    report_renumbering();
  outstanding_.complete_at_once(id);
}

}  // namespace ftlab
