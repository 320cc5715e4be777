#include "sim/workload/options/pattern.h"

#include <array>

#include "sim/workload/jobs/units.h"

namespace ftlab {

namespace {

struct NamedPattern {
  const char* name;
  bool random, reads, writes, trims;
};
constexpr std::array<NamedPattern, 11> kPatterns = {{{"read", false, true, false, false},
                                                     {"write", false, false, true, false},
                                                     {"trim", false, false, false, true},
                                                     {"randread", true, true, false, false},
                                                     {"randwrite", true, false, true, false},
                                                     {"randtrim", true, false, false, true},
                                                     {"rw", false, true, true, false},
                                                     {"readwrite", false, true, true, false},
                                                     {"randrw", true, true, true, false},
                                                     {"trimwrite", false, false, true, true},
                                                     {"randtrimwrite", true, false, true, true}}};
constexpr std::string_view kNames =
    "read write trim randread randwrite randtrim rw readwrite randrw trimwrite randtrimwrite";

// Far above any real use, and low enough that no sum of offsets can overflow.
constexpr std::uint64_t kMostBlocksInRow = 1ull << 40;
constexpr std::uint64_t kLongestSkip = 1ull << 60;

Pattern pattern_named(const Setting& setting, std::string_view name) {
  std::vector<std::string> names;
  for (const NamedPattern& known : kPatterns) {
    if (name == known.name) return {known.random, known.reads, known.writes, known.trims, known.trims && known.writes, 1, 0};
    names.push_back(known.name);
  }
  refuse(setting, "unknown kind of access", kNames, nearest_name(name, names));
}

std::uint64_t parse_run(const Setting& setting, std::string_view text, std::uint64_t kilo) {
  const std::uint64_t blocks = parse_number(setting, text, kilo);
  if (blocks == 0 || blocks > kMostBlocksInRow)
    refuse(setting, "number of blocks from each random start out of range", "1 to " + std::to_string(kMostBlocksInRow));
  return blocks;
}

std::int64_t parse_skip(const Setting& setting, std::string_view text, std::uint64_t kilo) {
  const bool backwards = text.starts_with('-');
  if (backwards) text.remove_prefix(1);
  const std::uint64_t bytes = parse_number(setting, text, kilo, 0, kLongestSkip);
  if (bytes % kSectorBytes != 0) refuse(setting, "the skip is not a multiple of 512 bytes");
  const auto skip = static_cast<std::int64_t>(bytes);
  return backwards ? -skip : skip;
}

}  // namespace

Pattern parse_pattern(const Setting& setting, std::uint64_t kilo) {
  const std::string_view value = setting.value;
  const std::size_t colon = value.find(':');
  Pattern pattern = pattern_named(setting, value.substr(0, colon));
  if (colon == value.npos) return pattern;
  const std::string_view modifier = value.substr(colon + 1);
  if (pattern.random)
    pattern.blocks_per_random = parse_run(setting, modifier, kilo);
  else
    pattern.sequential_skip_bytes = parse_skip(setting, modifier, kilo);
  return pattern;
}

}  // namespace ftlab
