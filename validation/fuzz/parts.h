// Inputs of several parts.
#pragma once

#include <cstdint>
#include <string_view>

namespace ftlab::fuzz {

// Cuts off what stands before the next separator, or all that is left.
inline std::string_view next_part(std::string_view& input, char separator = '\0') {
  const std::size_t end = input.find(separator);
  const std::string_view part = input.substr(0, end);
  input.remove_prefix(end == input.npos ? input.size() : end + 1);
  return part;
}

// Cuts off the first byte; 0 of an empty input.
inline std::uint8_t next_byte(std::string_view& input) {
  if (input.empty()) return 0;
  const auto byte = static_cast<std::uint8_t>(input.front());
  input.remove_prefix(1);
  return byte;
}

}  // namespace ftlab::fuzz
