// Drive files by name, and what they describe.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ftl/drive/drive.h"
#include "models/hdd/disk.h"
#include "sim/config/document.h"
#include "sim/config/library.h"

namespace ftlab {

// Names of the drives in the library, sorted.
std::vector<std::string> drive_names();

// The file of a drive, by name in the library or by path (anything with a slash or ending in .json). Throws ConfigError.
std::string drive_path(const std::string& name_or_path);

// A drive's document by name in the library or by path (anything with a slash or ending in .json), with everything it
// extends, with the host as its object `host` (nothing: it costs nothing), with the settings "key=value" laid over both, and
// with the defaults of what is still missing.
// Throws ConfigError: a drive file says nothing of a host, too.
Node load_drive(const std::string& name_or_path, const std::vector<std::string>& settings, const std::string& host = {});
// The drive with this host in the place of what it had; empty: as it is. Throws ConfigError.
void put_into_host(Node& drive, const std::string& host);

// Names of the hosts in the library, sorted; a host's file, and its document, as those of drives. Throws ConfigError.
std::vector<std::string> host_names();
std::string host_path(const std::string& name_or_path);
Node load_host(const std::string& name_or_path);
// Whether a document is meant as one.
bool is_host(const Node& document);

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
