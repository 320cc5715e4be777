// For tests that alter a saved state under a valid checksum, so that other checks must detect it.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>

#include "sim/core/archive.h"
#include "sim/core/check.h"

namespace ftlab::testing {

// Writes the checksum of everything before it over the last 8 bytes.
inline void seal(char* archive, std::size_t size) {
  std::uint64_t value = 0;
  ArchiveChecksum sum;
  sum.add(archive, size - sizeof value);
  value = sum.value();
  std::memcpy(archive + size - sizeof value, &value, sizeof value);
}

// Position at which the section before `name` ends: a name follows a mark (4 bytes) and its own length (1 byte).
inline std::size_t end_of_section_before(const std::string& state, const char* name, std::size_t from = 0) {
  return state.find(name, from) - 5;
}

// The state with `number` written at `at`, and a valid checksum.
inline std::string with_number(std::string state, std::size_t at, std::uint64_t number) {
  std::memcpy(state.data() + at, &number, sizeof number);
  seal(state.data(), state.size());
  return state;
}

struct MadeUp {
  int refused = 0, used = 0;
};

// Replaces each word of a component's saved state by extreme values, with a valid checksum. Each state must be refused, or,
// loaded into the component that make() returns, use(component) must end normally or by a failed check.
template <class Part, class Make, class Use>
MadeUp try_made_up_states(Part& saved, Make&& make, Use&& use) {
  constexpr std::size_t kHeader = 24, kChecksum = 8;
  Archive out = Archive::saving();
  saved.archive(out);
  const std::string good = out.finish();
  MadeUp tried;
  for (std::size_t at = kHeader; at + sizeof(std::uint32_t) + kChecksum <= good.size(); at += sizeof(std::uint32_t)) {
    for (const std::uint32_t word : {0u, 1u, 2u, 0x100u, 0x7fff'ffffu, 0x8000'0000u, 0xffff'ffffu}) {
      std::string state = good;
      std::memcpy(state.data() + at, &word, sizeof word);
      seal(state.data(), state.size());
      auto part = make();
      try {
        Archive in = Archive::viewing(state);
        part.archive(in);
        in.end();
      } catch (const ArchiveError&) {
        ++tried.refused;
        continue;
      } catch (const CheckFailed&) {  // refused by a check of the component
        ++tried.refused;
        continue;
      }
      ++tried.used;
      try {
        use(part);
      } catch (const CheckFailed&) {
      }
    }
  }
  return tried;
}

}  // namespace ftlab::testing
