// The devices and files named by the jobs of a file. All of them are the one simulated drive, so naming several is noted.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/core/error.h"
#include "sim/workload/options/settings.h"

namespace ftlab {

// The character device /dev/ng0n1 and the block device /dev/nvme0n1 are one namespace, which has the latter name here.
std::string device_name(const std::string& name);

// True if the job names several devices, and no size in bytes for each of them.
bool names_whole_devices(const Settings& settings);

class NamedTargets {
 public:
  void add(const Settings& settings, const Section& section);
  void note(std::vector<Note>& notes) const;

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

}  // namespace ftlab
