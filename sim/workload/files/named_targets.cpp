#include "sim/workload/files/named_targets.h"

#include <algorithm>

#include "sim/workload/options/region.h"

namespace ftlab {
namespace {

constexpr std::size_t kMostShown = 4;

// SPDK's device names contain an address; engines that bypass the page cache accept no files.
bool is_device(const Settings& s, const std::string& name) {
  return name.starts_with("/dev/") || name.starts_with("\\\\.\\") || name.find("traddr=") != name.npos ||
         s.engine.bypasses_page_cache;
}

}  // namespace

std::string device_name(const std::string& name) {
  return name.starts_with("/dev/ng") ? "/dev/nvme" + name.substr(7) : name;
}

bool names_whole_devices(const Settings& s) {
  return s.filenames.size() > 1 && !s.file_bytes && (!s.size || s.size->percent) &&
         std::all_of(s.filenames.begin(), s.filenames.end(), [&](const std::string& name) { return is_device(s, name); });
}

void NamedTargets::Names::add(const std::string& name, const ConfigError::Place& place) {
  const bool is_new = places.emplace(name, place).second;
  if (is_new && places.size() == 2) second = place;
}

std::string NamedTargets::Names::text() const {
  std::string all;
  std::size_t shown = 0;
  for (const auto& [name, place] : places) {
    if (shown++ == kMostShown) return all + " and " + std::to_string(places.size() - kMostShown) + " more";
    all += (all.empty() ? "" : ", ") + printable(name);
  }
  return all;
}

void NamedTargets::add(const Settings& settings, const Section& section) {
  const ConfigError::Place place = line_of(settings, section, "filename").place;
  for (const std::string& name : settings.filenames) {
    if (is_device(settings, name))
      devices_.add(device_name(name), place);
    else if (settings.filenames.size() == 1)
      files_.add(name, place);
  }
}

void NamedTargets::note(std::vector<Note>& notes) const {
  if (devices_.several())
    notes.push_back({devices_.second.file, devices_.second.line,
                     std::to_string(devices_.places.size()) + " devices are named (" + devices_.text() +
                         "): all of them are the one simulated drive, which has the load of all jobs",
                     ProblemCode::several_devices,
                     "a --drive for each device; if they are to share a drive, name one device and give each job its offset "
                     "and size"});
  if (files_.several())
    notes.push_back({files_.second.file, files_.second.line,
                     std::to_string(files_.places.size()) + " files are named (" + files_.text() +
                         "): each of them is the whole drive here, so they overlap; jobs without filename have "
                         "their own files, placed consecutively"});
}

}  // namespace ftlab
