// Plausibility of the values in the first requests of a trace. Formats and units share layouts of columns but differ in
// values. Each format has its own check, composed of the functions here.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "sim/traces/formats/fields.h"

namespace ftlab {

// One of each column, in ns and bytes.
struct TraceUnits {
  std::uint64_t time = 1;
  std::uint64_t offset = 1;
  std::uint64_t size = 1;
};

// The requests among the first lines of a file, as a format reads them.
using TraceSample = std::span<const ParsedLine>;

struct Doubt {
  std::string reason = {};                         // why the values are not possible; empty: they are possible
  std::optional<TraceUnits> units = std::nullopt;  // in which they would be possible; absent: in none
};

// Times that go back more often than on, that count another unit since 1970 or 1601, or that are more than 10 s apart.
Doubt doubt_times(TraceSample sample, const TraceUnits& units);

// Sizes and addresses in sectors that are whole sectors as bytes, those in bytes that would be parts of sectors, and
// requests larger than any system makes.
Doubt doubt_places(TraceSample sample, const TraceUnits& units);

// Both, in this order.
Doubt doubt_values(TraceSample sample, const TraceUnits& units);

// Device numbers of 65536 and more, or another device nearly every time.
Doubt doubt_devices(TraceSample sample);

}  // namespace ftlab
