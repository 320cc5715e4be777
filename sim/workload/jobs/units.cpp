#include "sim/workload/jobs/units.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <string>

#include "sim/config/split.h"

namespace ftlab {

namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::uint64_t kLargest = std::numeric_limits<std::int64_t>::max();  // fio's own limit
constexpr std::string_view kSuffixes = "b k kb m mb g gb t tb p pb";
constexpr std::string_view kMagnitudes = "kmgtp";

// Parses the number at the front of `text` and removes it.
std::uint64_t take_number(const Setting& setting, std::string_view& text) {
  if (text.starts_with('-')) refuse(setting, "must not be negative");
  const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  const std::string_view digits = text.substr(hexadecimal ? 2 : 0);
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number, hexadecimal ? 16 : 10);
  if (error == std::errc::invalid_argument) refuse(setting, "not a number");
  if (error != std::errc() || number > kLargest) refuse(setting, "number too large", "up to 9223372036854775807");
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (text.starts_with('.')) refuse(setting, "fractions are not possible (fio ignores what follows the point)");
  return number;
}

std::uint64_t power(std::uint64_t kilo, std::size_t exponent) {
  std::uint64_t value = 1;
  for (std::size_t i = 0; i < exponent; ++i) value *= kilo;
  return value;
}

// Multiplier of a lower-case suffix; 0 if the suffix is unknown.
std::uint64_t factor_of(std::string_view suffix, std::uint64_t kilo) {
  if (suffix.empty() || suffix == "b") return 1;
  const std::size_t magnitude = kMagnitudes.find(suffix.front());
  if (magnitude == kMagnitudes.npos) return 0;
  const std::string_view rest = suffix.substr(1);
  if (rest.empty() || rest == "b" || rest == "i") return power(kilo, magnitude + 1);
  return rest == "ib" ? power(kilo == 1024 ? 1000 : 1024, magnitude + 1) : 0;
}

struct TimeSuffix {
  std::string_view name;
  std::uint64_t nanoseconds;
};
constexpr std::array<TimeSuffix, 6> kTimeSuffixes = {{{"d", 86'400'000'000'000},
                                                      {"h", 3'600'000'000'000},
                                                      {"m", 60'000'000'000},
                                                      {"s", 1'000'000'000},
                                                      {"ms", 1'000'000},
                                                      {"us", 1'000}}};

std::uint64_t time_factor(const Setting& setting, std::string_view suffix, std::string_view unit) {
  for (const TimeSuffix& known : kTimeSuffixes)
    if (known.name == suffix) return known.nanoseconds;
  refuse(setting, "unknown unit of time",
         std::string(unit == "us" ? "microseconds" : "seconds") + ", or with d h m (minutes) s ms us");
}

std::string range_text(double least, double most) {
  const auto text = [](double number) { return std::to_string(static_cast<std::int64_t>(number)); };
  return text(least) + " to " + text(most);
}

std::uint64_t product(const Setting& setting, std::uint64_t number, std::uint64_t factor) {
  const Wide result = static_cast<Wide>(number) * factor;
  if (result > kLargest) refuse(setting, "number too large", "up to 9223372036854775807");
  return static_cast<std::uint64_t>(result);
}

double parse_percentile(const Setting& setting, std::string_view text) {
  const auto number = parsed<double>(text);
  if (!number || !(*number >= 0 && *number <= 100))
    refuse(setting, "not a list of percentiles", "0 to 100, as in 50:99:99.9");
  return *number;
}

}  // namespace

std::string lowered(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

std::uint64_t parse_number(const Setting& setting, std::string_view text, std::uint64_t kilo) {
  if (text.empty()) refuse(setting, "number missing");
  const std::uint64_t number = take_number(setting, text);
  if (text == "%") refuse(setting, "percent is not possible here");
  if (text == "z" || text == "Z") refuse(setting, "a number of zones (suffix z) is not possible here");
  const std::uint64_t factor = factor_of(lowered(text), kilo);
  if (factor == 0) refuse(setting, "unknown unit", kSuffixes);
  return product(setting, number, factor);
}

std::uint64_t parse_number(const Setting& setting, std::string_view text, std::uint64_t kilo, std::uint64_t least,
                           std::uint64_t most) {
  const std::string range = std::to_string(least) + " to " + std::to_string(most);
  if (text.starts_with('-')) refuse(setting, "must not be negative", range);
  const std::uint64_t number = parse_number(setting, text, kilo);
  if (number < least || number > most) refuse(setting, "out of range", range);
  return number;
}

Amount parse_amount(const Setting& setting, std::uint64_t kilo) {
  std::string_view text = setting.value;
  if (text.ends_with('z') || text.ends_with('Z')) {
    const std::uint64_t zones = take_number(setting, text);
    if (text.size() != 1) refuse(setting, "unknown unit", std::string(kSuffixes) + " % z");
    return {zones, false, true};
  }
  if (!text.ends_with('%')) return {parse_number(setting, text, kilo), false};
  const std::uint64_t number = take_number(setting, text);
  if (text != "%") refuse(setting, "unknown unit", std::string(kSuffixes) + " %");
  if (number > 100) refuse(setting, "more than the whole", "0% to 100%");
  return {number, true};
}

Nanoseconds parse_time(const Setting& setting) { return parse_time(setting, setting.value, "s"); }

Nanoseconds parse_time(const Setting& setting, std::string_view text, std::string_view unit) {
  if (text.empty()) refuse(setting, "time missing");
  const std::uint64_t number = take_number(setting, text);
  const std::uint64_t factor = time_factor(setting, text.empty() ? unit : lowered(text), unit);
  if (number > kLargest / factor) refuse(setting, "time too long", "up to 9223372036 seconds, 292 years");
  return Nanoseconds{number * factor};
}

void check_whole_sectors(const Setting& setting, std::uint64_t bytes, std::uint64_t kilo, std::string_view allowed) {
  if (bytes % kSectorBytes == 0) return;
  const std::string other = std::to_string(kilo == 1024 ? 1000 : 1024), own = std::to_string(kilo);
  const std::string rule = "; fio's rule of units: with kb_base=" + own + (kilo == 1024 ? ", its default," : "") + " k is " +
                           own + " bytes and kib is " + other + ": write " + (kilo == 1024 ? "k, m, g" : "kib, mib, gib");
  const bool misread = kilo == 1024 ? has_kib_suffix(setting.value) : bytes % kilo == 0;
  refuse(setting, std::to_string(bytes) + " bytes is not a multiple of 512" + (misread ? rule : ""), allowed);
}

double parse_decimal(const Setting& setting, std::string_view text, double least, double most) {
  const auto number = parsed<double>(text);
  if (!number) refuse(setting, "not a decimal number");
  if (!(*number >= least && *number <= most)) refuse(setting, "out of range", range_text(least, most));
  return *number;
}

std::vector<double> parse_percentiles(const Setting& setting) {
  constexpr std::size_t kMost = 20;
  std::vector<double> list;
  for (const std::string_view part : split(setting.value, ':')) list.push_back(parse_percentile(setting, part));
  if (list.size() > kMost) refuse(setting, "too many percentiles", "at most 20");
  std::sort(list.begin(), list.end());
  return list;
}

bool parse_switch(const Setting& setting) {
  if (setting.value != "0" && setting.value != "1") refuse(setting, "must be on or off", "0, 1");
  return setting.value == "1";
}

bool has_kib_suffix(std::string_view text) {
  const std::string lower = lowered(text);
  for (const char magnitude : kMagnitudes)
    if (lower.find(std::string(1, magnitude) + "ib") != lower.npos) return true;
  return false;
}

}  // namespace ftlab
