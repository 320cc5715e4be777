// Regression test for fuzzer findings: every file of corpus/NAME is read by the target of that name. In addition, each
// target reads its initial corpus and mutated copies of it. `fuzz.sh` searches for more.
#include <algorithm>
#include <filesystem>

#include "sim/config/file.h"
#include "sim/core/random.h"
#include "sim/testing/test.h"
#include "validation/fuzz/door.h"

using namespace ftlab;

namespace {

constexpr int kBroken = 1000;  // mutated copies per target; `make fuzz` searches further

std::string broken(std::string text, const std::vector<std::string>& seeds, RandomStream& random) {
  for (std::uint64_t changes = 1 + random.below(4); changes > 0; --changes) {
    const std::size_t at = random.below(text.size() + 1);
    switch (random.below(7)) {
      case 0: text.resize(at); break;
      case 1: text.erase(at, 1 + random.below(16)); break;
      case 2: text.insert(at, 1, static_cast<char>(random.below(256))); break;
      case 3: text.insert(at, "18446744073709551615"); break;
      case 4: {
        const std::string& other = seeds[random.below(seeds.size())];
        text.insert(at, other, random.below(other.size() + 1), random.below(32));
        break;
      }
      default:
        if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << random.below(8)));
    }
  }
  return text;
}

}  // namespace

TEST_CASE("every fuzzer finding is read or refused") {
  for (const fuzz::Door& door : fuzz::doors()) {
    const std::string folder = std::string(FTLAB_SOURCE_DIR) + "/validation/fuzz/corpus/" + door.name;
    if (!std::filesystem::exists(folder)) continue;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      INFO(entry.path().string());
      CHECK_NOTHROW(door.read(read_text_file(entry.path().string())));
    }
  }
}

TEST_CASE("every fuzz target reads or refuses its seeds and mutated copies of them") {
  for (const fuzz::Door& door : fuzz::doors()) {
    const std::vector<std::string> seeds = door.seeds();
    REQUIRE_FALSE(seeds.empty());
    INFO(door.name);
    for (const std::string& seed : seeds) CHECK_NOTHROW(door.read(seed));
    RandomStream random(1, door.name);
    for (int i = 0; i < static_cast<int>(door.share) * kBroken / 4; ++i) {
      const std::string input = broken(seeds[random.below(seeds.size())], seeds, random);
      INFO(i);
      CHECK_NOTHROW(door.read(input.substr(0, door.longest)));
    }
  }
}
