// A saved drive with valid checksums but arbitrary contents: real states with some bytes changed and checksums recomputed,
// loaded and used. The input chooses the state and lists changes: position (2 bytes), length (1 byte), new bytes. If the
// first byte is 0xff, the rest of the input is the file.
#include "validation/run/state_file.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "sim/core/check.h"
#include "sim/core/error.h"
#include "sim/testing/archive_trials.h"
#include "validation/checks/reference/design_documents.h"
#include "validation/fuzz/door.h"
#include "validation/fuzz/parts.h"
#include "validation/fuzz/seeds.h"

namespace ftlab::fuzz {
namespace {

constexpr std::size_t kSumBytes = 8;
constexpr std::size_t kLengthAt = 16;  // position of an archive's payload length
constexpr int kRequests = 16;

struct State {
  std::string bytes;
  std::size_t label_bytes = 0;
  StateLabel label;
};

State made(const std::string& design) {
  const Node drawn = document(design);
  Drive drive(read_drive(drawn), Clock::timed, 3);
  use_drive(drive, 1500);
  State state{state_of(drive, drawn), 0, {}};
  std::uint64_t payload = 0;
  std::memcpy(&payload, state.bytes.data() + kLengthAt, sizeof payload);
  state.label_bytes = kLengthAt + sizeof payload + payload + kSumBytes;
  state.label = state_in(state.bytes, kInputName).label;
  return state;
}

const std::vector<State>& states() {
  static const std::vector<State> all = [] {
    std::vector<State> made_ones;
    for (const auto& [name, text] : designs()) made_ones.push_back(made(name));
    return made_ones;
  }();
  return all;
}

// The changed bytes, and true if the label is unchanged.
std::pair<std::string, bool> changed(const State& state, std::string_view changes) {
  std::string bytes = state.bytes;
  bool as_labelled = true;
  while (changes.size() > 3) {
    const std::size_t place = (next_byte(changes) * std::size_t{256} + next_byte(changes)) % bytes.size();
    const std::size_t count = std::min({std::size_t{next_byte(changes)} % 9, changes.size(), bytes.size() - place});
    std::copy_n(changes.begin(), count, bytes.begin() + static_cast<std::ptrdiff_t>(place));
    as_labelled = as_labelled && place >= state.label_bytes;
    changes.remove_prefix(count);
  }
  testing::seal(bytes.data(), state.label_bytes);
  testing::seal(bytes.data() + state.label_bytes, bytes.size() - state.label_bytes);
  return {std::move(bytes), as_labelled};
}

// An unchanged label is not read again, which would take a third of the time.
SavedState state_of_changes(const State& from, const std::string& bytes, bool as_labelled) {
  if (!as_labelled) return state_in(bytes, kInputName);
  return {from.label, nullptr, std::string_view(bytes).substr(from.label_bytes)};
}

void enter_saved_state(std::string_view input) {
  const std::uint8_t which = next_byte(input);
  const bool raw = which == 0xff;
  const State& from = states()[which % states().size()];
  const auto [bytes, as_labelled] = raw ? std::pair(std::string(input), false) : changed(from, input);
  try {
    const SavedState state = state_of_changes(from, bytes, as_labelled);
    const auto drive = restore_drive(state, kInputName, which % 2 == 0 ? Clock::timed : Clock::untimed);
    use_drive(*drive, kRequests);
  } catch (const ConfigError&) {
  } catch (const CheckFailed&) {  // a contradiction in the state that only use can show; the run ends there
  }
}

std::vector<std::string> saved_state_seeds() {
  std::vector<std::string> all = {
      "\xff"
      "ftlab state",
      std::string("\xff") + states().front().bytes.substr(0, 64)};
  for (std::size_t i = 0; i < states().size(); ++i) {
    for (std::size_t place = 0; place < states()[i].bytes.size(); place += 997) {
      all.push_back(
          {static_cast<char>(i), static_cast<char>(place / 256), static_cast<char>(place), 8, 1, 0, 0, 0, 0, 0, 0, 0});
    }
  }
  return all;
}

}  // namespace

Door saved_state() { return {"saved_state", enter_saved_state, saved_state_seeds, 128, 6}; }

}  // namespace ftlab::fuzz
