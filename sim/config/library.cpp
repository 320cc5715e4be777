#include "sim/config/library.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "sim/config/split.h"
#include "sim/core/error.h"

namespace ftlab {
namespace fs = std::filesystem;

std::string config_folder() {
  if (const char* const chosen = std::getenv("FTLAB_CONFIGS")) return chosen;
  Dl_info here;
  if (::dladdr(reinterpret_cast<const void*>(&config_folder), &here) != 0 && here.dli_fname != nullptr) {
    const fs::path folder = fs::weakly_canonical(here.dli_fname).parent_path();
    for (const fs::path& installed :
         {folder / "configs", folder.parent_path() / "configs", folder.parent_path() / "share/ftlab/configs"}) {
      std::error_code missing;
      if (fs::exists(installed / "drives", missing)) return installed.string();
    }
  }
  return FTLAB_CONFIG_DIR;
}

std::vector<std::string> library_names(const char* folder) {
  std::vector<std::string> names;
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(fs::path(config_folder()) / folder, missing)) {
    if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string library_path(const LibraryKind& kind, const std::string& name_or_path) {
  if (name_or_path.find('/') != std::string::npos || name_or_path.ends_with(".json")) return name_or_path;
  const std::vector<std::string> names = library_names(kind.folder);
  if (std::find(names.begin(), names.end(), name_or_path) == names.end())
    throw ConfigError({kind.option, 0}, "", std::string("unknown ") + kind.noun, name_or_path,
                      joined(names) + ", or a file: a path with a / or .json at its end", nearest_name(name_or_path, names));
  return (fs::path(config_folder()) / kind.folder / (name_or_path + ".json")).string();
}

}  // namespace ftlab
