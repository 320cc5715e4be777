// A whole simulated drive: flash, link, controller and translation layer, read from a drive file.
#pragma once

#include <cstdint>
#include <string>

#include "ftl/config.h"
#include "models/link/link.h"
#include "models/nand/cells.h"
#include "models/nand/endurance.h"
#include "models/nand/geometry.h"
#include "models/nand/timing.h"
#include "sim/config/document.h"

namespace ftlab {

struct ControllerConfig {
  Nanoseconds read_command{0};   // firmware time of one core for a command; commands queue for the core
  Nanoseconds write_command{0};  // also of trim and flush
  Nanoseconds trim_page{0};      // firmware time for each mapping page that a trim unmaps
};

struct DriveConfig {
  std::string name;
  Geometry geometry;
  NandTiming nand;
  LinkConfig link;
  ControllerConfig controller;
  FtlConfig ftl;
  EnduranceConfig endurance;  // of the flash; the layer's failure_reserve goes with it
  CellsConfig cells;          // bit errors of the flash
  std::uint64_t user_bytes = 0;

  std::uint32_t logical_pages() const {
    return static_cast<std::uint32_t>((user_bytes + ftl.mapping_bytes - 1) / ftl.mapping_bytes);
  }
  // Over-provisioning, (physical - user) / user, of the flash as built.
  double over_provisioning() const {
    return (static_cast<double>(geometry.bytes()) - static_cast<double>(user_bytes)) / static_cast<double>(user_bytes);
  }
};

// Checks every value and the relations between them. Throws ConfigError.
DriveConfig read_drive(const Node& document);

}  // namespace ftlab
