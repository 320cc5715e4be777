// How a read finds its data and brings them to the host, and what is read ahead with it.
#include <algorithm>

#include "ftl/drive.h"
#include "ftl/page_walk.h"

namespace ftlab {

// Neighbouring pages in one stripe of the flash, or one page that is not in the flash.
struct Drive::Piece {
  Ftl::Found::Where where;
  BlockId block;
  std::uint32_t stripe;
  std::uint32_t first = 0, last = 0;  // positions in the superblock
  std::uint64_t bytes = 0;
  std::uint32_t first_page = 0;
  std::uint32_t pages = 0;
  bool lost = false;                   // it is in RAM, but was made of a lost copy
  const Nanoseconds* ahead = nullptr;  // from when on it is in RAM, of a page that was read ahead
};

Drive::Piece Drive::next_piece(PageWalk& walk) const {
  const Layout& layout = medium_.layout();
  Ftl::Found found = ftl_->find(walk.lpn());
  Piece piece{found.where, kNoBlock, 0};
  piece.first_page = number(walk.lpn());
  if (read_ahead_ && found.where == Ftl::Found::Where::flash) {
    piece.ahead = read_ahead_->find(piece.first_page);
    if (piece.ahead != nullptr) piece.where = Ftl::Found::Where::ram;
  }
  if (piece.where == Ftl::Found::Where::flash) {
    piece.block = layout.block_of(found.ppn);
    piece.first = piece.last = layout.position(found.ppn);
    piece.stripe = layout.stripe_of(piece.first);
  } else if (errors_ && found.where == Ftl::Found::Where::ram) {
    piece.lost = ftl_->lost(walk.lpn());
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
    ++piece.last;
  }
}

// What the host is given.
void Drive::note_read(const Piece& piece, std::uint64_t tag) {
  host_.unmapped_read_pages += piece.where == Ftl::Found::Where::unmapped;
  if (piece.ahead != nullptr) read_ahead_->use(piece.first_page);
  if (contents_ == nullptr) return;
  for (std::uint32_t l = piece.first_page; l < piece.first_page + piece.pages; ++l)
    contents_->returned.push_back({tag, l, number(ftl_->version(Lpn{l}))});
}

// Data go to the host in order: a piece waits for its own read, then for the link. `from` is when the last piece was
// delivered; only what lies after it delayed the request.
Nanoseconds Drive::deliver(const TimedRead& read, Nanoseconds from, std::uint64_t bytes, std::uint32_t crossings,
                           Nanoseconds command, Completion& done) {
  const Backend::ReadTimes& times = read.times;
  const auto clip = [from](Nanoseconds t) { return std::max(t, from); };
  charge(done, LatencyPart::die_wait, from, clip(times.array_start));
  const Nanoseconds first_read = times.array_end - read.retries;
  charge(done, LatencyPart::die, clip(times.array_start), clip(first_read));
  charge(done, LatencyPart::retry, clip(first_read), clip(times.array_end));
  charge(done, LatencyPart::die_wait, clip(times.array_end), clip(times.bus_start));
  charge(done, LatencyPart::channel, clip(times.bus_start), clip(times.done));
  charge(done, LatencyPart::retry, clip(times.done), clip(read.done));
  Nanoseconds ready = clip(read.done);
  if (crossings > 0) {
    const Nanoseconds crossed = clip(dram_.cross(read.done, bytes, crossings));
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
  Signal known = kNoSignal;
  set_date(now);
  for (PageWalk walk(request, config_.ftl.mapping_bytes); walk.more(); walk.step()) ftl_->look_up(walk.lpn(), known);
  execute(now);
  return executor_->raised(known, now);
}

// What of the piece lies in this stripe.
Drive::TimedRead Drive::read_flash(const Piece& piece, std::uint32_t stripe, std::uint32_t bytes, Nanoseconds now) {
  if (errors_) {
    positions_.clear();
    for (std::uint32_t p = piece.first; p <= piece.last; ++p) positions_.push_back(p);
    set_date(now);
    return execute_read(ftl_->read_erring(piece.block, stripe, positions_, bytes), now);
  }
  return execute_read({ftl_->read_stripe(piece.block, stripe, bytes,
                                         ftl_->store().flash_page(piece.block, stripe, piece.first, piece.last))},
                      now);
}

// Whether the drive does nothing with a read but to fetch it from where the map says.
bool Drive::reads_plainly(const DriveConfig& config) {
  return config.ftl.mapping.translation_pages == 0 && !config.ftl.compression.on() && !config.cells.err() &&
         config.controller.read_ahead.streams == 0 && config.dram.bytes_per_s == 0;
}

// As read_pieces(), of what lies in one page of a drive that reads plainly: what most reads are.
void Drive::read_page(const PageWalk& walk, Nanoseconds now, Completion& done) {
  const Ftl::Found found = ftl_->find(walk.lpn());
  Nanoseconds ready = now;
  if (found.where == Ftl::Found::Where::flash) {
    const Layout& layout = medium_.layout();
    const BlockId block = layout.block_of(found.ppn);
    const std::uint32_t position = layout.position(found.ppn), stripe = layout.stripe_of(position);
    const Backend::ReadTimes times =
        execute_read(
            {ftl_->read_stripe(block, stripe, walk.bytes(), ftl_->store().flash_page(block, stripe, position, position))},
            now)
            .times;
    charge(done, LatencyPart::die_wait, now, times.array_start);
    charge(done, LatencyPart::die, times.array_start, times.array_end);
    charge(done, LatencyPart::die_wait, times.array_end, times.bus_start);
    charge(done, LatencyPart::channel, times.bus_start, times.done);
    ready = times.done;
  } else if (found.where == Ftl::Found::Where::unmapped) {
    ++host_.unmapped_read_pages;
  }
  const Link::Times moved = link_.to_host(ready, link_.config().read_command, walk.bytes());
  charge(done, LatencyPart::link_wait, ready, moved.start);
  charge(done, LatencyPart::link, moved.start, moved.done);
  done.completed = moved.done;
}

void Drive::read(const Request& request, Nanoseconds now, Completion& done) {
  host_.host_read_bytes += request.length_bytes;
  const PageWalk walk(request, config_.ftl.mapping_bytes);
  if (plain_reads_ && walk.is_last() && contents_ == nullptr && medium_.layout().stripes_per_page() == 1) [[likely]]
    return read_page(walk, now, done);
  if (ftl_->demand() != nullptr) {
    const Nanoseconds known = look_up(request, now);
    charge(done, LatencyPart::mapping, now, known);
    now = known;
  }
  if (config_.ftl.compression.on()) {
    read_packed(request, now, done);
  } else {
    read_pieces(request, now, done);
  }
  if (read_ahead_) read_ahead(request, now);
}

void Drive::read_pieces(const Request& request, Nanoseconds now, Completion& done) {
  const Layout& layout = medium_.layout();
  const std::uint64_t stripe_bytes =
      std::uint64_t{config_.ftl.mapping_bytes} / layout.stripes_per_page() * layout.pages_per_stripe();
  Nanoseconds command = link_.config().read_command;
  const Nanoseconds empty_page = timed_ ? config_.controller.read_unmapped_page : Nanoseconds{0};
  Nanoseconds delivered = now, made = now;
  for (PageWalk walk(request, config_.ftl.mapping_bytes); walk.more();) {
    const Piece piece = next_piece(walk);
    note_read(piece, request.tag);
    const std::uint32_t crossings = read_crossings(piece.where);
    if (piece.where == Ftl::Found::Where::unmapped && made > delivered) {  // the firmware is not as far yet
      charge(done, LatencyPart::controller, delivered, made);
      delivered = made;
    }
    made += piece.where == Ftl::Found::Where::unmapped ? empty_page : Nanoseconds{0};
    // A mapping page larger than a stripe comes from several dies.
    std::uint64_t left = piece.bytes;
    for (std::uint32_t stripe = piece.stripe; left > 0; ++stripe) {
      const Nanoseconds there = piece.ahead != nullptr ? std::max(now, *piece.ahead) : now;
      TimedRead read{{there, there, there, there}, Nanoseconds{0}, there, piece.lost};
      const std::uint64_t bytes = std::min(left, stripe_bytes);
      if (piece.where == Ftl::Found::Where::flash) read = read_flash(piece, stripe, static_cast<std::uint32_t>(bytes), now);
      if (read.lost) done.status = Status::media_error;
      delivered = deliver(read, delivered, bytes, crossings, command, done);
      command = Nanoseconds{0};
      left -= bytes;
    }
  }
  done.completed = delivered;
}

// How often the data go through the controller's memory: from the flash into it and out again; what waits in it, only out.
std::uint32_t Drive::read_crossings(Ftl::Found::Where where) const {
  if (!timed_ || !dram_.limits() || where == Ftl::Found::Where::unmapped) return 0;
  if (where == Ftl::Found::Where::ram) return 1;
  return dram_.config().reads_bypass ? 0 : 2;
}

// Of a drive that compresses, a page is read whole, whatever the host wants of it. Neighbours in one stripe come together;
// of contents that several pages share, the stripe holds all that they want.
void Drive::gather_parts(const Request& request) {
  packed_pages_.clear();
  packed_parts_.clear();
  for (PageWalk walk(request, config_.ftl.mapping_bytes); walk.more(); walk.step()) {
    const Ftl::Found found = ftl_->find(walk.lpn());
    const std::uint32_t lpn = number(walk.lpn());
    const bool flash = found.where == Ftl::Found::Where::flash;
    const Nanoseconds* const ahead = flash && read_ahead_ ? read_ahead_->find(lpn) : nullptr;
    packed_pages_.push_back({lpn, found.ppn, flash && ahead == nullptr, Nanoseconds{0}});
    if (packed_pages_.back().from_flash) {
      gather_flash_parts(found.ppn);
    } else {
      packed_parts_.push_back({flash ? Ftl::Found::Where::ram : found.where, kNoBlock, 0, 0, 0});
      packed_parts_.back().ahead = ahead;
      packed_parts_.back().lost = errors_ && found.where == Ftl::Found::Where::ram && ftl_->lost(walk.lpn());
    }
    packed_parts_.back().host_bytes += walk.bytes();
  }
}

// Of the latest page.
void Drive::gather_flash_parts(Ppn ppn) {
  const Layout& layout = medium_.layout();
  const std::uint32_t stripe_bytes = layout.pages_per_stripe() * layout.place_bytes();
  const BlockId block = layout.block_of(ppn);
  ftl_->store().each_part(ppn, [&](std::uint32_t stripe, std::uint32_t bytes) {
    const auto page = static_cast<std::uint32_t>(packed_pages_.size()) - 1;
    const bool same = !packed_parts_.empty() && packed_parts_.back().block == block && packed_parts_.back().stripe == stripe;
    if (!same) packed_parts_.push_back({Ftl::Found::Where::flash, block, stripe, page, page});
    PackedPart& part = packed_parts_.back();
    part.end_page = page + 1;
    part.flash_bytes = std::min(part.flash_bytes + bytes, stripe_bytes);
  });
}

Drive::TimedRead Drive::read_part(const PackedPart& part, Nanoseconds now) {
  if (errors_) {
    positions_.clear();
    for (std::uint32_t p = part.first_page; p < part.end_page; ++p) {
      const std::uint32_t last = medium_.layout().position(packed_pages_[p].ppn);
      if (std::find(positions_.begin(), positions_.end(), last) == positions_.end()) positions_.push_back(last);
    }
    set_date(now);
    return execute_read(ftl_->read_erring(part.block, part.stripe, positions_, part.flash_bytes), now);
  }
  return execute_read(
      {ftl_->read_stripe(part.block, part.stripe, part.flash_bytes, ftl_->store().flash_stripe(part.block, part.stripe))},
      now);
}

// What the host is given of what was gathered.
void Drive::note_packed_read(std::uint64_t tag) {
  for (const PackedPart& part : packed_parts_) host_.unmapped_read_pages += part.where == Ftl::Found::Where::unmapped;
  for (const PackedPage& page : packed_pages_) {
    if (read_ahead_ && !page.from_flash && read_ahead_->find(page.lpn) != nullptr) read_ahead_->use(page.lpn);
    if (contents_ != nullptr) contents_->returned.push_back({tag, page.lpn, number(ftl_->version(Lpn{page.lpn}))});
  }
}

void Drive::read_packed(const Request& request, Nanoseconds now, Completion& done) {
  gather_parts(request);
  note_packed_read(request.tag);
  Nanoseconds command = link_.config().read_command;
  Nanoseconds delivered = now;
  for (const PackedPart& part : packed_parts_) {
    const Nanoseconds there = part.ahead != nullptr ? std::max(now, *part.ahead) : now;
    TimedRead read{{there, there, there, there}, Nanoseconds{0}, there, part.lost};
    if (part.where == Ftl::Found::Where::flash) read = read_part(part, now);
    if (read.lost) done.status = Status::media_error;
    delivered = deliver(read, delivered, part.host_bytes, read_crossings(part.where), command, done);
    command = Nanoseconds{0};
  }
  done.completed = delivered;
}

// After the request itself has had its turn at the dies.
void Drive::read_ahead(const Request& request, Nanoseconds now) {
  const ReadAhead::Pages pages = read_ahead_->saw(request.offset_bytes, request.offset_bytes + request.length_bytes);
  const std::uint64_t page_bytes = config_.ftl.mapping_bytes;
  Request ahead = request;
  ahead.offset_bytes = pages.first * page_bytes;
  ahead.length_bytes = (pages.end - pages.first) * page_bytes;
  const Nanoseconds known = ftl_->demand() != nullptr ? look_up(ahead, now) : now;
  if (config_.ftl.compression.on()) return fetch_packed_ahead(ahead, known);
  for (PageWalk walk(ahead, config_.ftl.mapping_bytes); walk.more();) {
    const Piece piece = next_piece(walk);
    if (piece.where != Ftl::Found::Where::flash) continue;
    const TimedRead read = fetch_ahead(piece, known);
    if (read.lost) continue;  // whoever wants it is told so by the flash
    for (std::uint32_t l = piece.first_page; l < piece.first_page + piece.pages; ++l) read_ahead_->fetched(l, read.done);
  }
}

// `done`: when all of the piece is in RAM.
Drive::TimedRead Drive::fetch_ahead(const Piece& piece, Nanoseconds now) {
  const Layout& layout = medium_.layout();
  const std::uint64_t stripe_bytes =
      std::uint64_t{config_.ftl.mapping_bytes} / layout.stripes_per_page() * layout.pages_per_stripe();
  TimedRead all{{}, Nanoseconds{0}, now, false};
  std::uint64_t left = piece.bytes;
  for (std::uint32_t stripe = piece.stripe; left > 0; ++stripe) {
    const std::uint64_t bytes = std::min(left, stripe_bytes);
    const TimedRead read = read_flash(piece, stripe, static_cast<std::uint32_t>(bytes), now);
    all.lost = all.lost || read.lost;
    all.done = std::max(all.done, timed_ && dram_.limits() ? dram_.cross(read.done, bytes, 1) : read.done);
    left -= bytes;
  }
  return all;
}

// A window counts pages of the host: what is read ahead waits as it will be handed out. A page is there with its last part.
void Drive::fetch_packed_ahead(const Request& ahead, Nanoseconds now) {
  gather_parts(ahead);
  for (const PackedPart& part : packed_parts_) {
    if (part.where != Ftl::Found::Where::flash) continue;
    const TimedRead read = read_part(part, now);
    const bool crosses = timed_ && dram_.limits() && part.host_bytes > 0;
    const Nanoseconds there = crosses ? dram_.cross(read.done, part.host_bytes, 1) : read.done;
    for (std::uint32_t p = part.first_page; p < part.end_page; ++p)
      packed_pages_[p].ready = std::max(packed_pages_[p].ready, there);
  }
  for (const PackedPage& page : packed_pages_) {
    if (page.from_flash && !ftl_->store().lost(page.ppn)) read_ahead_->fetched(page.lpn, page.ready);
  }
}

}  // namespace ftlab
