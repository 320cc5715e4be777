#include "validation/calibrate/drive_state.h"

#include "sim/config/refusal.h"
#include "sim/testing/test.h"

using namespace ftlab;

namespace {

constexpr char kStates[] =
    "unwritten, sequential, random, fit; sequential:15% for a share of the drive; unwritten=0.8,random=0.25";

std::string refused(const char* text) {
  return refusal([text] { parse_drive_state(text); });
}

}  // namespace

TEST_CASE("a state is read from its name, with the written share or with both shares") {
  CHECK(parse_drive_state("sequential") == DriveState{0, 0});
  CHECK(parse_drive_state("random") == DriveState{0, 1'000'000});
  CHECK(parse_drive_state("unwritten") == DriveState{1'000'000, 0});
  CHECK(parse_drive_state("sequential:15%") == DriveState{850'000, 0});
  CHECK(parse_drive_state("random:12.5%") == DriveState{875'000, 1'000'000});
  CHECK(parse_drive_state("unwritten=0.8,random=0.25") == DriveState{800'000, 250'000});
  CHECK(parse_drive_state("random=0.25") == DriveState{0, 250'000});
  CHECK(parse_drive_state("unwritten=80%") == DriveState{800'000, 0});
}

TEST_CASE("the name of a state is read as the same state") {
  for (const DriveState& state :
       {DriveState{0, 0}, {0, 1'000'000}, {1'000'000, 0}, {850'000, 0}, {123'456, 1'000'000}, {1, 999'999}})
    CHECK(parse_drive_state(name_of(state)) == state);
  CHECK(name_of({850'000, 0}) == "sequential:15%");
  CHECK(name_of({800'000, 250'000}) == "unwritten=0.8,random=0.25");
}

TEST_CASE("what names no state is refused") {
  CHECK(refused("randon") ==
        std::string("--state: is not a state of a drive (got randon; allowed: ") + kStates + "; did you mean random?)");
  CHECK(refused("fit:15%").starts_with("--state: is not a state of a drive (got fit:15%"));
  for (const char* const text : {"random:0%", "sequential:15", "unwritten:5%"})
    CHECK(refused(text) == std::string("--state: has no share of the drive after the colon (got ") + text +
                               "; allowed: " + kStates + ")");
  CHECK(refused("unwriten=0.5").find("names no share of a drive (got unwriten=0.5; ") != std::string::npos);
  constexpr char kShares[] = "; allowed: 0% to 100%, as 7% or 0.07)";
  CHECK(refused("random:101%") == std::string("--state: random: is out of range (got 101%") + kShares);
  CHECK(refused("random:x%") == std::string("--state: random: is not a share (got x%") + kShares);
  CHECK(refused("unwritten=1.5") == std::string("--state: unwritten: is out of range (got 1.5") + kShares);
  CHECK(refused("random=nan") == std::string("--state: random: is not a share (got nan") + kShares);
}

TEST_CASE("a document carries a state without being changed otherwise") {
  Node drive = parse_document(R"({"name": "n"})", "d.json");
  CHECK_FALSE(state_of(drive));
  Node with = with_state(with_state(drive, {7, 8}), {1, 2});
  CHECK(state_of(with) == DriveState{1, 2});
  set_by_path(with, "state.unwritten=500000");
  CHECK(state_of(with) == DriveState{500'000, 2});
  CHECK(without_state(with).members.size() == 1);
}
