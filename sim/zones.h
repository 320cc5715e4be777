// Zones of a zoned namespace (NVM Express, Zoned Namespace Command Set 1.1): each is written in order, from its beginning.
#pragma once

#include <cstdint>
#include <vector>

namespace ftlab {

enum class ZoneState : std::uint8_t { empty, implicitly_open, explicitly_open, closed, full };

constexpr bool is_open(ZoneState state) {
  return state == ZoneState::implicitly_open || state == ZoneState::explicitly_open;
}
// Active zones hold resources of the drive: those that are open, or closed with room left.
constexpr bool is_active(ZoneState state) { return is_open(state) || state == ZoneState::closed; }

struct Zone {
  ZoneState state = ZoneState::empty;
  std::uint64_t written_bytes = 0;  // write pointer, from the beginning of the zone; the capacity if the zone is full
};

// What a zone report returns. Zone n begins at n * zone_bytes.
struct ZoneReport {
  std::uint64_t zone_bytes = 0;      // distance between two zones; 0: a conventional device
  std::uint64_t capacity_bytes = 0;  // part of each that can be written, from its beginning
  std::uint64_t block_bytes = 0;     // unit of writes
  std::uint32_t most_open = 0;       // 0: no limit
  std::uint32_t most_active = 0;     // 0: no limit
  std::vector<Zone> zones;
};

}  // namespace ftlab
