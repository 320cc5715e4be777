// For tests that alter a saved state under a valid checksum, so that other checks must detect it.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>

#include "sim/core/archive.h"

namespace ftlab::testing {

// Writes the checksum of everything before it over the last 8 bytes.
inline void seal(char* archive, std::size_t size) {
  std::uint64_t value = 0;
  ArchiveChecksum sum;
  sum.add(archive, size - sizeof value);
  value = sum.value();
  std::memcpy(archive + size - sizeof value, &value, sizeof value);
}

// The state with `number` written at `at`, and a valid checksum.
inline std::string with_number(std::string state, std::size_t at, std::uint64_t number) {
  std::memcpy(state.data() + at, &number, sizeof number);
  seal(state.data(), state.size());
  return state;
}

}  // namespace ftlab::testing
