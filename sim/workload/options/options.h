// The supported options: a table from fio's names to the fields of Settings.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "sim/config/problems.h"
#include "sim/workload/options/option.h"
#include "sim/workload/options/settings.h"

namespace ftlab {

// The form of the option `name`; nullopt if it is unknown.
std::optional<Form> option_form(std::string_view name);

// The only option whose name begins with `beginning`; empty if there is none, or several. fio's command line accepts such
// abbreviations.
std::string completed_option(std::string_view beginning);

// Applies the lines of one section, then `overrides`, to the settings that the section inherits. As in fio, kb_base applies
// to the whole section wherever it appears, and the last of several equal options wins, which is noted. Errors are added to
// `problems`.
void apply_section(Settings& settings, const Section& section, const std::vector<Setting>& overrides,
                   std::vector<Note>& notes, Problems& problems);

}  // namespace ftlab
