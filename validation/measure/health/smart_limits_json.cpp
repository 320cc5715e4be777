// A drive's health as JSON for the result.
#include <nlohmann/json.hpp>

#include "validation/measure/health/smart_limits.h"

#include "validation/measure/target/fact_json.h"

namespace ftlab {
namespace {

using nlohmann::ordered_json;

ordered_json counter_json(const Fact<WriteCounter>& counter) {
  if (!counter) return nullptr;
  ordered_json described{{"name", counter->name}, {"count", counter->count}};
  if (counter->unit_bytes == 0)
    described["unit"] = "page";
  else
    described["unit_bytes"] = counter->unit_bytes;
  return described;
}

}  // namespace

ordered_json smart_json(const SmartReading& reading) {
  return {{"model", reading.model},
          {"serial", reading.serial},
          {"firmware", reading.firmware},
          {"capacity_bytes", value_or_null(reading.capacity_bytes)},
          {"passed", value_or_null(reading.passed)},
          {"temperature_c", value_or_null(reading.temperature_c)},
          {"percentage_used", value_or_null(reading.percentage_used)},
          {"spare_percent", value_or_null(reading.spare_percent)},
          {"spare_threshold_percent", value_or_null(reading.spare_threshold_percent)},
          {"power_on_hours", value_or_null(reading.power_on_hours)},
          {"host_writes", counter_json(reading.host_writes)},
          {"media_writes", counter_json(reading.media_writes)},
          {"not_told", unjudged(reading)}};
}

ordered_json changing_json(const SmartReading& reading) {
  return {{"temperature_c", value_or_null(reading.temperature_c)},
          {"percentage_used", value_or_null(reading.percentage_used)},
          {"spare_percent", value_or_null(reading.spare_percent)},
          {"host_writes", counter_json(reading.host_writes)},
          {"media_writes", counter_json(reading.media_writes)}};
}

ordered_json amplification_json(const MeasuredAmplification& amplification) {
  if (!amplification.value) return {{"value", nullptr}, {"why_not", amplification.why_not}};
  return {{"value", *amplification.value},
          {"lowest", *amplification.lowest},
          {"highest", value_or_null(amplification.highest)},
          {"host_units", amplification.host_units},
          {"media_units", amplification.media_units},
          {"host_unit_bytes", amplification.host_unit_bytes},
          {"media_unit_bytes", amplification.media_unit_bytes},
          {"units_wanted", MeasuredAmplification::kUnitsWanted},
          {"enough_units", amplification.enough_units}};
}

}  // namespace ftlab
