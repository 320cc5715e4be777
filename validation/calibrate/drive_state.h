// State of a drive when it was measured: which share of its user space holds no data, and how the rest was written.
//
// The written part lies at the beginning of the space, the unwritten part behind it. So a request at a random place
// finds unwritten space with the probability of that share, and reads of it are answered without the flash. The states
// are nested: with a larger share the same pages are unwritten and some more. So a share can be fitted like a time: with
// equal seeds, the figures change steadily with it.
//
// In the document of a drive that is fitted, the state is the object `state`; its keys state.unwritten and state.random
// count millionths. Files of drives have no state.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/document.h"
#include "sim/core/error.h"

namespace ftlab {

// Shares are counted in these parts, since numbers of documents that are fitted are whole.
inline constexpr std::uint32_t kPartsOfShare = 1'000'000;
// Parses a share from 0 to 1, as 0.8 or 80%, into these parts. Throws ConfigError about `key`.
std::uint32_t parse_share(const ConfigError::Place& place, std::string_view key, std::string_view text);

struct DriveState {
  std::uint32_t unwritten = 0;  // share of the user space, at its end
  // Share of the written space, from its beginning, that was then overwritten twice at random: the steady state of random
  // writes. The rest was written once, in order.
  std::uint32_t random = 0;

  auto operator<=>(const DriveState&) const = default;
};

// The states of a whole drive: written in order, at random, and unwritten.
std::vector<DriveState> whole_states();

// Parses "unwritten", "sequential", "random", with the written share as in "sequential:15%", or both shares as in
// "unwritten=0.8,random=0.25". Throws ConfigError.
DriveState parse_drive_state(std::string_view text);
// The text that parse_drive_state() reads.
std::string name_of(const DriveState& state);

inline constexpr std::string_view kStateKeys = "state.";
Node with_state(Node drive, const DriveState& state);
Node without_state(Node drive);
// The drive's object `state`; empty if it has none.
std::optional<DriveState> state_of(const Node& drive);

}  // namespace ftlab
