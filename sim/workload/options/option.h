// One option of the workload language: its names in fio, its form, and its effect. The tables are grouped by subject;
// options.cpp combines them.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "sim/workload/options/settings.h"

namespace ftlab {

enum class Form {
  flag,      // "norandommap" or "norandommap=1"
  value,     // needs a value
  text,      // needs a value, which may begin with blanks
  optional,  // "write_bw_log" or "write_bw_log=PREFIX"
};

struct Option {
  const char* name;
  const char* alias;  // "" if there is only one name
  Form form;
  void (*set)(Settings&, const Setting&);
  // Options without effect: what the figures of a real drive would show and those here do not; nullptr: nothing.
  const char* missed = nullptr;
};

// Access: directions, places and amounts.
std::span<const Option> access_options();
// Zones that are written in order (zonemode=zbd).
std::span<const Option> zone_options();
// Block sizes and alignment.
std::span<const Option> block_options();
// Randomness: distributions, maps, generators, seeds.
std::span<const Option> random_options();
// Content and placement of writes.
std::span<const Option> content_options();
// Verification of written data.
std::span<const Option> verify_options();
// Issue of requests: engines, depth, time, the order of jobs.
std::span<const Option> flow_options();
// Pace: rates, pauses, targets, steady state, and how jobs share or end a run.
std::span<const Option> pace_options();
// Queue and durability: batches, overlaps, flushes.
std::span<const Option> queue_options();
// Options for the host alone: checked, without effect on the drive.
std::span<const Option> host_options();
// Replay of logs, and logs for a replay.
std::span<const Option> replay_options();
// Content and form of the report.
std::span<const Option> report_options();

// Limits that fio does not have; they prevent that a typing error causes a run of years or a gigabyte of jobs.
inline constexpr std::uint64_t kLargestNumber = std::uint64_t{1} << 62;

// Parses a number with fio's suffixes; throws ConfigError for anything else, and outside [least, most].
std::uint64_t number_between(const Settings& s, const Setting& written, std::uint64_t least, std::uint64_t most);
// Parses the parts of "read,write,trim": sets out[d] = parse(part) for each direction that is given. As in fio, the last
// value also applies to the directions after it. Throws ConfigError.
template <class T, class Parse>
void set_by_direction(const Setting& written, std::array<T, 3>& out, Parse parse) {
  std::string_view rest = written.value;
  for (std::size_t d = 0; d < out.size(); ++d) {
    const std::size_t comma = rest.find(',');
    const std::string_view part = rest.substr(0, comma);
    if (!part.empty() || (comma == rest.npos && d == 0)) {
      const T value = parse(part);
      for (std::size_t to = d; to < (comma == rest.npos ? out.size() : d + 1); ++to) out[to] = value;
    }
    if (comma == rest.npos) return;
    rest.remove_prefix(comma + 1);
  }
  refuse(written, "too many values", "up to three: read,write,trim");
}

// Index of the value in `choices`, for example "none sync dsync". Throws ConfigError naming the choices.
std::size_t choice_of(const Setting& written, std::string_view choices);

// "abcd", 0xdeadface, 123 or several of them: the bytes of buffer_pattern and verify_pattern. `formats`: also %o, eight
// bytes with the offset of the block, here zeros.
std::string parse_byte_pattern(const Setting& written, bool formats = false);
// "zipf", "zipf:1.2" or "zipf:1.2:0.25", the same for pareto and normal; nullopt for another name.
std::optional<Spread> parse_skew(const Setting& written);
// Combines bs, bsrange and bssplit, once all are set.
void settle_block_sizes(Settings& s);
// Throws ConfigError if the value is empty.
std::string text_of(const Setting& written);

}  // namespace ftlab
