// Seek times after Ruemmler and Wilkes, "An Introduction to Disk Drive Modeling", IEEE Computer 27(3), 1994. A short seek
// only accelerates and brakes, so its time grows with the square root of the distance; a long one coasts at full speed, so
// it grows linearly. A head switch within a cylinder has its own time. A write settles longer than a read after either,
// because an off-track read is detected but an off-track write does damage.
//
// Integers only: b * sqrt(d) is the integer root of b^2 * d. The curve is a table of 4 bytes per cylinder.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/config/reader.h"
#include "sim/core/types.h"

namespace ftlab {

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

}  // namespace ftlab
