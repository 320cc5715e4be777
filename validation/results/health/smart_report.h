// A drive's health in the format of `smartctl --json`, and its health log as the part `health` of a result, from which the
// same report can be made later.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "ftl/drive/smart_log.h"
#include "validation/results/health/smart_table.h"

namespace ftlab {

// Header of the report.
struct SmartSubject {
  std::string path;  // path of the state or result
  std::string model;
  std::uint64_t seed = 0;
  bool nvme = false;  // has a health log (nvme_health.h) instead of attributes
};

nlohmann::ordered_json health_json(const SmartLog& log);
// `where` names the file in messages. Throws ConfigError for missing or non-numeric fields.
SmartLog read_health(const nlohmann::json& health, const std::string& where);

// Fields that smartctl 7.4 and later print for an ATA or NVMe drive, as far as a simulated drive has them. Omitted:
// temperature, which is not modelled, logs, and the capacity of the NVM subsystem (TNVMCAP), which NVMe drives without
// namespace management do not state. `user_capacity` is the capacity of the namespace. `smartctl.exit_status`: 8 if the
// drive has failed, plus 16 if a pre-failure attribute is at its threshold.
nlohmann::ordered_json smart_json(const SmartSubject& subject, const SmartTable& table, const SmartLog& log);
// The attributes as `smartctl -A` prints them (NVMe: the health log), below a line with the drive and its verdict.
std::string smart_text(const SmartSubject& subject, const SmartTable& table, const SmartLog& log);

}  // namespace ftlab
