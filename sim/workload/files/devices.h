// The devices and files that jobs name, and job files whose devices are drives of their own: which sections are for which
// device. Each drive is simulated by itself, so jobs of several drives must not depend on each other.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/workload/options/draft.h"

namespace ftlab {

// The character device /dev/ng0n1 and the block device /dev/nvme0n1 are one namespace, which has the latter name here.
std::string device_name(const std::string& name);

// True if the job names several devices, and no size in bytes for each of them.
bool names_whole_devices(const Draft& draft);

// All devices and files of the jobs are the one simulated drive, so naming several is noted.
class NamedTargets {
 public:
  void add(const Draft& draft);
  void note(Notes& notes) const;

 private:
  struct Names {
    std::map<std::string, ConfigError::Place> places;
    ConfigError::Place second;  // where the second name appears
    void add(const std::string& name, const ConfigError::Place& place);
    std::string text() const;
    bool several() const { return places.size() > 1; }
  };
  Names devices_;
  Names files_;  // each named by a job as its only file, which is then the whole drive
};

// The lines by which the command line overrides options of this section.
std::vector<Setting> overrides_of(const Section& section, const JobContext& context);

// Sets the device that a job uses. Without a filename, a section that is named after a device uses that device, as in fio.
// Some engines name the device by another option; a job with sprandom writes a whole drive.
void settle_device(Draft& draft);

// Devices, or files, that jobs name as their only one; each once, in the order of their first appearance.
std::vector<std::string> devices_of(const std::vector<Section>& sections, const JobContext& context);

// The global sections and those of the jobs on `context.device`. Throws ConfigError for a job of any section that names no
// device or several, or that makes jobs of different devices depend on each other. Sections with other errors are kept.
std::vector<Section> sections_of_device(const std::vector<Section>& sections, const JobContext& context);

}  // namespace ftlab
