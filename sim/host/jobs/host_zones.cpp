#include "sim/host/jobs/host_zones.h"

#include <algorithm>

#include "sim/core/error.h"

namespace ftlab {
namespace {

// Refuses the jobs of a file that do not fit the zones of a device.
class Check {
 public:
  Check(const std::string& file, const std::string& model) : file_(file), model_(model) {}

  // Zones of the jobs that name them, all empty. No zones if no job asks for any.
  ZoneReport named_zones(const std::vector<Job>& jobs, std::uint64_t capacity_bytes) const {
    ZoneReport report;
    for (const Job& job : jobs) {
      if (!job.zbd.on) continue;
      if (job.zbd.zone_bytes == 0)
        refuse(job, "zonemode", model_ + " has no zones of its own, so the job must say what a zone is", "zbd",
               "with zonesize, or a zoned drive");
      const std::uint64_t capacity = job.zbd.capacity_bytes == 0 ? job.zbd.zone_bytes : job.zbd.capacity_bytes;
      if (report.zone_bytes != 0 && (report.zone_bytes != job.zbd.zone_bytes || report.capacity_bytes != capacity))
        refuse(job, "zonesize", "another job of the file has other zones on the same drive",
               std::to_string(job.zbd.zone_bytes), std::to_string(report.zone_bytes));
      report.zone_bytes = job.zbd.zone_bytes;
      report.capacity_bytes = capacity;
    }
    report.zones.resize(report.zone_bytes == 0 ? 0 : capacity_bytes / report.zone_bytes);
    return report;
  }

  void job(const Job& job, const ZoneReport& report) const {
    const bool writes = job.pattern.writes || job.pattern.trims;
    if (job.replay && writes && report.block_bytes != 0)
      refuse(
          job, "read_iolog",
          "writes or trims where it was recorded, and the zones of " + model_ + " are written in order, each at its pointer",
          job.replay->path, "a log of reads");
    if (job.replay) return;
    if (!job.zbd.on && writes && report.block_bytes != 0)
      refuse(job, "rw", "writes anywhere, and the zones of " + model_ + " are written in order, each at its write pointer",
             job.rw, "zonemode=zbd");
    if (!job.zbd.on) return;
    zone_size(job, report);
    blocks(job, report);
    limit(job, report);
  }

 private:
  [[noreturn]] void refuse(const Job& job, const char* option, const std::string& problem, const std::string& given,
                           const std::string& allowed = {}) const {
    throw ConfigError({file_, job.line}, job.name + "." + option, problem, given, allowed);
  }
  static std::uint64_t block_of(const Job& job, Direction d) { return job.block_bytes[static_cast<std::size_t>(d)]; }

  void zone_size(const Job& job, const ZoneReport& report) const {
    const std::uint64_t asked = job.zbd.zone_bytes, first = job.region_first_bytes + report.zone_bytes - 1;
    if (asked != 0 && asked != report.zone_bytes && !job.zbd.zones_of_device)
      refuse(job, "zonesize", "the zones of " + model_ + " have another size", std::to_string(asked),
             std::to_string(report.zone_bytes) + ", or without zonesize");
    if (job.zbd.skip_bytes % report.zone_bytes != 0 && !job.zbd.zones_of_device)
      refuse(job, "zoneskip", "is not whole zones", std::to_string(job.zbd.skip_bytes),
             "multiples of " + std::to_string(report.zone_bytes));
    if (first / report.zone_bytes >= job.region_end_bytes / report.zone_bytes)
      refuse(job, "size", "the region holds no whole zone of " + std::to_string(report.zone_bytes) + " bytes",
             std::to_string(job.region_end_bytes - job.region_first_bytes));
  }

  void blocks(const Job& job, const ZoneReport& report) const {
    const std::uint64_t block = block_of(job, Direction::write), trim = block_of(job, Direction::trim);
    if (job.pattern.writes && report.block_bytes > 0 && block % report.block_bytes != 0)
      refuse(job, "bs", "the zones are written in blocks of " + std::to_string(report.block_bytes) + " bytes",
             std::to_string(block), "multiples of " + std::to_string(report.block_bytes));
    if (job.pattern.writes && block > report.capacity_bytes)
      refuse(job, "bs", "a block is larger than a zone", std::to_string(block),
             "up to " + std::to_string(report.capacity_bytes));
    if (job.pattern.trims && trim != report.zone_bytes)
      refuse(job, "bs", "a trim resets a whole zone", std::to_string(trim), "bs=" + std::to_string(report.zone_bytes));
  }

  void limit(const Job& job, const ZoneReport& report) const {
    const ZbdRules& zbd = job.zbd;
    if (zbd.ignores_limits || zbd.zones_of_device || report.most_open == 0 || !zbd.most_open) return;
    if (*zbd.most_open > 0 && *zbd.most_open <= report.most_open) return;
    refuse(job, "max_open_zones", *zbd.most_open == 0 ? "means no limit, and the drive has one" : "the drive has fewer",
           std::to_string(*zbd.most_open), "1 to " + std::to_string(report.most_open) + ", or ignore_zone_limits=1");
  }

  const std::string& file_;
  const std::string& model_;
};

}  // namespace

ZoneReport fitting_zones(ZoneReport zones, const std::string& model, std::uint64_t capacity_bytes,
                         const std::vector<Job>& jobs, const std::string& file) {
  const Check check(file, model);
  if (zones.zone_bytes == 0) zones = check.named_zones(jobs, capacity_bytes);
  if (zones.zone_bytes == 0) return zones;
  for (const Job& job : jobs) check.job(job, zones);
  return zones;
}

std::unique_ptr<HostZones> HostZones::of(const Device& device, const std::vector<Job>& jobs, const std::string& file) {
  const DeviceInfo info = device.info();
  ZoneReport report = device.zones();
  const bool of_device = report.zone_bytes != 0;
  report = fitting_zones(std::move(report), info.model, info.capacity_bytes, jobs, file);
  if (report.zone_bytes == 0) return nullptr;
  return std::unique_ptr<HostZones>(new HostZones(std::move(report), of_device));
}

HostZones::HostZones(ZoneReport report, bool of_device)
    : report_(std::move(report)),
      of_device_(of_device),
      owner_(report_.zones.size(), kNobody),
      in_flight_(report_.zones.size()),
      user_(report_.zones.size(), kNobody) {
  for (const Zone& zone : report_.zones) written_.push_back(zone.written_bytes);
  for (std::uint32_t zone = 0; zone < count(); ++zone)
    if (is_open(zone)) open_.push_back(zone);
  if (report_.most_active != 0) report_.most_open = std::min(report_.most_open, report_.most_active);
}

std::uint32_t HostZones::in_the_way_of(std::uint32_t wanted) const {
  if (report_.most_active == 0 || is_open(wanted) || open_.size() < report_.most_active) return count();
  const auto idle = std::ranges::find_if(open_, [&](std::uint32_t zone) { return owner_[zone] == kNobody; });
  return idle == open_.end() ? count() : *idle;
}

void HostZones::write(std::uint32_t zone, std::uint64_t bytes, std::size_t job) {
  const std::size_t owner = owner_[zone] == kNobody ? job : owner_[zone];
  set(zone, written_[zone] + bytes, job);
  if (is_open(zone)) owner_[zone] = owner;
}

void HostZones::set(std::uint32_t zone, std::uint64_t written, std::size_t job) {
  const bool was_open = is_open(zone);
  written_[zone] = written;
  if (was_open && !is_open(zone)) std::erase(open_, zone);
  if (!was_open && is_open(zone)) open_.push_back(zone);
  if (!is_open(zone)) owner_[zone] = kNobody;
  ++in_flight_[zone];
  user_[zone] = job;
}

void HostZones::leave(std::size_t job) { std::ranges::replace(owner_, job, kNobody); }

}  // namespace ftlab
