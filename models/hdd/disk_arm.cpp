#include "models/hdd/disk_arm.h"

#include <algorithm>

namespace ftlab {

Nanoseconds DiskArm::cost(Sector first, const Place& place, bool write, Nanoseconds now, Nanoseconds margin) const {
  if (free_at_ == now && mechanism_.next() == first) return Nanoseconds{0};
  return mechanism_.positioning(place, now, write, margin);
}

Mechanism::Access DiskArm::read(Sector first, Sector end, Nanoseconds now) {
  const Mechanism::Access access = mechanism_.access(first, end - first, now, false);
  free_at_ = access.done;
  begin_stream(first, end);
  return access;
}

Mechanism::Access DiskArm::write(Sector first, Sector end, Nanoseconds now) {
  const Mechanism::Access access = mechanism_.access(first, end - first, now, true);
  free_at_ = access.done;
  stream_ = {};
  return access;
}

bool DiskArm::reads_towards(Sector first, Sector end, Nanoseconds now) const {
  if (!stream_.on || first > stream_.next || end <= stream_.next) return false;
  const bool still = stream_.next < stream_.limit || stream_.from == now;
  return still && (first == stream_.next || read_cache_.has(first, stream_.next));
}

DiskArm::Reading DiskArm::read_on(Sector end) {
  const Sector first = stream_.next;
  free_at_ = mechanism_.read_on(first, end, stream_.from, kNever).at;
  begin_stream(first, end);
  return {end - first, free_at_};
}

Sector DiskArm::follow(Nanoseconds now) {
  if (!stream_.on || now <= stream_.from || stream_.next == stream_.limit) return 0;
  const Sector first = stream_.next;
  const Mechanism::Progress progress = mechanism_.read_on(first, stream_.limit, stream_.from, now);
  read_cache_.add(first, progress.reached);
  stream_.next = progress.reached;
  stream_.from = progress.at;
  return progress.reached - first;
}

bool DiskArm::holds(Sector first, Sector end, Nanoseconds now) {
  if (!read_cache_.holds(first, end)) return false;
  const Sector ahead = end + read_cache_.config().read_ahead_sectors;
  if (stream_.on && stream_.next >= end && ahead > stream_.limit) {
    if (stream_.next == stream_.limit) stream_.from = std::max(stream_.from, now);  // the head had stopped reading
    stream_.limit = read_ahead_of(end);
  }
  return true;
}

void DiskArm::power_cycle() {
  read_cache_.lose();
  stream_ = {};
}

Sector DiskArm::read_ahead_of(Sector end) const {
  return std::min(end + read_cache_.config().read_ahead_sectors, mechanism_.platters().sectors());
}

void DiskArm::begin_stream(Sector first, Sector end) {
  read_cache_.add(first, end);
  stream_ = {end, free_at_, read_ahead_of(end), true};
}

namespace {

ArmChoice oldest(const ArmWork& work, Nanoseconds now) {
  std::optional<std::size_t> first;
  Nanoseconds accepted = kNever;
  for (std::size_t i = 0; i < work.pending.size(); ++i) {
    const DiskCommand& command = work.commands[work.pending[i]];
    if (command.ready > now || command.accepted >= accepted) continue;
    first = i;
    accepted = command.accepted;
  }
  const std::optional<CommandTable::Slot> write = work.write_back.first_waiting();
  const bool write_is_older = write && work.commands[*write].accepted < accepted;
  if (work.writing_from <= now && (write_is_older || !first)) return {true, 0};
  FTLAB_CHECK(first.has_value(), "the arm has nothing to choose from");
  return {false, *first};
}

// True if the oldest work has waited for too long. A write that waits for room in the cache ages like a read.
bool is_overdue(const ArmWork& work, const ArmChoice& choice, Nanoseconds now) {
  const std::optional<CommandTable::Slot> command =
      choice.from_cache ? work.write_back.first_waiting() : work.pending[choice.index];
  return command && now - work.commands[*command].accepted > work.config.most_age;
}

ArmChoice shortest(const ArmWork& work, Nanoseconds now) {
  ArmChoice choice;
  Nanoseconds least = kNever;
  const auto consider = [&](Nanoseconds takes, const ArmChoice& other) {
    if (takes < least) least = takes, choice = other;
  };
  for (std::size_t i = 0; i < work.pending.size(); ++i) {
    const DiskCommand& command = work.commands[work.pending[i]];
    if (command.ready > now) continue;
    consider(continues_stream(work.arm, command, now)
                 ? Nanoseconds{0}
                 : work.arm.cost(command.first, command.place, command.writes(), now, work.config.arrival_margin),
             {false, i});
  }
  const bool reads_first = !work.write_back.is_urgent() && least != kNever;
  if (work.writing_from > now || reads_first) return choice;
  const WriteCache& cache = work.write_back.cache();
  for (std::size_t i = 0; i < cache.candidates() && cache.piece(i).ready <= now; ++i)
    consider(work.arm.cost(cache.piece(i).first, cache.piece(i).place, true, now, work.config.arrival_margin), {true, i});
  return choice;
}

}  // namespace

bool continues_stream(const DiskArm& arm, const DiskCommand& command, Nanoseconds now) {
  return command.request.op == Op::read && arm.reads_towards(command.first, command.end, now);
}

ArmChoice choose(const ArmWork& work, Nanoseconds now) {
  const ArmChoice first = oldest(work, now);
  if (work.config.order == DiskQueueConfig::Order::fifo || is_overdue(work, first, now)) return first;
  return shortest(work, now);
}

}  // namespace ftlab
