// Splits a text at a separator.
#pragma once

#include <string_view>
#include <vector>

namespace ftlab {

// The parts between the separators, empty ones included; the whole text if none. REQUIRES: the text outlives the parts.
inline std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t end; (end = text.find(separator)) != text.npos; text.remove_prefix(end + 1))
    parts.push_back(text.substr(0, end));
  parts.push_back(text);
  return parts;
}

}  // namespace ftlab
