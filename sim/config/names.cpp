#include "sim/config/names.h"

#include <algorithm>

#include "sim/config/split.h"

namespace ftlab {

void refuse_name(const ConfigError::Place& place, std::string_view key, std::string_view problem, std::string_view text,
                 const std::vector<std::string>& names) {
  throw ConfigError(place, key, problem, text, joined(names), nearest_name(text, names));
}

std::size_t index_of_name(const ConfigError::Place& place, std::string_view key, std::string_view problem,
                          std::string_view text, const std::vector<std::string>& names) {
  const auto found = std::find(names.begin(), names.end(), text);
  if (found == names.end()) refuse_name(place, key, problem, text, names);
  return static_cast<std::size_t>(found - names.begin());
}

}  // namespace ftlab
