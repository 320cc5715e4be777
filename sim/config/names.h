// Names that a user may choose from.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/core/error.h"

namespace ftlab {

// Refuses a text that is none of the names, which the message lists, with the nearest one.
[[noreturn]] void refuse_name(const ConfigError::Place& place, std::string_view key, std::string_view problem,
                              std::string_view text, const std::vector<std::string>& names);

// Index of `text` among the names. Throws ConfigError like refuse_name().
std::size_t index_of_name(const ConfigError::Place& place, std::string_view key, std::string_view problem,
                          std::string_view text, const std::vector<std::string>& names);

}  // namespace ftlab
