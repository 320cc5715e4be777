// Checks if the values in the first requests of a trace are plausible. Formats share column layouts but differ in values and
// units. Each format has its own check, composed of the functions here.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "sim/traces/formats/fields.h"

namespace ftlab {

// Unit of each column, in ns and bytes.
struct TraceUnits {
  std::uint64_t time = 1;
  std::uint64_t offset = 1;
  std::uint64_t size = 1;
};

// The requests in the first lines of a file, as parsed by one format.
using TraceSample = std::span<const ParsedLine>;

struct Doubt {
  std::string reason = {};                         // why the values are implausible; empty: they are plausible
  std::optional<TraceUnits> units = std::nullopt;  // units that would make them plausible; absent: none
};

// Flags times that mostly go backwards, look like another unit since 1970 or 1601, or are over 10 s apart on average.
Doubt doubt_times(TraceSample sample, const TraceUnits& units);

// Flags sectors that look like bytes (multiples of 512), bytes that look like sectors (not whole sectors), and requests
// larger than any system issues.
Doubt doubt_places(TraceSample sample, const TraceUnits& units);

// Result of doubt_places(), else of doubt_times().
Doubt doubt_values(TraceSample sample, const TraceUnits& units);

// Flags device numbers above 65535, and devices that change with nearly every request.
Doubt doubt_devices(TraceSample sample);

}  // namespace ftlab
