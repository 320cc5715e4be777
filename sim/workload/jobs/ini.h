// The syntax of a job file: sections of "key=value" lines, comments, included files and ${VARIABLES}. The meaning of the
// keys is defined by the options.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/error.h"

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
  bool strict = false;           // refuses requests through the page cache, which a real drive would see differently
  bool zones_of_device = false;  // zonesize and max_open_zones give way to those of a zoned drive (--shrink-jobs)
  std::uint64_t shrink = 1;  // sizes and offsets in bytes are divided by it, to fit a file for a large drive to a small one
  std::string device{};      // keeps only the jobs of this device (devices.h); empty: all jobs
  std::string folder;        // where the logs of the job file (read_iolog) are looked up; empty: as named
};

// One line of a section. A line without '=' has no value; its meaning depends on the option.
struct Setting {
  std::string key;
  std::string value;
  bool has_value = false;
  bool blank_first = false;  // a blank follows '='; fio keeps it and misreads numbers
  ConfigError::Place place;
};

struct Section {
  std::string name;
  ConfigError::Place place;
  std::vector<Setting> settings;
  std::vector<Setting> misread =
      {};  // words of a command that fio takes for an option of one letter; the key is that option
  bool is_global() const { return name.starts_with("global"); }  // same test as in fio
};

// Sections in order of appearance, with included files and variables expanded. Throws ConfigError.
std::vector<Section> read_sections(std::string_view text, const std::string& file, const JobContext& context);

// Expands ${VARIABLES} of the caller's environment and fio's $pagesize in `setting.value`. Refuses unknown variables, and
// $ncpus and $mb_memory, because a result would depend on the machine that computes it.
void expand_variables(Setting& setting, const JobContext& context);

// Refuses `setting`, naming its place, key and value.
[[noreturn]] void refuse(const Setting& setting, std::string_view problem, std::string_view allowed = {},
                         std::string_view nearest = {});

// `text` without leading and trailing blanks.
std::string_view trimmed(std::string_view text);

}  // namespace ftlab
