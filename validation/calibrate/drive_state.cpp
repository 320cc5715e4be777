#include "validation/calibrate/drive_state.h"

#include <algorithm>

#include <spdlog/fmt/fmt.h>

#include "sim/config/share.h"
#include "sim/config/split.h"
#include "sim/core/check.h"
#include "sim/core/error.h"

namespace ftlab {
namespace {

constexpr char kState[] = "state";
constexpr char kAllowed[] =
    "unwritten, sequential, random, fit; sequential:15% for a share of the drive; unwritten=0.8,random=0.25";

[[noreturn]] void refuse_share(std::string_view text) {
  throw ConfigError({"--state", 0}, "", "has no share of the drive after the colon", text, kAllowed);
}

// Parses "unwritten=0.8,random=0.25"; either may be absent.
DriveState parse_shares(std::string_view text) {
  DriveState state;
  for (const std::string_view part : split(text, ',')) {
    const std::size_t equals = std::min(part.find('='), part.size());
    const std::string name(part.substr(0, equals));
    if (name != "unwritten" && name != "random")
      throw ConfigError({"--state", 0}, "", "names no share of a drive", part, kAllowed,
                        nearest_name(name, {"unwritten", "random"}));
    const std::string_view share = equals < part.size() ? part.substr(equals + 1) : std::string_view();
    (name == "random" ? state.random : state.unwritten) = parse_share({"--state", 0}, name, share);
  }
  return state;
}

std::string decimals(std::uint32_t share, double whole) {
  std::string text = fmt::format("{:.6f}", whole * share / kPartsOfShare);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

std::uint32_t share_at(const Node& state, const char* key) {
  const Node* const number = state.find(key);
  FTLAB_CHECK(number != nullptr && number->magnitude <= kPartsOfShare, "a state has both shares");
  return static_cast<std::uint32_t>(number->magnitude);
}

Node number_of(std::uint32_t share) {
  Node number;
  number.kind = Node::Kind::integer;
  number.magnitude = share;
  return number;
}

}  // namespace

std::uint32_t parse_share(const ConfigError::Place& place, std::string_view key, std::string_view text) {
  constexpr ShareRange kAll{0, 1};
  return static_cast<std::uint32_t>(share_of(place, key, text, kAll) * kPartsOfShare + 0.5);
}

std::vector<DriveState> whole_states() { return {{0, 0}, {0, kPartsOfShare}, {kPartsOfShare, 0}}; }

DriveState parse_drive_state(std::string_view text) {
  if (text.find('=') != text.npos) return parse_shares(text);
  const std::size_t colon = std::min(text.find(':'), text.size());
  const std::vector<std::string> names = {"sequential", "random", "unwritten", "fit"};  // the first three: whole_states()
  const std::string name(text.substr(0, colon));
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end() || name == "fit")
    throw ConfigError({"--state", 0}, "", "is not a state of a drive", text, kAllowed, nearest_name(name, names));
  DriveState state = whole_states()[static_cast<std::size_t>(found - names.begin())];
  if (colon == text.size()) return state;
  const std::string_view share = text.substr(colon + 1);
  if (!share.ends_with('%') || name == "unwritten") refuse_share(text);
  const std::uint32_t written = parse_share({"--state", 0}, name, share);
  if (written == 0) refuse_share(text);
  state.unwritten = kPartsOfShare - written;
  return state;
}

std::string name_of(const DriveState& state) {
  if (state.unwritten == kPartsOfShare) return "unwritten";
  if (state.random != 0 && state.random != kPartsOfShare)
    return "unwritten=" + decimals(state.unwritten, 1) + ",random=" + decimals(state.random, 1);
  const std::string name = state.random == 0 ? "sequential" : "random";
  return state.unwritten == 0 ? name : name + ":" + decimals(kPartsOfShare - state.unwritten, 100) + "%";
}

Node without_state(Node drive) {
  std::erase_if(drive.members, [](const Node::Member& member) { return member.first == kState; });
  return drive;
}

Node with_state(Node drive, const DriveState& state) {
  drive = without_state(std::move(drive));
  Node shares;
  shares.kind = Node::Kind::object;
  shares.members.emplace_back("unwritten", number_of(state.unwritten));
  shares.members.emplace_back("random", number_of(state.random));
  drive.members.emplace_back(kState, std::move(shares));
  return drive;
}

std::optional<DriveState> state_of(const Node& drive) {
  const Node* const state = drive.find(kState);
  if (state == nullptr) return std::nullopt;
  return DriveState{share_at(*state, "unwritten"), share_at(*state, "random")};
}

}  // namespace ftlab
