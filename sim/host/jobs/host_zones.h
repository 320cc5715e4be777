// The zones of a run's device as its zonemode=zbd jobs see them: how far each is written, and by which job. All jobs share
// them. On a conventional device they are only the host's: their reset costs nothing there.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/device.h"
#include "sim/workload/jobs/job.h"

namespace ftlab {

// `zones`, or those that the jobs name if the device is conventional; none if no job asks for zones. Throws ConfigError if
// jobs and device do not fit together, with the name of the job file. `model`: of the device.
ZoneReport fitting_zones(ZoneReport zones, const std::string& model, std::uint64_t capacity_bytes,
                         const std::vector<Job>& jobs, const std::string& file);

class HostZones {
 public:
  static constexpr std::size_t kNobody = ~std::size_t{0};

  // Null if no job asks for zones. Throws ConfigError as fitting_zones().
  static std::unique_ptr<HostZones> of(const Device& device, const std::vector<Job>& jobs,
                                       const std::string& file = "job file");

  bool of_device() const { return of_device_; }
  // As the device reported it: sizes and limits.
  const ZoneReport& report() const { return report_; }
  std::uint32_t count() const { return static_cast<std::uint32_t>(written_.size()); }
  std::uint64_t first_byte(std::uint32_t zone) const { return zone * report_.zone_bytes; }
  std::uint32_t zone_of(std::uint64_t offset) const { return static_cast<std::uint32_t>(offset / report_.zone_bytes); }

  std::uint64_t written(std::uint32_t zone) const { return written_[zone]; }
  // True if less than `bytes` are left to be written.
  bool full(std::uint32_t zone, std::uint64_t bytes) const { return written_[zone] + bytes > report_.capacity_bytes; }
  bool is_open(std::uint32_t zone) const { return written_[zone] > 0 && written_[zone] < report_.capacity_bytes; }
  // Zones that are written in part, in the order in which that began.
  const std::vector<std::uint32_t>& open() const { return open_; }
  // The job that began to write the zone; kNobody if that has ended.
  std::size_t owner(std::uint32_t zone) const { return owner_[zone]; }
  // A zone that holds resources of the device although no job writes it, if the device can take no other zone besides
  // `wanted`; count() if nothing is in the way.
  std::uint32_t in_the_way_of(std::uint32_t wanted) const;
  // True if another job has a write or a command for the zone in flight, which must not be overtaken.
  bool busy(std::uint32_t zone, std::size_t job) const { return of_device_ && in_flight_[zone] > 0 && user_[zone] != job; }

  // The job issues a write, a reset or a finish of the zone. REQUIRES: it is not busy; completed() follows.
  void write(std::uint32_t zone, std::uint64_t bytes, std::size_t job);
  void reset(std::uint32_t zone, std::size_t job) { set(zone, 0, job); }
  void finish(std::uint32_t zone, std::size_t job) { set(zone, report_.capacity_bytes, job); }
  void completed(std::uint32_t zone) { --in_flight_[zone]; }
  // The job has ended: it writes its zones no more.
  void leave(std::size_t job);

 private:
  HostZones(ZoneReport report, bool of_device);
  void set(std::uint32_t zone, std::uint64_t written, std::size_t job);

  ZoneReport report_;
  bool of_device_;
  std::vector<std::uint64_t> written_;    // by zone, in bytes
  std::vector<std::size_t> owner_;        // by zone
  std::vector<std::uint32_t> in_flight_;  // by zone: writes and commands
  std::vector<std::size_t> user_;         // by zone: the job that issued them
  std::vector<std::uint32_t> open_;
};

}  // namespace ftlab
