// fio's zonemode=zbd for one job: gives each request its place, which depends on how far the zones are written.
//
// A random write goes to the write pointer of the zone at its offset. If that zone may not be opened (max_open_zones,
// job_max_open_zones), it goes to one that is open already, as does a sequential one. A full zone is reset first. A
// sequential job writes its zones one after the other, and resets those that are full when it gets there. Reads stay below
// the write pointers. A zone with less room than a block is finished. As in fio, a job has nothing in flight while it resets
// or finishes a zone, and a job that verifies reads back what it wrote to a zone before the reset.
//
// Unlike in Linux, where a zone has one write in flight, it may have several of one job, which arrive in order. The writes
// of another job wait for them. Unlike in fio, a job that finds no zone waits for the others to end, and a partly written
// zone that no job can use is finished if the device needs its resources.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "sim/host/jobs/host_zones.h"

namespace ftlab {

class ZonedAccess {
 public:
  // REQUIRES: both outlive it.
  ZonedAccess(const Job& job, HostZones& zones);

  enum class Next {
    issue,    // the request has its place
    command,  // take_command() must be issued first, with nothing else in flight
    read,     // take_read() must be issued first; for the first of them nothing else may be in flight
    wait,     // other jobs write as many zones as may be open
    skip,     // the request has no place, but later ones may have one: drop it
    over,     // the job has nothing left to do
  };
  // Decides about the job's next request. Call again after a command and after waiting.
  Next place(Request& request);
  Request take_command();
  Request take_read();
  bool reading() const { return reading_; }  // it has issued a read since the last command
  // A write or a trim that place() placed, or a command, has completed.
  void completed(const Request& was) {
    if (was.op == Op::write || was.op == Op::trim) zones_.completed(zones_.zone_of(was.offset_bytes));
  }
  // The job has ended.
  void leave() { zones_.leave(job_.number); }

 private:
  std::uint64_t least(Direction d) const { return job_.block_bytes[static_cast<std::size_t>(d)]; }
  std::uint64_t& position(Direction d) { return positions_[static_cast<std::size_t>(d)]; }
  std::uint64_t zone_bytes() const { return zones_.report().zone_bytes; }
  bool reads_back() const { return job_.verify.on && job_.verify.read_back; }
  bool takes_writes(std::uint32_t zone) const;
  bool may_write(std::uint32_t zone) const;
  bool at_limit() const;
  bool next_pass(Direction d);
  void next_zone(Direction d, std::uint32_t zone);
  Next decide(Request& request);
  Next demand(ZoneCommand command, std::uint32_t zone);
  void keep_to_read(std::uint32_t zone);
  bool reset_is_due();
  Next write(Request& request);
  Next write_in_order(Request& request);
  std::optional<std::uint32_t> open_zone(std::uint32_t wanted) const;
  Next write_to(Request& request, std::uint32_t zone);
  Next read(Request& request);
  Next read_in_order(Request& request);
  Next read_back(Request& request);
  Next trim(Request& request);
  // The zone nearest to `zone`, itself first, that has at least `bytes` of data; count() if none.
  std::uint32_t nearest_with(std::uint32_t zone, std::uint64_t bytes) const;
  std::uint32_t inside(std::uint64_t offset) const;

  const Job& job_;
  HostZones& zones_;
  std::uint32_t first_, end_;  // zones that lie in the job's region as a whole
  std::uint32_t to_reset_;     // the zones from here on are reset before anything else
  PerDirection<std::uint64_t> positions_;
  PerDirection<std::uint64_t> passes_{};
  PerDirection<bool> moved_{};  // in this pass
  std::optional<Request> command_;
  std::uint64_t writes_until_reset_;
  bool reset_decided_ = false;
  bool wrote_ = false;
  struct Extent {
    std::uint64_t offset = 0, length = 0;
  };
  std::map<std::uint64_t, Extent> written_;  // to be read back: where a write went, by the offset that the job drew
  std::vector<Extent> to_read_;              // before the zone is reset
  bool reading_ = false;
};

}  // namespace ftlab
