// A saved drive: a real state with some bytes changed, loaded and used. The input chooses the state and lists changes:
// position (2 bytes), length (1 byte), new bytes. If the first byte is 0xff, the rest is the file. No checksum is corrected:
// a state with valid ones is trusted.
#include "validation/run/state_file.h"

#include <algorithm>

#include "sim/core/error.h"
#include "validation/checks/reference/design_documents.h"
#include "validation/fuzz/door.h"
#include "validation/fuzz/parts.h"
#include "validation/fuzz/seeds.h"

namespace ftlab::fuzz {
namespace {

constexpr int kRequests = 16;

std::string made(const std::string& design) {
  const Node drawn = document(design);
  Drive drive(read_drive(drawn), Clock::timed, 3);
  use_drive(drive, 1500);
  return state_of(drive, drawn);
}

const std::vector<std::string>& states() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> made_ones;
    for (const auto& [name, text] : designs()) made_ones.push_back(made(name));
    return made_ones;
  }();
  return all;
}

std::string changed(std::string bytes, std::string_view changes) {
  while (changes.size() > 3) {
    const std::size_t place = (next_byte(changes) * std::size_t{256} + next_byte(changes)) % bytes.size();
    const std::size_t count = std::min({std::size_t{next_byte(changes)} % 9, changes.size(), bytes.size() - place});
    std::copy_n(changes.begin(), count, bytes.begin() + static_cast<std::ptrdiff_t>(place));
    changes.remove_prefix(count);
  }
  return bytes;
}

void enter_saved_state(std::string_view input) {
  const std::uint8_t which = next_byte(input);
  const std::string bytes = which == 0xff ? std::string(input) : changed(states()[which % states().size()], input);
  try {
    const auto drive =
        restore_drive(state_in(bytes, kInputName), kInputName, which % 2 == 0 ? Clock::timed : Clock::untimed);
    use_drive(*drive, kRequests);
  } catch (const ConfigError&) {
  }
}

std::vector<std::string> saved_state_seeds() {
  std::vector<std::string> all = {
      "\xff"
      "ftlab state",
      std::string("\xff") + states().front().substr(0, 64)};
  for (std::size_t i = 0; i < states().size(); ++i) {
    all.push_back({static_cast<char>(i)});
    all.push_back({static_cast<char>(i), static_cast<char>(i), 0, 8, 1, 0, 0, 0, 0, 0, 0, 0});
  }
  return all;
}

}  // namespace

Door saved_state() { return {"saved_state", enter_saved_state, saved_state_seeds, 128, 2}; }

}  // namespace ftlab::fuzz
