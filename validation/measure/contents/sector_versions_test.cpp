#include "validation/measure/contents/sector_versions.h"

#include <vector>

#include "sim/core/random.h"
#include "sim/testing/test.h"

using namespace ftlab;

namespace {

constexpr std::uint64_t kSectors = 60;

// One number for each sector; 0: none.
class Plain {
 public:
  explicit Plain(std::uint64_t step) : step_(step) {}
  void raise(std::uint64_t first, std::uint64_t end, std::uint64_t version) {
    for (std::uint64_t s = first; s < end; ++s, version += step_) versions_[s] = std::max(versions_[s], version);
  }
  std::uint64_t at(std::uint64_t sector) const { return versions_[sector]; }

 private:
  std::uint64_t step_;
  std::vector<std::uint64_t> versions_ = std::vector<std::uint64_t>(kSectors);
};

}  // namespace

TEST_CASE("runs of versions give the same results as an array of versions") {
  RandomStream random(1, "sector versions");
  for (const std::uint64_t step : {0, 1}) {
    for (int life = 0; life < 300; ++life) {
      SectorVersions runs(step);
      Plain plain(step);
      for (int i = 0; i < 30; ++i) {
        const std::uint64_t first = random.below(kSectors - 1), end = first + 1 + random.below(kSectors - first);
        const std::uint64_t version = 1 + random.below(200);
        runs.raise(first, end, version);
        plain.raise(first, end, version);
        const std::uint64_t sector = random.below(kSectors);
        REQUIRE(runs.at(sector).value_or(0) == plain.at(sector));
      }
      std::uint64_t with = 0;
      for (std::uint64_t s = 0; s < kSectors; ++s) {
        REQUIRE(runs.at(s).value_or(0) == plain.at(s));
        with += plain.at(s) > 0;
      }
      REQUIRE(runs.sectors() == with);
    }
  }
}

TEST_CASE("a run of any length costs as much as one sector") {
  SectorVersions versions(1);
  versions.raise(0, std::uint64_t{1} << 54, 1);
  versions.raise(1000, 2000, 5);
  CHECK(versions.at(1500) == 1501);  // the older run has the later version
  versions.raise(1000, 2000, 5000);
  CHECK(versions.at(1500) == 5500);
  CHECK(versions.at(2000) == 2001);
  CHECK(versions.sectors() == std::uint64_t{1} << 54);
}
