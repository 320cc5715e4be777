// Numbers as fio writes them, without what fio lets pass silently: text after the number, negative numbers, fractions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/types.h"
#include "sim/workload/jobs/ini.h"

namespace ftlab {

// A number of bytes, or a part of something in percent.
struct Amount {
  std::uint64_t number = 0;
  bool percent = false;
};

// `text` is `setting.value` or a part of it; messages name the setting. `kilo` is what the suffix k stands for, 1024 or
// 1000 (kb_base); as in fio k, kb and ki are the same, and kib is the OTHER one of the two.
std::uint64_t parse_number(const Setting& setting, std::string_view text, std::uint64_t kilo);

// The same, between `least` and `most`, both allowed.
std::uint64_t parse_number(const Setting& setting, std::string_view text, std::uint64_t kilo, std::uint64_t least,
                           std::uint64_t most);

// "64m" or "50%".
Amount parse_amount(const Setting& setting, std::uint64_t kilo);

// In `unit` (seconds, or microseconds for fio's short times), or with one of the suffixes d h m s ms us. `1m` is a minute.
Nanoseconds parse_time(const Setting& setting, std::string_view text, std::string_view unit);
Nanoseconds parse_time(const Setting& setting);

// A decimal fraction between `least` and `most`, both allowed.
double parse_decimal(const Setting& setting, std::string_view text, double least, double most);

// Refuses what is no multiple of a sector, and says which rule of units fio applies where that may be why.
void check_whole_sectors(const Setting& setting, std::uint64_t bytes, std::uint64_t kilo, std::string_view allowed = {});

// "50:99:99.9": at most 20 numbers between 0 and 100, sorted.
std::vector<double> parse_percentiles(const Setting& setting);

// 0 or 1.
bool parse_switch(const Setting& setting);

// Latin letters in lower case.
std::string lowered(std::string_view text);

// True for "8kib", which fio reads as 8000 bytes.
bool has_kib_suffix(std::string_view text);

}  // namespace ftlab
