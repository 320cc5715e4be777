#include "ftl/drive/path/write_path.h"

#include <algorithm>

#include "ftl/read/page_walk.h"

namespace ftlab {

using Due = Agenda::Due;

// Bytes of the command's page number `page`, and their offset on the drive.
std::uint32_t WritePath::page_bytes(const Command& command, std::uint32_t page, std::uint64_t& offset) const {
  const Request& request = command.request;
  const std::uint64_t size = drive_.config.ftl.mapping_bytes, begin = (std::uint64_t{command.pages.first} + page) * size;
  offset = std::max(request.offset_bytes, begin);
  return static_cast<std::uint32_t>(std::min(request.offset_bytes + request.length_bytes, begin + size) - offset);
}

// The content of a page is known only if it is written whole.
WriteHints WritePath::hints_of(const Request& request, std::uint64_t offset, std::uint32_t bytes) const {
  WriteHints hints{request.stream, static_cast<std::uint16_t>(request.content.stored_thousandths)};
  if (drive_.back.deduplication && bytes == drive_.config.ftl.mapping_bytes)
    hints.fingerprint = {request.content.id, (offset - request.offset_bytes) / kSectorBytes};
  return hints;
}

void WritePath::restart() {
  held_ = Held::by_nothing;
  held_until_ = Nanoseconds{0};
  room_ = drive_.config.ftl.buffer.pages;
  gathers_ = !drive_.front.dram.limits() && !drive_.back.deduplication;
  const Layout& layout = drive_.back.medium.layout();
  max_moved_pages_in_flight_ =
      std::max(drive_.config.ftl.buffer.pages, 2 * layout.dies_per_superblock() * layout.pages_per_stripe());
}

void WritePath::set_room() {
  FTLAB_DCHECK(pages_in_transit_ == 0, "the room of the write buffer is set while pages are on their way");
  room_ = drive_.config.ftl.buffer.pages;
  for (const Stage& stage : drive_.layer->store().stages()) room_ -= stage.host_pages();
}

void WritePath::forget_times() {
  held_ = Held::by_nothing;
  held_until_ = Nanoseconds{0};
  std::fill(std::begin(last_page_), std::end(last_page_), Nanoseconds{0});
}

void WritePath::understood(std::uint32_t id) {
  Command& command = commands_[id];
  command.understood = true;
  if (command.request.op == Op::write) command.dies = drive_.back.engine->use().die_time;
  admit();
}

// A trim or flush is executed once the layer has all writes before it. The oldest write sends all pages for which the buffer
// has room, unless collection is too far behind. Reads request the link as soon as their data are ready, so both alternate.
void WritePath::admit() {
  drive_.back.engine->watch(InFlight::kMovedPages, 0);
  while (drive_.order.has_changes()) {
    const std::uint32_t id = drive_.order.oldest_change();
    Command& command = commands_[id];
    held_ = Held::by_firmware;
    if (!command.understood) return;
    held_ = Held::by_nothing;
    if (command.request.op != Op::write) {
      if (pages_in_transit_ > 0) return;
      const bool trims = command.request.op == Op::trim;
      if (trims && drive_.order.reads_block(command.pages)) return;
      drive_.order.pop_change();
      trims ? begin_trim(id) : begin_flush(id);
      continue;
    }
    if (!admit_write(id, command)) return;
  }
}

// A write without room waits for programs in flight. Without any in flight the page is admitted anyway, because only more
// data can complete a stripe. False if the write waits.
bool WritePath::admit_write(std::uint32_t id, Command& command) {
  if (command.count == 0) {  // no pages, or the first was refused
    drive_.order.pop_change();
    took_effect(id);
    commands_.finish(id, drive_.agenda.now());
    return true;
  }
  const FlashEngine& engine = *drive_.back.engine;
  while (command.sent < command.count) {
    const bool room = room_ >= static_cast<std::int64_t>(command.reserved);
    if (!room && (engine.in_flight().host_pages() > 0 || pages_in_transit_ > 0)) {
      held_ = Held::for_room;
      held_room_ = room_;
      return false;
    }
    if (engine.in_flight().moved_pages() >= max_moved_pages_in_flight_) {
      held_ = Held::for_collection;
      drive_.back.engine->watch(InFlight::kMovedPages, max_moved_pages_in_flight_);
      return false;
    }
    if (drive_.back.life_curve && held_by_life_curve()) [[unlikely]]
      return false;
    send_pages(id, command);
  }
  drive_.order.pop_change();
  const Nanoseconds waited = commands_.done(id).parts[static_cast<std::size_t>(LatencyPart::buffer_wait)];
  drive_.back.waits.add(waited, command.dies, engine.use().die_time);
  return true;
}

// True if more programs have been ordered than the flash's life curve allows by now.
bool WritePath::held_by_life_curve() {
  const Nanoseconds from = drive_.back.life_curve->earliest(drive_.back.medium.pages().programmed());
  if (from <= drive_.agenda.now()) return false;
  held_ = Held::for_life;
  if (from != held_until_) drive_.agenda.schedule(from, Due::allowed, 0);
  held_until_ = from;
  return true;
}

// On the memory's port, a short page may find a gap before an earlier, longer one. It then waits for that one.
Nanoseconds WritePath::in_order(PageStep step, Nanoseconds at) {
  Nanoseconds& last = last_page_[static_cast<std::size_t>(step)];
  return last = std::max(last, at);
}

// Whole pages for which there is room, if they cross the link back to back; else one page. REQUIRES: a page may be sent.
std::uint32_t WritePath::pages_to_send(const Command& command, std::uint32_t bytes, Nanoseconds ready) const {
  const std::uint32_t size = drive_.config.ftl.mapping_bytes, left = command.count - command.sent;
  if (left == 1 || bytes != size || drive_.back.life_curve || !drive_.front.link.to_drive_in_order(ready)) return 1;
  const std::uint64_t end = command.request.offset_bytes + command.request.length_bytes;
  const std::uint64_t whole = quotient(end, size) - (command.pages.first + command.sent);
  const std::int64_t room = room_ / command.reserved;
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>(room, 1, static_cast<std::int64_t>(whole)));
}

// Host data cross the link in order: a page begins after the previous one, never in a gap before it.
void WritePath::send_pages(std::uint32_t id, Command& command) {
  FTLAB_DCHECK(command.request.op == Op::write, "a page is sent of a command that does not write");
  FTLAB_DCHECK(command.sent < command.count, "a page is sent behind the end of its command");
  const Nanoseconds now = drive_.agenda.now(), ready = in_order(PageStep::sent, now);
  Link& link = drive_.front.link;
  Completion& done = commands_.done(id);
  std::uint64_t offset;
  const std::uint32_t bytes = page_bytes(command, command.sent, offset);
  const Nanoseconds command_length = command.first ? link.config().write_command : Nanoseconds{0};
  const std::uint32_t pages = pages_to_send(command, bytes, ready);
  Nanoseconds each{0};
  const Link::Times moved = pages > 1 ? link.to_drive(ready, command_length, bytes, pages, each)
                                      : link.to_drive(ready, command_length, bytes);
  room_ -= std::int64_t{pages} * command.reserved;
  pages_in_transit_ += pages;
  charge(done, LatencyPart::buffer_wait, command.at, now);
  charge(done, LatencyPart::link_wait, std::max(command.at, now), moved.start);
  charge(done, LatencyPart::link, moved.start, moved.done);
  command.at = moved.done;
  command.first = false;
  command.sent += pages;
  const bool alone = drive_.agenda.transit().empty();
  const Nanoseconds last = in_order(PageStep::sent, moved.done);
  drive_.agenda.send_pages(last - each * std::uint64_t{pages - 1}, each, id, pages);
  if (alone && pages > 1) gather();
}

// Pages that cause nothing need not be handled before a later one does. They are handled one by one where each page has a way
// of its own behind the link, and before a read may read ahead, which looks at pages that are being written.
void WritePath::gather() {
  const Transit& transit = drive_.agenda.transit();
  const bool watched = drive_.front.read_ahead && drive_.order.has_reads();
  const bool several = gathers_ && !transit.empty() && transit.pages() > 1 && !watched;
  const auto pages_to_next_work = [&] {
    return drive_.layer->pages_to_next_work(commands_[transit.command()].request.stream);
  };
  drive_.agenda.gather_pages(several ? pages_to_next_work() : 1);
}

void WritePath::pages_sent() {
  pages_crossed(drive_.agenda.take_sent());
  gather();
}

// Host data cross the port of the controller's memory twice: into it, and later to the flash. The second crossing occupies
// the port, but delays no command. Flattened (all calls inlined), as every page passes here: saving registers for calls was
// 8 % of the instructions of writes in order.
[[gnu::flatten]] void WritePath::pages_crossed(const Transit::Pages& sent) {
  const std::uint32_t id = sent.command, pages = sent.count;
  Command& command = commands_[id];
  FTLAB_DCHECK(command.crossed + pages <= command.sent, "a page has crossed the link that was not sent");
  Dram& dram = drive_.front.dram;
  const std::uint32_t page = command.crossed;
  command.crossed += pages;
  if (!dram.limits()) return pages_stored(id, pages);
  FTLAB_DCHECK(pages == 1, "several pages cross the controller's memory at once");
  std::uint64_t offset;
  const std::uint32_t bytes = page_bytes(command, page, offset);
  const Nanoseconds stored = dram.cross(drive_.agenda.now(), bytes, 1);
  dram.cross(stored, bytes, 1);
  drive_.agenda.schedule(in_order(PageStep::stored, stored), Due::stored, id);
}

void WritePath::pages_stored(std::uint32_t id, std::uint32_t pages) {
  FTLAB_DCHECK(pages_in_transit_ >= pages, "a page is stored that was not sent");
  const Nanoseconds now = drive_.agenda.now();
  Command& command = commands_[id];
  const std::uint32_t page = command.stored;
  command.stored += pages;
  Completion& done = commands_.done(id);
  if (command.stored == command.count) {
    charge(done, LatencyPart::dram, command.at, now);
    command.at = std::max(command.at, now);
  }
  const Nanoseconds length = drive_.config.ftl.deduplication.fingerprint;
  if (!drive_.back.deduplication || length == Nanoseconds{0}) return pages_known(id, pages);
  std::uint64_t offset;
  const bool whole = page_bytes(command, page, offset) == drive_.config.ftl.mapping_bytes;
  const Nanoseconds start = drive_.front.fingerprinting.reserve(now, whole ? length : Nanoseconds{0});
  const Nanoseconds made = start + (whole ? length : Nanoseconds{0});
  if (command.stored == command.count) {
    charge(done, LatencyPart::controller_wait, command.at, start);
    charge(done, LatencyPart::controller, std::max(command.at, start), made);
    command.at = std::max(command.at, made);
  }
  drive_.agenda.schedule(in_order(PageStep::known, made), Due::fingerprinted, id);
}

void WritePath::pages_known(std::uint32_t id, std::uint32_t pages) {
  if (ready_pages_.empty() && may_write_pages(id, pages)) [[likely]] {
    while (pages > 0) pages -= write_some(id, pages);
    return;
  }
  for (; pages > 0; --pages) ready_pages_.push(id);
  write_ready_pages();
}

[[gnu::noinline]] void WritePath::write_ready_pages() {
  while (!ready_pages_.empty() && may_write_pages(ready_pages_.front(), 1)) write_some(ready_pages_.pop(), 1);
}

// True if no earlier read of the command's next pages has still to take effect.
bool WritePath::may_write_pages(std::uint32_t id, std::uint32_t pages) {
  const Command& command = commands_[id];
  const std::uint32_t lpn = command.pages.first + command.written;
  return !drive_.order.reads_block({command.pages.order, lpn, lpn + pages});
}

// Passes the command's next page to the layer, or several of up to `pages` whole ones. Returns the number of pages that are
// done with.
std::uint32_t WritePath::write_some(std::uint32_t id, std::uint32_t pages) {
  Command& command = commands_[id];
  std::uint64_t offset;
  const std::uint32_t bytes = page_bytes(command, command.written, offset);
  Completion& done = commands_.done(id);
  drive_.set_date();
  const std::uint64_t slots = drive_.layer->counts().host_slots;
  const Lpn lpn{command.pages.first + command.written};
  const std::uint32_t taken =
      done.status != Status::ok ? 0 : write_pages(command.request, done, lpn, offset, bytes, pages);
  const std::uint32_t passed = std::max(taken, 1u);
  FTLAB_DCHECK(pages_in_transit_ >= passed && command.written + passed <= command.sent,
               "a page reaches the layer that was not sent");
  pages_in_transit_ -= passed;
  held_ = Held::by_nothing;
  room_ += std::int64_t{passed} * command.reserved;
  take_room(slots);
  drive_.hand_over();
  command.written += passed;
  if (taken == 0) command.count = command.sent;  // the rest is not sent
  if (command.written == command.count) end_write(id);
  return passed;
}

// Writes `bytes` of a page, or several of up to `pages` whole ones in order. Returns the number of pages written; 0 if the
// drive refuses the first one.
std::uint32_t WritePath::write_pages(const Request& request, Completion& done, Lpn lpn, std::uint64_t offset,
                                     std::uint32_t bytes, std::uint32_t pages) {
  const auto first = static_cast<std::uint32_t>(offset - std::uint64_t{number(lpn)} * drive_.config.ftl.mapping_bytes);
  const std::uint32_t written = drive_.layer->write(lpn, first, first + bytes, hints_of(request, offset, bytes), pages);
  const std::uint32_t changed = std::max(written, 1u);
  if (drive_.front.read_ahead) drive_.front.read_ahead->forget({number(lpn), number(lpn) + changed});
  drive_.host.host_write_bytes += std::uint64_t{written} * bytes;
  if (written > 0) [[likely]]
    return written;
  done.status = Status::read_only;
  drive_.contents.add_refusal(request, offset);
  return 0;
}

void WritePath::took_effect(std::uint32_t id) {
  drive_.order.remove(commands_[id].pages, true);
  drive_.release_reads();
}

// A write with forced unit access completes when its data are in the flash. It flushes everything in RAM.
void WritePath::end_write(std::uint32_t id) {
  const Nanoseconds now = drive_.agenda.now();
  Command& command = commands_[id];
  Completion& done = commands_.done(id);
  ++drive_.host.host_write_commands;
  took_effect(id);
  charge(done, LatencyPart::buffer_wait, command.at, now);  // waited for other commands on the same pages
  charge(done, LatencyPart::controller, now, command.worked);
  command.at = std::max({command.at, now, command.worked});
  const bool through = command.request.fua || !drive_.config.ftl.buffer.write_back;
  if (!through || done.status != Status::ok || drive_.ram_survives_power_cut()) return commands_.finish(id, command.at);
  force_to_flash(id);
}

}  // namespace ftlab
