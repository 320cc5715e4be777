#include "models/hdd/disk.h"

#include <algorithm>
#include <string>

#include "sim/core/check.h"

namespace ftlab {

Disk::Disk(const DiskConfig& config, bool timed, std::uint64_t seed)
    : config_(config),
      seed_(seed),
      timed_(timed),
      mechanism_(config.platters, config.seek, config.lost, config.recovery, seed),
      read_cache_(config.read_cache),
      write_cache_(config.write_cache),
      link_(config.link, true),
      elevator_(config.host.elevator) {
  FTLAB_CHECK(config.user_bytes <= config.platters.sectors() * kSectorBytes, "more user space than platters");
  FTLAB_CHECK(config.queue.depth > 0, "a queue without a place");
}

// ---- commands

void Disk::submit(std::span<const Request> batch) {
  for (const Request& request : batch) {
    const std::uint64_t end = request.offset_bytes + request.length_bytes;
    const bool sectors = request.offset_bytes % kSectorBytes == 0 && request.length_bytes % kSectorBytes == 0;
    const bool inside = sectors && end <= config_.user_bytes && end >= request.offset_bytes;
    const bool empty = request.length_bytes == 0 && request.op != Op::flush;
    const Slot slot = take_slot(request);
    if (!inside || empty || request.op == Op::trim) {
      complete(slot, request.issued, Status::invalid);  // a disk has no TRIM
    } else if (!timed_) {
      execute_untimed(request);
      complete(slot, request.issued);
    } else if (queued_ == config_.queue.depth) {
      hold(slot);
    } else {
      accept(slot, request.issued);
    }
  }
}

void Disk::hold(Slot slot) {
  if (!config_.host.elevator.on()) return held_.push_back(slot);
  elevator_.add(slot, commands_[slot].first, commands_[slot].end, commands_[slot].request.op != Op::read);
}

// From what the host holds back.
void Disk::fill_queue(Nanoseconds now) {
  for (; !held_.empty() && queued_ < config_.queue.depth; held_.pop_front()) accept(held_.front(), now);
  while (!elevator_.empty() && queued_ < config_.queue.depth) accept(elevator_.next(now, queued_), now);
}

Disk::Slot Disk::take_slot(const Request& request) {
  if (free_slots_.empty()) {
    free_slots_.push_back(static_cast<Slot>(commands_.size()));
    commands_.emplace_back();
  }
  const Slot slot = free_slots_.back();
  free_slots_.pop_back();
  Command& command = commands_[slot];
  command = {};
  command.request = request;
  command.done.tag = request.tag;
  command.accounted = request.issued;
  command.first = request.offset_bytes / kSectorBytes;
  command.end = command.first + request.length_bytes / kSectorBytes;
  return slot;
}

void Disk::execute_untimed(const Request& request) {
  if (request.op == Op::read) counters_.host_read_bytes += request.length_bytes;
  if (request.op == Op::read) counters_.media_read_bytes += request.length_bytes;
  if (request.op == Op::write) counters_.host_write_bytes += request.length_bytes;
  if (request.op == Op::write) counters_.media_host_bytes += request.length_bytes;
  if (request.op != Op::flush) ++counters_.media_operations;
}

void Disk::accept(Slot slot, Nanoseconds now) {
  Command& command = commands_[slot];
  command.queued = true;
  command.accepted = now;
  ++queued_;
  spend(command, LatencyPart::queue_wait, now);
  now += config_.link.submit;
  spend(command, LatencyPart::link, now);
  const Nanoseconds length =
      command.request.op == Op::read ? config_.controller.read_command : config_.controller.write_command;
  const Nanoseconds start = firmware_.reserve(now, length);
  spend(command, LatencyPart::controller_wait, start);
  spend(command, LatencyPart::controller, start + length);
  command.ready = start + length;
  arrivals_.push_back(slot);
}

void Disk::spend(Command& command, LatencyPart part, Nanoseconds until) {
  FTLAB_CHECK(until >= command.accounted, "time goes backwards, to " + std::to_string(until.count()));
  command.done.parts[static_cast<std::size_t>(part)] += until - command.accounted;
  command.accounted = until;
}

void Disk::complete(Slot slot, Nanoseconds at, Status status) {
  Command& command = commands_[slot];
  FTLAB_CHECK(command.accounted == at, "the parts of a latency do not reach to its end");
  if (timed_ && status == Status::ok) {
    at += config_.link.complete;
    spend(command, LatencyPart::link, at);
  }
  command.done.completed = at;
  command.done.status = status;
  last_completion_ = std::max(last_completion_, at);
  done_.push(at, EventClass::completion, slot);
}

std::size_t Disk::take_completions(std::span<Completion> out) {
  const Nanoseconds instant = done_.top().time;
  std::size_t count = 0;
  while (count < out.size() && !done_.empty() && done_.top().time == instant) {
    const Slot slot = done_.pop().payload;
    out[count++] = commands_[slot].done;
    if (commands_[slot].queued) --queued_;
    free_slots_.push_back(slot);
  }
  fill_queue(instant);
  return count;
}

std::size_t Disk::wait(Nanoseconds until, std::span<Completion> out) {
  while (commands_.size() > free_slots_.size()) {
    const Nanoseconds next = next_event();
    if (!done_.empty() && done_.top().time <= std::min(next, until)) return take_completions(out);
    if (next >= until) return 0;
    step(next);
  }
  return 0;  // what the disk does by itself waits until it matters
}

// ---- events

Nanoseconds Disk::next_event() const {
  Nanoseconds next = next_choice();
  if (writing_) next = std::min(next, arm_free_);
  if (!arrivals_.empty()) next = std::min(next, commands_[arrivals_.front()].ready);
  return next;
}

// When the arm next has something to choose from.
Nanoseconds Disk::next_choice() const {
  Nanoseconds ready = writing_from();
  for (const Slot slot : pending_) ready = std::min(ready, commands_[slot].ready);
  return ready == kNever ? kNever : std::max({ready, arm_free_, clock_});
}

// When the write cache may next be written out.
Nanoseconds Disk::writing_from() const {
  if (write_cache_.empty()) return kNever;
  const Nanoseconds there = write_cache_.piece(0).ready;
  const bool at_once = draining_ || writing_is_urgent();
  return at_once ? there : std::max(there, last_request_ + write_cache_.config().idle_after);
}

void Disk::step(Nanoseconds now) {
  clock_ = now;
  follow_stream(now);
  if (!arrivals_.empty() && commands_[arrivals_.front()].ready <= now) {
    const Slot slot = arrivals_.front();
    arrivals_.pop_front();
    return arrive(slot, now);
  }
  if (writing_ && arm_free_ <= now) return finish_writing(now);
  const Choice choice = choose(now);
  if (choice.from_cache) {
    write_out(choice.index, now);
  } else {
    serve(choice.index, now);
  }
}

void Disk::arrive(Slot slot, Nanoseconds now) {
  last_request_ = std::max(last_request_, now);
  if (commands_[slot].end > commands_[slot].first)
    commands_[slot].place = mechanism_.platters().place(commands_[slot].first);
  switch (commands_[slot].request.op) {
    case Op::read: return arrive_read(slot, now);
    case Op::write: return arrive_write(slot, now);
    case Op::flush: return arrive_flush(slot, now);
    case Op::trim: break;
  }
  FTLAB_CHECK(false, "a trim was taken");
}

void Disk::arrive_read(Slot slot, Nanoseconds now) {
  const Command& command = commands_[slot];
  counters_.host_read_bytes += command.request.length_bytes;
  const bool read_before = read_cache_.holds(command.first, command.end);
  const bool in_writing = writing_ && writing_->first <= command.first && command.end <= writing_->end;
  if (!read_before && !in_writing && !write_cache_.covers(command.first, command.end)) return pending_.push_back(slot);
  ++disk_counters_.read_cache_hits;
  const Sector ahead = command.end + config_.read_cache.read_ahead_sectors;
  if (read_before && stream_.reads && stream_.next >= command.end && ahead > stream_.limit) {
    if (stream_.next == stream_.limit) stream_.from = std::max(stream_.from, now);  // the head had stopped reading
    stream_.limit = std::min(ahead, mechanism_.platters().sectors());
  }
  deliver(slot, now, now);
}

void Disk::arrive_write(Slot slot, Nanoseconds now) {
  Command& command = commands_[slot];
  const std::uint64_t bytes = command.request.length_bytes;
  counters_.host_write_bytes += bytes;
  read_cache_.forget(command.first, command.end);
  if (!command.request.fua && write_cache_.could_hold(bytes)) {
    if (admissions_.empty() && write_cache_.has_room(bytes)) return admit(slot, now);
    return admissions_.push_back(slot);
  }
  const Link::Times times = link_.to_drive(now, config_.link.write_command, bytes);
  spend(command, LatencyPart::link_wait, times.start);
  spend(command, LatencyPart::link, times.done);
  command.ready = times.done;
  pending_.push_back(slot);
}

void Disk::admit(Slot slot, Nanoseconds now) {
  Command& command = commands_[slot];
  spend(command, LatencyPart::buffer_wait, now);
  const Link::Times times = link_.to_drive(now, config_.link.write_command, command.request.length_bytes);
  spend(command, LatencyPart::link_wait, times.start);
  spend(command, LatencyPart::link, times.done);
  write_cache_.put(command.first, command.end, command.place, times.done);
  complete(slot, times.done);
}

void Disk::arrive_flush(Slot slot, Nanoseconds now) {
  if (write_cache_.empty() && !writing_) return complete(slot, now);
  flushes_.push_back({slot, write_cache_.next_sequence()});
}

// A piece of the write cache is on the platters: there is room for writes that wait, and flushes may be done.
void Disk::finish_writing(Nanoseconds now) {
  write_cache_.written(*writing_);
  writing_.reset();
  std::erase_if(flushes_, [&](const Flushing& flush) {
    if (!write_cache_.taken_before(flush.sequence)) return false;
    spend(commands_[flush.slot], LatencyPart::buffer_wait, now);
    complete(flush.slot, now);
    return true;
  });
  while (!admissions_.empty() && write_cache_.has_room(commands_[admissions_.front()].request.length_bytes)) {
    admit(admissions_.front(), now);
    admissions_.pop_front();
  }
}

// ---- the arm's choice

Disk::Choice Disk::choose(Nanoseconds now) const {
  if (config_.queue.order == DiskQueueConfig::Order::fifo) return oldest(now);
  const std::optional<Choice> first = overdue(now);
  return first ? *first : shortest(now);
}

// What the disk has known of for too long, the oldest of it. A write that waits for room ages like a read.
std::optional<Disk::Choice> Disk::overdue(Nanoseconds now) const {
  const Choice choice = oldest(now);
  Nanoseconds accepted = now;
  if (!choice.from_cache) accepted = commands_[pending_[choice.index]].accepted;
  if (choice.from_cache && !admissions_.empty()) accepted = commands_[admissions_.front()].accepted;
  if (now - accepted <= config_.queue.most_age) return std::nullopt;
  return choice;
}

Disk::Choice Disk::oldest(Nanoseconds now) const {
  std::optional<std::size_t> first;
  Nanoseconds accepted = kNever;
  for (std::size_t i = 0; i < pending_.size(); ++i) {
    const Command& command = commands_[pending_[i]];
    if (command.ready > now || command.accepted >= accepted) continue;
    first = i;
    accepted = command.accepted;
  }
  const bool waiting = !admissions_.empty() && commands_[admissions_.front()].accepted < accepted;
  if (writing_from() <= now && (waiting || !first)) return {true, 0};
  FTLAB_CHECK(first.has_value(), "the arm has nothing to choose from");
  return {false, *first};
}

Disk::Choice Disk::shortest(Nanoseconds now) const {
  Choice choice;
  Nanoseconds least = kNever;
  for (std::size_t i = 0; i < pending_.size(); ++i) {
    const Command& command = commands_[pending_[i]];
    if (command.ready > now) continue;
    const Nanoseconds takes = continues_stream(command, now)
                                  ? Nanoseconds{0}
                                  : cost(command.first, command.place, command.request.op == Op::write, now);
    if (takes < least) least = takes, choice = {false, i};
  }
  const bool reads_first = !writing_is_urgent() && least != kNever;
  if (writing_from() > now || reads_first) return choice;
  for (std::size_t i = 0; i < write_cache_.candidates(); ++i) {
    const WriteCache::Piece& piece = write_cache_.piece(i);
    if (piece.ready > now) break;
    const Nanoseconds takes = cost(piece.first, piece.place, true, now);
    if (takes < least) least = takes, choice = {true, i};
  }
  return choice;
}

// Seek and rotation as the firmware reckons them; nothing for what goes straight on where the last access ended.
Nanoseconds Disk::cost(Sector first, const Place& place, bool write, Nanoseconds now) const {
  if (arm_free_ == now && mechanism_.next() == first) return Nanoseconds{0};
  return mechanism_.positioning(place, now, write, config_.queue.arrival_margin);
}

// ---- reading on

// The head reads the very next sector of the command, or has just come to its end.
bool Disk::continues_stream(const Command& command, Nanoseconds now) const {
  if (command.request.op != Op::read || !stream_.reads) return false;
  if (command.first > stream_.next || command.end <= stream_.next) return false;
  const bool still = stream_.next < stream_.limit || stream_.from == now;
  const bool rest_is_kept = command.first == stream_.next || read_cache_.has(command.first, stream_.next);
  return still && rest_is_kept;
}

void Disk::follow_stream(Nanoseconds now) {
  if (!stream_.reads || now <= stream_.from || stream_.next == stream_.limit) return;
  const Mechanism::Progress progress = mechanism_.read_on(stream_.next, stream_.limit, stream_.from, now);
  read_cache_.add(stream_.next, progress.reached);
  counters_.media_read_bytes += (progress.reached - stream_.next) * kSectorBytes;
  stream_.next = progress.reached;
  stream_.from = progress.at;
}

// ---- the arm's work

void Disk::serve(std::size_t pending, Nanoseconds now) {
  const Slot slot = pending_[pending];
  pending_.erase(pending_.begin() + static_cast<std::ptrdiff_t>(pending));
  spend(commands_[slot], LatencyPart::queue_wait, now);
  ++counters_.media_operations;
  if (commands_[slot].request.op == Op::write) {
    write(slot, now);
  } else if (continues_stream(commands_[slot], now)) {
    read_from_stream(slot);
  } else {
    read(slot, now);
  }
  last_request_ = std::max(last_request_, arm_free_);
}

Mechanism::Access Disk::move_arm(Command& command, Nanoseconds now, bool writing) {
  const Mechanism::Access access = mechanism_.access(command.first, command.end - command.first, now, writing);
  spend(command, LatencyPart::seek, now + access.seek);
  spend(command, LatencyPart::rotation, command.accounted + access.rotation);
  spend(command, LatencyPart::media, access.done);
  arm_free_ = access.done;
  return access;
}

void Disk::read(Slot slot, Nanoseconds now) {
  Command& command = commands_[slot];
  const Mechanism::Access access = move_arm(command, now, false);
  counters_.media_read_bytes += command.request.length_bytes;
  read_cache_.add(command.first, command.end);
  const Sector ahead = std::min(command.end + config_.read_cache.read_ahead_sectors, mechanism_.platters().sectors());
  stream_ = {command.end, access.done, ahead, true};
  deliver(slot, access.done - access.media, access.done);
}

// The head is on its way through the data already: what is left is charged as media time, track changes included.
void Disk::read_from_stream(Slot slot) {
  Command& command = commands_[slot];
  const Nanoseconds begun = command.accounted;
  const Nanoseconds done = mechanism_.read_on(stream_.next, command.end, stream_.from, kNever).at;
  spend(command, LatencyPart::media, done);
  arm_free_ = done;
  counters_.media_read_bytes += (command.end - stream_.next) * kSectorBytes;
  read_cache_.add(stream_.next, command.end);
  const Sector ahead = std::min(command.end + config_.read_cache.read_ahead_sectors, mechanism_.platters().sectors());
  stream_ = {command.end, done, ahead, true};
  deliver(slot, begun, done);
}

void Disk::write(Slot slot, Nanoseconds now) {
  Command& command = commands_[slot];
  const Mechanism::Access access = move_arm(command, now, true);
  stream_ = {};
  counters_.media_host_bytes += command.request.length_bytes;
  complete(slot, access.done);
}

void Disk::write_out(std::size_t index, Nanoseconds now) {
  const WriteCache::Piece piece = write_cache_.take(index);
  draining_ = !write_cache_.empty();
  arm_free_ = mechanism_.access(piece.first, piece.end - piece.first, now, true).done;
  stream_ = {};
  writing_ = piece;
  ++counters_.media_operations;
  counters_.media_host_bytes += (piece.end - piece.first) * kSectorBytes;
}

// Data of a read cross the link while they come off the platters; the last sector follows the last one read.
void Disk::deliver(Slot slot, Nanoseconds first_data, Nanoseconds last_data) {
  Command& command = commands_[slot];
  const std::uint64_t bytes = command.request.length_bytes;
  const Nanoseconds length = config_.link.read_command + transfer_time(bytes, config_.link.bytes_per_s);
  const Nanoseconds after_last = last_data + transfer_time(kSectorBytes, config_.link.bytes_per_s);
  const Nanoseconds ready = std::max(first_data, after_last > length ? after_last - length : Nanoseconds{0});
  const Link::Times times = link_.to_host(ready, config_.link.read_command, bytes);
  spend(command, LatencyPart::link_wait, last_data + (times.start - ready));
  spend(command, LatencyPart::link, times.done);
  complete(slot, times.done);
}

// ---- the whole disk

void Disk::set_timed(bool timed) {
  FTLAB_CHECK(commands_.size() == free_slots_.size(), "clock changed with requests outstanding");
  timed_ = timed;
}

void Disk::power_cycle() {
  FTLAB_CHECK(commands_.size() == free_slots_.size(), "power cut with requests outstanding");
  if (writing_) write_cache_.written(*writing_);
  writing_.reset();
  disk_counters_.lost_bytes += write_cache_.used_bytes();
  write_cache_.lose();
  draining_ = false;
  read_cache_.lose();
  stream_ = {};
}

Nanoseconds Disk::idle_from() const { return std::max({last_completion_, arm_free_, firmware_.end(), link_.idle_from()}); }

DiskCounters Disk::disk_counters() const {
  DiskCounters all = disk_counters_;
  all.arm_moves = mechanism_.moves();
  all.lost_revolutions = mechanism_.lost();
  all.error_recoveries = mechanism_.recoveries();
  all.absorbed_bytes = write_cache_.absorbed_bytes();
  all.cached_bytes = write_cache_.used_bytes();
  return all;
}

void Disk::add_to(Signature& signature) const {
  const DiskCounters disk = disk_counters();
  for (const std::uint64_t value :
       {counters_.host_read_bytes, counters_.host_write_bytes, counters_.media_host_bytes, counters_.media_read_bytes,
        counters_.media_operations, disk.arm_moves, disk.lost_revolutions, disk.error_recoveries, disk.read_cache_hits,
        disk.absorbed_bytes, disk.cached_bytes, disk.lost_bytes, std::uint64_t{mechanism_.cylinder()}}) {
    signature.add(value);
  }
}

std::vector<std::string> Disk::problems() const {
  const DiskCounters disk = disk_counters();
  const std::uint64_t in_writing = writing_ ? (writing_->end - writing_->first) * kSectorBytes : 0;
  const std::uint64_t somewhere =
      counters_.media_host_bytes - in_writing + disk.cached_bytes + disk.absorbed_bytes + disk.lost_bytes;
  if (somewhere == counters_.host_write_bytes) return {};
  return {"the host wrote " + std::to_string(counters_.host_write_bytes) + " bytes, of which " + std::to_string(somewhere) +
          " are on the platters, in the cache, overwritten or lost"};
}

}  // namespace ftlab
