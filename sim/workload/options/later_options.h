// Options that fio has and this version refuses, so that a refusal can tell "unknown" from "not yet".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ftlab {

// Why an option of fio is not carried out; nullptr when fio has no such option, or when it is carried out.
const char* reason_not_carried_out(std::string_view option);

// Adds the names that reason_not_carried_out knows.
void append_later_options(std::vector<std::string>& names);

}  // namespace ftlab
