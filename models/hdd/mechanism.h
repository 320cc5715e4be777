// The arm over the turning platters: its position, and the time to bring sectors under a head and past it. It has no clock
// and no queue; the caller serialises accesses and states when each begins.
//
// At random, a head that has moved (other than to continue on the next track) misses its sector and waits for another
// revolution (shocks, imperfect settling, a read that error correction could not mend): `lost_revolutions`, per million
// positionings.
//
// Much rarer is an error that the next revolution does not resolve. The drive's recovery procedure then goes through its
// steps, each another revolution with other settings, until the sector is read or written: `error_recovery`, occurrences per
// million positionings and revolutions per occurrence. A drive of 10,000 rpm may spend 124 ms, 21 revolutions, on the first
// of 20 levels for a read, and 422 ms, 70 revolutions, on all five for a write (Seagate Enterprise Performance 10K HDD v7,
// product manual Rev. C, "Read and write retry count maximum recovery times"); off-track positions and shocks interrupt
// writes (Hitachi Travelstar 5K160 specification, "Write safety"). Not modelled: failed recovery, and relocation after it.
#pragma once

#include <cstdint>
#include <vector>

#include "models/hdd/platters.h"
#include "sim/config/reader.h"
#include "sim/core/random.h"
#include "sim/core/types.h"

namespace ftlab {

// Seek times after Ruemmler and Wilkes, "An Introduction to Disk Drive Modeling", IEEE Computer 27(3), 1994. A short seek
// only accelerates and brakes, so its time grows with the square root of the distance; a long one coasts at full speed, so
// it grows linearly. A head switch within a cylinder has its own time. A write settles longer than a read after either,
// because an off-track read is detected but an off-track write does damage.
//
// Integers only: b * sqrt(d) is the integer root of b^2 * d. The curve is a table of 4 bytes per cylinder.
struct SeekConfig {
  std::uint32_t long_from = 0;  // cylinders; shorter seeks use the short curve
  Nanoseconds short_base{0};    // short: base + root * sqrt(cylinders)
  Nanoseconds short_root{0};
  Nanoseconds long_base{0};  // long: base + per_1000 * cylinders / 1000
  Nanoseconds long_per_1000{0};
  Nanoseconds head_switch{0};
  Nanoseconds write_settle{0};  // added to every seek and head switch before a write
};

// Reads the object `seek` of a drive file whose disk has this many cylinders. Throws ConfigError.
SeekConfig read_seek(Reader reader, std::uint32_t cylinders);

// Floor of the square root.
std::uint64_t integer_root(std::uint64_t x);

class SeekCurve {
 public:
  SeekCurve(const SeekConfig& config, std::uint32_t cylinders);

  // Time of the arm alone. REQUIRES: distance < cylinders.
  Nanoseconds seek(std::uint32_t distance) const { return Nanoseconds{times_[distance]}; }
  // Time to move between tracks, including the head switch and settling.
  Nanoseconds move(std::uint32_t distance, bool other_head, bool write) const {
    if (distance == 0 && !other_head) return Nanoseconds{0};
    Nanoseconds time = seek(distance);
    if (other_head && head_switch_ > time) time = head_switch_;  // the two overlap
    return write ? time + write_settle_ : time;
  }

 private:
  Nanoseconds head_switch_;
  Nanoseconds write_settle_;
  std::vector<std::uint32_t> times_;  // ns, by distance
};

struct LostRevolutions {
  std::uint32_t read_per_million = 0;
  std::uint32_t write_per_million = 0;
};

struct ErrorRecovery {
  std::uint32_t read_per_million = 0, read_revolutions = 0;
  std::uint32_t write_per_million = 0, write_revolutions = 0;
};

class Mechanism {
 public:
  // `seed` determines lost revolutions and errors.
  Mechanism(const PlattersConfig& platters, const SeekConfig& seek, const LostRevolutions& lost,
            const ErrorRecovery& recovery, std::uint64_t seed);

  struct Access {
    Nanoseconds seek{0}, rotation{0}, media{0};  // sum to done - begun
    Nanoseconds done{0};
  };
  // Reads or writes sectors [first, first + count), moving the arm from `now` on. REQUIRES: count > 0, inside the disk.
  Access access(Sector first, Sector count, Nanoseconds now, bool write);

  // Result of reading ahead in [first, end) until `until`, from the head's position at `from`: no random events, and no
  // settling except in track changes. The arm stays where reading stopped.
  struct Progress {
    Sector reached;
    Nanoseconds at;  // when the last whole sector had passed; `from` if none had
  };
  Progress read_on(Sector first, Sector end, Nanoseconds from, Nanoseconds until);

  // Seek and rotation until `place` is under a head if the arm leaves at `now`, without random events. An arm that must move
  // is expected `margin` later than it arrives: a sector that passes before then counts as missed.
  Nanoseconds positioning(const Place& place, Nanoseconds now, bool write, Nanoseconds margin) const {
    const Nanoseconds moving = move(arm_, place, write);
    const Nanoseconds from = now + moving + (moving.count() > 0 ? margin : Nanoseconds{0});
    return platters_.arrival(place, from).at - now;
  }

  const Platters& platters() const { return platters_; }
  // The sector after the last access: the head continues there without a gap, including track changes.
  Sector next() const { return next_; }
  std::uint32_t cylinder() const { return arm_.cylinder; }
  std::uint64_t lost() const { return lost_; }  // revolutions so far, without recoveries
  std::uint64_t recoveries() const { return recoveries_; }
  std::uint64_t moves() const { return moves_; }

 private:
  struct Arm {
    std::uint32_t cylinder = 0;
    std::uint32_t head = 0;
  };
  Nanoseconds move(const Arm& arm, const Place& to, bool write) const {
    const std::uint32_t distance = to.cylinder > arm.cylinder ? to.cylinder - arm.cylinder : arm.cylinder - to.cylinder;
    return curve_.move(distance, to.head != arm.head, write);
  }
  bool loses(bool write) {
    const std::uint32_t per_million = write ? lost_config_.write_per_million : lost_config_.read_per_million;
    return per_million > 0 && random_.chance(per_million, 1'000'000);
  }

  // Revolutions of the recovery procedure; mostly 0.
  std::uint32_t recovery_of(bool write) {
    const std::uint32_t per_million = write ? recovery_config_.write_per_million : recovery_config_.read_per_million;
    if (per_million == 0 || !errors_.chance(per_million, 1'000'000)) return 0;
    ++recoveries_;
    return write ? recovery_config_.write_revolutions : recovery_config_.read_revolutions;
  }

  Platters platters_;
  SeekCurve curve_;
  LostRevolutions lost_config_;
  ErrorRecovery recovery_config_;
  RandomStream random_;
  RandomStream errors_;
  Arm arm_;
  Sector next_ = 0;
  std::uint64_t lost_ = 0;
  std::uint64_t recoveries_ = 0;
  std::uint64_t moves_ = 0;
};

}  // namespace ftlab
