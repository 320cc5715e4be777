// Splits a text at a separator.
#pragma once

#include <string_view>
#include <vector>

namespace ftlab {

// The parts between the separators, empty ones included; the whole text if none. REQUIRES: the text outlives the parts.
std::vector<std::string_view> split(std::string_view text, char separator);

}  // namespace ftlab
