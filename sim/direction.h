// Direction of data in which jobs transfer, count and report: every operation except flush.
#pragma once

#include "sim/request.h"

namespace ftlab {

enum class Direction : std::uint8_t { read, write, trim };
inline constexpr std::size_t kDirectionCount = 3;
template <class T>
using PerDirection = std::array<T, kDirectionCount>;

// REQUIRES: op is not flush.
constexpr Direction direction_of(Op op) { return static_cast<Direction>(op); }
constexpr Op op_of(Direction direction) { return static_cast<Op>(direction); }
static_assert(direction_of(Op::trim) == Direction::trim && op_of(Direction::write) == Op::write);

}  // namespace ftlab
