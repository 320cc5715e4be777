#include "sim/host/jobs/zoned_access.h"

#include <algorithm>
#include <functional>

#include "sim/core/check.h"

namespace ftlab {

using Next = ZonedAccess::Next;

ZonedAccess::ZonedAccess(const Job& job, HostZones& zones)
    : job_(job),
      zones_(zones),
      first_(zones.zone_of(job.region_first_bytes + zones.report().zone_bytes - 1)),
      end_(zones.zone_of(job.region_end_bytes)),
      to_reset_(job.pattern.writes && (job.zbd.resets_first || job.verify.on) ? first_ : end_),
      writes_until_reset_(job.zbd.writes_per_reset) {
  positions_.fill(zones.first_byte(first_));
}

// On a conventional device a command changes nothing but the host's own table.
Next ZonedAccess::place(Request& request) {
  Next next = decide(request);
  for (; next == Next::command && !zones_.of_device(); next = decide(request)) take_command();
  // The job still has to read back what it wrote.
  return next == Next::over && reads_back() && !job_.time_based ? Next::skip : next;
}

Next ZonedAccess::decide(Request& request) {
  if (command_) {
    const std::uint32_t zone = zones_.zone_of(command_->offset_bytes);
    if (zones_.busy(zone, job_.number)) return Next::wait;
    if (!to_read_.empty()) return Next::read;
    if (command_->zone == ZoneCommand::reset || zones_.is_open(zone)) return Next::command;
    command_.reset();  // another job has filled the zone
  }
  for (; to_reset_ < end_; ++to_reset_)
    if (zones_.written(to_reset_) > 0) return demand(ZoneCommand::reset, to_reset_);
  const bool nothing_to_read = job_.pattern.mixed() && !wrote_ && !job_.zbd.reads_beyond_pointer;
  if (request.op == Op::read && nothing_to_read) request.op = Op::write;
  switch (request.op) {
    case Op::write: return write(request);
    case Op::read: return request.verify && job_.pattern.writes ? read_back(request) : read(request);
    case Op::trim: return trim(request);
    default: return Next::issue;
  }
}

Request ZonedAccess::take_command() {
  FTLAB_CHECK(command_.has_value(), "no command for a zone is due");
  const Request command = *command_;
  command_.reset();
  reading_ = false;
  const std::uint32_t zone = zones_.zone_of(command.offset_bytes);
  command.zone == ZoneCommand::reset ? zones_.reset(zone, job_.number) : zones_.finish(zone, job_.number);
  if (!zones_.of_device()) zones_.completed(zone);
  return command;
}

Next ZonedAccess::demand(ZoneCommand command, std::uint32_t zone) {
  command_ = Request{0, Op::trim, zones_.first_byte(zone), zone_bytes()};
  command_->zone = command;
  if (command == ZoneCommand::reset) keep_to_read(zone);
  if (zones_.busy(zone, job_.number)) return Next::wait;
  return to_read_.empty() ? Next::command : Next::read;
}

// In the order in which the zone was written.
void ZonedAccess::keep_to_read(std::uint32_t zone) {
  std::erase_if(written_, [&](const auto& one) {
    const bool lost = zones_.zone_of(one.second.offset) == zone;
    if (lost) to_read_.push_back(one.second);
    return lost;
  });
  std::ranges::sort(to_read_, std::greater(), &Extent::offset);
}

Request ZonedAccess::take_read() {
  FTLAB_CHECK(!to_read_.empty(), "nothing is left to read back from the zone");
  Request read{0, Op::read, to_read_.back().offset, to_read_.back().length};
  read.verify = true;
  to_read_.pop_back();
  reading_ = true;
  return read;
}

std::uint32_t ZonedAccess::inside(std::uint64_t offset) const {
  return std::clamp(zones_.zone_of(offset), first_, end_ - 1);
}

// Counts the zones that jobs are writing, and those of the job's region that were left partly written before. As in fio, it
// goes on with these.
bool ZonedAccess::at_limit() const {
  const ZbdRules& zbd = job_.zbd;
  const std::uint64_t limit = zones_.report().most_open;
  std::uint64_t most = zbd.most_open.value_or(limit), open = 0, own = 0;
  if (zbd.zones_of_device && limit > 0 && (most == 0 || most > limit)) most = limit;
  if (most == 0 && zbd.job_most_open == 0) return false;
  for (const std::uint32_t zone : zones_.open()) {
    open += zones_.owner(zone) != HostZones::kNobody || takes_writes(zone);
    own += zones_.owner(zone) == job_.number;
  }
  return (most != 0 && open >= most) || (zbd.job_most_open != 0 && own >= zbd.job_most_open);
}

bool ZonedAccess::takes_writes(std::uint32_t zone) const {
  return zone >= first_ && zone < end_ && !zones_.full(zone, least(Direction::write));
}

bool ZonedAccess::may_write(std::uint32_t zone) const { return zones_.is_open(zone) || !at_limit(); }

// --- writes ---

// zone_reset_threshold and zone_reset_frequency, which stand for the garbage collection of a host. Decided once a write.
bool ZonedAccess::reset_is_due() {
  if (job_.zbd.writes_per_reset == 0 || reset_decided_) return false;
  reset_decided_ = true;
  std::uint64_t written = 0;
  for (std::uint32_t zone = first_; zone < end_; ++zone) written += zones_.written(zone);
  const double all = static_cast<double>(zone_bytes()) * (end_ - first_);
  if (static_cast<double>(written) < job_.zbd.reset_threshold * all || --writes_until_reset_ > 0) return false;
  writes_until_reset_ = job_.zbd.writes_per_reset;
  return true;
}

Next ZonedAccess::write(Request& request) {
  if (!job_.pattern.random) return write_in_order(request);
  const std::uint32_t drawn = inside(request.offset_bytes);
  const std::optional<std::uint32_t> zone = may_write(drawn) ? drawn : open_zone(drawn);
  if (!zone) return Next::wait;
  const bool full = zones_.full(*zone, least(Direction::write));
  if (zones_.written(*zone) > 0 && (reset_is_due() || full)) {
    reset_decided_ = true;
    return demand(ZoneCommand::reset, *zone);
  }
  return write_to(request, *zone);
}

// Picks one of the open zones, as fio does. nullopt if no zone of the job's region takes writes.
std::optional<std::uint32_t> ZonedAccess::open_zone(std::uint32_t wanted) const {
  std::vector<std::uint32_t> open = zones_.open();
  std::erase_if(open, [&](std::uint32_t zone) { return !takes_writes(zone); });
  if (open.empty()) return std::nullopt;
  return open[std::uint64_t{wanted - first_} * open.size() / (end_ - first_)];
}

Next ZonedAccess::write_in_order(Request& request) {
  constexpr Direction d = Direction::write;
  while (true) {
    if (position(d) >= zones_.first_byte(end_) && !next_pass(d)) return Next::over;
    const std::uint32_t zone = zones_.zone_of(position(d));
    const bool enters = position(d) == zones_.first_byte(zone);
    if (!zones_.full(zone, least(d))) {
      if (!may_write(zone)) {
        const std::optional<std::uint32_t> other = open_zone(zone);
        if (!other) return Next::wait;
        position(d) = zones_.first_byte(*other) + zones_.written(*other);
        continue;
      }
      if (zones_.written(zone) > 0 && reset_is_due()) return demand(ZoneCommand::reset, zone);
      const Next next = write_to(request, zone);
      if (next != Next::issue) return next;
      moved_[static_cast<std::size_t>(d)] = true;
      position(d) = zones_.first_byte(zone) + zones_.written(zone);
      if (zones_.full(zone, least(d))) next_zone(d, zone);
      return Next::issue;
    }
    if (enters) return demand(ZoneCommand::reset, zone);
    next_zone(d, zone);
  }
}

Next ZonedAccess::write_to(Request& request, std::uint32_t zone) {
  const std::uint32_t idle = zones_.in_the_way_of(zone);
  if (idle != zones_.count()) return demand(ZoneCommand::finish, idle);
  if (zones_.busy(zone, job_.number)) return Next::wait;
  const std::uint64_t block = least(Direction::write), room = zones_.report().capacity_bytes - zones_.written(zone);
  const std::uint64_t offset = zones_.first_byte(zone) + zones_.written(zone);
  if (request.length_bytes > room) request.length_bytes = room / block * block;
  if (reads_back()) written_[request.offset_bytes] = {offset, request.length_bytes};
  request.append = job_.zbd.appends && zones_.of_device();
  request.offset_bytes = request.append ? zones_.first_byte(zone) : offset;
  zones_.write(zone, request.length_bytes, job_.number);
  if (zones_.full(zone, block) && zones_.is_open(zone)) demand(ZoneCommand::finish, zone);
  reset_decided_ = false;
  wrote_ = true;
  return Next::issue;
}

// --- reads and trims ---

Next ZonedAccess::read(Request& request) {
  if (job_.zbd.reads_beyond_pointer) return Next::issue;
  if (!job_.pattern.random) return read_in_order(request);
  const std::uint64_t block = least(Direction::read);
  const std::uint32_t asked = inside(request.offset_bytes), zone = nearest_with(asked, block);
  if (zone == end_) return Next::over;
  const std::uint64_t written = zones_.written(zone), length = std::min(request.length_bytes, written / block * block);
  const std::uint64_t starts = (written - length) / block + 1;  // blocks at which the read can begin
  request.offset_bytes = zones_.first_byte(zone) + request.offset_bytes % zone_bytes() / block % starts * block;
  request.length_bytes = length;
  return Next::issue;
}

Next ZonedAccess::read_in_order(Request& request) {
  constexpr Direction d = Direction::read;
  while (true) {
    if (position(d) >= zones_.first_byte(end_) && !next_pass(d)) return Next::over;
    const std::uint32_t zone = zones_.zone_of(position(d));
    const std::uint64_t written_end = zones_.first_byte(zone) + zones_.written(zone);
    if (position(d) + least(d) > written_end) {
      next_zone(d, zone);
      continue;
    }
    request.offset_bytes = position(d);
    request.length_bytes = std::min(request.length_bytes, (written_end - position(d)) / least(d) * least(d));
    position(d) += request.length_bytes;
    moved_[static_cast<std::size_t>(d)] = true;
    return Next::issue;
  }
}

Next ZonedAccess::read_back(Request& request) {
  const auto found = written_.find(request.offset_bytes);
  if (found == written_.end()) return job_.pattern.mixed() ? read(request) : Next::skip;
  request.offset_bytes = found->second.offset;
  request.length_bytes = found->second.length;
  written_.erase(found);
  return Next::issue;
}

Next ZonedAccess::trim(Request& request) {
  std::uint32_t zone = inside(request.offset_bytes);
  if (job_.pattern.random) zone = nearest_with(zone, 1);
  if (zone == end_) return Next::over;
  if (zones_.busy(zone, job_.number)) return Next::wait;
  request.offset_bytes = zones_.first_byte(zone);
  request.length_bytes = zone_bytes();
  if (zones_.of_device()) request.zone = ZoneCommand::reset;
  zones_.reset(zone, job_.number);
  return Next::issue;
}

std::uint32_t ZonedAccess::nearest_with(std::uint32_t zone, std::uint64_t bytes) const {
  for (std::uint32_t far = 0; far < end_ - first_; ++far) {
    if (zone + far < end_ && zones_.written(zone + far) >= bytes) return zone + far;
    if (zone >= first_ + far && zones_.written(zone - far) >= bytes) return zone - far;
  }
  return end_;
}

// --- order of sequential jobs ---

// Passes end as those of other jobs do: at the end of the region, as often as loops, io_size or time_based ask for. A pass
// in which nothing could be done is the last one.
bool ZonedAccess::next_pass(Direction d) {
  const std::size_t i = static_cast<std::size_t>(d);
  ++passes_[i];
  if (!moved_[i] || (!job_.time_based && !job_.amount_given && passes_[i] >= job_.loops)) return false;
  moved_[i] = false;
  position(d) = zones_.first_byte(first_);
  return true;
}

void ZonedAccess::next_zone(Direction d, std::uint32_t zone) {
  position(d) = zones_.first_byte(zone + 1) + job_.zbd.skip_bytes / zone_bytes() * zone_bytes();
}

}  // namespace ftlab
