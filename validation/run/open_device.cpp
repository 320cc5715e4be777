#include "validation/run/open_device.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "ftl/drive/config/drive_defaults.h"
#include "sim/config/error.h"
#include "sim/config/extends.h"
#include "sim/config/file.h"
#include "sim/config/reader.h"
#include "validation/run/own_files.h"
#include "validation/run/scaled_drive.h"

namespace ftlab {
namespace fs = std::filesystem;

namespace {

std::vector<std::string> names_in(const char* folder) {
  std::vector<std::string> names;
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(fs::path(config_folder()) / folder, missing)) {
    if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string path_in(const char* folder, const std::string& name_or_path, const char* option, const char* what) {
  if (name_or_path.find('/') != std::string::npos || name_or_path.ends_with(".json")) return name_or_path;
  const std::vector<std::string> names = names_in(folder);
  if (std::find(names.begin(), names.end(), name_or_path) == names.end()) {
    std::string all;
    for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
    throw ConfigError({option, 0}, "", std::string("is no ") + what + " of the library", name_or_path,
                      all + ", or the path of a file", nearest_name(name_or_path, names));
  }
  return (fs::path(config_folder()) / folder / (name_or_path + ".json")).string();
}

}  // namespace

// Of an installed package, beside the program's folder or the Python module.
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

std::vector<std::string> drive_names() { return names_in("drives"); }
std::vector<std::string> host_names() { return names_in("hosts"); }
std::string drive_path(const std::string& name_or_path) { return path_in("drives", name_or_path, "--drive", "drive"); }
std::string host_path(const std::string& name_or_path) { return path_in("hosts", name_or_path, "--host", "host"); }

Node load_drive(const std::string& name_or_path, const std::vector<std::string>& settings, const std::string& host) {
  const std::string path = drive_path(name_or_path);
  refuse_unless_drive(path);
  Node drive = load_document(path, files_of_document(path));
  if (const Node* const own = drive.kind == Node::Kind::object ? drive.find("host") : nullptr) {
    throw ConfigError({own->file, own->line}, "host", "is not part of a drive file: the host has its own file", {},
                      "ftlab run --host NAME or PATH, see docs/hosts.md");
  }
  put_into_host(drive, host);
  set_drive_keys(drive, settings);
  return is_disk(drive) ? drive : with_defaults(std::move(drive));
}

void put_into_host(Node& drive, const std::string& host) {
  if (host.empty()) return;
  Node document = load_host(host);
  std::erase_if(drive.members, [](const Node::Member& member) { return member.first == "host"; });
  drive.members.emplace_back("host", std::move(document));
}

bool is_host(const Node& document) {
  const Node* const kind = document.kind == Node::Kind::object ? document.find("kind") : nullptr;
  return kind != nullptr && kind->text == "host";
}

Node load_host(const std::string& name_or_path) {
  const std::string path = host_path(name_or_path);
  refuse_unless_host(path);
  Node document = load_document(path, files_of_document(path));
  if (!is_host(document))
    throw ConfigError({path, 0}, "", "is not a host file", {}, "a file with \"kind\": \"host\", see docs/hosts.md");
  Problems problems;
  const Reader reader(document, {}, &problems);
  Reader(reader).text("name");
  read_part(reader, {""}, [&] { read_host(reader); });
  problems.refuse_if_any();
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
