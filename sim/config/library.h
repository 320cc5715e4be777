// The library: the drives, hosts, jobs and tables that belong to this program (configs/).
#pragma once

#include <string>
#include <vector>

namespace ftlab {

// The folder that holds them: FTLAB_CONFIGS, or next to the program or Python module of an installed package, or that of the
// source tree.
std::string config_folder();

// One kind of file in the library.
struct LibraryKind {
  const char* folder;
  const char* option;  // that names such a file, for messages
  const char* noun;
};

// Names of the files of a folder, sorted.
std::vector<std::string> library_names(const char* folder);

// A file by name in the library or by path (anything with a slash or ending in .json). Throws ConfigError for unknown names.
std::string library_path(const LibraryKind& kind, const std::string& name_or_path);

}  // namespace ftlab
