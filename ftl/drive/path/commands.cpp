#include "ftl/drive/path/commands.h"

#include <algorithm>
#include <new>

#include "ftl/read/page_walk.h"

namespace ftlab {

using Due = Agenda::Due;

bool Commands::is_valid(const Request& request) const {
  const std::uint64_t end = request.offset_bytes + request.length_bytes;
  const bool sectors = request.offset_bytes % kSectorBytes == 0 && request.length_bytes % kSectorBytes == 0;
  return sectors && end <= drive_.config.user_bytes && end >= request.offset_bytes;
}

// A command for a zoned namespace may get another range.
Status Commands::accept(Request& request) {
  if (!is_valid(request)) return Status::invalid;
  return drive_.zones.any() ? drive_.zones.accept(request) : Status::ok;
}

std::uint32_t Commands::add(const Request& request) {
  const Nanoseconds now = drive_.agenda.now();
  const std::uint32_t id = outstanding_.add();
  if (id >= commands_.size()) commands_.resize(id + 1);
  Command& command = *new (&commands_[id]) Command{request, now};  // an assignment would copy a temporary
  command.pages.order = ++arrivals_;
  Completion& done = outstanding_.at(id);
  done = {request.tag, now, Status::ok, {}};
  charge(done, LatencyPart::queue_wait, request.issued, now);
  ++in_work_;
  idle_time_.end(drive_.config, request.issued, now);
  done.status = accept(command.request);
  if (done.status == Status::ok) [[likely]] {
    if (request.append) done.offset_bytes = command.request.offset_bytes;
    return id;
  }
  finish(id, now);
  return kNoCommand;
}

void Commands::end_trim_barrier() {
  barrier_trim_ = kNoCommand;
  std::vector<std::uint32_t> waiting;
  waiting.swap(held_back_);
  FTLAB_DCHECK(in_work_ >= waiting.size(), "more commands were held back than there are");
  in_work_ -= static_cast<std::uint32_t>(waiting.size());
  for (const std::uint32_t id : waiting) {
    ++in_work_;
    hold_back_or_start(id);
  }
}

// Returns the time of the command's next step.
[[gnu::always_inline]] inline Nanoseconds Commands::firmware(Command& command, Completion& done, Nanoseconds from) {
  const Request& request = command.request;
  const ControllerConfig& controller = drive_.config.controller;
  const Nanoseconds submit = drive_.config.link.submit;
  const bool reads = request.op == Op::read;
  charge(done, LatencyPart::link, from, from + submit);
  from += submit;
  const Nanoseconds command_alone = reads ? controller.read_command : controller.write_command;
  Nanoseconds own{0};  // time for its pages
  const Nanoseconds page = reads ? controller.read_page : request.op == Op::write ? controller.write_page : Nanoseconds{0};
  if (page > Nanoseconds{0}) own += page * std::uint64_t{command.pages.end - command.pages.first};
  if (drive_.back.deduplication && request.op == Op::write) own += look_up_contents(request);
  Nanoseconds behind{0};  // for unmapped pages made while earlier ones are on the link, see deliver()
  if (reads && controller.read_unmapped_page > Nanoseconds{0}) {
    const std::uint64_t pages = unmapped_pages(request);
    own += controller.read_unmapped_page * pages;
    if (pages > 1 && !drive_.config.ftl.compression.on()) behind = controller.read_unmapped_page * (pages - 1);
  }
  const Nanoseconds search = reads && drive_.front.map_search.costs() ? search_map(request) : Nanoseconds{0};
  if (request.op == Op::write) drive_.front.controller.note_write(from, request.length_bytes);
  const Controller::Stages stages = drive_.front.controller.work_in_stages(from, command_alone, own + search);
  charge(done, LatencyPart::controller_wait, from, stages.start);
  charge(done, LatencyPart::controller, stages.start, stages.commanded);
  Nanoseconds now = stages.done;
  if (controller.write_pages_beside_data && request.op == Op::write) {  // data may arrive once the command is understood
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

std::uint64_t Commands::unmapped_pages(const Request& request) const {
  std::uint64_t pages = 0;
  for (PageWalk walk(request, drive_.config.ftl.mapping_bytes); walk.more(); walk.step()) {
    pages += drive_.layer->pages().find(walk.lpn()).where == HostPages::Found::Where::unmapped;
  }
  return pages;
}

Nanoseconds Commands::search_map(const Request& request) {
  const PageMap& map = drive_.layer->store().pages().map();
  Nanoseconds time{0};
  for (PageWalk walk(request, drive_.config.ftl.mapping_bytes); walk.more(); walk.step()) {
    time += drive_.front.map_search.cost(walk.lpn(), map.find(walk.lpn()), map.extents());
  }
  return time;
}

// Time to look up the content of each page that the request writes whole.
Nanoseconds Commands::look_up_contents(const Request& request) const {
  const std::uint64_t page = drive_.config.ftl.mapping_bytes;
  const std::uint64_t first = (request.offset_bytes + page - 1) / page;
  const std::uint64_t end = (request.offset_bytes + request.length_bytes) / page;
  return drive_.config.ftl.deduplication.look_up * (end > first ? end - first : 0);
}

[[gnu::always_inline]] inline void Commands::find_pages(Command& command) const {
  const std::uint32_t size = drive_.config.ftl.mapping_bytes;
  const std::uint64_t begin = command.request.offset_bytes, first = quotient(begin, size);
  const std::uint64_t length = begin - first * size + command.request.length_bytes;  // from the start of the first page
  command.pages.first = static_cast<std::uint32_t>(first);
  command.pages.end = static_cast<std::uint32_t>(first + quotient(length + size - 1, size));
}

// The end of the firmware's work is known now, because commands queue for its cores in order.
void Commands::start(std::uint32_t id) {
  Command& command = commands_[id];
  Completion& done = outstanding_.at(id);
  const Nanoseconds from = std::max(drive_.agenda.now(), idle_time_.awake_from());
  charge(done, LatencyPart::controller_wait, command.at, from);
  command.at = std::max(command.at, from);
  const Request& request = command.request;
  if (request.op != Op::flush) {
    find_pages(command);
    drive_.order.add(command.pages, request.op != Op::read);
  }
  if (request.op == Op::write) {
    command.count = command.pages.end - command.pages.first;
    const WriteHints hints{request.stream, static_cast<std::uint16_t>(request.content.stored_thousandths)};
    command.reserved = drive_.config.ftl.slots_of(hints.stored);
  }
  if (request.op != Op::read) drive_.order.add_change(id);
  command.at = firmware(command, done, command.at);
  drive_.agenda.schedule(command.at, Due::understood, id);
}

// Flattened (all calls inlined): every command passes here.
[[gnu::flatten]] void Commands::hold_back_or_start(std::uint32_t id) {
  const Request& request = commands_[id].request;
  const bool lone = request.op == Op::trim && request.zone == ZoneCommand::none && !drive_.config.ftl.trim.queued;
  if (barrier_trim_ == kNoCommand && !lone) [[likely]]
    return start(id);
  if (barrier_trim_ != kNoCommand) return held_back_.push_back(id);
  barrier_trim_ = id;
  if (in_work_ > 1) return;  // the last of the other commands starts it
  drive_.agenda.schedule(std::max(drive_.agenda.now(), idle_time_.since()), Due::freed, id);
}

// The last command before a trim that is not queued lets it begin. A refused trim also ends its barrier.
void Commands::finish_at_barrier(std::uint32_t id, Nanoseconds at) {
  if (id == barrier_trim_) return drive_.agenda.schedule(at, Due::trimmed, id);
  if (in_work_ == 1 + held_back_.size())
    drive_.agenda.schedule(std::max(drive_.agenda.now(), idle_time_.since()), Due::freed, barrier_trim_);
}

void Commands::leave_queue(std::uint32_t id, Nanoseconds at) {
  drive_.front.queues.completes(commands_[id].request, at);
  set_next_place();
}

void Commands::set_next_place() {
  const HostQueues& queues = drive_.front.queues;
  next_place_ = queues.empty() ? kNever : queues.next_place();
}

Completion& Commands::begin_untimed(Request& request) {
  drive_.agenda.advance_to(request.issued);
  Completion& done = outstanding_.add_at_once();
  done.tag = request.tag;
  done.completed = request.issued;
  done.status = accept(request);
  if (request.append) done.offset_bytes = request.offset_bytes;
  return done;
}

void Commands::finish_untimed(const Request& request, const Completion& done) {
  idle_time_.interrupt(drive_.config, request.issued, done.completed);
  drive_.contents.add_renumbering(*drive_.layer);
}

std::uint32_t Commands::pages_to_come() const {
  std::uint32_t pages = 0;
  for (const Command& command : commands_) pages += command.count - command.written;
  return pages;
}

void Commands::clear() {
  outstanding_ = CompletionQueue();
  next_place_ = kNever;
}

}  // namespace ftlab
