#include "ftl/mapping/fingerprints.h"

#include "sim/core/random.h"
#include "sim/testing/archive_trials.h"
#include "sim/testing/test.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

constexpr std::uint32_t kPlaces = 24;

// Checks a loaded table like ftl/recovery/inspect.cpp.
struct Table : Fingerprints {
  Table() : Fingerprints(kPlaces, 8) {}
  void archive(Archive& file) {
    Fingerprints::archive(file);
    if (file.loading() && !consistent()) throw ArchiveError("the table contradicts itself");
  }
};

// Enters and removes random contents.
void use_table(Table& table, const char* name) {
  RandomStream random(3, name);
  for (int i = 0; i < 200; ++i) {
    const Lpn place{static_cast<std::uint32_t>(random.below(kPlaces))};
    const Fingerprint content{random.below(12), 0};
    if (random.below(3) == 0)
      table.remove(place);
    else if (!table.knows(place) && table.find(content) == kNoLpn)
      table.enter(place, content);
  }
}

}  // namespace

TEST_CASE("a table of fingerprints forgets the content that was stored first") {
  Fingerprints table(4, 2);
  table.enter(Lpn{0}, {10, 0});
  table.enter(Lpn{1}, {11, 0});
  table.enter(Lpn{2}, {12, 0});
  CHECK(table.find({10, 0}) == kNoLpn);
  CHECK(table.find({11, 0}) == Lpn{1});
  CHECK(table.forgotten() == 1);
  CHECK(table.consistent());
}

TEST_CASE("a made-up state of a table of fingerprints is refused or can be used") {
  Table saved;
  use_table(saved, "saved");
  const MadeUp tried = try_made_up_states(
      saved, [] { return Table(); }, [](Table& made_up) { use_table(made_up, "made up"); });
  CHECK(tried.refused > 500);
  CHECK(tried.used > 30);
}
