// The health of a real drive as `smartctl --json` tells it: who the drive is, how near it is to the limits at which a
// measurement must not begin or go on (R14), and its own counters of writes, from which its write amplification follows.
//
// smartctl (smartmontools) is asked as a program; the instrument itself sends a drive no administrative command (R6).
#pragma once

#include <chrono>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "validation/measure/target/guard.h"

namespace ftlab {

// A counter of the drive. It counts whole units, so the truth is less than one unit more.
struct WriteCounter {
  std::string name;  // "241 Host_Writes_32MiB"
  std::uint64_t count = 0;
  std::uint64_t unit_bytes = 0;  // 0: pages of a size that is not told

  bool operator==(const WriteCounter&) const = default;
};

struct SmartReading {
  std::string model, serial, firmware;  // empty: not told
  Fact<std::uint64_t> capacity_bytes;
  Fact<bool> passed;  // the drive's own verdict
  Fact<std::int64_t> temperature_c;
  Fact<std::int64_t> percentage_used;  // of the endurance it is rated for; may pass 100
  Fact<std::int64_t> spare_percent;    // left of the reserve, normalised
  Fact<std::int64_t> spare_threshold_percent;
  Fact<std::uint64_t> power_on_hours;
  // Both in the same unit, or each in bytes.
  Fact<WriteCounter> host_writes, media_writes;
};

struct SmartAnswer {
  Fact<SmartReading> reading;
  std::string why_not;  // when there is none, a sentence for the user
  nlohmann::json raw;   // as smartctl printed it, for the result; null when it printed none
};

// Reads what smartctl printed. Throws nothing: what is not there, or is of another kind than expected, is unknown.
SmartReading parse_smart(const nlohmann::json& report);

// What a program that ended with `status` has printed. More than 16 MiB, or more than 64 levels of JSON, is no answer.
SmartAnswer smart_answer(const std::string& printed, int status, const std::string& program);

// Asks smartctl, which must answer within the time. `program`: its name or path.
SmartAnswer ask_smartctl(const std::string& device, const std::string& program = "smartctl",
                         std::chrono::milliseconds patience = std::chrono::seconds(30));

// Adds what SMART knows of who the drive is to the facts: a serial number that sysfs does not show becomes known, one that
// differs from it is a contradiction, and so is another capacity.
void add_smart_identity(DeviceFacts& facts, const SmartReading& reading);

struct SmartLimits {
  std::int64_t temperature_c_most = 70;
  std::int64_t percentage_used_most = 100;
  // Beside the drive's own threshold, which always holds.
  std::int64_t spare_percent_least = 10;
};

// Why a measurement must not begin, or must stop; empty when nothing that is known speaks against it. What the drive does
// not tell is not judged: unjudged() names it.
std::vector<std::string> beyond_limits(const SmartReading& reading, const SmartLimits& limits);
std::vector<std::string> unjudged(const SmartReading& reading);
// The same during a measurement: also when the drive no longer tells what it told before, or is another drive.
std::vector<std::string> beyond_limits_since(const SmartReading& before, const SmartAnswer& now, const SmartLimits& limits);

// Media writes over host writes between two readings. The counters are whole units, so the truth lies between `lowest` and
// `highest`; `highest` is unknown while the host has written no more than a unit.
struct MeasuredAmplification {
  static constexpr std::uint64_t kUnitsWanted = 100;  // of each counter, for the resolution to be near 1 %

  Fact<double> value, lowest, highest;
  std::uint64_t host_units = 0, media_units = 0;
  std::uint64_t host_unit_bytes = 0, media_unit_bytes = 0;
  std::string why_not;        // when there is no value
  bool enough_units = false;  // kUnitsWanted of both
};
MeasuredAmplification amplification_between(const SmartReading& before, const SmartReading& after);

nlohmann::ordered_json smart_json(const SmartReading& reading);
// Of it, what may change while a drive is measured.
nlohmann::ordered_json changing_json(const SmartReading& reading);
nlohmann::ordered_json amplification_json(const MeasuredAmplification& amplification);

}  // namespace ftlab
