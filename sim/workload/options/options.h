// The options of the workload language: one record an option, in the tables of job_options.cpp and host_options.cpp.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sim/config/problems.h"
#include "sim/workload/options/draft.h"

namespace ftlab {

enum class Form {
  flag,      // "norandommap" or "norandommap=1"
  value,     // needs a value
  text,      // needs a value, which may begin with blanks
  optional,  // "write_bw_log" or "write_bw_log=PREFIX"
};

struct Option {
  const char* name;
  const char* alias;  // "" if there is only one name
  Form form;
  void (*set)(Draft&, const Setting&);  // kinds.h: the kind of value, its range, and the member that it sets
  const char* needs = nullptr;          // without this other option it has no effect; see note_idle()
  const char* missed = nullptr;         // host_options(): what the figures of a real drive would show and those here do not
};

std::span<const Option> job_options();
// Options for the host that fio runs on, not for the drive: accepted and checked, without effect here.
std::span<const Option> host_options();

// The form of the option `name`; nullopt if it is unknown.
std::optional<Form> option_form(std::string_view name);

// The only option whose name begins with `beginning`; empty if there is none, or several. fio's command line accepts such
// abbreviations.
std::string completed_option(std::string_view beginning);

// Why an option of fio is not supported; nullptr if fio has no such option, or if it is supported.
const char* reason_unsupported(std::string_view option);
// Appends the names known to reason_unsupported().
void append_unsupported(std::vector<std::string>& names);

// Applies the lines of one section, then `overrides`, to the draft that the section inherits. As in fio, kb_base applies to
// the whole section wherever it appears, and the last of several equal options wins, which is noted. Errors are added to
// `problems`.
void apply_section(Draft& draft, const Section& section, const std::vector<Setting>& overrides, Notes& notes,
                   Problems& problems);

// Notes the options that are set and need `other`.
void note_idle(const Draft& draft, Notes& notes, std::string_view other, const char* ending = ", as in fio");

// Adds a note with all options without effect and their lines, and a separate one for each figure that misses their effect.
void note_without_effect(const std::vector<Section>& sections, const std::vector<JobOverride>& overrides, Notes& notes);

}  // namespace ftlab
