// Health of a real drive from `smartctl --json`: its identity, its distance from the limits at which a measurement must not
// begin or must stop (R14), and its own write counters, which yield its write amplification.
//
// smartctl (smartmontools) is run as a program; the instrument itself sends a drive no administrative command (R6).
#pragma once

#include <chrono>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "validation/measure/target/guard.h"

namespace ftlab {

// A counter of the drive, in whole units: the true value is less than one unit more.
struct WriteCounter {
  std::string name;  // "241 Host_Writes_32MiB"
  std::uint64_t count = 0;
  std::uint64_t unit_bytes = 0;  // 0: pages of unknown size

  bool operator==(const WriteCounter&) const = default;
};

struct SmartReading {
  std::string model, serial, firmware;  // empty: unknown
  Fact<std::uint64_t> capacity_bytes;
  Fact<bool> passed;  // the drive's own verdict
  Fact<std::int64_t> temperature_c;
  Fact<std::int64_t> percentage_used;  // share of the rated endurance; may exceed 100
  Fact<std::int64_t> spare_percent;    // left of the reserve, normalised
  Fact<std::int64_t> spare_threshold_percent;
  Fact<std::uint64_t> power_on_hours;
  // Both in the same unit, or each in bytes.
  Fact<WriteCounter> host_writes, media_writes;
};

struct SmartAnswer {
  Fact<SmartReading> reading;
  std::string why_not;  // if `reading` is unknown, a sentence for the user
  nlohmann::json raw;   // printed by smartctl, kept in the result; null if it printed none
};

// Parses smartctl's report. Never throws: missing fields, and fields of an unexpected type, are unknown.
SmartReading parse_smart(const nlohmann::json& report);

// Evaluates the output of a program that ended with `status`. More than 16 MiB, or more than 64 levels of JSON, is refused.
SmartAnswer smart_answer(const std::string& printed, int status, const std::string& program);

// Runs smartctl, which must answer within `patience`. `program`: its name or path.
SmartAnswer ask_smartctl(const std::string& device, const std::string& program = "smartctl",
                         std::chrono::milliseconds patience = std::chrono::seconds(30));

// Adds the identity reported by SMART to the facts: a serial number that sysfs does not show becomes known. A different
// serial number or capacity is a contradiction.
void add_smart_identity(DeviceFacts& facts, const SmartReading& reading);

struct SmartLimits {
  std::int64_t temperature_c_most = 70;
  std::int64_t percentage_used_most = 100;
  // In addition to the drive's own threshold, which always applies.
  std::int64_t spare_percent_least = 10;
};

// Returns why a measurement must not begin, or must stop; empty if no known value forbids it. Values that the drive does not
// report are not judged: unjudged() names them.
std::vector<std::string> beyond_limits(const SmartReading& reading, const SmartLimits& limits);
std::vector<std::string> unjudged(const SmartReading& reading);
// Like beyond_limits(), during a measurement: also if the drive no longer reports what it did before, or is another drive.
std::vector<std::string> beyond_limits_since(const SmartReading& before, const SmartAnswer& now, const SmartLimits& limits);

// Media writes over host writes between two readings. The counters are whole units, so the true value lies between `lowest`
// and `highest`; `highest` is unknown until the host has written more than one unit.
struct MeasuredAmplification {
  static constexpr std::uint64_t kUnitsWanted = 100;  // wanted of each counter: a resolution of about 1 %

  Fact<double> value, lowest, highest;
  std::uint64_t host_units = 0, media_units = 0;
  std::uint64_t host_unit_bytes = 0, media_unit_bytes = 0;
  std::string why_not;        // if `value` is unknown
  bool enough_units = false;  // kUnitsWanted of both counters
};
MeasuredAmplification amplification_between(const SmartReading& before, const SmartReading& after);

nlohmann::ordered_json smart_json(const SmartReading& reading);
// The values that may change during a measurement.
nlohmann::ordered_json changing_json(const SmartReading& reading);
nlohmann::ordered_json amplification_json(const MeasuredAmplification& amplification);

}  // namespace ftlab
