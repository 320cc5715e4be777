#include "sim/workload/files/section_devices.h"

#include <algorithm>
#include <set>

#include "sim/workload/files/named_targets.h"
#include "sim/workload/options/options.h"
#include "sim/workload/options/region.h"

namespace ftlab {
namespace {

// Devices of the section, each once; the character device and the block device of a namespace are one.
std::set<std::string> names_of(const Settings& settings) {
  std::set<std::string> names;
  for (const std::string& name : settings.filenames) names.insert(device_name(name));
  return names;
}

// Calls `with`(section, settings) for each section of jobs whose options are valid so far. Returns false if any are not.
template <class With>
bool for_each_section(const std::vector<Section>& sections, const JobContext& context, With with) {
  Settings globals;
  std::vector<Note> notes;
  Problems problems;
  for (const Section& section : sections) {
    if (section.is_global()) {
      apply_section(globals, section, {}, notes, problems);
      continue;
    }
    Settings settings = globals;
    apply_section(settings, section, overrides_of(section, context), notes, problems);
    if (problems.touch("")) return false;
    settle_device(settings, section);
    with(section, settings);
  }
  return true;
}

void refuse_several_devices(const Settings& settings, const Section& section) {
  const std::set<std::string> names = names_of(settings);
  if (names.size() == 1) return;
  if (names.empty())
    throw ConfigError(section.place, section.name, "names no device; each --drive stands for one", {}, "filename=DEVICE");
  refuse(line_of(settings, section, "filename"),
         "one job would share its iodepth among " + std::to_string(names.size()) +
             " drives, each of which is simulated by itself",
         "a section for each device, with its own iodepth; or one --drive that stands for all devices");
}

// Jobs that wait for, end or balance others would need one clock for all drives.
void refuse_dependence(const Settings& s, const Section& section, bool is_first) {
  const auto refuse_if = [&](bool dependent, const char* option) {
    if (dependent)
      refuse(line_of(s, section, option), "would make jobs of different drives depend on each other",
             "a run for each such phase, or one --drive that stands for all devices");
  };
  refuse_if(s.stonewall && !is_first, "stonewall");
  refuse_if(!s.flow.waits_for.empty(), "wait_for");
  refuse_if(s.flow.exit_all, "exitall");
  refuse_if(s.flow.exit_all_on_error, "exitall_on_error");
  refuse_if(s.flow.weight != 0, "flow");
  refuse_if(s.content.shared, "dedupe_global");
  refuse_if(!s.replay.logs.empty(), "read_iolog");
}

}  // namespace

std::vector<Setting> overrides_of(const Section& section, const JobContext& context) {
  std::vector<Setting> settings;
  for (const JobOverride& override : context.overrides)
    if (override.section.empty() || override.section == section.name)
      settings.push_back({override.key, override.value, true, false, {kJobOverride, 0}});
  return settings;
}

void settle_device(Settings& settings, const Section& section) {
  const bool named = section.name.starts_with("/dev/");
  const bool one_device = named || settings.engine_names_device || settings.steady_fill.on;
  if (!settings.filename.empty() || settings.file_count > 1 || !one_device) return;
  settings.filename = named ? section.name : "device";
  settings.filenames = {settings.filename};
}

std::vector<std::string> devices_of(const std::vector<Section>& sections, const JobContext& context) {
  std::vector<std::string> devices;
  for_each_section(sections, context, [&](const Section&, const Settings& settings) {
    for (const std::string& name : settings.filenames)
      if (std::find(devices.begin(), devices.end(), device_name(name)) == devices.end())
        devices.push_back(device_name(name));
  });
  return devices;
}

std::vector<Section> sections_of_device(const std::vector<Section>& sections, const JobContext& context) {
  std::set<const Section*> others;
  bool is_first = true;
  const bool valid = for_each_section(sections, context, [&](const Section& section, const Settings& settings) {
    refuse_several_devices(settings, section);
    refuse_dependence(settings, section, is_first);
    is_first = false;
    if (names_of(settings).count(context.device) == 0) others.insert(&section);
  });
  std::vector<Section> kept;
  for (const Section& section : sections)
    if (!valid || others.count(&section) == 0) kept.push_back(section);
  return kept;
}

}  // namespace ftlab
