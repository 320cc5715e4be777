// The syntax of a job file: sections of "key=value" lines, comments, included files and ${VARIABLES}. The meaning of the
// keys is defined by the options.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/core/error.h"
#include "sim/workload/jobs/job_context.h"

namespace ftlab {

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

// Refuses `setting`, naming its place, key and value.
[[noreturn]] void refuse(const Setting& setting, std::string_view problem, std::string_view allowed = {},
                         std::string_view nearest = {});

// `text` without leading and trailing blanks.
std::string_view trimmed(std::string_view text);

}  // namespace ftlab
