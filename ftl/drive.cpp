#include "ftl/drive.h"

#include <algorithm>

namespace ftlab {
namespace {

Layout layout_of(const DriveConfig& config) {
  return Layout(config.geometry, config.ftl.superblock, config.ftl.mapping_bytes);
}

void charge(Completion& done, LatencyPart part, Nanoseconds from, Nanoseconds to) {
  if (to > from) done.parts[static_cast<std::size_t>(part)] += to - from;
}

}  // namespace

// The next logical page that a request touches, and which of its bytes; walks from first to last.
struct Drive::PageWalk {
  std::uint64_t offset, end;
  std::uint32_t page_bytes;

  PageWalk(const Request& request, std::uint32_t bytes)
      : offset(request.offset_bytes), end(request.offset_bytes + request.length_bytes), page_bytes(bytes) {}
  bool more() const { return offset < end; }
  Lpn lpn() const { return Lpn{static_cast<std::uint32_t>(offset / page_bytes)}; }
  std::uint32_t first_byte() const { return static_cast<std::uint32_t>(offset % page_bytes); }
  std::uint32_t bytes() const {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(page_bytes - first_byte(), end - offset));
  }
  void step() { offset += bytes(); }
};

// Neighbouring pages in one stripe of the flash, or one page that is not in the flash.
struct Drive::Piece {
  Ftl::Found::Where where;
  BlockId block;
  std::uint32_t stripe;
  std::uint64_t bytes;
};

Drive::Drive(const DriveConfig& config, Clock clock)
    : config_(config),
      timed_(clock == Clock::timed),
      medium_(layout_of(config)),
      backend_(config.geometry, config.nand, timed_),
      link_(config.link, timed_),
      ftl_(std::make_unique<Ftl>(config.ftl, config.logical_pages(), medium_, backend_)) {}

DeviceInfo Drive::info() const { return {config_.name, config_.user_bytes, timed_}; }

void Drive::set_clock(Clock clock) {
  FTLAB_CHECK(outstanding_.empty() && at_once_.empty(), "clock changed with requests outstanding");
  timed_ = clock == Clock::timed;
  backend_.set_timed(timed_);
  link_.set_timed(timed_);
}

void Drive::power_cycle() {
  FTLAB_CHECK(outstanding_.empty() && at_once_.empty(), "power cut with requests outstanding");
  past_ = layer_counters();
  ftl_.reset();
  ftl_ = std::make_unique<Ftl>(config_.ftl, config_.logical_pages(), medium_, backend_);
}

void Drive::expect(const Request& request) {
  const Lpn lpn{static_cast<std::uint32_t>(request.offset_bytes / config_.ftl.mapping_bytes)};
  if (number(lpn) >= config_.logical_pages()) return;
  ftl_->prefetch_map(lpn);
  Lpn& earlier = expected_[expected_count_++ % kExpected];
  ftl_->prefetch_blocks(earlier);
  earlier = lpn;
}

void Drive::submit(std::span<const Request> batch) {
  for (const Request& request : batch) {
    const std::uint32_t place = take_completion();
    carry_out(request, completions_[place]);
    if (timed_) {
      outstanding_.push(completions_[place].completed, EventClass::completion, place);
    } else {
      at_once_.push_back(place);
    }
  }
}

std::uint32_t Drive::take_completion() {
  if (free_completions_.empty()) {
    free_completions_.push_back(static_cast<std::uint32_t>(completions_.size()));
    completions_.emplace_back();
  }
  const std::uint32_t place = free_completions_.back();
  free_completions_.pop_back();
  return place;
}

std::size_t Drive::wait(Nanoseconds until, std::span<Completion> out) {
  if (!timed_) return take_at_once(out);
  if (outstanding_.empty() || outstanding_.top().time > until) return 0;
  const Nanoseconds instant = outstanding_.top().time;
  std::size_t count = 0;
  while (count < out.size() && !outstanding_.empty() && outstanding_.top().time == instant) {
    const std::uint32_t place = outstanding_.pop().payload;
    free_completions_.push_back(place);
    out[count++] = completions_[place];
  }
  return count;
}

std::size_t Drive::take_at_once(std::span<Completion> out) {
  std::size_t count = 0;
  while (count < out.size() && at_once_taken_ < at_once_.size()) {
    const std::uint32_t place = at_once_[at_once_taken_++];
    free_completions_.push_back(place);
    out[count++] = completions_[place];
  }
  if (at_once_taken_ == at_once_.size()) {
    at_once_.clear();
    at_once_taken_ = 0;
  }
  return count;
}

void Drive::carry_out(const Request& request, Completion& done) {
  done = {request.tag, request.issued, Status::ok, {}};
  const std::uint64_t end = request.offset_bytes + request.length_bytes;
  const bool sectors = request.offset_bytes % kSectorBytes == 0 && request.length_bytes % kSectorBytes == 0;
  if (!sectors || end > config_.user_bytes || end < request.offset_bytes) {
    done.status = Status::invalid;
    return;
  }
  Nanoseconds now = request.issued;
  if (timed_) {
    const Nanoseconds length =
        request.op == Op::read ? config_.controller.read_command : config_.controller.write_command;
    const Nanoseconds start = firmware_.reserve(now, length);
    charge(done, LatencyPart::controller_wait, now, start);
    charge(done, LatencyPart::controller, start, start + length);
    now = start + length;
  }
  switch (request.op) {
    case Op::read: read(request, now, done); break;
    case Op::write: write(request, now, done); break;
    case Op::trim: trim(request, now, done); break;
    case Op::flush: flush(now, done); break;
  }
}

Drive::Piece Drive::next_piece(PageWalk& walk, std::uint64_t tag) {
  const Layout& layout = medium_.layout();
  Ftl::Found found = ftl_->find(walk.lpn());
  Piece piece{found.where, kNoBlock, 0, 0};
  if (found.where == Ftl::Found::Where::flash) {
    piece.block = layout.block_of(found.ppn);
    piece.stripe = layout.stripe_of(layout.position(found.ppn));
  }
  host_.unmapped_read_pages += found.where == Ftl::Found::Where::unmapped;
  for (;;) {
    if (seen_reads_) seen_reads_->push_back({tag, walk.lpn(), ftl_->version(walk.lpn())});
    piece.bytes += walk.bytes();
    walk.step();
    if (!walk.more() || piece.where != Ftl::Found::Where::flash) return piece;
    const Ppn next{number(found.ppn) + 1};
    found = ftl_->find(walk.lpn());
    const bool same_stripe = found.where == Ftl::Found::Where::flash && found.ppn == next &&
                             layout.block_of(next) == piece.block &&
                             layout.stripe_of(layout.position(next)) == piece.stripe;
    if (!same_stripe) return piece;
  }
}

// Data go to the host in order: a piece waits for its own read, then for the link. `from` is when the last piece was
// delivered; only what lies after it delayed the request.
Nanoseconds Drive::deliver(const Backend::ReadTimes& times, Nanoseconds from, std::uint64_t bytes, Nanoseconds command,
                           Completion& done) {
  const auto clip = [from](Nanoseconds t) { return std::max(t, from); };
  charge(done, LatencyPart::die_wait, from, clip(times.array_start));
  charge(done, LatencyPart::die, clip(times.array_start), clip(times.array_end));
  charge(done, LatencyPart::die_wait, clip(times.array_end), clip(times.bus_start));
  charge(done, LatencyPart::channel, clip(times.bus_start), clip(times.done));
  const Nanoseconds ready = clip(times.done);
  const Link::Times moved = link_.move(ready, command, bytes);
  charge(done, LatencyPart::link_wait, ready, moved.start);
  charge(done, LatencyPart::link, moved.start, moved.done);
  return moved.done;
}

void Drive::read(const Request& request, Nanoseconds now, Completion& done) {
  host_.host_read_bytes += request.length_bytes;
  const Layout& layout = medium_.layout();
  const std::uint64_t stripe_bytes =
      std::uint64_t{config_.ftl.mapping_bytes} / layout.stripes_per_page() * layout.pages_per_stripe();
  Nanoseconds command = link_.config().read_command;
  Nanoseconds delivered = now;
  for (PageWalk walk(request, config_.ftl.mapping_bytes); walk.more();) {
    const Piece piece = next_piece(walk, request.tag);
    // A mapping page larger than a stripe comes from several dies.
    std::uint64_t left = piece.bytes;
    for (std::uint32_t stripe = piece.stripe; left > 0; ++stripe) {
      Backend::ReadTimes times{now, now, now, now};
      const std::uint64_t bytes = std::min(left, stripe_bytes);
      if (piece.where == Ftl::Found::Where::flash) {
        times = backend_.read(now, layout.die_of(piece.block, stripe), static_cast<std::uint32_t>(bytes));
      }
      delivered = deliver(times, delivered, bytes, command, done);
      command = Nanoseconds{0};
      left -= bytes;
    }
  }
  done.completed = delivered;
}

void Drive::write(const Request& request, Nanoseconds now, Completion& done) {
  host_.host_write_bytes += request.length_bytes;
  Nanoseconds command = link_.config().write_command;
  for (PageWalk walk(request, config_.ftl.mapping_bytes); walk.more(); walk.step()) {
    const Nanoseconds room = ftl_->room_at(now);
    const Link::Times moved = link_.move(room, command, walk.bytes());
    charge(done, LatencyPart::buffer_wait, now, room);
    charge(done, LatencyPart::link_wait, room, moved.start);
    charge(done, LatencyPart::link, moved.start, moved.done);
    ftl_->write(walk.lpn(), walk.first_byte(), walk.first_byte() + walk.bytes(), room, moved.done);
    now = moved.done;
    command = Nanoseconds{0};
  }
  done.completed = now;
}

// Whole logical pages inside the range are unmapped; parts of pages at its edges keep their content.
void Drive::trim(const Request& request, Nanoseconds now, Completion& done) {
  host_.host_trim_bytes += request.length_bytes;
  const std::uint64_t page = config_.ftl.mapping_bytes;
  const std::uint64_t first = (request.offset_bytes + page - 1) / page;
  const std::uint64_t end = (request.offset_bytes + request.length_bytes) / page;
  for (std::uint64_t lpn = first; lpn < end; ++lpn) ftl_->trim(Lpn{static_cast<std::uint32_t>(lpn)});
  const Link::Times moved = link_.move(now, link_.config().write_command, 0);
  charge(done, LatencyPart::link_wait, now, moved.start);
  charge(done, LatencyPart::link, moved.start, moved.done);
  done.completed = moved.done;
}

void Drive::flush(Nanoseconds now, Completion& done) {
  const Nanoseconds programmed = ftl_->flush(now);
  charge(done, LatencyPart::die, now, programmed);
  const Link::Times moved = link_.move(programmed, link_.config().write_command, 0);
  charge(done, LatencyPart::link_wait, programmed, moved.start);
  charge(done, LatencyPart::link, moved.start, moved.done);
  done.completed = moved.done;
}

Counters Drive::layer_counters() const {
  Counters all = past_;
  const std::uint64_t page = config_.ftl.mapping_bytes;
  all.media_host_bytes += ftl_->host_pages() * page - ftl_->filled_bytes();
  all.media_fill_bytes += ftl_->filled_bytes();
  all.media_relocation_bytes += ftl_->relocation().relocated_pages() * page;
  all.media_padding_bytes += ftl_->store().pages_padded() * page;
  all.relocated_pages += ftl_->relocation().relocated_pages();
  all.collected_superblocks += ftl_->relocation().collected();
  return all;
}

Counters Drive::counters() const {
  Counters all = layer_counters();
  all.host_read_bytes = host_.host_read_bytes;
  all.host_write_bytes = host_.host_write_bytes;
  all.host_trim_bytes = host_.host_trim_bytes;
  all.unmapped_read_pages = host_.unmapped_read_pages;
  all.media_read_bytes = backend_.read_bytes();
  all.block_erases = medium_.superblocks_erased() * medium_.layout().blocks_per_superblock();
  all.media_operations = backend_.operations();
  all.free_superblocks = ftl_->store().blocks().free_count();
  return all;
}

void Drive::add_to(Signature& signature) const {
  medium_.add_to(signature);
  const PageMap& map = ftl_->store().map();
  for (std::uint32_t l = 0; l < map.logical_pages(); ++l) signature.add(number(map.find(Lpn{l})));
  const Counters all = counters();
  for (const std::uint64_t value : {all.host_read_bytes, all.host_write_bytes, all.host_trim_bytes, all.media_host_bytes,
                                    all.media_fill_bytes, all.media_relocation_bytes, all.media_padding_bytes,
                                    all.media_read_bytes, all.media_operations, all.free_superblocks}) {
    signature.add(value);
  }
}

}  // namespace ftlab
