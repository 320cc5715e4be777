#include "models/hdd/platters.h"

#include <algorithm>
#include <string>

#include "sim/core/check.h"

namespace ftlab {
namespace {

constexpr std::uint32_t kMostCylinders = 1'000'000;

// Angle of sector boundary `s` on a track of `n` sectors, without skew.
Angle boundary(std::uint64_t s, std::uint64_t n) { return (kTurn * s + n - 1) / n; }

DiskZone read_zone(Reader reader) {
  DiskZone zone;
  zone.cylinders = static_cast<std::uint32_t>(reader.sourced("cylinders", 1, kMostCylinders).value);
  zone.sectors_per_track = static_cast<std::uint32_t>(reader.sourced("sectors_per_track", 1, 100'000).value);
  reader.finish();
  return zone;
}

void check_zones(const Reader& geometry, const PlattersConfig& config) {
  std::uint64_t cylinders = 0;
  for (std::size_t z = 0; z < config.zones.size(); ++z) {
    cylinders += config.zones[z].cylinders;
    if (z > 0 && config.zones[z].sectors_per_track > config.zones[z - 1].sectors_per_track) {
      geometry.refuse("zones",
                      "have more sectors on the tracks of zone " + std::to_string(z) +
                          " than of the one outside of it; addresses begin at the rim, on the longest tracks",
                      "sectors_per_track that do not grow from one zone to the next");
    }
  }
  if (cylinders > kMostCylinders) {
    geometry.refuse("zones", "have " + std::to_string(cylinders) + " cylinders together",
                    "at most " + std::to_string(kMostCylinders));
  }
}

void check_skew(const Reader& geometry, const PlattersConfig& config, const char* key, Nanoseconds skew) {
  if (skew.count() * config.rpm < kTurn) return;
  geometry.refuse(key, "is " + std::to_string(skew.count()) + " ns, a whole revolution or more",
                  "less than " + std::to_string(kTurn / config.rpm));
}

}  // namespace

std::uint32_t PlattersConfig::cylinders() const {
  std::uint32_t sum = 0;
  for (const DiskZone& zone : zones) sum += zone.cylinders;
  return sum;
}

Sector PlattersConfig::sectors() const {
  Sector sum = 0;
  for (const DiskZone& zone : zones) sum += Sector{zone.cylinders} * heads * zone.sectors_per_track;
  return sum;
}

PlattersConfig read_platters(Reader spindle, Reader geometry) {
  PlattersConfig config;
  config.rpm = spindle.sourced("rpm", 1000, 30'000).value;
  spindle.finish();
  config.heads = static_cast<std::uint32_t>(geometry.sourced("heads", 1, 64).value);
  config.head_skew = Nanoseconds{geometry.sourced("head_skew_ns", 0, 60'000'000).value};
  config.cylinder_skew = Nanoseconds{geometry.sourced("cylinder_skew_ns", 0, 60'000'000).value};
  for (Reader& zone : geometry.objects("zones")) config.zones.push_back(read_zone(std::move(zone)));
  if (config.zones.empty()) geometry.refuse("zones", "is empty", "at least one zone");
  check_zones(geometry, config);
  check_skew(geometry, config, "head_skew_ns", config.head_skew);
  check_skew(geometry, config, "cylinder_skew_ns", config.cylinder_skew);
  geometry.finish();
  return config;
}

Platters::Platters(const PlattersConfig& config)
    : rpm_(config.rpm),
      heads_(config.heads),
      cylinders_(config.cylinders()),
      sectors_(config.sectors()),
      head_turn_(config.head_skew.count() * rpm_ % kTurn),
      cylinder_turn_(((heads_ - 1) * head_turn_ + config.cylinder_skew.count() * rpm_) % kTurn) {
  FTLAB_CHECK(rpm_ > 0 && heads_ > 0 && !config.zones.empty(), "a disk that does not turn, or has no surface");
  Sector first = 0;
  std::uint32_t cylinder = 0;
  for (const DiskZone& zone : config.zones) {
    zones_.push_back({first, cylinder, zone.sectors_per_track});
    first += Sector{zone.cylinders} * heads_ * zone.sectors_per_track;
    cylinder += zone.cylinders;
  }
}

Place Platters::place(Sector sector) const {
  FTLAB_CHECK(sector < sectors_, "sector " + std::to_string(sector) + " of " + std::to_string(sectors_));
  const auto after =
      std::upper_bound(zones_.begin(), zones_.end(), sector, [](Sector s, const Zone& zone) { return s < zone.first; });
  const Zone& zone = *(after - 1);
  const Sector within = sector - zone.first;
  const Sector track = within / zone.sectors_per_track;
  Place place;
  place.cylinder = zone.first_cylinder + static_cast<std::uint32_t>(track / heads_);
  place.head = static_cast<std::uint32_t>(track % heads_);
  place.sector = static_cast<std::uint32_t>(within % zone.sectors_per_track);
  place.sectors_per_track = zone.sectors_per_track;
  place.begins = (skew(place.cylinder, place.head) + boundary(place.sector, zone.sectors_per_track)) % kTurn;
  return place;
}

Angle Platters::length(const Place& place, std::uint32_t count) const {
  FTLAB_DCHECK(place.sector + count <= place.sectors_per_track, "sectors beyond the end of a track");
  return boundary(place.sector + count, place.sectors_per_track) - boundary(place.sector, place.sectors_per_track);
}

std::uint32_t Platters::sectors_within(const Place& place, Angle angle) const {
  const std::uint32_t most = place.sectors_per_track - place.sector;
  if (angle >= kTurn) return most;
  auto count = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(most, angle * place.sectors_per_track / kTurn + 1));  // rounding may make it one too many
  while (count > 0 && length(place, count) > angle) --count;
  return count;
}

}  // namespace ftlab
