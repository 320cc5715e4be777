// A text in parts.
#pragma once

#include <string_view>
#include <vector>

namespace ftlab {

// What stands between the separators, empty parts too; all of it where there is none. REQUIRES: the text outlives the parts.
std::vector<std::string_view> split(std::string_view text, char separator);

}  // namespace ftlab
