// Forged states of drives of every design: one number is changed and the checksum corrected. Each is refused, or loads as a
// drive that works until an internal check fails. Covers systematically the numbers at the edges of every section, where the
// small ones are; a fuzzer covers the rest at random.
#include <cctype>
#include <cstring>

#include "ftl/drive/drive.h"
#include "sim/core/archive.h"
#include "sim/core/check.h"
#include "sim/core/random.h"
#include "sim/testing/archive_trials.h"
#include "sim/testing/test.h"
#include "validation/checks/reference/design_documents.h"
#include "validation/checks/reference/rule_trials.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

constexpr std::size_t kEdge = 160;  // bytes after a section's name, and before the next one

// Finds the beginnings of sections: only their names are text.
std::vector<std::size_t> names_in(const std::string& state) {
  std::vector<std::size_t> begins;
  std::size_t letters = 0;
  for (std::size_t at = 0; at < state.size(); ++at) {
    const bool letter = std::islower(static_cast<unsigned char>(state[at])) || (letters > 0 && state[at] == ' ');
    letters = letter ? letters + 1 : 0;
    if (letters == 4) begins.push_back(at - 3);
  }
  return begins;
}

std::vector<std::size_t> edges_of(const std::string& state) {
  std::vector<bool> at_edge(state.size());
  for (const std::size_t name : names_in(state)) {
    const std::size_t from = name > kEdge ? name - kEdge : 0, to = std::min(name + kEdge, state.size() - 12);
    for (std::size_t at = from; at < to; ++at) at_edge[at] = true;
  }
  std::vector<std::size_t> places;
  for (std::size_t at = 24; at + 12 <= state.size(); at += 4)
    if (at_edge[at]) places.push_back(at);
  return places;
}

}  // namespace

TEST_CASE("a state with a changed number at the edge of a section is refused or fails a check") {
  int designs_seen = 0, reported_by_bins = 0;
  RandomStream random(11, "made up");
  for (const auto& [name, unused] : designs()) {
    INFO(name);
    const DriveConfig config = read_drive(document(name));
    Drive drive(config, Clock::timed, 3);
    use(drive, 600);
    const std::string good = drive.save();
    Drive other(config, Clock::timed, 3);
    REQUIRE_NOTHROW(other.load(good));
    int refused = 0, accepted = 0;
    for (const std::size_t at : edges_of(good)) {
      const std::uint32_t made_up[] = {0,           1,           70'000,
                                       0x7fff'ffff, 0xffff'ffff, static_cast<std::uint32_t>(random.below(4000))};
      const std::uint32_t number = made_up[random.below(6)];
      std::string state = good;
      if (std::memcmp(state.data() + at, &number, sizeof number) == 0) continue;
      std::memcpy(state.data() + at, &number, sizeof number);
      testing::seal(state.data(), state.size());
      Drive loaded(config, Clock::timed, 3);
      try {
        loaded.load(state);
      } catch (const ArchiveError& error) {
        ++refused;
        const std::string_view said = error.what();
        const bool reported =
            said.starts_with("the state does not fit") || said.starts_with("the saved state contradicts itself");
        if (!reported) FAIL_CHECK(said);
        reported_by_bins += said.ends_with("section \"bins\": its members contradict each other.");
        continue;
      }
      ++accepted;
      try {
        use(loaded, 3);
      } catch (const CheckFailed&) {
      }
    }
    CHECK(refused > 100);
    CHECK(accepted > 20);
    ++designs_seen;
  }
  CHECK(designs_seen >= 20);
  CHECK(reported_by_bins > 5);
}

TEST_CASE("a superblock that waits for its erase must wait for a page in RAM") {
  const DriveConfig config = read_drive(document("pools"));
  Drive drive(config, Clock::untimed, 3);
  use(drive, 600);
  const std::string good = drive.save();
  const std::size_t from = good.rfind("frontier"), to = good.find("relocation", from);
  REQUIRE(from < to);
  REQUIRE(to < good.size());
  std::size_t reported = 0;
  for (std::size_t at = from; at < to; ++at) {
    std::string state = good;
    state[at] = static_cast<char>(state[at] + 1);
    testing::seal(state.data(), state.size());
    Drive loaded(config, Clock::untimed, 3);
    try {
      loaded.load(state);
    } catch (const ArchiveError& error) {
      const std::string_view said = error.what();
      reported += said.ends_with("a superblock waits for its erase, but for nothing that is staged.");
    }
  }
  CHECK(reported >= 4 * config.ftl.pool_count());  // each byte of the counts
}
