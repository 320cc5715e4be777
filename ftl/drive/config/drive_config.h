// A whole simulated drive: flash, link, controller and translation layer, read from a drive file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ftl/config.h"
#include "models/controller/controller.h"
#include "models/dram/dram.h"
#include "models/link/host_config.h"
#include "models/link/link.h"
#include "models/nand/array/geometry.h"
#include "models/nand/reliability/cells.h"
#include "models/nand/reliability/endurance.h"
#include "models/nand/timing/timing.h"
#include "models/power/power.h"
#include "sim/config/document.h"

namespace ftlab {

struct DriveConfig {
  std::string name;
  Geometry geometry;
  NandTiming nand;
  LinkConfig link;  // as negotiated by drive and port
  ControllerConfig controller;
  FtlConfig ftl;
  EnduranceConfig endurance;         // wear and failures; the layer's failure_reserve depends on them
  std::optional<PowerConfig> power;  // empty: energy is not counted and the drive never sleeps
  std::string smart = "generic";     // name of its table of SMART attributes
  DramConfig dram;
  HostSoftwareConfig host;  // software of the host computer; modelled by the code that runs jobs
  CellsConfig cells;        // bit errors of the flash
  std::uint64_t user_bytes = 0;

  std::uint32_t logical_pages() const {
    return static_cast<std::uint32_t>((user_bytes + ftl.mapping_bytes - 1) / ftl.mapping_bytes);
  }
  // Idle time after which the drive falls asleep.
  Nanoseconds sleep_after() const { return power && power->sleep ? power->sleep->after : kNever; }
  // Over-provisioning, (physical - user) / user, of the flash as built.
  double over_provisioning() const {
    return (static_cast<double>(geometry.bytes()) - static_cast<double>(user_bytes)) / static_cast<double>(user_bytes);
  }
};

// Checks every value and the relations between them; `keys`, if given, receives the keys. Throws ConfigError.
DriveConfig read_drive(const Node& document, KeyLog* keys = nullptr);

}  // namespace ftlab
