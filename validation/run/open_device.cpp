#include "validation/run/open_device.h"

#include "ftl/drive/config/drive_defaults.h"
#include "sim/config/library.h"
#include "sim/config/reader.h"
#include "sim/config/split.h"
#include "sim/core/error.h"
#include "sim/workload/options/options.h"
#include "validation/run/own_files.h"
#include "validation/run/scaled_drive.h"

namespace ftlab {
std::vector<std::string> drive_names() { return library_names("drives"); }
std::vector<std::string> host_names() { return library_names("hosts"); }
std::string drive_path(const std::string& name_or_path) {
  return library_path({"drives", "--drive", "drive"}, name_or_path);
}
std::string host_path(const std::string& name_or_path) { return library_path({"hosts", "--host", "host"}, name_or_path); }

Node load_drive(const std::string& name_or_path, const std::vector<std::string>& settings, const std::string& host) {
  Node drive = drive_document(drive_path(name_or_path));
  if (const Node* const own = drive.kind == Node::Kind::object ? drive.find("host") : nullptr) {
    throw ConfigError({own->file, own->line}, "host", "is not part of a drive file: the host has its own file", {},
                      "ftlab run --host NAME or PATH, see docs/hosts.md");
  }
  set_host(drive, host);
  for (const std::string& setting : settings)
    if (const std::string key = setting.substr(0, setting.find('=')); option_form(key) && node_at(drive, key) == nullptr)
      throw ConfigError({"--set", 0}, key, "is an option of jobs", {}, "--set-job " + key + "=VALUE; job:" + key + " to vary it");
  set_drive_keys(drive, settings);
  return is_disk(drive) ? drive : with_defaults(std::move(drive));
}

void set_host(Node& drive, const std::string& host) {
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
  Node document = host_document(path);
  if (!is_host(document))
    throw ConfigError({path, 0}, "", "is not a host file", {}, "a file with \"kind\": \"host\", see docs/hosts.md");
  Problems problems;
  const Reader reader(document, {}, &problems);
  Reader(reader).text("name");
  read_part(reader, {""}, [&] { read_host(reader); });
  problems.refuse_if_any();
  return document;
}

const Node* node_at(const Node& root, std::string_view path) {
  const Node* node = &root;
  for (const std::string_view key : split(path, '.'))
    node = node != nullptr && node->kind == Node::Kind::object ? node->find(key) : nullptr;
  return node;
}

bool is_sourced(const Node& node) { return node.kind == Node::Kind::object && node.find("value") != nullptr; }

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
