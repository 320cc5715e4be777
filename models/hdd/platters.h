// Layout and rotation of a disk. Zones from the rim inwards, each with its own number of sectors per track. Within a zone,
// addresses cover all heads of a cylinder, then the next cylinder, so they run from the fast outer tracks to the slow inner
// ones. All heads are on the same cylinder, and all tracks turn together.
//
// Angles are exact: a revolution has kTurn = 60e9 parts, of which `rpm` pass in each nanosecond, so the angle under the head
// at time t is t * rpm modulo kTurn, an integer for any speed. Sector s of n on a track begins at kTurn * s / n, rounded up,
// plus the skew of its track: the time of a head or cylinder switch, so that the next track begins as the head arrives.
//
// Not modelled: serpentine or banded layouts, spare and remapped sectors, speed variation.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/config/reader.h"
#include "sim/core/types.h"

namespace ftlab {

using Sector = std::uint64_t;  // logical block address of 512 bytes
using Angle = std::uint64_t;   // in parts of a revolution
inline constexpr Angle kTurn = 60'000'000'000;

struct DiskZone {
  std::uint32_t cylinders = 0;
  std::uint32_t sectors_per_track = 0;
};

struct PlattersConfig {
  std::uint64_t rpm = 0;
  std::uint32_t heads = 0;
  Nanoseconds head_skew{0};      // from one head to the next in a cylinder
  Nanoseconds cylinder_skew{0};  // from the last head of a cylinder to the first of the next
  std::vector<DiskZone> zones;

  std::uint32_t cylinders() const;
  Sector sectors() const;
};

// Reads the objects `spindle` and `geometry` of a drive file. Throws ConfigError.
PlattersConfig read_platters(Reader spindle, Reader geometry);

// Physical position of a sector.
struct Place {
  std::uint32_t cylinder = 0;
  std::uint32_t head = 0;
  std::uint32_t sector = 0;  // on its track
  std::uint32_t sectors_per_track = 0;
  Angle begins = 0;  // angle at which it begins, including skew
};

class Platters {
 public:
  explicit Platters(const PlattersConfig& config);

  // Binary search for the zone. REQUIRES: sector < sectors().
  Place place(Sector sector) const;
  Sector sectors() const { return sectors_; }
  std::uint32_t cylinders() const { return cylinders_; }

  // Angle under the heads at `now`.
  Angle angle(Nanoseconds now) const { return now.count() % kTurn * rpm_ % kTurn; }
  // Angle of `count` sectors of the track, from `place` on. REQUIRES: they are on the track.
  Angle length(const Place& place, std::uint32_t count) const;
  // Number of whole sectors of the track within `angle`, from `place` on; at most up to the end of the track.
  std::uint32_t sectors_within(const Place& place, Angle angle) const;

  // When the beginning of `place` reaches a head that is on its track at `now`, and the angle that has passed by then: less
  // than 1 ns of rotation, because times are whole nanoseconds.
  struct Arrival {
    Nanoseconds at;
    Angle passed;
  };
  Arrival arrival(const Place& place, Nanoseconds now) const;
  // Time at which `length` from the beginning of the sector has passed.
  Nanoseconds after(const Arrival& arrival, Angle length) const {
    return arrival.at + Nanoseconds{(length - arrival.passed + rpm_ - 1) / rpm_};
  }
  // Angle from the beginning of the sector at `now`. REQUIRES: `now` is not before the arrival.
  Angle turned(const Arrival& arrival, Nanoseconds now) const { return (now - arrival.at).count() * rpm_ + arrival.passed; }
  // The same place one revolution later.
  Arrival next_turn(const Arrival& arrival) const {
    const Nanoseconds at = after(arrival, kTurn);
    return {at, (at - arrival.at).count() * rpm_ - (kTurn - arrival.passed)};
  }

 private:
  struct Zone {
    Sector first;
    std::uint32_t first_cylinder, sectors_per_track;
  };
  Angle skew(std::uint32_t cylinder, std::uint32_t head) const {
    return (cylinder * cylinder_turn_ + head * head_turn_) % kTurn;
  }

  std::uint64_t rpm_;
  std::uint32_t heads_;
  std::uint32_t cylinders_;
  Sector sectors_;
  Angle head_turn_;      // skew from one head to the next
  Angle cylinder_turn_;  // skew from one cylinder to the next, including all heads
  std::vector<Zone> zones_;
};

inline Platters::Arrival Platters::arrival(const Place& place, Nanoseconds now) const {
  const Angle under = angle(now);
  const Angle behind = under >= place.begins ? under - place.begins : under + kTurn - place.begins;
  if (behind < rpm_) return {now, behind};  // it began less than a nanosecond ago: rounding of `now`
  const std::uint64_t wait = (kTurn - behind + rpm_ - 1) / rpm_;
  return {now + Nanoseconds{wait}, wait * rpm_ - (kTurn - behind)};
}

}  // namespace ftlab
