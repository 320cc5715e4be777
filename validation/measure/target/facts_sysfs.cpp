#include "sim/config/split.h"
#include "validation/measure/target/facts_sources.h"

#include <sys/sysmacros.h>

#include <algorithm>
#include <fstream>
#include <iterator>

namespace ftlab {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in.is_open()) return std::nullopt;
  std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  if (in.bad()) return std::nullopt;
  return text;
}

// Vendors pad with blanks, some with zero bytes.
std::string trimmed(std::string text) {
  const auto padding = std::string(" \t\r\n\0", 5);
  const auto first = text.find_first_not_of(padding);
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(padding) - first + 1);
}

// Page 0x80: kind, 0x80, length in two bytes, serial number.
std::optional<std::string> serial_on_page_80(const fs::path& file) {
  const auto page = bytes_of(file);
  if (!page || page->size() < 4 || static_cast<unsigned char>((*page)[1]) != 0x80) return std::nullopt;
  const auto length = static_cast<unsigned char>((*page)[2]) * 256u + static_cast<unsigned char>((*page)[3]);
  if (page->size() < 4 + length) return std::nullopt;
  return trimmed(page->substr(4, length));
}

}  // namespace

std::optional<std::string> sysfs_text(const fs::path& file) {
  auto text = bytes_of(file);
  if (!text) return std::nullopt;
  return trimmed(std::move(*text));
}

std::optional<std::uint64_t> sysfs_number(const fs::path& file) {
  const auto text = sysfs_text(file);
  return text ? parsed<std::uint64_t>(*text) : std::nullopt;
}

std::optional<std::vector<std::string>> sysfs_names(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) names.push_back(entry->path().filename());
  if (error) return std::nullopt;
  std::sort(names.begin(), names.end());
  return names;
}

std::string device_number_text(std::uint64_t rdev) {
  return std::to_string(gnu_dev_major(rdev)) + ":" + std::to_string(gnu_dev_minor(rdev));
}

std::optional<BlockNode> block_node(const fs::path& sys, const std::string& number) {
  std::error_code error;
  const auto folder = fs::canonical(sys / "dev" / "block" / number, error);
  if (error || sysfs_text(folder / "dev") != number) return std::nullopt;
  const auto names = sysfs_names(folder);
  if (!names) return std::nullopt;
  BlockNode node{folder, folder.filename(), {}, fs::exists(folder / "partition", error)};
  for (const auto& name : *names)
    if (fs::exists(folder / name / "partition", error)) node.partitions.push_back(name);
  return node;
}

std::optional<std::set<std::string>> whole_devices_under(const fs::path& sys, const BlockNode& node) {
  if (node.is_partition) return std::set<std::string>{node.folder.parent_path().filename()};
  const auto below = sysfs_names(node.folder / "slaves");
  if (!below) return std::nullopt;
  if (below->empty()) return std::set<std::string>{node.name};
  std::set<std::string> wholes;
  for (const auto& name : *below) {
    const auto number = sysfs_text(node.folder / "slaves" / name / "dev");
    const auto slave = number ? block_node(sys, *number) : std::nullopt;
    const auto under = slave ? whole_devices_under(sys, *slave) : std::nullopt;
    if (!under) return std::nullopt;
    wholes.insert(under->begin(), under->end());
  }
  return wholes;
}

std::optional<std::string> shown_serial(const BlockNode& node) {
  for (const char* place : {"serial", "device/serial"})
    if (const auto serial = sysfs_text(node.folder / place); serial && !serial->empty()) return serial;
  if (const auto serial = serial_on_page_80(node.folder / "device" / "vpd_pg80"); serial && !serial->empty()) return serial;
  return std::nullopt;
}

}  // namespace ftlab
