// Trims and flushes, which keep their place among the writes; and untimed execution of writes, trims and flushes.
#include <algorithm>

#include "ftl/drive/path/write_path.h"
#include "ftl/read/page_walk.h"

namespace ftlab {

using Due = Agenda::Due;

// Only whole pieces of the trim's granularity inside the range are unmapped; parts at its edges keep their content.
std::uint32_t WritePath::trimmed_pages(const Request& request, std::uint32_t& first) const {
  const std::uint64_t page = drive_.config.ftl.mapping_bytes;
  const std::uint64_t piece = std::max<std::uint64_t>(drive_.config.ftl.trim.granularity_bytes, page);
  first = static_cast<std::uint32_t>((request.offset_bytes + piece - 1) / piece * (piece / page));
  const std::uint64_t end = (request.offset_bytes + request.length_bytes) / piece * (piece / page);
  return static_cast<std::uint32_t>(end > first ? end - first : 0);
}

// False if the drive refuses it. `mapped`: signal of the mapping entries to be loaded.
bool WritePath::trim_layer(const Request& request, Completion& done, Signal& mapped) {
  if (drive_.layer->read_only()) {
    done.status = Status::read_only;
    drive_.contents.add_refusal(request, request.offset_bytes);
    return false;
  }
  if (request.zone == ZoneCommand::none) drive_.host.host_trim_bytes += request.length_bytes;
  std::uint32_t first;
  const std::uint32_t pages = trimmed_pages(request, first);
  if (drive_.front.read_ahead) drive_.front.read_ahead->forget({first, first + pages});
  drive_.set_date();
  mapped = drive_.layer->trim(Lpn{first}, pages);
  return true;
}

void WritePath::begin_trim(std::uint32_t id) {
  commands_.end_wait(id);
  Signal mapped = kNoSignal;
  const bool trimmed = trim_layer(commands_[id].request, commands_.done(id), mapped);
  if (trimmed) drive_.hand_over();
  took_effect(id);
  if (!trimmed) return commands_.finish(id, drive_.agenda.now());
  if (mapped == kNoSignal) return finish_trim(id);
  drive_.back.engine->await(mapped, Agenda::tag(Due::mapped, id));
}

void WritePath::finish_trim(std::uint32_t id) {
  Command& command = commands_[id];
  Completion& done = commands_.done(id);
  Nanoseconds now = drive_.agenda.now();
  charge(done, LatencyPart::mapping, command.at, now);
  std::uint32_t first;
  const bool one_entry = command.request.zone != ZoneCommand::none;  // of the table of zones
  const std::uint32_t pages = one_entry ? 1 : trimmed_pages(command.request, first);
  if (pages > 0) {
    const Controller::Times times = drive_.front.controller.work(now, drive_.config.controller.trim_page * pages);
    charge(done, LatencyPart::controller_wait, now, times.start);
    charge(done, LatencyPart::controller, times.start, times.done);
    now = times.done;
  }
  answer(id, now);
}

// Completes a trim or a flush, which carry no data.
void WritePath::answer(std::uint32_t id, Nanoseconds now) {
  Completion& done = commands_.done(id);
  const Link::Times moved = drive_.front.link.to_drive(now, drive_.config.link.write_command, 0);
  charge(done, LatencyPart::link_wait, now, moved.start);
  charge(done, LatencyPart::link, moved.start, moved.done);
  commands_.finish(id, moved.done);
}

void WritePath::begin_flush(std::uint32_t id) {
  commands_.end_wait(id);
  if (drive_.ram_survives_power_cut()) return finish_flush(id);
  force_to_flash(id);
}

void WritePath::flush_layer(Completion& done) {
  drive_.set_date();
  drive_.layer->flush();
  if (drive_.layer->read_only() && !drive_.layer->pages().all_in_flash()) done.status = Status::read_only;
}

// Programs everything that waits in RAM. Pages held for the rest of their bytes now take room in the write buffer, as they
// would with a later write, until their programs end.
void WritePath::force_to_flash(std::uint32_t id) {
  const std::uint64_t slots = drive_.layer->counts().host_slots;
  flush_layer(commands_.done(id));
  take_room(slots);
  drive_.hand_over();
  if (drive_.journal != nullptr) commands_[id].flush = drive_.journal->flush_asked();
  drive_.back.engine->await_programmed(Agenda::tag(Due::programmed, id));
}

void WritePath::finish_flush(std::uint32_t id) {
  const Nanoseconds now = drive_.agenda.now();
  Command& command = commands_[id];
  Completion& done = commands_.done(id);
  charge(done, LatencyPart::die, command.at, now);
  command.at = std::max(command.at, now);
  command.request.op == Op::flush ? answer(id, now) : commands_.finish(id, command.at);
}

void WritePath::execute_untimed(const Request& request, Completion& done) {
  drive_.set_date();
  if (request.op == Op::write) {
    ++drive_.host.host_write_commands;
    for (PageWalk walk(request, drive_.config.ftl.mapping_bytes); walk.more();) {
      const std::uint32_t most = std::max(walk.whole_pages(), 1u);
      const std::uint32_t pages = write_pages(request, done, walk.lpn(), walk.offset, walk.bytes(), most);
      if (pages == 0) break;
      walk.skip(pages);
    }
  } else if (request.op == Op::trim) {
    Signal mapped = kNoSignal;
    trim_layer(request, done, mapped);
  }
  const bool writes_through = request.op == Op::write && !drive_.config.ftl.buffer.write_back;
  const bool through = request.op == Op::flush || request.fua || writes_through;
  if (through && done.status == Status::ok && !drive_.ram_survives_power_cut()) flush_layer(done);
}

}  // namespace ftlab
