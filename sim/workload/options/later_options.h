// Options that fio has and this version refuses, so that a refusal can distinguish "unknown" from "not yet".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ftlab {

// Why an option of fio is not supported; nullptr if fio has no such option, or if it is supported.
const char* reason_unsupported(std::string_view option);

// Appends the names known to reason_unsupported().
void append_later_options(std::vector<std::string>& names);

}  // namespace ftlab
