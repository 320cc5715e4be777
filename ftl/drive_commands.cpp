// What each command of the host does: its way through controller, translation layer, flash and link.
#include <algorithm>

#include "ftl/drive.h"
#include "ftl/page_walk.h"

namespace ftlab {

// Neighbouring pages in one stripe of the flash, or one page that is not in the flash.
struct Drive::Piece {
  Ftl::Found::Where where;
  BlockId block;
  std::uint32_t stripe;
  std::uint64_t bytes = 0;
  std::uint32_t first_page = 0;
  std::uint32_t pages = 0;
  bool ahead = false;    // it was read ahead ...
  Nanoseconds ready{0};  // ... and is in RAM from then on
};

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
  Nanoseconds now = std::max(entered, not_before_);
  charge(done, LatencyPart::controller_wait, entered, now);
  if (timed_) now = accept(request, now, done);
  switch (request.op) {
    case Op::read: read(request, now, done); break;
    case Op::write: write(request, now, done); break;
    case Op::trim: trim(request, now, done); break;
    case Op::flush: flush(now, done); break;
  }
  const bool through = request.fua || (request.op == Op::write && !config_.ftl.buffer.write_back);
  if (through && done.status == Status::ok) force_to_flash(done);
  if (timed_) done.completed = answer(done.completed, done);
  last_completion_ = std::max(last_completion_, done.completed);
}

// What passes before the command is carried out.
Nanoseconds Drive::accept(const Request& request, Nanoseconds now, Completion& done) {
  const ControllerConfig& controller = config_.controller;
  const bool reads = request.op == Op::read;
  charge(done, LatencyPart::link, now, now + config_.link.submit);
  now += config_.link.submit;
  Nanoseconds own = reads ? controller.read_command : controller.write_command;
  const Nanoseconds page = reads ? controller.read_page : request.op == Op::write ? controller.write_page : Nanoseconds{0};
  if (page > Nanoseconds{0}) own += page * PageWalk(request, config_.ftl.mapping_bytes).pages();
  const Nanoseconds search = reads && map_search_.costs() ? search_map(request) : Nanoseconds{0};
  now = work(now, own + search, done);
  if (search > Nanoseconds{0}) {
    charge(done, LatencyPart::mapping, now - search, now);
    done.parts[static_cast<std::size_t>(LatencyPart::controller)] -= search;
  }
  const Nanoseconds latency = reads ? controller.read_latency : controller.write_latency;
  charge(done, LatencyPart::controller, now, now + latency);
  return now + latency;
}

Nanoseconds Drive::search_map(const Request& request) {
  const PageMap& map = ftl_->store().map();
  Nanoseconds time{0};
  for (PageWalk walk(request, config_.ftl.mapping_bytes); walk.more(); walk.step()) {
    time += map_search_.cost(walk.lpn(), map.find(walk.lpn()), map.extents());
  }
  return time;
}

Nanoseconds Drive::answer(Nanoseconds now, Completion& done) {
  charge(done, LatencyPart::link, now, now + config_.link.complete);
  return now + config_.link.complete;
}

Nanoseconds Drive::work(Nanoseconds now, Nanoseconds length, Completion& done) {
  const Controller::Times times = controller_.work(now, length);
  charge(done, LatencyPart::controller_wait, now, times.start);
  charge(done, LatencyPart::controller, times.start, times.done);
  return times.done;
}

// What is in RAM is as good as in the flash; not at the end of life, when there may be no place for it.
bool Drive::outlives_power() const { return config_.ftl.buffer.power_loss_protected && !ftl_->read_only(); }

// A write with forced unit access is complete when its data are in the flash; all that waits in RAM goes with it.
void Drive::force_to_flash(Completion& done) {
  if (outlives_power()) return;
  const Nanoseconds programmed = ftl_->flush(done.completed);
  if (ftl_->read_only() && !ftl_->all_in_flash()) done.status = Status::read_only;
  charge(done, LatencyPart::die, done.completed, programmed);
  done.completed = std::max(done.completed, programmed);
}

void Drive::notice_idle_time(Nanoseconds now) {
  const Nanoseconds begin = last_completion_ + config_.ftl.gc.idle_after;
  if (begin < now) ftl_->use_idle_time(begin, now);
}

Drive::Piece Drive::next_piece(PageWalk& walk) const {
  const Layout& layout = medium_.layout();
  Ftl::Found found = ftl_->find(walk.lpn());
  Piece piece{found.where, kNoBlock, 0};
  piece.first_page = number(walk.lpn());
  if (read_ahead_ && found.where == Ftl::Found::Where::flash) {
    if (const Nanoseconds* ready = read_ahead_->find(piece.first_page)) {
      piece.where = Ftl::Found::Where::ram;
      piece.ahead = true;
      piece.ready = *ready;
    }
  }
  if (piece.where == Ftl::Found::Where::flash) {
    piece.block = layout.block_of(found.ppn);
    piece.stripe = layout.stripe_of(layout.position(found.ppn));
  }
  for (;;) {
    ++piece.pages;
    piece.bytes += walk.bytes();
    walk.step();
    if (!walk.more() || piece.where != Ftl::Found::Where::flash) return piece;
    const Ppn next{number(found.ppn) + 1};
    found = ftl_->find(walk.lpn());
    const bool same_stripe = found.where == Ftl::Found::Where::flash && found.ppn == next &&
                             layout.block_of(next) == piece.block && layout.stripe_of(layout.position(next)) == piece.stripe;
    if (!same_stripe || (read_ahead_ && read_ahead_->find(number(walk.lpn())) != nullptr)) return piece;
  }
}

// What the host is given.
void Drive::note_read(const Piece& piece, std::uint64_t tag) {
  host_.unmapped_read_pages += piece.where == Ftl::Found::Where::unmapped;
  if (piece.ahead) read_ahead_->use(piece.first_page);
  if (!seen_reads_) return;
  for (std::uint32_t l = piece.first_page; l < piece.first_page + piece.pages; ++l)
    seen_reads_->push_back({tag, Lpn{l}, ftl_->version(Lpn{l})});
}

// Data go to the host in order: a piece waits for its own read, then for the link. `from` is when the last piece was
// delivered; only what lies after it delayed the request.
Nanoseconds Drive::deliver(const Backend::ReadTimes& times, Nanoseconds from, std::uint64_t bytes, std::uint32_t crossings,
                           Nanoseconds command, Completion& done) {
  const auto clip = [from](Nanoseconds t) { return std::max(t, from); };
  charge(done, LatencyPart::die_wait, from, clip(times.array_start));
  charge(done, LatencyPart::die, clip(times.array_start), clip(times.array_end));
  charge(done, LatencyPart::die_wait, clip(times.array_end), clip(times.bus_start));
  charge(done, LatencyPart::channel, clip(times.bus_start), clip(times.done));
  Nanoseconds ready = clip(times.done);
  if (crossings > 0) {
    const Nanoseconds crossed = clip(dram_.cross(times.done, bytes, crossings));
    charge(done, LatencyPart::dram, ready, crossed);
    ready = crossed;
  }
  const Link::Times moved = link_.to_host(ready, command, bytes);
  charge(done, LatencyPart::link_wait, ready, moved.start);
  charge(done, LatencyPart::link, moved.start, moved.done);
  return moved.done;
}

// The translation pages of all that is read, at once.
Nanoseconds Drive::look_up(const Request& request, Nanoseconds now) {
  if (ftl_->demand() == nullptr) return now;
  Nanoseconds known = now;
  for (PageWalk walk(request, config_.ftl.mapping_bytes); walk.more(); walk.step()) {
    known = std::max(known, ftl_->look_up(walk.lpn(), now));
  }
  return known;
}

void Drive::read(const Request& request, Nanoseconds now, Completion& done) {
  host_.host_read_bytes += request.length_bytes;
  const Layout& layout = medium_.layout();
  const std::uint64_t stripe_bytes =
      std::uint64_t{config_.ftl.mapping_bytes} / layout.stripes_per_page() * layout.pages_per_stripe();
  Nanoseconds command = link_.config().read_command;
  const Nanoseconds known = look_up(request, now);
  charge(done, LatencyPart::mapping, now, known);
  now = known;
  Nanoseconds delivered = now;
  for (PageWalk walk(request, config_.ftl.mapping_bytes); walk.more();) {
    const Piece piece = next_piece(walk);
    note_read(piece, request.tag);
    const std::uint32_t crossings = read_crossings(piece);
    // A mapping page larger than a stripe comes from several dies.
    std::uint64_t left = piece.bytes;
    for (std::uint32_t stripe = piece.stripe; left > 0; ++stripe) {
      const Nanoseconds there = std::max(now, piece.ready);
      Backend::ReadTimes times{there, there, there, there};
      const std::uint64_t bytes = std::min(left, stripe_bytes);
      if (piece.where == Ftl::Found::Where::flash) {
        times = backend_.read(now, layout.die_of(piece.block, stripe), static_cast<std::uint32_t>(bytes));
      }
      delivered = deliver(times, delivered, bytes, crossings, command, done);
      command = Nanoseconds{0};
      left -= bytes;
    }
  }
  done.completed = delivered;
  if (read_ahead_) read_ahead(request, now);
}

// How often the data go through the controller's memory: from the flash into it and out again; what waits in it, only out.
std::uint32_t Drive::read_crossings(const Piece& piece) const {
  if (!timed_ || !dram_.limits() || piece.where == Ftl::Found::Where::unmapped) return 0;
  if (piece.where == Ftl::Found::Where::ram) return 1;
  return dram_.config().reads_bypass ? 0 : 2;
}

// After the request itself has had its turn at the dies.
void Drive::read_ahead(const Request& request, Nanoseconds now) {
  const ReadAhead::Pages pages = read_ahead_->saw(request.offset_bytes, request.offset_bytes + request.length_bytes);
  const std::uint64_t page_bytes = config_.ftl.mapping_bytes;
  Request ahead = request;
  ahead.offset_bytes = pages.first * page_bytes;
  ahead.length_bytes = (pages.end - pages.first) * page_bytes;
  const Nanoseconds known = look_up(ahead, now);
  for (PageWalk walk(ahead, config_.ftl.mapping_bytes); walk.more();) {
    const Piece piece = next_piece(walk);
    if (piece.where != Ftl::Found::Where::flash) continue;
    const Nanoseconds ready = fetch_ahead(piece, known);
    for (std::uint32_t l = piece.first_page; l < piece.first_page + piece.pages; ++l) read_ahead_->fetched(l, ready);
  }
}

// When all of the piece is in RAM.
Nanoseconds Drive::fetch_ahead(const Piece& piece, Nanoseconds now) {
  const Layout& layout = medium_.layout();
  const std::uint64_t stripe_bytes =
      std::uint64_t{config_.ftl.mapping_bytes} / layout.stripes_per_page() * layout.pages_per_stripe();
  Nanoseconds ready = now;
  std::uint64_t left = piece.bytes;
  for (std::uint32_t stripe = piece.stripe; left > 0; ++stripe) {
    const std::uint64_t bytes = std::min(left, stripe_bytes);
    Nanoseconds there = backend_.read(now, layout.die_of(piece.block, stripe), static_cast<std::uint32_t>(bytes)).done;
    if (timed_ && dram_.limits()) there = dram_.cross(there, bytes, 1);
    ready = std::max(ready, there);
    left -= bytes;
  }
  return ready;
}

void Drive::write(const Request& request, Nanoseconds now, Completion& done) {
  Nanoseconds command = link_.config().write_command;
  Nanoseconds stored = now;
  for (PageWalk walk(request, config_.ftl.mapping_bytes); walk.more(); walk.step()) {
    const Nanoseconds room = ftl_->room_at(now);
    const Link::Times moved = link_.to_drive(room, command, walk.bytes());
    charge(done, LatencyPart::buffer_wait, now, room);
    charge(done, LatencyPart::link_wait, room, moved.start);
    charge(done, LatencyPart::link, moved.start, moved.done);
    now = moved.done;
    stored = std::max(stored, store(now, walk.bytes()));
    if (read_ahead_) read_ahead_->forget({number(walk.lpn()), number(walk.lpn()) + 1});
    command = Nanoseconds{0};
    const std::uint32_t first = walk.first_byte();
    if (ftl_->write(walk.lpn(), first, first + walk.bytes(), room, stored, {request.stream})) {
      host_.host_write_bytes += walk.bytes();
    } else {
      done.status = Status::read_only;
      tell_refusal(request, walk.offset);
      break;
    }
  }
  charge(done, LatencyPart::dram, now, stored);
  done.completed = std::max(now, stored);
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
  const Nanoseconds known = ftl_->trim(Lpn{static_cast<std::uint32_t>(first)}, pages, now);
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
  const Nanoseconds programmed = safe ? now : ftl_->flush(now);
  charge(done, LatencyPart::die, now, programmed);
  if (!safe && ftl_->read_only() && !ftl_->all_in_flash()) done.status = Status::read_only;
  const Link::Times moved = link_.to_drive(programmed, link_.config().write_command, 0);
  charge(done, LatencyPart::link_wait, programmed, moved.start);
  charge(done, LatencyPart::link, moved.start, moved.done);
  done.completed = moved.done;
}

}  // namespace ftlab
