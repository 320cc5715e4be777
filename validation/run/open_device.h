// Finds drive and host files by name and reads them.
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

// File of a drive, by library name or by path (anything with a slash or ending in .json). Throws ConfigError.
std::string drive_path(const std::string& name_or_path);

// Document of a drive, by library name or by path, with everything it extends. Adds the host as object `host` (empty: a host
// without costs), applies the "key=value" settings to both, and fills in defaults. Throws ConfigError, also if the drive
// file itself contains a host.
Node load_drive(const std::string& name_or_path, const std::vector<std::string>& settings, const std::string& host = {});
// Replaces the drive's host; empty: keeps it. Throws ConfigError.
void set_host(Node& drive, const std::string& host);

// Like drive_names(), drive_path() and load_drive(), for hosts. Throws ConfigError.
std::vector<std::string> host_names();
std::string host_path(const std::string& name_or_path);
Node load_host(const std::string& name_or_path);
// True if the document's `kind` is "host".
bool is_host(const Node& document);

// Node at a dotted path of a document; nullptr if absent.
const Node* node_at(const Node& root, std::string_view path);
// True for a number with its source: {"value": .., "from": .., "source": ..}.
bool is_sourced(const Node& node);

// Configuration of a device. Exactly one member is set.
struct DeviceConfig {
  std::optional<DriveConfig> ssd;
  std::optional<DiskConfig> disk;

  const std::string& name() const { return ssd ? ssd->name : disk->name; }
  std::uint64_t user_bytes() const { return ssd ? ssd->user_bytes : disk->user_bytes; }
};

// Selects by the key `kind`: "ssd" (the default) or "hdd". Throws ConfigError.
DeviceConfig read_device(const Node& document);

}  // namespace ftlab
