// What the jobs of a file name to work on: devices, and files. All of it is the one simulated drive, which is worth a note
// as soon as there are several.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/config/error.h"
#include "sim/workload/options/settings.h"

namespace ftlab {

class NamedTargets {
 public:
  void add(const Settings& settings, const Section& section);
  void note(std::vector<Note>& notes) const;

 private:
  struct Names {
    std::map<std::string, ConfigError::Place> places;
    ConfigError::Place second;  // where the second name stands
    void add(const std::string& name, const ConfigError::Place& place);
    std::string text() const;
    bool several() const { return places.size() > 1; }
  };
  Names devices_;
  Names files_;  // of jobs that name one, and have the whole drive for it
};

}  // namespace ftlab
