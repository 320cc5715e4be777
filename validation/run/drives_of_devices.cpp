#include "validation/run/drives_of_devices.h"

#include <algorithm>
#include <filesystem>

#include <spdlog/fmt/fmt.h>

#include "sim/core/error.h"

namespace ftlab {
namespace {

const ConfigError::Place kDriveOption{"--drive", 0};

std::string list_of(const std::vector<std::string>& devices) {
  std::string all;
  for (const std::string& device : devices) all += (all.empty() ? "" : ", ") + printable(device);
  return all;
}

// Position of the '=' in DEVICE=DRIVE; npos for a drive without a device. Names of devices and files may contain '='.
std::size_t end_of_device(const std::string& given, const std::vector<std::string>& devices) {
  for (const std::string& device : devices)
    if (given.starts_with(device + "=")) return device.size();
  const std::size_t equals = given.find('=');
  std::error_code none;
  if (equals == given.npos || std::filesystem::exists(given, none)) return given.npos;
  const std::string named = given.substr(0, equals);
  throw ConfigError(kDriveOption, "", "is for a device that no job names", named, list_of(devices),
                    nearest_name(named, devices));
}

// Folder names of procedures have the same form.
std::string folder_of(std::size_t number, const std::string& device) {
  std::string name = device.substr(device.find_last_of("/\\") + 1);
  for (char& c : name)
    if (!(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') && c != '-' && c != '.') c = '_';
  return fmt::format("{:02}-{}", number, name);
}

}  // namespace

std::vector<DriveOfDevice> drives_of_devices(const std::vector<std::string>& given, const std::vector<std::string>& devices,
                                             const std::string& path) {
  std::vector<DriveOfDevice> all;
  for (const std::string& device : devices) all.push_back({device, "", folder_of(all.size() + 1, device)});
  std::vector<std::string> in_order;
  for (const std::string& one : given) {
    const std::size_t end = end_of_device(one, devices);
    if (end == one.npos) {
      in_order.push_back(one);
      continue;
    }
    DriveOfDevice& of_device = all[static_cast<std::size_t>(
        std::find(devices.begin(), devices.end(), one.substr(0, end)) - devices.begin())];
    if (!of_device.drive.empty()) throw ConfigError(kDriveOption, "", "is given twice for one device", of_device.device);
    of_device.drive = one.substr(end + 1);
    if (of_device.drive.empty()) throw ConfigError(kDriveOption, "", "names no drive", one, "DEVICE=DRIVE");
  }
  if (std::ranges::count(in_order, "") > 0) throw ConfigError(kDriveOption, "", "names no drive");
  auto next = in_order.begin();
  for (DriveOfDevice& of_device : all)
    if (of_device.drive.empty() && next != in_order.end()) of_device.drive = *next++;
  if (given.size() != devices.size() || all.empty() || all.back().drive.empty())
    throw ConfigError(kDriveOption, "",
                      fmt::format("{} are given, and the jobs of {} name {} device{}", given.size(), path, devices.size(),
                                  devices.size() == 1 ? "" : "s"),
                      list_of(devices), "one for each device, or one alone that stands for all of them");
  return all;
}

std::string drive_given_alone(const std::string& given, const std::vector<std::string>& devices, const std::string& path) {
  return end_of_device(given, devices) == given.npos ? given : drives_of_devices({given}, devices, path).front().drive;
}

}  // namespace ftlab
