// Parses numbers in fio's notation. Refuses what fio silently accepts: text after the number, negative numbers, fractions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/types.h"
#include "sim/workload/jobs/ini.h"

namespace ftlab {

// A number of bytes or of zones, or a percentage of something.
struct Amount {
  std::uint64_t number = 0;
  bool percent = false;
  bool zones = false;
};

// `text` is `setting.value` or a part of it; messages name the setting. `kilo` is the value of the suffix k, 1024 or 1000
// (kb_base). As in fio, k, kb and ki are the same, and kib is the OTHER of the two.
std::uint64_t parse_number(const Setting& setting, std::string_view text, std::uint64_t kilo);

// Like above; refuses numbers outside [least, most].
std::uint64_t parse_number(const Setting& setting, std::string_view text, std::uint64_t kilo, std::uint64_t least,
                           std::uint64_t most);

// Parses "64m", "50%" or "4z".
Amount parse_amount(const Setting& setting, std::uint64_t kilo);

// A time in `unit` (seconds, or microseconds for fio's short times), or with a suffix d h m s ms us. `1m` is a minute.
Nanoseconds parse_time(const Setting& setting, std::string_view text, std::string_view unit);
Nanoseconds parse_time(const Setting& setting);

// A decimal number in [least, most].
double parse_decimal(const Setting& setting, std::string_view text, double least, double most);

// Refuses sizes that are not a multiple of a sector, and explains fio's rule of units if that may be the cause.
void check_whole_sectors(const Setting& setting, std::uint64_t bytes, std::uint64_t kilo, std::string_view allowed = {});

// Parses a list like "50:99:99.9": at most 20 numbers between 0 and 100, sorted.
std::vector<double> parse_percentiles(const Setting& setting);

// Parses 0 or 1.
bool parse_switch(const Setting& setting);

// `text` with Latin letters in lower case.
std::string lowered(std::string_view text);

// True for "8kib", which fio reads as 8000 bytes.
bool has_kib_suffix(std::string_view text);

}  // namespace ftlab
