// One option of the workload language: its names in fio, how it is written, and what it changes. The tables are by what they
// concern; options.cpp puts them together.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "sim/workload/settings.h"

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
};

// What is asked of the drive: directions, places, sizes, content, chance.
std::span<const Option> access_options();
// When it is asked, and how much at once: engines, depth, time, the order of jobs.
std::span<const Option> flow_options();
// What is reported, and how.
std::span<const Option> report_options();

// Limits that fio does not have; they keep a typing error from becoming a run of years or a gigabyte of jobs.
inline constexpr std::uint64_t kLargestNumber = std::uint64_t{1} << 62;

// With the suffixes of fio; throws ConfigError for anything else, and outside [least, most].
std::uint64_t number_between(const Settings& s, const Setting& written, std::uint64_t least, std::uint64_t most);
// Throws ConfigError for an empty value.
std::string text_of(const Setting& written);

}  // namespace ftlab
