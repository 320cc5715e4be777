// The arm over the turning platters: where it stands, and what it takes to bring sectors under a head and past it. It knows
// no clock and no queue; one thing at a time, and the caller says when it begins.
//
// By chance a head that has moved, and not just gone on to the next track, misses its sector and waits another whole
// revolution (shocks, settling that is not good enough, a read that the error correction could not mend):
// `lost_revolutions`, so many in a million positionings.
#pragma once

#include <cstdint>

#include "models/hdd/platters.h"
#include "models/hdd/seek.h"
#include "sim/random.h"

namespace ftlab {

struct LostRevolutions {
  std::uint32_t read_per_million = 0;
  std::uint32_t write_per_million = 0;
};

class Mechanism {
 public:
  // `seed`: of the chance of lost revolutions.
  Mechanism(const PlattersConfig& platters, const SeekConfig& seek, const LostRevolutions& lost, std::uint64_t seed);

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
  Progress read_on(Sector first, Sector end, Nanoseconds from, Nanoseconds until) {
    const Progress progress = pass(arm_, first, end, from, until);
    next_ = progress.reached;
    return progress;
  }
  // When that would be done, without doing it.
  Nanoseconds read_on_done(Sector first, Sector end, Nanoseconds from) const {
    Arm arm = arm_;
    return pass(arm, first, end, from, kNever).at;
  }

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
  std::uint64_t lost() const { return lost_; }  // revolutions so far
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
  Progress pass(Arm& arm, Sector first, Sector end, Nanoseconds from, Nanoseconds until) const;
  bool loses(bool write) {
    const std::uint32_t per_million = write ? lost_config_.write_per_million : lost_config_.read_per_million;
    return per_million > 0 && random_.chance(per_million, 1'000'000);
  }

  Platters platters_;
  SeekCurve curve_;
  LostRevolutions lost_config_;
  RandomStream random_;
  Arm arm_;
  Sector next_ = 0;
  std::uint64_t lost_ = 0;
  std::uint64_t moves_ = 0;
};

}  // namespace ftlab
