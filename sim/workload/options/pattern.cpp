#include "sim/workload/options/kinds.h"

namespace ftlab {

namespace {

constexpr std::string_view kNames =
    "read write trim randread randwrite randtrim rw readwrite randrw trimwrite randtrimwrite";

// Far above any real use, and low enough that no sum of offsets can overflow.
constexpr std::uint64_t kMostBlocksInRow = 1ull << 40;
constexpr std::uint64_t kLongestSkip = 1ull << 60;

Pattern pattern_named(const Setting& setting, std::string_view word) {
  const std::string_view name = split(kNames, ' ')[choice_of(setting, word, kNames, "unknown kind of access")];
  const auto has = [&](std::string_view part) { return name.find(part) != name.npos; };
  const bool both = name.ends_with("rw");
  Pattern pattern{has("rand"), both || has("read"), both || has("write"), has("trim")};
  pattern.trim_then_write = pattern.trims && pattern.writes;
  return pattern;
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
