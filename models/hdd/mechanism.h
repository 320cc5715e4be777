// The arm over the turning platters: where it stands, and what it takes to bring sectors under a head and past it. It knows
// no clock and no queue; one thing at a time, and the caller says when it begins.
//
// By chance a head that has moved, and not just gone on to the next track, misses its sector and waits another whole
// revolution (shocks, settling that is not good enough, a read that the error correction could not mend):
// `lost_revolutions`, so many in a million positionings.
//
// Much rarer is an error that the next revolution does not mend either. Then the drive's recovery procedure goes through its
// steps, each another revolution with other settings, until the sector is read or written: `error_recovery`, so many in a
// million positionings, and how many revolutions each of them takes. A drive of 10,000 rpm may spend 124 ms, 21 revolutions,
// on the first of 20 levels for a read, and 422 ms, 70 revolutions, on all five for a write (Seagate Enterprise Performance
// 10K HDD v7, product manual Rev. C, "Read and write retry count maximum recovery times"); off track and shock are what ends
// a write (Hitachi Travelstar 5K160 specification, "Write safety"). Not modelled: recovery that fails, and relocation after
// it.
#pragma once

#include <cstdint>

#include "models/hdd/platters.h"
#include "models/hdd/seek.h"
#include "sim/core/random.h"

namespace ftlab {

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
  // `seed`: of the chance of lost revolutions and errors.
  Mechanism(const PlattersConfig& platters, const SeekConfig& seek, const LostRevolutions& lost,
            const ErrorRecovery& recovery, std::uint64_t seed);

  struct Access {
    Nanoseconds seek{0}, rotation{0}, media{0};  // sum to done - begun
    Nanoseconds done{0};
  };
  // Reads or writes sectors [first, first + count), moving the arm from `now` on. REQUIRES: count > 0, inside the disk.
  Access access(Sector first, Sector count, Nanoseconds now, bool write);

  // How much of [first, end) is read by `until` when the head began at `from` and just goes on: no chance, no settling
  // other than a track change takes. The arm stands where the reading stopped.
  struct Progress {
    Sector reached;
    Nanoseconds at;  // when the last whole sector had passed; `from` when none had
  };
  Progress read_on(Sector first, Sector end, Nanoseconds from, Nanoseconds until);

  // Seek and rotation until `place` comes under a head when the arm leaves at `now`; chance left out. With `margin`, of a
  // head that reckons to be so much later at the track than it will be: what comes by before that is taken for missed.
  Nanoseconds positioning(const Place& place, Nanoseconds now, bool write, Nanoseconds margin) const {
    const Nanoseconds moving = move(arm_, place, write);
    const Nanoseconds from = now + moving + (moving.count() > 0 ? margin : Nanoseconds{0});
    return platters_.arrival(place, from).at - now;
  }

  const Platters& platters() const { return platters_; }
  // The sector behind the last access: where the head goes on without a gap, over track changes too.
  Sector next() const { return next_; }
  std::uint32_t cylinder() const { return arm_.cylinder; }
  std::uint64_t lost() const { return lost_; }  // revolutions so far, without those of recoveries
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

  // Revolutions that the recovery procedure takes; mostly none.
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
