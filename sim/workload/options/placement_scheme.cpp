
#include "sim/config/split.h"
#include "sim/workload/options/kinds.h"
#include "sim/workload/options/resolve.h"

namespace ftlab {
namespace {

constexpr std::size_t kMostRanges = 32;  // as in fio
constexpr std::uint64_t kMostStream = 127;

std::string text_of_scheme(const Setting& file, const JobContext& context) {
  if (!context.include) refuse(file, "scheme files cannot be read here");
  try {
    return context.include(file.value);
  } catch (const ConfigError& error) {
    refuse(file, error.what());
  }
}

// Parses "0,10737418240,2": first byte, end (exclusive), placement identifier.
PlacementHandles::Range range_of(const Setting& line) {
  std::array<std::uint64_t, 3> numbers{};
  std::string_view rest = line.value;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::size_t comma = i + 1 < numbers.size() ? rest.find(',') : rest.npos;
    if (comma == rest.npos && i + 1 < numbers.size())
      refuse(line, "is not a range of a scheme", "FIRST,END,IDENTIFIER in bytes");
    numbers[i] = parse_number(line, trimmed(rest.substr(0, comma)), 1024, 0, i == 2 ? kMostStream : kLargestNumber);
    if (comma != rest.npos) rest.remove_prefix(comma + 1);
  }
  if (numbers[0] >= numbers[1]) refuse(line, "is a range that ends before it begins", "FIRST below END");
  return {numbers[0], numbers[1], static_cast<std::uint8_t>(numbers[2])};
}

}  // namespace

void read_placement_scheme(Draft& s, const JobContext& context) {
  if (!s.placed || !s.placed_by_scheme) return;
  if (!s.is_set("dp_scheme")) s.refuse("plid_select", "needs the file of the scheme", "dp_scheme=FILE");
  if (s.has_several_files()) s.refuse("dp_scheme", "offsets of a scheme lie in one file, and the job has several");
  const Setting file = s.line_of("dp_scheme");
  const std::string text = text_of_scheme(file, context);
  s.placement.streams.clear();
  std::size_t number = 0;
  for (const std::string_view part : split(text, '\n')) {
    const Setting line{"dp_scheme", std::string(trimmed(part)), true, false, {file.value, ++number}};
    if (!line.value.empty()) s.placement.by_offset.push_back(range_of(line));
  }
  if (s.placement.by_offset.empty() || s.placement.by_offset.size() > kMostRanges)
    refuse(file, "has " + std::to_string(s.placement.by_offset.size()) + " ranges", "1 to 32");
}

}  // namespace ftlab
