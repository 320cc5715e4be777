// A drive's health in the shape of `smartctl --json`, and the health log as the part `health` of a result, from which the
// same can be made later.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "ftl/drive/smart_log.h"
#include "validation/results/health/smart_table.h"

namespace ftlab {

// What stands at the head of the report.
struct SmartSubject {
  std::string path;  // of the state or result
  std::string model;
  std::uint64_t seed = 0;
  bool nvme = false;  // the drive speaks NVMe: it has a health log (nvme_health.h) and no attributes
};

nlohmann::ordered_json health_json(const SmartLog& log);
// `where` names the file in messages. Throws ConfigError for what is missing or no number.
SmartLog read_health(const nlohmann::json& health, const std::string& where);

// Fields that smartctl 7.4 and later print for an ATA or NVMe drive, as far as a simulated drive has them. Not there:
// temperature, which is not modelled, and logs. `smartctl.exit_status`: 8 the drive has failed, 16 a pre-failure attribute
// is at its threshold.
nlohmann::ordered_json smart_json(const SmartSubject& subject, const SmartTable& table, const SmartLog& log);
// The table of attributes as `smartctl -A` prints it, of an NVMe drive its health log, with the drive and its verdict above.
std::string smart_text(const SmartSubject& subject, const SmartTable& table, const SmartLog& log);

}  // namespace ftlab
