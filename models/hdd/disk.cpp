#include "models/hdd/disk.h"

#include <algorithm>
#include <string>

#include "models/hdd/disk_arm.h"

namespace ftlab {

namespace {

void spend_access(DiskCommand& command, const Mechanism::Access& access, Nanoseconds now) {
  command.spend(LatencyPart::seek, now + access.seek);
  command.spend(LatencyPart::rotation, command.accounted + access.rotation);
  command.spend(LatencyPart::media, access.done);
}

}  // namespace

Disk::Disk(const DiskConfig& config, bool timed, std::uint64_t seed)
    : config_(config),
      seed_(seed),
      timed_(timed),
      arm_(Mechanism(config.platters, config.seek, config.lost, config.recovery, seed), config.read_cache),
      write_back_(config.write_cache),
      link_(config.link, true),
      queue_(config.queue.depth, config.host.elevator) {
  FTLAB_CHECK(config.user_bytes <= config.platters.sectors() * kSectorBytes, "more user space than platters");
}

// ---- commands

void Disk::submit(std::span<const Request> batch) {
  for (const Request& request : batch) {
    const std::uint64_t end = request.offset_bytes + request.length_bytes;
    const bool sectors = request.offset_bytes % kSectorBytes == 0 && request.length_bytes % kSectorBytes == 0;
    const bool inside = sectors && end <= config_.user_bytes && end >= request.offset_bytes;
    const bool empty = request.length_bytes == 0 && request.op != Op::flush;
    const Slot slot = commands_.add(request);
    if (!inside || empty || request.op == Op::trim) {
      complete(slot, request.issued, Status::invalid);  // a disk has no TRIM
    } else if (!timed_) {
      execute_untimed(request);
      complete(slot, request.issued);
    } else if (queue_.full()) {
      queue_.hold(slot, commands_[slot]);
    } else {
      accept(slot, request.issued);
    }
  }
}

void Disk::execute_untimed(const Request& request) {
  if (request.op == Op::read) counters_.host_read_bytes += request.length_bytes;
  if (request.op == Op::read) counters_.media_read_bytes += request.length_bytes;
  if (request.op == Op::write) counters_.host_write_bytes += request.length_bytes;
  if (request.op == Op::write) counters_.media_host_bytes += request.length_bytes;
  if (request.op != Op::flush) ++counters_.media_operations;
}

void Disk::accept(Slot slot, Nanoseconds now) {
  DiskCommand& command = commands_[slot];
  command.queued = true;
  command.accepted = now;
  queue_.enter();
  command.spend(LatencyPart::queue_wait, now);
  now += config_.link.submit;
  command.spend(LatencyPart::link, now);
  const Nanoseconds length =
      command.request.op == Op::read ? config_.controller.read_command : config_.controller.write_command;
  const Nanoseconds start = firmware_.reserve(now, length);
  command.spend(LatencyPart::controller_wait, start);
  command.spend(LatencyPart::controller, start + length);
  command.ready = start + length;
  arrivals_.push_back(slot);
}

void Disk::complete(Slot slot, Nanoseconds at, Status status) {
  commands_.complete(slot, at, timed_ && status == Status::ok ? config_.link.complete : Nanoseconds{0}, status);
}

std::size_t Disk::take_completions(std::span<Completion> out) {
  const Nanoseconds instant = commands_.next_completion();
  std::size_t count = 0;
  while (count < out.size() && commands_.next_completion() == instant) {
    const DiskCommand& command = commands_.take_completed();
    out[count++] = command.done;
    if (command.queued) queue_.leave();
  }
  while (const auto slot = queue_.next(instant)) accept(*slot, instant);
  return count;
}

std::size_t Disk::wait(Nanoseconds until, std::span<Completion> out) {
  while (!commands_.empty()) {
    const Nanoseconds next = next_event(), completion = commands_.next_completion();
    if (completion != kNever && completion <= std::min(next, until)) return take_completions(out);
    if (next >= until) return 0;
    step(next);
  }
  return 0;  // background work runs only when it affects a later command
}

// ---- events

Nanoseconds Disk::next_event() const {
  Nanoseconds next = next_choice();
  if (write_back_.is_writing()) next = std::min(next, arm_.free_at());
  if (!arrivals_.empty()) next = std::min(next, commands_[arrivals_.front()].ready);
  return next;
}

// Next time at which the arm is free and has work to choose from.
Nanoseconds Disk::next_choice() const {
  Nanoseconds ready = writing_from();
  for (const Slot slot : pending_) ready = std::min(ready, commands_[slot].ready);
  return ready == kNever ? kNever : std::max({ready, arm_.free_at(), clock_});
}

void Disk::step(Nanoseconds now) {
  clock_ = now;
  counters_.media_read_bytes += arm_.follow(now) * kSectorBytes;
  if (!arrivals_.empty() && commands_[arrivals_.front()].ready <= now) {
    const Slot slot = arrivals_.front();
    arrivals_.pop_front();
    return arrive(slot, now);
  }
  if (write_back_.is_writing() && arm_.free_at() <= now) return finish_writing(now);
  const ArmChoice choice = choose({config_.queue, arm_, commands_, pending_, write_back_, writing_from()}, now);
  if (choice.from_cache) {
    write_out(choice.index, now);
  } else {
    serve(choice.index, now);
  }
}

void Disk::arrive(Slot slot, Nanoseconds now) {
  last_request_ = std::max(last_request_, now);
  DiskCommand& command = commands_[slot];
  if (command.end > command.first) command.place = arm_.mechanism().platters().place(command.first);
  switch (command.request.op) {
    case Op::read: return arrive_read(slot, now);
    case Op::write: return arrive_write(slot, now);
    case Op::flush: return arrive_flush(slot, now);
    case Op::trim: break;
  }
  FTLAB_CHECK(false, "a trim was taken");
}

void Disk::arrive_read(Slot slot, Nanoseconds now) {
  const DiskCommand& command = commands_[slot];
  counters_.host_read_bytes += command.request.length_bytes;
  if (!arm_.holds(command.first, command.end, now) && !write_back_.covers(command.first, command.end))
    return pending_.push_back(slot);
  ++disk_counters_.read_cache_hits;
  deliver(slot, now, now);
}

void Disk::arrive_write(Slot slot, Nanoseconds now) {
  DiskCommand& command = commands_[slot];
  const std::uint64_t bytes = command.request.length_bytes;
  counters_.host_write_bytes += bytes;
  arm_.forget(command.first, command.end);
  if (command.request.fua || !write_back_.cache().could_hold(bytes)) {
    receive(command, now);
    command.ready = command.accounted;
    return pending_.push_back(slot);
  }
  if (write_back_.must_wait(bytes)) return write_back_.wait_for_room(slot, bytes);
  admit(slot, now);
}

void Disk::receive(DiskCommand& write, Nanoseconds now) {
  const Link::Times times = link_.to_drive(now, config_.link.write_command, write.request.length_bytes);
  write.spend(LatencyPart::link_wait, times.start);
  write.spend(LatencyPart::link, times.done);
}

void Disk::admit(Slot slot, Nanoseconds now) {
  DiskCommand& command = commands_[slot];
  command.spend(LatencyPart::buffer_wait, now);
  receive(command, now);
  write_back_.put(command, command.accounted);
  complete(slot, command.accounted);
}

void Disk::arrive_flush(Slot slot, Nanoseconds now) {
  if (write_back_.has_nothing()) return complete(slot, now);
  write_back_.wait_for_cache(slot);
}

// A piece of the write cache is on the platters: completes flushes and admits writes that waited for it.
void Disk::finish_writing(Nanoseconds now) {
  write_back_.finish();
  while (const auto flush = write_back_.take_flushed()) {
    commands_[*flush].spend(LatencyPart::buffer_wait, now);
    complete(*flush, now);
  }
  while (const auto write = write_back_.take_admitted()) admit(*write, now);
}

// ---- arm

void Disk::serve(std::size_t pending, Nanoseconds now) {
  const Slot slot = pending_[pending];
  pending_.erase(pending_.begin() + static_cast<std::ptrdiff_t>(pending));
  DiskCommand& command = commands_[slot];
  command.spend(LatencyPart::queue_wait, now);
  ++counters_.media_operations;
  if (command.writes()) {
    write(slot, now);
  } else if (continues_stream(arm_, command, now)) {
    read_from_stream(slot);
  } else {
    read(slot, now);
  }
  last_request_ = std::max(last_request_, arm_.free_at());
}

void Disk::read(Slot slot, Nanoseconds now) {
  DiskCommand& command = commands_[slot];
  const Mechanism::Access access = arm_.read(command.first, command.end, now);
  spend_access(command, access, now);
  counters_.media_read_bytes += command.request.length_bytes;
  deliver(slot, access.done - access.media, access.done);
}

// The head is already reading these tracks: the rest counts as media time, including track changes.
void Disk::read_from_stream(Slot slot) {
  DiskCommand& command = commands_[slot];
  const Nanoseconds begun = command.accounted;
  const DiskArm::Reading reading = arm_.read_on(command.end);
  command.spend(LatencyPart::media, reading.done);
  counters_.media_read_bytes += reading.sectors * kSectorBytes;
  deliver(slot, begun, reading.done);
}

void Disk::write(Slot slot, Nanoseconds now) {
  DiskCommand& command = commands_[slot];
  const Mechanism::Access access = arm_.write(command.first, command.end, now);
  spend_access(command, access, now);
  counters_.media_host_bytes += command.request.length_bytes;
  complete(slot, access.done);
}

void Disk::write_out(std::size_t index, Nanoseconds now) {
  const WriteCache::Piece& piece = write_back_.begin(index);
  arm_.write(piece.first, piece.end, now);
  ++counters_.media_operations;
  counters_.media_host_bytes += (piece.end - piece.first) * kSectorBytes;
}

// The link transfers data of a read while the head reads them; the last sector crosses after it was read.
void Disk::deliver(Slot slot, Nanoseconds first_data, Nanoseconds last_data) {
  DiskCommand& command = commands_[slot];
  const std::uint64_t bytes = command.request.length_bytes;
  const Nanoseconds length = config_.link.read_command + transfer_time(bytes, config_.link.bytes_per_s);
  const Nanoseconds after_last = last_data + transfer_time(kSectorBytes, config_.link.bytes_per_s);
  const Nanoseconds ready = std::max(first_data, after_last > length ? after_last - length : Nanoseconds{0});
  const Link::Times times = link_.to_host(ready, config_.link.read_command, bytes);
  command.spend(LatencyPart::link_wait, last_data + (times.start - ready));
  command.spend(LatencyPart::link, times.done);
  complete(slot, times.done);
}

// ---- the whole disk

void Disk::set_timed(bool timed) {
  FTLAB_CHECK(commands_.empty(), "clock changed with requests outstanding");
  timed_ = timed;
}

void Disk::power_cycle() {
  FTLAB_CHECK(commands_.empty(), "power cut with requests outstanding");
  disk_counters_.lost_bytes += write_back_.power_cycle();
  arm_.power_cycle();
}

Nanoseconds Disk::idle_from() const {
  return std::max({commands_.last_completion(), arm_.free_at(), firmware_.end(), link_.idle_from()});
}

DiskCounters Disk::disk_counters() const {
  DiskCounters all = disk_counters_;
  all.arm_moves = arm_.mechanism().moves();
  all.lost_revolutions = arm_.mechanism().lost();
  all.error_recoveries = arm_.mechanism().recoveries();
  all.absorbed_bytes = write_back_.cache().absorbed_bytes();
  all.cached_bytes = write_back_.cache().used_bytes();
  return all;
}

void Disk::add_to(Signature& signature) const {
  const DiskCounters disk = disk_counters();
  for (const std::uint64_t value :
       {counters_.host_read_bytes, counters_.host_write_bytes, counters_.media_host_bytes, counters_.media_read_bytes,
        counters_.media_operations, disk.arm_moves, disk.lost_revolutions, disk.error_recoveries, disk.read_cache_hits,
        disk.absorbed_bytes, disk.cached_bytes, disk.lost_bytes, std::uint64_t{arm_.mechanism().cylinder()}}) {
    signature.add(value);
  }
}

std::vector<std::string> Disk::problems() const {
  const DiskCounters disk = disk_counters();
  const std::uint64_t somewhere =
      counters_.media_host_bytes - write_back_.writing_bytes() + disk.cached_bytes + disk.absorbed_bytes + disk.lost_bytes;
  if (somewhere == counters_.host_write_bytes) return {};
  return {"the host wrote " + std::to_string(counters_.host_write_bytes) + " bytes, of which " + std::to_string(somewhere) +
          " are on the platters, in the cache, overwritten or lost"};
}

}  // namespace ftlab
