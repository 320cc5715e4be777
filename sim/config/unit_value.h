// Numbers with a unit, as a user writes them on the command line, in grids, in Python and as variables of procedures. Keys
// take whole numbers, with the unit in their name.
//
//   key ends in                        units taken
//   _ns, _us, _ms, _s, (milli)seconds  ns, us, ms, s, min, h, d
//   _bytes, user_sectors               B, kB, MB, GB, TB (powers of 1000), KiB, MiB, GiB, TiB (of 1024)
//   _bytes_per_s                       the same with /s
//   _permille                          %
//
// A key may also be the unit alone: ftl.write_buffer.bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "sim/core/error.h"

namespace ftlab {

// "75us" for nand.read_ns is 75000, "1TB" for user_sectors 1953125000; fractions as in 1.5us are allowed. nullopt if `value`
// is not a number with such a unit. Throws ConfigError at `place` if it is not a whole number of the key's unit, or does not
// fit 64 bits.
std::optional<std::uint64_t> value_with_unit(const ConfigError::Place& place, std::string_view key, std::string_view value);

}  // namespace ftlab
