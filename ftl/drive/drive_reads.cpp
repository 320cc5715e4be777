// How a read finds its data and brings them to the host, and what is read ahead with it.
#include <algorithm>

#include "ftl/drive/drive.h"
#include "ftl/read/page_walk.h"

namespace ftlab {

// Neighbouring pages in one stripe of the flash, or one page that is not in the flash.
struct Drive::ReadFor {
  std::uint32_t command = 0;
  bool ahead = false;       // for no command
  std::uint32_t fetch = 0;  // the first of those that it belongs to
  std::uint32_t fetches = 0;
};

struct Drive::Found {
  Ftl::Found::Where where;
  SuperblockId block;
  std::uint32_t stripe;
  std::uint32_t first = 0, last = 0;  // positions in the superblock
  std::uint64_t bytes = 0;
  std::uint32_t first_page = 0;
  std::uint32_t pages = 0;
  bool lost = false;                     // it is in RAM, but was made of a lost copy
  const std::uint32_t* ahead = nullptr;  // with which fetch it comes, of a page that was read ahead
};

Drive::Found Drive::next_found(PageWalk& walk) const {
  const Layout& layout = medium_.layout();
  Ftl::Found at = ftl_->find(walk.lpn());
  Found found{at.where, kNoBlock, 0};
  found.first_page = number(walk.lpn());
  if (found.where == Ftl::Found::Where::flash && read_ahead_) {
    found.ahead = read_ahead_->find(number(walk.lpn()));
    if (found.ahead != nullptr) found.where = Ftl::Found::Where::ram;
  }
  if (found.where == Ftl::Found::Where::flash) {
    found.block = layout.block_of(at.ppn);
    found.first = found.last = layout.position(at.ppn);
    found.stripe = layout.stripe_of(found.first);
  } else if (errors_ && at.where == Ftl::Found::Where::ram) {
    found.lost = ftl_->lost(walk.lpn());
  }
  for (;;) {
    ++found.pages;
    found.bytes += walk.bytes();
    walk.step();
    if (!walk.more() || found.where != Ftl::Found::Where::flash) return found;
    const Ppn next{number(at.ppn) + 1};
    at = ftl_->find(walk.lpn());
    const bool same_stripe = at.where == Ftl::Found::Where::flash && at.ppn == next &&
                             layout.block_of(next) == found.block && layout.stripe_of(layout.position(next)) == found.stripe;
    if (!same_stripe || (read_ahead_ && read_ahead_->find(number(walk.lpn())) != nullptr)) return found;
    ++found.last;
  }
}

// What the host is given.
void Drive::note_read(std::uint64_t tag, std::uint32_t first_page, std::uint32_t pages) {
  if (contents_ == nullptr) return;
  for (std::uint32_t l = first_page; l < first_page + pages; ++l)
    contents_->returned.push_back({tag, l, number(ftl_->version(Lpn{l}))});
}

// The translation pages of all that is read come first, at once.
void Drive::begin_read(std::uint32_t id) {
  const Request& request = commands_[id].request;
  host_.host_read_bytes += request.length_bytes;
  ++host_.host_read_commands;
  if (ftl_->demand() == nullptr) return find_pieces(id);
  Signal known = kNoSignal;
  set_date();
  for (PageWalk walk(request, config_.ftl.mapping_bytes); walk.more(); walk.step()) ftl_->look_up(walk.lpn(), known);
  map_there_ = now_;
  hand_over();
  commands_[id].map_there = map_there_;
  if (known == kNoSignal) return map_known(id);
  engine_->await(known, due(Due::mapped, id));
}

// From the flash; what comes from the host's memory may take longer.
void Drive::map_known(std::uint32_t id) {
  const Nanoseconds there = commands_[id].map_there;
  there > now_ ? schedule(there, Due::mapped, id) : find_pieces(id);
}

// The map's pages cross the link to and from the host's memory. Nothing waits for those that are sent there; reads wait for
// those that are fetched, writes do not: their own pages of the map are not needed before those leave the RAM.
void Drive::use_host_memory() {
  const HostMapCache::Traffic traffic = ftl_->take_host_traffic();
  const std::uint64_t page = config_.ftl.mapping.cache.page_bytes;
  if (traffic.sent > 0) link_.to_host(now_, Nanoseconds{0}, traffic.sent * page);
  if (traffic.fetched > 0) {
    const Nanoseconds asked = now_ + config_.controller.host_memory_read;
    map_there_ = link_.to_drive(asked, Nanoseconds{0}, traffic.fetched * page).done;
  }
}

void Drive::find_pieces(std::uint32_t id) {
  Command& command = commands_[id];
  charge(outstanding_.at(id), LatencyPart::mapping, command.at, now_);
  command.at = std::max(command.at, now_);
  command.began = now_;
  const Request request = command.request;
  set_date();
  if (config_.ftl.compression.on()) {
    find_packed_pieces(request, {id});
  } else {
    find_page_pieces(request, {id});
  }
  if (read_ahead_) read_ahead(request);
  took_effect(id, false);
  hand_over();
  finding_ = true;
  await_pieces();
  finding_ = false;
  if (commands_[id].first_piece == Piece::kNone) return finish(id, command.at);
  deliver(id);
}

void Drive::read_untimed(std::uint32_t id, Completion& done) {
  const Request request = commands_[id].request;
  untimed_lost_ = false;
  if (config_.ftl.compression.on()) {
    find_packed_pieces(request, {id});
  } else {
    find_page_pieces(request, {id});
  }
  if (untimed_lost_) done.status = Status::media_error;
  if (read_ahead_) read_ahead(request);
}

void Drive::find_page_pieces(const Request& request, const ReadFor& asked) {
  const Layout& layout = medium_.layout();
  const std::uint64_t stripe_bytes =
      std::uint64_t{config_.ftl.mapping_bytes} / layout.stripes_per_page() * layout.pages_per_stripe();
  for (PageWalk walk(request, config_.ftl.mapping_bytes); walk.more();) {
    const Found found = next_found(walk);
    const bool flash = found.where == Ftl::Found::Where::flash;
    if (!asked.ahead) {
      host_.unmapped_read_pages += found.where == Ftl::Found::Where::unmapped;
      note_read(request.tag, found.first_page, found.pages);
    }
    if (!flash) {
      if (asked.ahead) continue;
      if (found.ahead != nullptr) read_ahead_->use(found.first_page);
      PackedPart part{found.where, kNoBlock, 0, 0, 0};
      part.host_bytes = found.bytes;
      part.ahead = found.ahead;
      part.lost = found.lost;
      add_ram_piece(part, asked.command);
      continue;
    }
    ReadFor whom = asked;
    if (asked.ahead && timed_) whom = {0, true, new_fetch(), 1};
    positions_.clear();
    for (std::uint32_t p = found.first; p <= found.last; ++p) positions_.push_back(p);
    bool lost = false;
    // A mapping page larger than a stripe comes from several dies.
    std::uint64_t left = found.bytes;
    for (std::uint32_t stripe = found.stripe; left > 0; ++stripe) {
      const std::uint64_t bytes = std::min(left, stripe_bytes);
      const FlashRead read = ftl_->read(found.block, stripe, positions_, static_cast<std::uint32_t>(bytes));
      lost = lost || read.lost;
      add_flash_piece(read, bytes, whom);
      left -= bytes;
    }
    if (!asked.ahead || lost) continue;  // whoever wants what is lost is told so by the flash
    for (std::uint32_t l = found.first_page; l < found.first_page + found.pages; ++l) read_ahead_->fetched(l, whom.fetch);
  }
}

// Neighbours in one stripe come together; of contents that several pages share, the stripe holds all that they want.
void Drive::gather_parts(const Request& request) {
  packed_pages_.clear();
  packed_parts_.clear();
  for (PageWalk walk(request, config_.ftl.mapping_bytes); walk.more(); walk.step()) {
    const Ftl::Found found = ftl_->find(walk.lpn());
    const std::uint32_t lpn = number(walk.lpn());
    const bool flash = found.where == Ftl::Found::Where::flash;
    const std::uint32_t* const ahead = flash && read_ahead_ ? read_ahead_->find(lpn) : nullptr;
    packed_pages_.push_back({lpn, found.ppn, flash && ahead == nullptr});
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
  const std::uint32_t stripe_bytes = layout.pages_per_stripe() * layout.slot_bytes();
  const SuperblockId block = layout.block_of(ppn);
  ftl_->reader().each_part(ppn, [&](std::uint32_t stripe, std::uint32_t bytes) {
    const auto page = static_cast<std::uint32_t>(packed_pages_.size()) - 1;
    const bool same = !packed_parts_.empty() && packed_parts_.back().block == block && packed_parts_.back().stripe == stripe;
    if (!same) packed_parts_.push_back({Ftl::Found::Where::flash, block, stripe, page, page});
    PackedPart& part = packed_parts_.back();
    part.end_page = page + 1;
    part.flash_bytes = std::min(part.flash_bytes + bytes, stripe_bytes);
  });
}

// Read ahead, each page is a fetch: it is there with the last of its parts.
void Drive::find_packed_pieces(const Request& request, const ReadFor& asked) {
  gather_parts(request);
  std::uint32_t first_fetch = 0;
  for (std::size_t page = 0; asked.ahead && timed_ && page < packed_pages_.size(); ++page) {
    const std::uint32_t fetch = new_fetch();
    if (page == 0) first_fetch = fetch;
  }
  if (!asked.ahead) {
    for (const PackedPart& part : packed_parts_) host_.unmapped_read_pages += part.where == Ftl::Found::Where::unmapped;
    for (const PackedPage& page : packed_pages_) note_read(request.tag, page.lpn, 1);
  }
  for (const PackedPart& part : packed_parts_) {
    if (part.where != Ftl::Found::Where::flash) {
      if (!asked.ahead) add_ram_piece(part, asked.command);
      continue;
    }
    positions_.clear();
    for (std::uint32_t p = part.first_page; p < part.end_page; ++p) {
      const std::uint32_t last = medium_.layout().position(packed_pages_[p].ppn);
      if (std::find(positions_.begin(), positions_.end(), last) == positions_.end()) positions_.push_back(last);
    }
    const FlashRead read = ftl_->read(part.block, part.stripe, positions_, part.flash_bytes);
    ReadFor whom = asked;
    if (asked.ahead) whom = {0, true, first_fetch + part.first_page, part.end_page - part.first_page};
    add_flash_piece(read, part.host_bytes, whom);
  }
  for (std::uint32_t i = 0; i < packed_pages_.size(); ++i) {
    const PackedPage& page = packed_pages_[i];
    if (asked.ahead) {
      if (page.from_flash && !ftl_->store().lost(page.ppn)) read_ahead_->fetched(page.lpn, first_fetch + i);
    } else if (read_ahead_ && !page.from_flash && read_ahead_->find(page.lpn) != nullptr) {
      read_ahead_->use(page.lpn);
    }
  }
}

// --- pieces ---

// To be filled in where it lies, and then added.
std::uint32_t Drive::new_piece() {
  std::uint32_t id;
  if (free_pieces_.empty()) {
    id = static_cast<std::uint32_t>(pieces_.size());
    pieces_.emplace_back();
  } else {
    id = free_pieces_.back();
    free_pieces_.pop_back();
  }
  pieces_[id] = Piece{};
  return id;
}

void Drive::add_piece(std::uint32_t id) {
  const Piece& piece = pieces_[id];
  if (piece.fetches > 0) {
    for (std::uint32_t f = piece.fetch; f != piece.fetch + piece.fetches; ++f) ++fetches_[f - first_fetch_];
    return;
  }
  Command& command = commands_[piece.command];
  if (command.first_piece == Piece::kNone) {
    command.first_piece = id;
  } else {
    pieces_[command.last_piece].next = id;
  }
  command.last_piece = id;
}

void Drive::add_flash_piece(const FlashRead& read, std::uint64_t bytes, const ReadFor& whom) {
  if (!timed_) {
    untimed_lost_ = untimed_lost_ || (!whom.ahead && read.lost);
    return;
  }
  const std::uint32_t id = new_piece();
  Piece& piece = pieces_[id];
  piece.bytes = bytes;
  piece.command = whom.command;
  piece.fetch = whom.fetch;
  piece.fetches = whom.fetches;
  piece.flash = 1;
  piece.lost = read.lost;
  piece.rebuilt = read.rebuilt;
  piece.waits = read.rebuilt == kNoSignal ? 1 : 2;
  piece.crossings = whom.ahead ? static_cast<std::uint8_t>(dram_.limits()) : crossings(true, false);
  add_piece(id);
  work_.read_for_host(read.read, id);
  if (read.rebuilt != kNoSignal) rebuilding_.push_back(id);
}

// It is in RAM, or will be with a fetch, or is nowhere.
void Drive::add_ram_piece(const PackedPart& part, std::uint32_t command) {
  if (!timed_) {
    untimed_lost_ = untimed_lost_ || part.lost;
    return;
  }
  const std::uint32_t id = new_piece();
  Piece& piece = pieces_[id];
  piece.bytes = part.host_bytes;
  piece.command = command;
  piece.unmapped = part.where == Ftl::Found::Where::unmapped;
  piece.lost = part.lost;
  piece.crossings = crossings(false, piece.unmapped);
  piece.waits = 1;
  piece.array_start = piece.array_end = piece.bus_start = piece.done = now_;
  add_piece(id);
  if (part.ahead != nullptr && is_fetching(*part.ahead)) {
    fetch_waiters_.emplace_back(*part.ahead, id);
  } else {
    ready_at_once_.push_back(id);
  }
}

// How often the data go through the controller's memory: from the flash into it and out again; what waits in it, only out.
std::uint8_t Drive::crossings(bool flash, bool unmapped) const {
  if (!dram_.limits() || unmapped) return 0;
  if (!flash) return 1;
  return dram_.config().reads_bypass ? 0 : 2;
}

// Of those that were just found.
void Drive::await_pieces() {
  for (const std::uint32_t id : rebuilding_) engine_->await(pieces_[id].rebuilt, due(Due::rebuilt, id));
  rebuilding_.clear();
  std::vector<std::uint32_t> ready;
  ready.swap(ready_at_once_);
  for (const std::uint32_t id : ready) {
    pieces_[id].waits = 0;
    piece_there(id);
  }
  ready.clear();
  ready_at_once_.swap(ready);
}

void Drive::piece_read(const FlashEngine::HostRead& read) {
  FTLAB_CHECK(read.tag < pieces_.size(), "a read of the flash that nobody asked for");
  Piece& piece = pieces_[read.tag];
  piece.array_start = read.array_start;
  piece.array_end = read.array_end;
  piece.bus_start = read.bus_start;
  piece.done = read.done;
  piece.repeats = read.repeats;
  if (read.from_memory) {
    piece.flash = 0;
    piece.crossings = piece.fetches > 0 ? 0 : crossings(false, false);
  }
  if (--piece.waits == 0) piece_there(read.tag);
}

void Drive::piece_rebuilt(std::uint32_t id) {
  if (--pieces_[id].waits == 0) piece_there(id);
}

// Its data are in the controller; they go through its memory.
void Drive::piece_there(std::uint32_t id) {
  Piece& piece = pieces_[id];
  piece.there = now_;
  if (piece.crossings == 0) return piece_ready(id);
  schedule(dram_.cross(now_, piece.bytes, piece.crossings), Due::crossed, id);
}

void Drive::piece_ready(std::uint32_t id) {
  Piece& piece = pieces_[id];
  piece.ready = 1;
  piece.crossed = now_;
  if (piece.fetches > 0) return fetch_piece_ready(id);
  if (commands_[piece.command].first_piece == id && !finding_) deliver(piece.command);
}

// Data go to the host in order. What a piece waited for while the one before it was on the link has cost nothing.
void Drive::deliver(std::uint32_t id) {
  Command& command = commands_[id];
  if (command.waits_for_firmware) return;
  Completion& done = outstanding_.at(id);
  while (command.first_piece != Piece::kNone) {
    const std::uint32_t at = command.first_piece;
    Piece& piece = pieces_[at];
    if (!piece.ready) return;
    const Nanoseconds made = command.made;
    if (piece.unmapped && made > std::max(command.at, now_)) {  // the firmware is not as far
      command.waits_for_firmware = true;
      return schedule(made, Due::deliver, id);
    }
    if (piece.unmapped) {
      charge(done, LatencyPart::controller, command.at, std::min(made, now_));
      command.at = std::max(command.at, std::min(made, now_));
      command.made = std::max(made, command.began) + config_.controller.read_unmapped_page;
    }
    account(piece, command, done);
    if (piece.lost) done.status = Status::media_error;
    const Nanoseconds ready = std::max(command.at, now_);
    const Link::Times moved =
        link_.to_host(ready, command.first ? link_.config().read_command : Nanoseconds{0}, piece.bytes);
    charge(done, LatencyPart::link_wait, command.at, moved.start);
    charge(done, LatencyPart::link, moved.start, moved.done);
    command.first = false;
    command.at = moved.done;
    command.first_piece = piece.next;
    free_pieces_.push_back(at);
  }
  finish(id, command.at);
}

void Drive::account(const Piece& piece, Command& command, Completion& done) const {
  const Nanoseconds from = command.at;
  const auto clip = [from](Nanoseconds t) { return std::max(t, from); };
  charge(done, LatencyPart::die_wait, from, clip(piece.array_start));
  const Nanoseconds first_read = piece.array_end - piece.repeats;
  charge(done, LatencyPart::die, clip(piece.array_start), clip(first_read));
  charge(done, LatencyPart::retry, clip(first_read), clip(piece.array_end));
  charge(done, LatencyPart::die_wait, clip(piece.array_end), clip(piece.bus_start));
  charge(done, LatencyPart::channel, clip(piece.bus_start), clip(piece.done));
  charge(done, piece.flash ? LatencyPart::retry : LatencyPart::die_wait, clip(piece.done), clip(piece.there));
  charge(done, LatencyPart::dram, clip(piece.there), clip(piece.crossed));
  command.at = clip(piece.crossed);
}

// --- reading ahead ---

// After the request itself has had its turn.
void Drive::read_ahead(const Request& request) {
  const ReadAhead::Pages pages = read_ahead_->saw(request.offset_bytes, request.offset_bytes + request.length_bytes);
  if (pages.first == pages.end) return;
  const std::uint64_t page_bytes = config_.ftl.mapping_bytes;
  Request ahead = request;
  ahead.offset_bytes = pages.first * page_bytes;
  ahead.length_bytes = (pages.end - pages.first) * page_bytes;
  if (ftl_->demand() != nullptr) {
    Signal known = kNoSignal;  // the map is loaded with it
    for (PageWalk walk(ahead, config_.ftl.mapping_bytes); walk.more(); walk.step()) ftl_->look_up(walk.lpn(), known);
  }
  if (config_.ftl.compression.on()) {
    find_packed_pieces(ahead, {0, true});
  } else {
    find_page_pieces(ahead, {0, true});
  }
}

std::uint32_t Drive::new_fetch() {
  fetches_.push(0);
  return first_fetch_ + static_cast<std::uint32_t>(fetches_.size()) - 1;
}

bool Drive::is_fetching(std::uint32_t fetch) const {
  const std::uint32_t index = fetch - first_fetch_;
  return index < fetches_.size() && fetches_[index] > 0;
}

void Drive::fetch_piece_ready(std::uint32_t id) {
  const Piece piece = pieces_[id];
  free_pieces_.push_back(id);
  for (std::uint32_t f = piece.fetch; f != piece.fetch + piece.fetches; ++f) {
    FTLAB_CHECK(is_fetching(f), "a page that is not read ahead came");
    if (--fetches_[f - first_fetch_] == 0) fetched(f);
  }
  while (!fetches_.empty() && fetches_.front() == 0) {
    fetches_.pop();
    ++first_fetch_;
  }
}

// All of it is in RAM.
void Drive::fetched(std::uint32_t fetch) {
  if (fetch_waiters_.empty()) return;
  std::vector<std::uint32_t> there;
  std::erase_if(fetch_waiters_, [&](const auto& waiter) {
    if (waiter.first == fetch) there.push_back(waiter.second);
    return waiter.first == fetch;
  });
  for (const std::uint32_t id : there) {
    Piece& piece = pieces_[id];
    piece.array_start = piece.array_end = piece.bus_start = piece.done = now_;
    piece.waits = 0;
    piece_there(id);
  }
}

}  // namespace ftlab
