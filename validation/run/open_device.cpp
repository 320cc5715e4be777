#include "validation/run/open_device.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "sim/config/error.h"
#include "sim/config/extends.h"
#include "sim/config/file.h"
#include "validation/run/own_files.h"

namespace ftlab {
namespace fs = std::filesystem;

// Of an installed package, beside the program's folder or the Python module.
std::string config_folder() {
  if (const char* const chosen = std::getenv("FTLAB_CONFIGS")) return chosen;
  Dl_info here;
  if (::dladdr(reinterpret_cast<const void*>(&config_folder), &here) != 0 && here.dli_fname != nullptr) {
    const fs::path folder = fs::weakly_canonical(here.dli_fname).parent_path();
    for (const fs::path& installed : {folder / "configs", folder.parent_path() / "configs"}) {
      std::error_code missing;
      if (fs::exists(installed / "drives", missing)) return installed.string();
    }
  }
  return FTLAB_CONFIG_DIR;
}

std::vector<std::string> drive_names() {
  std::vector<std::string> names;
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(fs::path(config_folder()) / "drives", missing)) {
    if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string drive_path(const std::string& name_or_path) {
  if (name_or_path.find('/') != std::string::npos || name_or_path.ends_with(".json")) return name_or_path;
  const std::vector<std::string> names = drive_names();
  if (std::find(names.begin(), names.end(), name_or_path) == names.end()) {
    std::string all;
    for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
    throw ConfigError({"--drive", 0}, "", "is no drive of the library", name_or_path, all + ", or the path of a file",
                      nearest_name(name_or_path, names));
  }
  return (fs::path(config_folder()) / "drives" / (name_or_path + ".json")).string();
}

Node load_drive(const std::string& name_or_path, const std::vector<std::string>& settings) {
  const std::string path = drive_path(name_or_path);
  refuse_unless_drive(path);
  Node document = load_document(path, files_of_document(path));
  set_by_paths(document, settings);
  return document;
}

DeviceConfig read_device(const Node& document) {
  DeviceConfig config;
  if (is_disk(document)) {
    config.disk = read_disk(document);
  } else {
    config.ssd = read_drive(document);
  }
  return config;
}

}  // namespace ftlab
