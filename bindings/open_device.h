// The one place that names every kind of Device, and finds drive files by name.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ftl/drive.h"
#include "sim/config/document.h"

namespace ftlab {

// The folder with drives, jobs and bad inputs that belongs to this program.
std::string config_folder();

// Names of the drives in the library, sorted.
std::vector<std::string> drive_names();

// A drive's document by name in the library or by path (anything with a slash or ending in .json), with everything it
// extends and with the settings "key=value" laid over it. Throws ConfigError.
Node load_drive(const std::string& name_or_path, const std::vector<std::string>& settings);

// A simulated drive. Throws ConfigError for what the document says wrong.
std::unique_ptr<Drive> open_drive(const Node& document, Clock clock);

}  // namespace ftlab
