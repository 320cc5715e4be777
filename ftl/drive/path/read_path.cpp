#include "ftl/drive/path/read_path.h"

#include <algorithm>

namespace ftlab {

using Due = Agenda::Due;

namespace {

// Flag in the tag of a read that brings all data of a command. The rest is the command's number, not that of a piece.
constexpr std::uint32_t kWhole = 1u << 31;

// For data that no read of the flash brings.
HostRead::Times at_once(Nanoseconds now) { return {now, now, now, now, Nanoseconds{0}}; }

}  // namespace

// Makes pieces of the data found.
class ReadPath::Sink {
 public:
  explicit Sink(ReadPath& path) : path_(path) {}

  std::uint32_t new_fetch() { return path_.fetches_.add(); }
  // A command whose data come with one operation and go straight to the link needs no piece.
  std::uint32_t new_piece(ReadFor whom, bool whole) {
    whole_ = whole && !whom.ahead && !path_.drive_.front.dram.limits();
    return whole_ ? kWhole | whom.command : path_.pieces_.add();
  }
  void flash(std::uint32_t tag, const FlashRead& read, std::uint64_t bytes, ReadFor whom) {
    if ((tag & kWhole) != 0) [[likely]] {
      if (read.lost) path_.commands_.done(whom.command).status = Status::media_error;
      if (read.rebuilt == kNoSignal) [[likely]]
        return;
      tag = path_.pieces_.add();  // to wait for both its read and its rebuild
    }
    fill(tag, read, bytes, whom);
  }
  // True if the command's data come with one operation.
  bool whole() const { return whole_; }
  // Data in RAM, data that a fetch will bring, or an unmapped page.
  [[gnu::noinline]] void ram(const RamPart& part, ReadFor whom) {
    const std::uint32_t id = path_.pieces_.add();
    Piece& piece = path_.pieces_[id];
    piece.bytes = part.host_bytes;
    piece.command = whom.command;
    piece.unmapped = part.unmapped;
    piece.lost = part.lost;
    piece.crossings = path_.crossings(false, part.unmapped);
    piece.waits = 1;
    piece.read = at_once(path_.drive_.agenda.now());
    path_.add_to_command(id, path_.commands_[whom.command]);
    if (part.ahead != nullptr && path_.fetches_.under_way(*part.ahead)) {
      path_.fetches_.wait(*part.ahead, id);
    } else {
      path_.ready_at_once_.push_back(id);
    }
  }

 private:
  [[gnu::noinline]] void fill(std::uint32_t id, const FlashRead& read, std::uint64_t bytes, ReadFor whom) {
    Piece& piece = path_.pieces_[id];
    piece.bytes = bytes;
    piece.command = whom.command;
    piece.fetch = whom.fetch;
    piece.fetches = whom.fetches;
    piece.flash = 1;
    piece.lost = read.lost;
    piece.rebuilt = read.rebuilt;
    piece.waits = read.rebuilt == kNoSignal ? 1 : 2;
    if (whom.ahead) {
      piece.crossings = static_cast<std::uint8_t>(path_.drive_.front.dram.limits());
      path_.fetches_.add_piece(piece);
    } else {
      piece.crossings = path_.crossings(true, false);
      path_.add_to_command(id, path_.commands_[whom.command]);
    }
    if (read.rebuilt != kNoSignal) path_.rebuilding_.push_back(id);
  }

  ReadPath& path_;
  bool whole_ = false;
};

// Only records if data were lost.
struct ReadPath::UntimedSink {
  bool lost = false;

  std::uint32_t new_fetch() { return 0; }
  std::uint32_t new_piece(ReadFor, bool) { return WorkList::kNoTag; }
  void flash(std::uint32_t, const FlashRead& read, std::uint64_t, ReadFor whom) {
    lost = lost || (!whom.ahead && read.lost);
  }
  void ram(const RamPart& part, ReadFor) { lost = lost || part.lost; }
};

void ReadPath::restart() {
  pieces_.clear();
  fetches_.clear();
}

[[gnu::always_inline]] inline void ReadPath::find_pieces(std::uint32_t id) {
  const Nanoseconds now = drive_.agenda.now();
  Command& command = commands_[id];
  charge(commands_.done(id), LatencyPart::mapping, command.at, now);
  command.at = std::max(command.at, now);
  command.began = now;
  drive_.set_date();
  Sink sink(*this);
  finder_.find(command.request, {id}, sink);
  const bool whole = sink.whole();
  if (drive_.front.read_ahead) [[unlikely]]
    read_ahead(command.request, sink);
  drive_.order.remove(command.pages, false);
  if (writes_.has_ready_pages()) [[unlikely]]
    writes_.write_ready_pages();
  drive_.release_reads();
  drive_.hand_over();
  if (!rebuilding_.empty() || !ready_at_once_.empty()) [[unlikely]]
    await_pieces();
  if (command.first_piece != Piece::kNone) {
    if (pieces_[command.first_piece].ready != 0) deliver(id);
  } else if (!whole) {
    commands_.finish(id, command.at);
  }
}

// Every read passes here and read_ended(). What most of them need is inlined, and all else is kept out: with everything
// inlined this function had 200 KB.
void ReadPath::understood(std::uint32_t id) {
  Command& command = commands_[id];
  if (drive_.order.holds_back(id, command.pages)) [[unlikely]]
    return;
  commands_.end_wait(id);
  drive_.host.host_read_bytes += command.request.length_bytes;
  ++drive_.host.host_read_commands;
  drive_.config.ftl.mapping.translation_pages == 0 ? find_pieces(id) : load_map(id);
}

// Loads all translation pages of the read, together.
void ReadPath::load_map(std::uint32_t id) {
  Command& command = commands_[id];
  Signal known = kNoSignal;
  drive_.set_date();
  look_up(command.request, known);
  drive_.map_arrival = drive_.agenda.now();
  drive_.hand_over();
  command.map_arrival = drive_.map_arrival;
  if (known == kNoSignal) return map_known(id);
  drive_.back.engine->await(known, Agenda::tag(Due::mapped, id));
}

void ReadPath::look_up(const Request& request, Signal& known) {
  for (PageWalk walk(request, drive_.config.ftl.mapping_bytes); walk.more(); walk.step())
    drive_.layer->look_up(walk.lpn(), known);
}

// Translation pages in host memory may arrive later.
void ReadPath::map_known(std::uint32_t id) {
  const Nanoseconds there = commands_[id].map_arrival;
  there > drive_.agenda.now() ? drive_.agenda.schedule(there, Due::mapped, id) : find_pieces(id);
}

void ReadPath::execute_untimed(const Request& request, Completion& done) {
  drive_.host.host_read_bytes += request.length_bytes;
  ++drive_.host.host_read_commands;
  drive_.set_date();
  Signal known = kNoSignal;
  if (drive_.config.ftl.mapping.translation_pages > 0) look_up(request, known);
  UntimedSink sink;
  finder_.find(request, {}, sink);
  if (sink.lost) done.status = Status::media_error;
  if (drive_.front.read_ahead) read_ahead(request, sink);
}

// Called after the request's own data were found.
template <class To>
[[gnu::noinline]] void ReadPath::read_ahead(const Request& request, To&& sink) {
  const ReadAhead::Pages pages =
      drive_.front.read_ahead->saw(request.offset_bytes, request.offset_bytes + request.length_bytes);
  if (pages.first == pages.end) return;
  const std::uint64_t page_bytes = drive_.config.ftl.mapping_bytes;
  Request ahead = request;
  ahead.offset_bytes = pages.first * page_bytes;
  ahead.length_bytes = (pages.end - pages.first) * page_bytes;
  Signal known = kNoSignal;  // not awaited: the map is loaded together with the data
  if (drive_.config.ftl.mapping.translation_pages > 0) look_up(ahead, known);
  finder_.find(ahead, {0, true}, sink);
}

// How often data cross the controller's memory: from the flash into it and out again; data already in it only out.
std::uint8_t ReadPath::crossings(bool flash, bool unmapped) const {
  const Dram& dram = drive_.front.dram;
  if (!dram.limits() || unmapped) return 0;
  if (!flash) return 1;
  return dram.config().reads_bypass ? 0 : 2;
}

void ReadPath::add_to_command(std::uint32_t id, Command& command) {
  FTLAB_DCHECK(pieces_[id].next == Piece::kNone, "a piece is added to two commands");
  (command.first_piece == Piece::kNone ? command.first_piece : pieces_[command.last_piece].next) = id;
  command.last_piece = id;
}

// All of the piece is in the controller's memory, from which it goes to the host.
[[gnu::always_inline]] inline void ReadPath::make_ready(std::uint32_t id, Piece& piece) {
  FTLAB_DCHECK(piece.ready == 0 && piece.waits == 0, "a piece is ready twice, or before its data are there");
  piece.ready = 1;
  piece.crossed = drive_.agenda.now();
  if (piece.fetches > 0) return end_fetch(id);
  if (commands_[piece.command].first_piece == id && !finding_) deliver(piece.command);
}

// The piece is in the controller; its data cross the memory now.
[[gnu::always_inline]] inline void ReadPath::piece_there(std::uint32_t id) {
  Piece& piece = pieces_[id];
  const Nanoseconds now = drive_.agenda.now();
  piece.there = now;
  if (piece.crossings == 0) return make_ready(id, piece);
  drive_.agenda.schedule(drive_.front.dram.cross(now, piece.bytes, piece.crossings), Due::crossed, id);
}

// Waits for the pieces that were found last.
[[gnu::noinline]] void ReadPath::await_pieces() {
  for (const std::uint32_t id : rebuilding_) drive_.back.engine->await(pieces_[id].rebuilt, Agenda::tag(Due::rebuilt, id));
  rebuilding_.clear();
  if (ready_at_once_.empty()) return;
  std::vector<std::uint32_t> ready;
  ready.swap(ready_at_once_);
  finding_ = true;
  for (const std::uint32_t id : ready) {
    pieces_[id].waits = 0;
    piece_there(id);
  }
  finding_ = false;
  ready.clear();
  ready_at_once_.swap(ready);
}

namespace {

// Attributes the time of a read, as far as the command's latency is not attributed yet.
inline void charge_read(const HostRead::Times& read, LatencyAccount& account) {
  account.until(LatencyPart::die_wait, read.array_start);
  account.until(LatencyPart::die, read.array_end - read.repeats);
  account.until(LatencyPart::retry, read.array_end);
  account.until(LatencyPart::die_wait, read.bus_start);
  account.until(LatencyPart::channel, read.done);
}

inline void charge_piece(const Piece& piece, LatencyAccount& account) {
  charge_read(piece.read, account);
  account.until(piece.flash ? LatencyPart::retry : LatencyPart::die_wait, piece.there);
  account.until(LatencyPart::dram, piece.crossed);
}

}  // namespace

// Moves data that are in the controller to the host. Waits that overlap the transfer of earlier data add no latency.
[[gnu::always_inline]] inline void ReadPath::send(Command& command, LatencyAccount& account, std::uint64_t bytes) {
  Link& link = drive_.front.link;
  const Nanoseconds ready = std::max(account.at(), drive_.agenda.now());
  const Link::Times moved = link.to_host(ready, command.first ? link.config().read_command : Nanoseconds{0}, bytes);
  account.until(LatencyPart::link_wait, moved.start);
  account.until(LatencyPart::link, moved.done);
  command.first = false;
  command.at = moved.done;
}

[[gnu::always_inline]] inline void ReadPath::deliver_whole(std::uint32_t id, const HostRead::Times& read) {
  Command& command = commands_[id];
  FTLAB_DCHECK(command.request.op == Op::read && read.done == drive_.agenda.now(), "data of no read, or of another time");
  LatencyAccount account(commands_.done(id), command.at);
  charge_read(read, account);
  send(command, account, command.request.length_bytes);
  commands_.finish(id, command.at);
}

[[gnu::always_inline]] inline void ReadPath::take_data(const HostRead& read) {
  const std::uint32_t command = read.tag & ~kWhole;
  if (command == read.tag) return take_piece(read, read.tag);
  if (commands_[command].first_piece == Piece::kNone) [[likely]]
    return deliver_whole(command, read.times);
  take_piece(read, commands_[command].first_piece);  // its page is being rebuilt
}

Nanoseconds ReadPath::read_ended(const HostRead& read) {
  drive_.agenda.set_now(read.times.done);
  take_data(read);
  return std::min({drive_.agenda.earliest(), commands_.next_place(), commands_.earliest_completion()});
}

void ReadPath::take(const HostRead& read) { take_data(read); }

[[gnu::noinline]] void ReadPath::take_piece(const HostRead& read, std::uint32_t id) {
  FTLAB_CHECK(pieces_.has(id), "an unexpected read of the flash");
  Piece& piece = pieces_[id];
  piece.read = read.times;
  if (read.from_memory) {
    piece.flash = 0;
    piece.crossings = piece.fetches > 0 ? 0 : crossings(false, false);
  }
  FTLAB_DCHECK(piece.waits > 0, "data come that the piece does not wait for");
  if (--piece.waits == 0) piece_there(id);
}

void ReadPath::piece_rebuilt(std::uint32_t id) {
  FTLAB_DCHECK(pieces_[id].waits > 0, "a piece is rebuilt that is complete");
  if (--pieces_[id].waits == 0) piece_there(id);
}

void ReadPath::piece_ready(std::uint32_t id) { make_ready(id, pieces_[id]); }

// Read-ahead: pieces of commands may have waited for this one.
void ReadPath::end_fetch(std::uint32_t id) {
  const Piece fetched = pieces_[id];
  const Nanoseconds now = drive_.agenda.now();
  pieces_.remove(id);
  fetches_.remove_piece(fetched, [&](std::uint32_t waiter) {
    Piece& waiting = pieces_[waiter];
    waiting.read = at_once(now);
    waiting.waits = 0;
    piece_there(waiter);
  });
}

// For an unmapped page: true if the firmware has not produced it yet.
bool ReadPath::wait_for_firmware(std::uint32_t id, Command& command, Completion& done) {
  const Nanoseconds made = command.made, now = drive_.agenda.now();
  if (made > std::max(command.at, now)) {
    command.waits_for_firmware = true;
    drive_.agenda.schedule(made, Due::deliver, id);
    return true;
  }
  charge(done, LatencyPart::controller, command.at, std::min(made, now));
  command.at = std::max(command.at, std::min(made, now));
  command.made = std::max(made, command.began) + drive_.config.controller.read_unmapped_page;
  return false;
}

// Data go to the host in order.
[[gnu::noinline]] void ReadPath::deliver(std::uint32_t id) {
  Command& command = commands_[id];
  if (command.waits_for_firmware) return;
  Completion& done = commands_.done(id);
  while (command.first_piece != Piece::kNone) {
    const std::uint32_t at = command.first_piece;
    const Piece& piece = pieces_[at];
    if (!piece.ready || (piece.unmapped && wait_for_firmware(id, command, done))) return;
    if (piece.lost) done.status = Status::media_error;
    LatencyAccount account(done, command.at);
    charge_piece(piece, account);
    send(command, account, piece.bytes);
    command.first_piece = piece.next;
    pieces_.remove(at);
  }
  commands_.finish(id, command.at);
}

}  // namespace ftlab
