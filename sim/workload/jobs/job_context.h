// Input of a job file besides its own text.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ftlab {

inline constexpr const char* kJobOverride = "--set-job";  // file name in messages about overrides

// Sets one option, overriding the file, in every section or in the named one.
struct JobOverride {
  std::string section;  // empty: every section
  std::string key;
  std::string value;
};

// Everything that a job file may depend on besides its own text.
struct JobContext {
  std::uint64_t capacity_bytes = 0;
  std::uint64_t zone_bytes = 0;  // size of the drive's zones, for numbers of zones; 0: a conventional drive
  std::function<const char*(const std::string&)> environment;  // value of ${NAME}, or nullptr
  // Text of an included file, named relative to the job file's folder; throws ConfigError. As in fio, a file included by an
  // included file is looked up next to that one.
  std::function<std::string(const std::string&)> include;
  std::vector<JobOverride> overrides;
  bool strict = false;       // refuses requests through the page cache, which a real drive would see differently
  bool zones_of_device = false;  // zonesize and max_open_zones give way to those of a zoned drive (--shrink-jobs)
  std::uint64_t shrink = 1;  // sizes and offsets in bytes are divided by it, to fit a file for a large drive to a small one
  std::string device{};      // keeps only the jobs of this device (section_devices.h); empty: all jobs
  std::string folder;        // where the logs of the job file (read_iolog) are looked up; empty: as named
};

}  // namespace ftlab
