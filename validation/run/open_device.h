// Drive files by name, and what they describe.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ftl/drive/drive.h"
#include "models/hdd/disk.h"
#include "sim/config/document.h"

namespace ftlab {

// The folder with drives, jobs and bad inputs that belongs to this program.
std::string config_folder();

// Names of the drives in the library, sorted.
std::vector<std::string> drive_names();

// The file of a drive, by name in the library or by path (anything with a slash or ending in .json). Throws ConfigError.
std::string drive_path(const std::string& name_or_path);

// A drive's document by name in the library or by path (anything with a slash or ending in .json), with everything it
// extends and with the settings "key=value" laid over it. Throws ConfigError.
Node load_drive(const std::string& name_or_path, const std::vector<std::string>& settings);

// What a drive file describes: exactly one of them is there.
struct DeviceConfig {
  std::optional<DriveConfig> ssd;
  std::optional<DiskConfig> disk;

  const std::string& name() const { return ssd ? ssd->name : disk->name; }
  std::uint64_t user_bytes() const { return ssd ? ssd->user_bytes : disk->user_bytes; }
};

// By its key `kind`: "ssd", which is also meant when there is none, or "hdd". Throws ConfigError.
DeviceConfig read_device(const Node& document);

}  // namespace ftlab
