// A drive's health in the format of `smartctl --json`, and its health log as the part `health` of a result, from which the
// same report can be made later.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "ftl/drive/smart_log.h"
#include "validation/results/health/smart_table.h"

namespace ftlab {

// The health log of an NVMe drive: SMART / Health Information, log page 02h of the NVM Express Base Specification 1.4
// (5.14.1.2), with the names that smartctl and nvme smart-log give its fields.
//
// Omitted, because simulated drives lack them: temperatures, the threshold of available spare, error log entries. Controller
// busy time appears only with a power model, percentage used only if the flash wears out.

// Bit 0: no spare left (the threshold at which real drives set it is not modelled); bit 3: the drive is read-only.
std::uint32_t nvme_critical_warning(const SmartLog& log);
// In thousands of 512 bytes, rounded up, as the log counts.
std::uint64_t nvme_data_units(std::uint64_t bytes);

nlohmann::ordered_json nvme_health_json(const SmartLog& log);
// The same log with the keys of `nvme smart-log -o json`.
nlohmann::ordered_json nvme_cli_health_json(const SmartLog& log);
// The extended log, page C0h of the OCP Datacenter NVMe SSD Specification 2.0 (4.8.6), with the keys of `nvme ocp
// smart-add-log -o json`: bytes written to the media, so that write amplification follows as on a real drive. Fields
// that a simulated drive lacks are omitted: incomplete shutdowns, the endurance estimate (a rating at write amplification
// 1).
nlohmann::ordered_json ocp_health_json(const SmartLog& log);
// Statistics of flexible data placement, log page 22h of the NVM Express Base Specification 2.1, with the keys of `nvme fdp
// stats -o json`, and under "ftlab" handles, reclaim groups and the reclaim units opened since power-on. REQUIRES:
// log.placement_handles > 0.
nlohmann::ordered_json fdp_stats_json(const SmartLog& log);
// Text as printed by smartctl -A.
std::string nvme_health_text(const SmartLog& log);

// Header of the report.
struct SmartSubject {
  std::string path;  // path of the state or result
  std::string model;
  std::uint64_t seed = 0;
  bool nvme = false;  // has a health log (nvme_health_json) instead of attributes
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
