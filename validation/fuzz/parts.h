// Splits inputs that consist of several parts.
#pragma once

#include <cstdint>
#include <string_view>

namespace ftlab::fuzz {

// Removes and returns everything before the next separator, or the whole rest.
inline std::string_view next_part(std::string_view& input, char separator = '\0') {
  const std::size_t end = input.find(separator);
  const std::string_view part = input.substr(0, end);
  input.remove_prefix(end == input.npos ? input.size() : end + 1);
  return part;
}

// Removes and returns the first byte; 0 if the input is empty.
inline std::uint8_t next_byte(std::string_view& input) {
  if (input.empty()) return 0;
  const auto byte = static_cast<std::uint8_t>(input.front());
  input.remove_prefix(1);
  return byte;
}

}  // namespace ftlab::fuzz
