// Where sectors lie on a disk and how it turns. Zones from the rim inwards, each with its own number of sectors on a track;
// in a zone cylinder after cylinder, in a cylinder head after head, so that addresses run from the fast outer tracks to the
// slow inner ones. All heads are on the same cylinder, and all tracks turn as one.
//
// Angles are exact: a revolution has kTurn = 60e9 parts, of which `rpm` pass in each nanosecond, so the angle under the
// head at time t is t * rpm modulo kTurn, an integer for any speed. Sector s of n on a track begins at kTurn * s / n,
// rounded up, turned by the skew of its track: what a head or cylinder switch takes, so that the next track begins as
// the head arrives there.
//
// Not modelled: serpentine or banded layouts, spare sectors and remapped ones, wobble of the speed.
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

// One sector, as the arm and the spindle see it.
struct Place {
  std::uint32_t cylinder = 0;
  std::uint32_t head = 0;
  std::uint32_t sector = 0;  // on its track
  std::uint32_t sectors_per_track = 0;
  Angle begins = 0;  // the angle at which it begins, skew included
};

class Platters {
 public:
  explicit Platters(const PlattersConfig& config);

  // REQUIRES: sector < sectors(). Finds the zone by halving.
  Place place(Sector sector) const;
  Sector sectors() const { return sectors_; }
  std::uint32_t cylinders() const { return cylinders_; }

  // What lies under the heads at `now`.
  Angle angle(Nanoseconds now) const { return now.count() % kTurn * rpm_ % kTurn; }
  // From the beginning of `place` over `count` sectors of its track. REQUIRES: they are on it.
  Angle length(const Place& place, std::uint32_t count) const;
  // Whole sectors of the track, from `place` on, that lie within `angle`; at most those to the end of the track.
  std::uint32_t sectors_within(const Place& place, Angle angle) const;

  // When a head that is over the track at `now` comes to the beginning of `place`, and how much of the sector has then
  // passed: less than a nanosecond's turn, because times are whole nanoseconds.
  struct Arrival {
    Nanoseconds at;
    Angle passed;
  };
  Arrival arrival(const Place& place, Nanoseconds now) const;
  // When `length` from the beginning of a sector has passed, after arriving there.
  Nanoseconds after(const Arrival& arrival, Angle length) const {
    return arrival.at + Nanoseconds{(length - arrival.passed + rpm_ - 1) / rpm_};
  }
  // How far past the beginning of the sector the disk has turned at `now`. REQUIRES: not before the arrival.
  Angle turned(const Arrival& arrival, Nanoseconds now) const { return (now - arrival.at).count() * rpm_ + arrival.passed; }
  // The same place, one revolution later.
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
  Angle head_turn_;      // skew from a head to the next
  Angle cylinder_turn_;  // skew from a cylinder to the next, all its heads together
  std::vector<Zone> zones_;
};

inline Platters::Arrival Platters::arrival(const Place& place, Nanoseconds now) const {
  const Angle under = angle(now);
  const Angle behind = under >= place.begins ? under - place.begins : under + kTurn - place.begins;
  if (behind < rpm_) return {now, behind};  // it began less than a nanosecond ago: the rounding of `now`
  const std::uint64_t wait = (kTurn - behind + rpm_ - 1) / rpm_;
  return {now + Nanoseconds{wait}, wait * rpm_ - (kTurn - behind)};
}

}  // namespace ftlab
