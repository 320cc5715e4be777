// One option of the workload language: its names in fio, how it is written, and what it changes. The tables are by what they
// concern; options.cpp puts them together.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "sim/workload/options/settings.h"

namespace ftlab {

enum class Form {
  flag,      // "norandommap" or "norandommap=1"
  value,     // needs a value
  text,      // needs a value, in which blanks count for nothing
  optional,  // "write_bw_log" or "write_bw_log=PREFIX"
};

struct Option {
  const char* name;
  const char* alias;  // "": none
  Form form;
  void (*set)(Settings&, const Setting&);
  // Of an option without effect: what the figures would show on a real drive and do not show here; nullptr: nothing.
  const char* missed = nullptr;
};

// What is asked of the drive: directions, places and amounts;
std::span<const Option> access_options();
// in blocks of which sizes;
std::span<const Option> block_options();
// what chance decides, and how;
std::span<const Option> random_options();
// what is written;
std::span<const Option> content_options();
// and whether it is read back.
std::span<const Option> verify_options();
// When it is asked, and how much at once: engines, depth, time, the order of jobs.
std::span<const Option> flow_options();
// How fast it is asked: rates, pauses, targets, steady state, and how jobs share or end a run.
std::span<const Option> pace_options();
// How the queue is kept, and what must be in the flash when: batches, overlaps, flushes.
std::span<const Option> queue_options();
// What concerns the host alone: checked, and of no effect on the drive.
std::span<const Option> host_options();
// What is replayed instead of generated, and what is kept for a replay.
std::span<const Option> replay_options();
// What is reported, and how.
std::span<const Option> report_options();

// Limits that fio does not have; they keep a typing error from becoming a run of years or a gigabyte of jobs.
inline constexpr std::uint64_t kLargestNumber = std::uint64_t{1} << 62;

// With the suffixes of fio; throws ConfigError for anything else, and outside [least, most].
std::uint64_t number_between(const Settings& s, const Setting& written, std::uint64_t least, std::uint64_t most);
// The parts of "read,write,trim": sets out[d] = parse(part) for each direction that is named. As in fio, a value that no
// comma ends counts for the directions behind it as well. Throws ConfigError.
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

// The place of `written` in "none sync dsync", from 0. Throws ConfigError naming the choices.
std::size_t choice_of(const Setting& written, std::string_view choices);

// "abcd", 0xdeadface, 123 or several of them: the bytes of buffer_pattern and verify_pattern.
std::string parse_byte_pattern(const Setting& written);
// What bs, bsrange and bssplit come to together, once all are set.
void settle_block_sizes(Settings& s);
// Throws ConfigError for an empty value.
std::string text_of(const Setting& written);

}  // namespace ftlab
