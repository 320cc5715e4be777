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

}  // namespace ftlab
