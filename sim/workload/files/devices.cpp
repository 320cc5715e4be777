#include "sim/workload/files/devices.h"

#include <algorithm>
#include <set>

#include "sim/workload/options/options.h"

namespace ftlab {
namespace {

constexpr std::size_t kMostShown = 4;

// SPDK's device names contain an address; engines that bypass the page cache accept no files.
bool is_device(const Draft& s, const std::string& name) {
  return name.starts_with("/dev/") || name.starts_with("\\\\.\\") || name.find("traddr=") != name.npos ||
         s.engine.bypasses_page_cache;
}

// Devices of the section, each once; the character device and the block device of a namespace are one.
std::set<std::string> devices_named_by(const Draft& s) {
  std::set<std::string> names;
  for (const std::string& name : s.filenames) names.insert(device_name(name));
  return names;
}

// Calls `with`(section, draft) for each section of jobs whose options are valid so far. Returns false if any are not.
template <class With>
bool for_each_section(const std::vector<Section>& sections, const JobContext& context, With with) {
  Draft globals;
  Notes notes;
  Problems problems;
  for (const Section& section : sections) {
    Draft one = globals;
    Draft& draft = section.is_global() ? globals : one;
    apply_section(draft, section, section.is_global() ? std::vector<Setting>() : overrides_of(section, context), notes,
                  problems);
    if (section.is_global()) continue;
    if (problems.touch("")) return false;
    settle_device(draft);
    with(section, draft);
  }
  return true;
}

void refuse_several_devices(const Draft& s) {
  const std::set<std::string> names = devices_named_by(s);
  if (names.size() == 1) return;
  if (names.empty())
    throw ConfigError(s.place, s.section, "names no device; each --drive stands for one", {}, "filename=DEVICE");
  s.refuse("filename",
           "one job would share its iodepth among " + std::to_string(names.size()) +
               " drives, each of which is simulated by itself",
           "a section for each device, with its own iodepth; or one --drive that stands for all devices");
}

// Jobs that wait for, end or balance others would need one clock for all drives.
void refuse_dependence(const Draft& s, bool is_first) {
  const auto refuse_if = [&](bool dependent, const char* option) {
    if (dependent)
      s.refuse(option, "would make jobs of different drives depend on each other",
               "a run for each such phase, or one --drive that stands for all devices");
  };
  refuse_if(s.stonewall && !is_first, "stonewall");
  refuse_if(!s.flow.waits_for.empty(), "wait_for");
  refuse_if(s.flow.exit_all, "exitall");
  refuse_if(s.flow.exit_all_on_error, "exitall_on_error");
  refuse_if(s.flow.weight != 0, "flow");
  refuse_if(s.content.shared, "dedupe_global");
  refuse_if(!s.logs.empty(), "read_iolog");
}

}  // namespace

std::string device_name(const std::string& name) {
  return name.starts_with("/dev/ng") ? "/dev/nvme" + name.substr(7) : name;
}

bool names_whole_devices(const Draft& s) {
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

void NamedTargets::add(const Draft& s) {
  const ConfigError::Place place = s.line_of("filename").place;
  for (const std::string& name : s.filenames) {
    if (is_device(s, name))
      devices_.add(device_name(name), place);
    else if (s.filenames.size() == 1)
      files_.add(name, place);
  }
}

void NamedTargets::note(Notes& notes) const {
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

std::vector<Setting> overrides_of(const Section& section, const JobContext& context) {
  std::vector<Setting> settings;
  for (const JobOverride& override : context.overrides)
    if (override.section.empty() || override.section == section.name)
      settings.push_back({override.key, override.value, true, false, {kJobOverride, 0}});
  return settings;
}

void settle_device(Draft& s) {
  const bool named = s.section.starts_with("/dev/");
  const bool one_device = named || s.engine_names_device || s.steady_fill.on;
  if (!s.filenames.empty() || s.file_count > 1 || !one_device) return;
  s.filenames = {named ? s.section : "device"};
}

std::vector<std::string> devices_of(const std::vector<Section>& sections, const JobContext& context) {
  std::vector<std::string> devices;
  for_each_section(sections, context, [&](const Section&, const Draft& s) {
    for (const std::string& name : s.filenames)
      if (std::find(devices.begin(), devices.end(), device_name(name)) == devices.end())
        devices.push_back(device_name(name));
  });
  return devices;
}

std::vector<Section> sections_of_device(const std::vector<Section>& sections, const JobContext& context) {
  std::set<const Section*> others;
  bool is_first = true;
  const bool valid = for_each_section(sections, context, [&](const Section& section, const Draft& s) {
    refuse_several_devices(s);
    refuse_dependence(s, is_first);
    is_first = false;
    if (devices_named_by(s).count(context.device) == 0) others.insert(&section);
  });
  std::vector<Section> kept;
  for (const Section& section : sections)
    if (!valid || others.count(&section) == 0) kept.push_back(section);
  return kept;
}

}  // namespace ftlab
