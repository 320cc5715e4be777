#include "sim/traces/formats/format.h"

#include <algorithm>
#include <array>
#include <set>

namespace ftlab {
namespace {

constexpr std::uint64_t kSlowestGapNs = 10 * kSecondNs;  // between two requests, on average
constexpr std::uint64_t kStepsToJudge = 8;               // more requests are needed to judge times and devices
constexpr std::uint64_t kLargeAlignment = 512;           // a number of sectors that is a multiple of this is likely bytes
constexpr std::uint64_t kLongestUsualBytes = std::uint64_t{64} << 20;
constexpr std::uint64_t kHighestDevice = 65535;

// Values from 2000 to 2040 of a clock that counts a unit since an epoch.
struct Epoch {
  const char* what;
  std::uint64_t unit_ns, first, end;
};
constexpr std::array<Epoch, 5> kEpochs = {
    {{"seconds since 1970", kSecondNs, 946'684'800, 2'208'988'800},
     {"ms since 1970", kMillisecondNs, 946'684'800'000, 2'208'988'800'000},
     {"us since 1970", kMicrosecondNs, 946'684'800'000'000, 2'208'988'800'000'000},
     {"ns since 1970", 1, 946'684'800'000'000'000, 2'208'988'800'000'000'000},
     {"steps of 100 ns since 1601", kFileTimeNs, 125'911'584'000'000'000, 138'534'624'000'000'000}}};

bool most(std::uint64_t part, std::uint64_t whole) { return 2 * part > whole; }

bool moves_data(const ParsedLine& row) { return row.op != Op::flush && !row.power; }

template <class Holds>
std::uint64_t count_of(TraceSample sample, Holds holds) {
  std::uint64_t count = 0;
  for (const ParsedLine& row : sample) count += moves_data(row) && holds(row) ? 1 : 0;
  return count;
}

Doubt doubt_order(TraceSample sample) {
  std::uint64_t back = 0;
  for (std::size_t i = 1; i < sample.size(); ++i) back += sample[i].time_ns < sample[i - 1].time_ns ? 1 : 0;
  if (sample.size() <= kStepsToJudge || !most(back, sample.size() - 1)) return {};
  return {"its times go back in " + std::to_string(back) + " of " + std::to_string(sample.size() - 1) + " steps"};
}

// Average time between requests, in units; 0 for fewer than two requests.
std::uint64_t gap_of(TraceSample sample, std::uint64_t unit_ns) {
  if (sample.size() < 2 || sample.back().time_ns <= sample.front().time_ns) return 0;
  return (sample.back().time_ns - sample.front().time_ns) / unit_ns / (sample.size() - 1);
}

std::uint64_t right_size_unit(TraceSample sample, std::uint64_t unit) {
  const std::uint64_t requests = count_of(sample, [](const ParsedLine&) { return true; });
  const auto is_whole = [unit](const ParsedLine& row) { return row.length_bytes / unit % kLargeAlignment == 0; };
  const auto is_small = [unit](const ParsedLine& row) { return row.length_bytes / unit < kSectorBytes; };
  if (unit == kSectorBytes && most(count_of(sample, is_whole), requests)) return 1;
  if (unit == 1 && most(count_of(sample, is_small), requests)) return kSectorBytes;
  return unit;
}

// An address of 0 proves nothing. If sizes are plausible, only addresses of small or of whole-sector requests count.
std::uint64_t right_offset_unit(TraceSample sample, const TraceUnits& units, bool sizes_possible) {
  const auto is_placed = [](const ParsedLine& row) { return row.offset_bytes > 0; };
  const auto is_whole = [&](const ParsedLine& row) {
    const bool small = row.length_bytes < kLargeAlignment * kSectorBytes;
    return is_placed(row) && row.offset_bytes / units.offset % kLargeAlignment == 0 && (small || !sizes_possible);
  };
  const auto is_part = [&](const ParsedLine& row) {
    return row.offset_bytes % kSectorBytes != 0 && (row.length_bytes % kSectorBytes == 0 || !sizes_possible);
  };
  const std::uint64_t placed = count_of(sample, is_placed);
  if (units.offset == kSectorBytes && most(count_of(sample, is_whole), placed)) return 1;
  if (units.offset == 1 && most(count_of(sample, is_part), placed)) return kSectorBytes;
  return units.offset;
}

bool have_fractions(TraceSample sample, std::uint64_t unit_ns) {
  if (unit_ns > kMicrosecondNs) return false;
  const auto has_fraction = [unit_ns](const ParsedLine& row) { return row.time_ns % unit_ns != 0; };
  return most(static_cast<std::uint64_t>(std::count_if(sample.begin(), sample.end(), has_fraction)), sample.size());
}

Doubt doubt_lengths(TraceSample sample) {
  const auto is_long = [](const ParsedLine& row) { return row.length_bytes > kLongestUsualBytes; };
  if (!most(count_of(sample, is_long), sample.size())) return {};
  return {"most of its requests would be larger than 64 MiB"};
}

}  // namespace

Doubt doubt_times(TraceSample sample, const TraceUnits& units) {
  if (sample.empty()) return {};
  if (Doubt doubt = doubt_order(sample); !doubt.reason.empty()) return doubt;
  if (have_fractions(sample, units.time))
    return {"its times have fractions of " + std::to_string(units.time) + " ns",
            TraceUnits{kSecondNs, units.offset, units.size}};
  const std::uint64_t first = sample.front().time_ns / units.time, gap = gap_of(sample, units.time);
  const Epoch* likely = nullptr;
  for (const Epoch& epoch : kEpochs) {
    if (first < epoch.first || first >= epoch.end) continue;
    if (epoch.unit_ns == units.time) return {};
    if (gap <= kSlowestGapNs / epoch.unit_ns) likely = &epoch;
  }
  if (likely != nullptr)
    return {std::string("its times look like ") + likely->what, TraceUnits{likely->unit_ns, units.offset, units.size}};
  if (gap <= kSlowestGapNs / units.time) return {};
  return {"its requests would be " + std::to_string(gap * units.time / kSecondNs) + " s apart"};
}

Doubt doubt_places(TraceSample sample, const TraceUnits& units) {
  TraceUnits right = units;
  right.size = right_size_unit(sample, units.size);
  right.offset = right_offset_unit(sample, units, right.size == units.size);
  const bool sizes = right.size != units.size, addresses = right.offset != units.offset;
  if (!sizes && !addresses) return doubt_lengths(sample);
  const bool bytes = right.size < units.size || right.offset < units.offset;
  return {std::string("the numbers look like ") + (bytes ? "bytes" : "sectors") + ": most " +
              (!sizes      ? "addresses"
               : addresses ? "addresses and sizes"
                           : "sizes") +
              (bytes ? " are multiples of 512, and the format counts sectors of 512 bytes"
                     : " would be parts of a sector of 512 bytes"),
          right};
}

Doubt doubt_values(TraceSample sample, const TraceUnits& units) {
  Doubt doubt = doubt_places(sample, units);
  return doubt.reason.empty() ? doubt_times(sample, units) : doubt;
}

Doubt doubt_devices(TraceSample sample) {
  std::set<std::string_view> devices;
  for (const ParsedLine& row : sample) {
    std::uint64_t number = 0;
    if (!read_number(row.volume, number) || number > kHighestDevice)
      return {"its device \"" + std::string(row.volume) + "\" is not a number up to 65535"};
    devices.insert(row.volume);
  }
  if (sample.size() <= kStepsToJudge || !most(devices.size(), sample.size())) return {};
  return {"its requests would be for " + std::to_string(devices.size()) + " devices"};
}

}  // namespace ftlab
