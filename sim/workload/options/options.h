// The options that are carried out: a table from fio's names to the fields of Settings.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "sim/config/problems.h"
#include "sim/workload/options/option.h"
#include "sim/workload/options/settings.h"

namespace ftlab {

// How the option of that name is written; nothing for a name that is none.
std::optional<Form> option_form(std::string_view name);

// Applies the lines of one section, then `overrides`, to what the section inherits. As in fio, kb_base counts for the
// whole section wherever it stands, and the last of several equal options wins; that is noted. What is wrong
// with an option is added to `problems`.
void apply_section(Settings& settings, const Section& section, const std::vector<Setting>& overrides,
                   std::vector<Note>& notes, Problems& problems);

}  // namespace ftlab
