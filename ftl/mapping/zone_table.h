// State of a zoned namespace as the host sees it: the write pointers of its zones, and which of them are open or active. A
// command is checked when it arrives and changes the table at once, because the drive executes writes and management
// commands in the order of their arrival.
//
// Not modelled of the NVM Express Zoned Namespace Command Set 1.1: zones that become read-only or offline, descriptors,
// random write areas, and a limit of the size of an append other than the zone's capacity.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "ftl/mapping/config.h"
#include "sim/core/archive.h"
#include "sim/core/check.h"
#include "sim/request.h"
#include "sim/zones.h"

namespace ftlab {

class ZoneTable {
 public:
  // `block_bytes`: unit of writes. All zones are empty.
  ZoneTable(const ZonesConfig& config, std::uint32_t block_bytes)
      : config_(config), block_bytes_(block_bytes), zones_(config.count), opened_(config.count) {}

  // False for a conventional namespace, which accepts everything.
  bool any() const { return config_.count > 0; }

  // Checks a command that lies within the namespace, and notes its effect if it is accepted. Then an append has the offset
  // of its data, and a management command the range that holds no data from now on, which may be empty.
  Status accept(Request& request);

  // Power-on: open zones are closed, and write pointers return to the end of what the flash holds. Zones that were full stay
  // so. `holds(offset)`: true if the block there has data.
  void restart(const std::function<bool(std::uint64_t offset)>& holds);

  // True if each active zone holds data up to its write pointer, and none there.
  bool fits(const std::function<bool(std::uint64_t offset)>& holds) const;

  ZoneReport report() const;
  std::uint64_t resets() const { return resets_; }
  std::uint64_t finishes() const { return finishes_; }

  void archive(Archive& archive);

 private:
  Status write(Request& request, std::uint32_t number);
  Status manage(Request& request, std::uint32_t number);
  Status open(std::uint32_t number, ZoneState wanted);
  void reset(Request& request, Zone& zone);
  void finish(Request& request, Zone& zone);
  bool close_one();
  std::uint32_t count(bool (*counts)(ZoneState)) const;

  ZonesConfig config_;
  std::uint32_t block_bytes_;
  std::vector<Zone> zones_;
  std::vector<std::uint64_t> opened_;  // by zone: number of its last opening
  std::uint64_t openings_ = 0;
  std::uint64_t resets_ = 0;
  std::uint64_t finishes_ = 0;
};

}  // namespace ftlab
