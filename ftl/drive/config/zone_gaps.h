// The space between the capacity of a zone and the next zone has addresses, but no flash.
#pragma once

#include "ftl/drive/config/drive_config.h"

namespace ftlab {

// Like `drive`, with user_bytes reduced to what can hold data. For figures that compare user space and flash.
inline DriveConfig without_zone_gaps(DriveConfig drive) {
  const ZonesConfig& zones = drive.ftl.mapping.zones;
  if (zones.count > 0) drive.user_bytes = zones.count * zones.capacity_bytes;
  return drive;
}

}  // namespace ftlab
