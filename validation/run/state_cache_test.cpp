#include "validation/run/state_cache.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>

#include "ftl/testing/drives.h"
#include "sim/core/error.h"
#include "sim/testing/test.h"
#include "validation/checks/reference/design_documents.h"
#include "validation/run/precondition.h"
#include "validation/run/simulated_device.h"

using namespace ftlab;
namespace fs = std::filesystem;

namespace {

struct TestFolder {
  std::string path = (fs::temp_directory_path() / ("ftlab-cache-test-" + std::to_string(::getpid()))).string();
  TestFolder() { fs::remove_all(path); }
  ~TestFolder() { fs::remove_all(path); }
  std::vector<fs::path> files() const {
    std::vector<fs::path> found;
    if (fs::exists(path))
      for (const auto& entry : fs::directory_iterator(path)) found.push_back(entry.path());
    return found;
  }
};

constexpr std::uint64_t kLimit = 1 << 30;

struct Preconditioned {
  std::string note, state;
};

// A new drive, brought into the state; `cache`: null for none.
Preconditioned preconditioned(const std::string& design, Precondition state, const StateCache* cache,
                              std::uint64_t seed = 1) {
  const Node drive = document(design);
  const auto used = used_device(drive, std::make_unique<Drive>(read_drive(drive), Clock::timed, 5));
  SimulatedDevice& device = *used;
  const std::string note = precondition(device, {state, seed, nullptr, cache});
  return {note, device.ssd()->save()};
}

}  // namespace

TEST_CASE("a drive loaded from the cache equals one made anew, byte for byte") {
  for (const char* const design : {"demand pages", "extent", "block"}) {
    INFO(design);
    TestFolder folder;
    const StateCache cache(folder.path, kLimit, true);
    const Preconditioned without = preconditioned(design, Precondition::random, nullptr);
    for (int time = 0; time < 2; ++time) {  // made; loaded
      const Preconditioned with = preconditioned(design, Precondition::random, &cache);
      CHECK(with.note == without.note);
      CHECK(with.state == without.state);
      REQUIRE(folder.files().size() == 1);
    }
    REQUIRE(cache.list().size() == 1);
    CHECK(cache.list().front().loadable);
    CHECK(cache.list().front().pattern == "random, seed 1");
    CHECK(cache.list().front().bytes > without.state.size());
  }
}

TEST_CASE("other patterns, seeds and drives are other entries; sequential fills and used drives are none") {
  TestFolder folder;
  const StateCache cache(folder.path, kLimit, true);
  preconditioned("demand pages", Precondition::random, &cache);
  preconditioned("demand pages", Precondition::steady, &cache);
  preconditioned("demand pages", Precondition::random, &cache, 2);
  preconditioned("extent", Precondition::random, &cache);
  CHECK(folder.files().size() == 4);
  preconditioned("demand pages", Precondition::sequential, &cache);
  const Node drive = document("demand pages");
  const auto used = used_device(drive, std::make_unique<Drive>(read_drive(drive), Clock::timed, 6));
  SimulatedDevice& device = *used;
  precondition(device, {Precondition::sequential});
  precondition(device, {Precondition::random, 1, nullptr, &cache});
  CHECK(folder.files().size() == 4);
  CHECK(cache.clear() == 4);
  CHECK(folder.files().empty());
}

TEST_CASE("a damaged entry is made again") {
  const Preconditioned expected = preconditioned("demand pages", Precondition::random, nullptr);
  for (const bool in_heading : {true, false}) {
    for (const bool cut : {true, false}) {
      TestFolder folder;
      const StateCache cache(folder.path, kLimit, true);
      preconditioned("demand pages", Precondition::random, &cache);
      const fs::path file = folder.files().front();
      const std::uint64_t whole = fs::file_size(file), at = in_heading ? 100 : whole - 1000;
      if (cut) {
        fs::resize_file(file, at);
      } else {
        std::fstream bytes(file, std::ios::in | std::ios::out | std::ios::binary);
        bytes.seekg(static_cast<std::streamoff>(at));
        const char was = static_cast<char>(bytes.get());
        bytes.seekp(static_cast<std::streamoff>(at));
        bytes.put(static_cast<char>(was ^ 1));
      }
      CHECK(preconditioned("demand pages", Precondition::random, &cache).state == expected.state);
      CHECK(fs::file_size(file) == whole);
      CHECK(preconditioned("demand pages", Precondition::random, &cache).state == expected.state);
    }
  }
}

TEST_CASE("entries not used for longest are deleted beyond the limit") {
  TestFolder folder;
  const StateCache large(folder.path, kLimit, true);
  preconditioned("demand pages", Precondition::random, &large);
  const std::uint64_t one = fs::file_size(folder.files().front());
  const StateCache cache(folder.path, one * 5 / 2, true);
  preconditioned("demand pages", Precondition::random, &cache, 2);
  const auto now = fs::file_time_type::clock::now();
  for (const fs::path& file : folder.files()) fs::last_write_time(file, now - std::chrono::hours(1));
  preconditioned("demand pages", Precondition::random, &cache, 1);  // used again
  preconditioned("demand pages", Precondition::random, &cache, 3);
  std::vector<std::string> left;
  for (const CachedState& state : cache.list()) left.push_back(state.pattern);
  std::sort(left.begin(), left.end());
  CHECK(left == std::vector<std::string>{"random, seed 1", "random, seed 3"});
}

TEST_CASE("only states that took long to make, and fit, are worth keeping") {
  const StateCache cache("/none", 1'000'000'000);
  CHECK_FALSE(cache.worth_keeping(0.9, 1'000'000));
  CHECK(cache.worth_keeping(1.1, 1'000'000));
  CHECK_FALSE(cache.worth_keeping(1.1, 900'000'000));  // reading it back takes longer
  CHECK_FALSE(cache.worth_keeping(60, 1'000'000'001));
  CHECK_FALSE(StateCache("/none", 0).on());
  CHECK_FALSE(StateCache().on());
}

TEST_CASE("a cache that cannot be written leaves the drive as it is") {
  const StateCache cache("/proc/none", kLimit, true);
  CHECK(preconditioned("demand pages", Precondition::random, &cache).state ==
        preconditioned("demand pages", Precondition::random, nullptr).state);
}
