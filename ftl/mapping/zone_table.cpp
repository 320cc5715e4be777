#include "ftl/mapping/zone_table.h"

#include <algorithm>
#include <string>

namespace ftlab {

Status ZoneTable::accept(Request& request) {
  if (request.op == Op::read || request.op == Op::flush) return Status::ok;
  const auto number = static_cast<std::uint32_t>(request.offset_bytes / config_.zone_bytes);
  if (number >= zones_.size()) return Status::invalid;
  return request.op == Op::write ? write(request, number) : manage(request, number);
}

Status ZoneTable::write(Request& request, std::uint32_t number) {
  Zone& zone = zones_[number];
  const std::uint64_t first = number * config_.zone_bytes;
  if (request.length_bytes == 0 || request.offset_bytes % block_bytes_ != 0 || request.length_bytes % block_bytes_ != 0)
    return Status::invalid;
  if (request.append && request.offset_bytes != first) return Status::invalid;
  if (zone.state == ZoneState::full) return Status::zone_is_full;
  if (!request.append && request.offset_bytes != first + zone.written_bytes) return Status::zone_invalid_write;
  if (request.length_bytes > config_.capacity_bytes - zone.written_bytes) return Status::zone_boundary_error;
  if (!is_open(zone.state)) {
    const Status opened = open(number, ZoneState::implicitly_open);
    if (opened != Status::ok) return opened;
  }
  request.offset_bytes = first + zone.written_bytes;
  zone.written_bytes += request.length_bytes;
  FTLAB_DCHECK(zone.written_bytes <= config_.capacity_bytes, "zone " + std::to_string(number) + " exceeds its capacity");
  if (zone.written_bytes == config_.capacity_bytes) zone.state = ZoneState::full;
  return Status::ok;
}

Status ZoneTable::manage(Request& request, std::uint32_t number) {
  Zone& zone = zones_[number];
  const bool whole = request.offset_bytes == number * config_.zone_bytes && request.length_bytes == config_.zone_bytes;
  if (request.zone == ZoneCommand::none) return Status::invalid;  // a zone is reset, never trimmed
  if (!whole) return Status::zone_boundary_error;
  request.length_bytes = 0;
  switch (request.zone) {
    case ZoneCommand::reset: reset(request, zone); return Status::ok;
    case ZoneCommand::finish: finish(request, zone); return Status::ok;
    case ZoneCommand::open:
      if (zone.state == ZoneState::full) break;
      return open(number, ZoneState::explicitly_open);
    default:
      if (!is_active(zone.state)) break;
      zone.state = ZoneState::closed;
      return Status::ok;
  }
  return Status::invalid_zone_state_transition;
}

void ZoneTable::reset(Request& request, Zone& zone) {
  if (zone.state != ZoneState::empty) ++resets_;
  if (zone.written_bytes > 0) request.length_bytes = config_.capacity_bytes;
  zone = {};
}

void ZoneTable::finish(Request& request, Zone& zone) {
  if (zone.state == ZoneState::full) return;
  ++finishes_;
  FTLAB_DCHECK(zone.written_bytes <= config_.capacity_bytes, "a zone is finished behind its end");
  request.offset_bytes += zone.written_bytes;
  request.length_bytes = config_.capacity_bytes - zone.written_bytes;
  zone = {ZoneState::full, config_.capacity_bytes};
}

// The drive closes a zone that it opened for a write if it needs its place. A zone that the host opened stays open.
Status ZoneTable::open(std::uint32_t number, ZoneState wanted) {
  FTLAB_DCHECK(is_open(wanted), "zone " + std::to_string(number) + " is opened into a state that is not open");
  Zone& zone = zones_[number];
  if (!is_active(zone.state) && count(is_active) >= config_.most_active) return Status::too_many_active_zones;
  if (!is_open(zone.state)) {
    if (count(is_open) >= config_.most_open && !close_one()) return Status::too_many_open_zones;
    opened_[number] = ++openings_;
  }
  zone.state = wanted;
  return Status::ok;
}

// Closes the implicitly opened zone that was opened first. False if there is none.
bool ZoneTable::close_one() {
  std::size_t first = zones_.size();
  for (std::size_t z = 0; z < zones_.size(); ++z) {
    if (zones_[z].state != ZoneState::implicitly_open) continue;
    if (first == zones_.size() || opened_[z] < opened_[first]) first = z;
  }
  if (first == zones_.size()) return false;
  zones_[first].state = ZoneState::closed;
  return true;
}

std::uint32_t ZoneTable::count(bool (*counts)(ZoneState)) const {
  return static_cast<std::uint32_t>(std::ranges::count_if(zones_, [&](const Zone& zone) { return counts(zone.state); }));
}

void ZoneTable::restart(const std::function<bool(std::uint64_t offset)>& holds) {
  for (std::size_t z = 0; z < zones_.size(); ++z) {
    Zone& zone = zones_[z];
    if (!is_active(zone.state)) continue;
    std::uint64_t written = 0;
    while (written < zone.written_bytes && holds(z * config_.zone_bytes + written)) written += block_bytes_;
    zone = {written > 0 ? ZoneState::closed : ZoneState::empty, written};
  }
}

bool ZoneTable::fits(const std::function<bool(std::uint64_t offset)>& holds) const {
  for (std::size_t z = 0; z < zones_.size(); ++z) {
    const std::uint64_t first = z * config_.zone_bytes, written = zones_[z].written_bytes;
    if (zones_[z].state == ZoneState::full) continue;
    if (holds(first + written) || (written > 0 && !holds(first + written - block_bytes_))) return false;
  }
  return true;
}

ZoneReport ZoneTable::report() const {
  if (!any()) return {};
  return {config_.zone_bytes, config_.capacity_bytes, block_bytes_, config_.most_open, config_.most_active, zones_};
}

void ZoneTable::archive(Archive& archive) {
  archive.section("zones");
  for (Zone& zone : zones_) {
    archive.value(zone.state);
    archive.value(zone.written_bytes);
  }
  archive.exact(opened_);
  for (auto* value : {&openings_, &resets_, &finishes_}) archive.value(*value);
}

}  // namespace ftlab
