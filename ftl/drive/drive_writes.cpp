// How data of the host come to the layer: let in when the write buffer has room, over the link page by page, through the
// controller's memory, in the order in which the commands came.
#include <algorithm>

#include "ftl/drive/drive.h"

namespace ftlab {

// Bytes of the command's page so far behind its first one, and where they begin on the drive.
std::uint32_t Drive::page_bytes(const Command& command, std::uint32_t page, std::uint64_t& offset) const {
  const Request& request = command.request;
  const std::uint64_t size = config_.ftl.mapping_bytes, begin = (std::uint64_t{command.pages.first} + page) * size;
  offset = std::max(request.offset_bytes, begin);
  return static_cast<std::uint32_t>(std::min(request.offset_bytes + request.length_bytes, begin + size) - offset);
}

// Of a page that is written whole the content is known, of any other one nothing is.
WriteHints Drive::hints_of(const Request& request, std::uint64_t offset, std::uint32_t bytes) const {
  WriteHints hints{request.stream, static_cast<std::uint16_t>(request.content.stored_thousandths)};
  if (deduplication_ && bytes == config_.ftl.mapping_bytes)
    hints.fingerprint = {request.content.id, (offset - request.offset_bytes) / kSectorBytes};
  return hints;
}

// Commands that change something go on in the order of their arrival, so that the layer does the same whatever the times: a
// trim or a flush when all writes before it are with the layer. The oldest write sends all pages that the buffer has room
// for, as long as collection is not too far behind; so it takes the link in turn with reads, whose data ask for it at once,
// too. What holds it up is under way and will end; where nothing is, the page is let in: it completes a stripe one day.
void Drive::admit() {
  engine_->watch_moved_pages(0);
  while (!changes_.empty()) {
    const std::uint32_t id = changes_.front();
    Command& command = commands_[id];
    held_ = Held::by_itself;
    if (!command.understood) return;
    held_ = Held::by_nothing;
    if (command.request.op != Op::write) {
      if (pages_on_their_way_ > 0) return;
      const bool trims = command.request.op == Op::trim;
      if (trims && conflicts_.read_blocks(command.pages)) return;
      changes_.pop();
      trims ? begin_trim(id) : begin_flush(id);
      continue;
    }
    if (command.sent == command.count) {  // the rest was refused, or there is none
      changes_.pop();
      if (command.count == 0) {
        took_effect(id, true);
        finish(id, now_);
      }
      continue;
    }
    const bool room = room_ >= static_cast<std::int64_t>(command.reserved);
    const bool held = !room && (engine_->host_pages_in_flight() > 0 || pages_on_their_way_ > 0);
    if (held) {
      held_ = Held::for_room;
      held_room_ = room_;
      return;
    }
    if (engine_->moved_pages_in_flight() >= most_moved_pages_) {
      held_ = Held::for_collection;
      return engine_->watch_moved_pages(most_moved_pages_);
    }
    if (life_curve_ && held_by_life_curve()) [[unlikely]]
      return;
    send_page(id);
    if (command.sent == command.count) changes_.pop();
  }
}

// What the layer has asked of the flash so far is more than its life allows by now.
bool Drive::held_by_life_curve() {
  const Nanoseconds from = life_curve_->earliest(medium_.pages_programmed());
  if (from <= now_) return false;
  held_ = Held::for_life;
  if (from != held_until_) schedule(from, Due::allowed, 0);
  held_until_ = from;
  return true;
}

// A short page may find a gap on the memory's port before a longer one that was there first; it waits for it.
Nanoseconds Drive::in_order(PageStep step, Nanoseconds at) {
  Nanoseconds& last = last_page_[static_cast<std::size_t>(step)];
  return last = std::max(last, at);
}

// Data of the host cross the link in order, too: a page begins when the one before it is over, not in a gap before it.
void Drive::send_page(std::uint32_t id) {
  FTLAB_DCHECK(commands_[id].request.op == Op::write, "a page is sent of a command that does not write");
  Command& command = commands_[id];
  Completion& done = outstanding_.at(id);
  room_ -= command.reserved;
  ++pages_on_their_way_;
  std::uint64_t offset;
  const std::uint32_t bytes = page_bytes(command, command.sent, offset);
  const Nanoseconds command_length = command.first ? link_.config().write_command : Nanoseconds{0};
  const Link::Times moved = link_.to_drive(in_order(PageStep::sent, now_), command_length, bytes);
  charge(done, LatencyPart::buffer_wait, command.at, now_);
  charge(done, LatencyPart::link_wait, std::max(command.at, now_), moved.start);
  charge(done, LatencyPart::link, moved.start, moved.done);
  command.at = moved.done;
  command.first = false;
  ++command.sent;
  schedule(in_order(PageStep::sent, moved.done), Due::sent, id);
}

// Data of the host are in the controller's memory when they have crossed its port; on their way to the flash they cross it
// once more, which keeps the port, but nobody waiting.
void Drive::page_sent(std::uint32_t id) {
  Command& command = commands_[id];
  const std::uint32_t page = command.crossed++;
  if (!dram_.limits()) return page_stored(id);
  std::uint64_t offset;
  const std::uint32_t bytes = page_bytes(command, page, offset);
  const Nanoseconds stored = dram_.cross(now_, bytes, 1);
  dram_.cross(stored, bytes, 1);
  schedule(in_order(PageStep::stored, stored), Due::stored, id);
}

void Drive::page_stored(std::uint32_t id) {
  FTLAB_DCHECK(pages_on_their_way_ > 0, "a page is stored that was not sent");
  Command& command = commands_[id];
  const std::uint32_t page = command.stored++;
  Completion& done = outstanding_.at(id);
  if (command.stored == command.count) {
    charge(done, LatencyPart::dram, command.at, now_);
    command.at = std::max(command.at, now_);
  }
  const Nanoseconds length = config_.ftl.deduplication.fingerprint;
  if (deduplication_ == nullptr || length == Nanoseconds{0}) return page_known(id);
  std::uint64_t offset;
  const bool whole = page_bytes(command, page, offset) == config_.ftl.mapping_bytes;
  const Nanoseconds start = fingerprinting_.reserve(now_, whole ? length : Nanoseconds{0});
  const Nanoseconds made = start + (whole ? length : Nanoseconds{0});
  if (command.stored == command.count) {
    charge(done, LatencyPart::controller_wait, command.at, start);
    charge(done, LatencyPart::controller, std::max(command.at, start), made);
    command.at = std::max(command.at, made);
  }
  schedule(in_order(PageStep::known, made), Due::fingerprinted, id);
}

// All that the layer wants to know of the page is known.
void Drive::page_known(std::uint32_t id) {
  ready_pages_.push(id);
  write_ready_pages();
}

// In the order in which they came, each behind the reads of the same pages that came before it.
void Drive::write_ready_pages() {
  while (!ready_pages_.empty()) {
    const std::uint32_t id = ready_pages_.front();
    Command& command = commands_[id];
    std::uint64_t offset;
    std::uint32_t bytes = page_bytes(command, command.written, offset);
    const std::uint32_t lpn = command.pages.first + command.written;
    if (conflicts_.read_blocks({command.pages.order, lpn, lpn + 1})) return;
    ready_pages_.pop();
    Completion& done = outstanding_.at(id);
    set_date();
    const std::uint64_t slots = ftl_->counts().host_slots;
    const bool refused = done.status != Status::ok || !write_page(command, done, Lpn{lpn}, offset, bytes);
    --pages_on_their_way_;
    held_ = Held::by_nothing;
    room_ += command.reserved;
    take_room(slots);
    hand_over();
    ++command.written;
    if (refused) command.count = command.sent;  // the rest is not sent
    if (command.written == command.count) end_write(id);
  }
}

// False: the drive takes no more.
bool Drive::write_page(const Command& command, Completion& done, Lpn lpn, std::uint64_t offset, std::uint32_t bytes) {
  const auto first = static_cast<std::uint32_t>(offset - std::uint64_t{number(lpn)} * config_.ftl.mapping_bytes);
  if (read_ahead_) read_ahead_->forget({number(lpn), number(lpn) + 1});
  const WriteHints hints = hints_of(command.request, offset, bytes);
  if (ftl_->write(lpn, first, first + bytes, hints)) {
    host_.host_write_bytes += bytes;
    return true;
  }
  done.status = Status::read_only;
  report_refusal(command.request, offset);
  return false;
}

// A write with forced unit access is complete when its data are in the flash; all that waits in RAM goes with it.
void Drive::end_write(std::uint32_t id) {
  Command& command = commands_[id];
  Completion& done = outstanding_.at(id);
  ++host_.host_write_commands;
  took_effect(id, true);
  charge(done, LatencyPart::buffer_wait, command.at, now_);  // behind others that concern the same pages
  charge(done, LatencyPart::controller, now_, command.worked);
  command.at = std::max({command.at, now_, command.worked});
  const bool through = command.request.fua || !config_.ftl.buffer.write_back;
  if (!through || done.status != Status::ok || outlives_power()) return finish(id, command.at);
  force_to_flash(id);
}

// The layer has taken slots of the host since it had taken `before`: they keep their room until their programs end.
void Drive::take_room(std::uint64_t before) { room_ -= static_cast<std::int64_t>(ftl_->counts().host_slots - before); }

// Everything that waits in RAM. Pages that were held for the rest of their bytes take room among those to be programmed, as
// they would have with a later write; the ends of their programs give it back.
void Drive::force_to_flash(std::uint32_t id) {
  set_date();
  const std::uint64_t slots = ftl_->counts().host_slots;
  ftl_->flush();
  take_room(slots);
  hand_over();
  if (ftl_->read_only() && !ftl_->all_in_flash()) outstanding_.at(id).status = Status::read_only;
  if (journal_ != nullptr) commands_[id].flush = journal_->flush_asked();
  engine_->await_programmed(due(Due::programmed, id));
}

}  // namespace ftlab
