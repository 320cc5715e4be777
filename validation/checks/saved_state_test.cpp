// A saved and loaded drive continues as if it had not been saved.
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "ftl/drive/drive.h"
#include "ftl/drive/drive_counters.h"
#include "ftl/testing/drives.h"
#include "sim/core/archive.h"
#include "sim/testing/test.h"
#include "validation/checks/reference/design_documents.h"

using namespace ftlab;

namespace {

// Sends mixed requests one at a time; continues from `now` and `random`.
void use(Drive& drive, RandomStream& random, Nanoseconds& now, int requests) {
  Completion done;
  for (int i = 0; i < requests; ++i) {
    const std::uint64_t sectors = drive.config().user_bytes / kSectorBytes;
    const std::uint64_t length = 1 + random.below(32);
    constexpr Op kOps[] = {Op::write, Op::write, Op::write, Op::read, Op::trim};
    const Op op = kOps[random.below(5)];
    const Request request{0, op, random.below(sectors - length) * kSectorBytes, length * kSectorBytes, now};
    drive.submit({&request, 1});
    drive.wait(kNever, {&done, 1});
    now = done.completed;
  }
}

std::uint64_t signature_of(const Drive& drive) {
  Signature signature;
  sign(drive, signature);
  return signature.value();
}

std::vector<DriveConfig> four_designs() {
  std::vector<DriveConfig> designs(4, striped_drive());
  designs[1].ftl.gc.policy = gc_policy_index("d-choices");
  designs[1].ftl.gc.values = {4};
  designs[1].ftl.placement.scheme = PlacementConfig::Scheme::invalidation_time;
  designs[1].ftl.gc.start_free = 5;
  designs[1].ftl.gc.stop_free = 6;
  designs[1].user_bytes = 40ull << 20;
  designs[2].ftl.gc.policy = gc_policy_index("fifo");
  designs[2].ftl.buffer.coalesce = true;
  designs[2].ftl.buffer.coalescing_pages = 64;
  designs[3].ftl.gc.ties = Bins::Keeping::sorted;
  designs[3].ftl.gc.shuffle = true;
  return designs;
}

}  // namespace

TEST_CASE("a run split by saving and loading gives the same times, counters and bytes") {
  for (const DriveConfig& config : four_designs()) {
    Drive whole(config, Clock::timed);
    Nanoseconds now{0};
    RandomStream random(3, "requests");
    use(whole, random, now, 20'000);
    const std::string state = whole.save();
    Drive branch(config, Clock::timed);
    branch.load(state);
    CHECK(branch.save() == state);
    RandomStream same_random = random;
    Nanoseconds same_now = now;
    use(whole, random, now, 20'000);
    use(branch, same_random, same_now, 20'000);
    CHECK(now == same_now);
    CHECK(signature_of(whole) == signature_of(branch));
    CHECK(whole.save() == branch.save());
  }
}

TEST_CASE("a state that is damaged or belongs to another drive is refused") {
  Drive drive(striped_drive(), Clock::untimed);
  const std::string state = drive.save();
  std::string damaged = state;
  damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] + 1);
  CHECK_THROWS_AS(Drive(striped_drive(), Clock::untimed).load(damaged), ArchiveError);
  CHECK_THROWS_AS(Drive(striped_drive(), Clock::untimed).load(state.substr(0, state.size() - 9)), ArchiveError);
  DriveConfig other = striped_drive();
  other.geometry.blocks_per_plane = 32;
  other.user_bytes = 20ull << 20;
  CHECK_THROWS_AS(Drive(other, Clock::untimed).load(state), ArchiveError);
}

TEST_CASE("a state with dies busy longer than its lifetime, after hours of parallel plane reads, is accepted") {
  DriveConfig config = striped_drive();
  config.nand.independent_plane_reads = true;
  config.nand.read = std::chrono::minutes(30);
  Drive drive(config, Clock::timed);
  const std::uint32_t planes = config.geometry.planes_per_die;
  REQUIRE(planes >= 2);
  const Request write{0, Op::write, 0, 64 * 4096, Nanoseconds{0}}, flush{1, Op::flush, 0, 0, Nanoseconds{0}};
  Nanoseconds now{0};
  for (const Request& request : {write, flush}) {
    Completion done;
    drive.submit({&request, 1});
    drive.wait(kNever, {&done, 1});
    now = done.completed;
  }
  std::vector<Request> reads;
  for (std::uint64_t tag = 0; tag < 64 * 8; ++tag) reads.push_back({tag, Op::read, tag % 64 * 4096, 4096, now});
  drive.submit(reads);
  for (std::array<Completion, 64> done; drive.wait(kNever, done) > 0;) {
  }
  const std::vector<Nanoseconds> busy = drive.flash().engine->busy();
  CHECK(*std::max_element(busy.begin(), busy.begin() + config.geometry.dies()) > drive.idle_from() + std::chrono::hours(2));
  const std::string state = drive.save();
  Drive other(config, Clock::timed);
  other.load(state);
  CHECK(other.save() == state);
}

// Sections of a saved drive state: each section named in the sources is in the state of some design.

namespace {

std::set<std::string> sections_in_sources() {
  std::set<std::string> names;
  const std::regex call(R"re(archive\.section\("([^"]+)"\))re");
  for (const char* const folder : {"ftl", "models", "sim/core"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(std::string(FTLAB_SOURCE_DIR "/") + folder)) {
      const std::string name = entry.path().filename().string();
      if (!entry.is_regular_file() || name.ends_with("_test.cpp")) continue;
      std::ifstream file(entry.path());
      std::stringstream text;
      text << file.rdbuf();
      const std::string all = text.str();
      for (std::sregex_iterator it(all.begin(), all.end(), call), end; it != end; ++it) names.insert((*it)[1]);
    }
  }
  return names;
}

}  // namespace

TEST_CASE("each section of a state begins with its name") {
  std::vector<std::string> states;
  for (const auto& [design, unused] : designs()) states.push_back(Drive(read_drive(document(design)), Clock::timed).save());
  states.push_back(Drive(read_drive(document("zoned")), Clock::timed).save());
  const std::set<std::string> names = sections_in_sources();
  CHECK(names.size() > 25);
  for (const std::string& name : names) {
    CAPTURE(name);
    const std::string mark = static_cast<char>(name.size()) + name;
    bool found = false;
    for (const std::string& state : states) found = found || state.find(mark) != state.npos;
    CHECK(found);
  }
}
