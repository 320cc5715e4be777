#include "validation/measure/device/stamps.h"

#include <cstring>
#include <map>
#include <vector>

#include "sim/core/random.h"
#include "sim/testing/test.h"

using namespace ftlab;
using Found = ContentLog::Found;

namespace {

using Sector = std::array<std::byte, kSectorBytes>;
constexpr std::uint64_t kRun = 0x1234567890abcdef;

Sector stamped(std::uint64_t place, std::uint64_t version, std::uint64_t run = kRun) {
  Sector sector;
  RandomStream random(version * 31 + place, "filler");
  for (std::byte& byte : sector) byte = static_cast<std::byte>(random.bits());
  write_stamp(sector, {place, version, run, 4096});
  return sector;
}

}  // namespace

TEST_CASE("a stamp is read back with its position, its version and the length of its write") {
  const SectorRead read = read_stamp(stamped(8192, 77), 8192, kRun);
  CHECK(read.found == Found::whole);
  CHECK(read.stamp.version == 77);
  CHECK(read.stamp.length_bytes == 4096);
}

TEST_CASE("100,000 randomly corrupted sectors are all classified correctly") {
  RandomStream random(1, "corruption");
  std::map<Found, std::uint64_t> seen;
  for (int i = 0; i < 100'000; ++i) {
    const std::uint64_t place = random.below(1 << 20) * kSectorBytes, version = 2 + random.below(1 << 30);
    Sector sector = stamped(place, version);
    Found expected = Found::whole;
    switch (random.below(7)) {
      case 0: break;
      case 1:
        sector.fill(std::byte{0});
        expected = Found::zero;
        break;
      case 2:
        sector = stamped(place, version, kRun + 1 + random.below(1000));
        expected = Found::foreign;
        break;
      case 3:
        sector = stamped(place + (1 + random.below(1000)) * kSectorBytes, version);
        expected = Found::misplaced;
        break;
      case 4: {  // front of the new write and back of an older one or of zeros, or the other way round
        Sector other = random.below(2) == 0 ? Sector{} : stamped(place, version - 1);
        const std::size_t cut = 32 + random.below(kSectorBytes - 8 - 32);  // with less it cannot be recognised as ours
        const bool front = random.below(2) == 0;
        std::memcpy(front ? sector.data() : sector.data() + cut, front ? other.data() : other.data() + cut,
                    front ? cut : kSectorBytes - cut);
        expected = Found::torn;
        break;
      }
      case 5:
        sector[random.below(kSectorBytes)] ^= static_cast<std::byte>(1 << random.below(8));
        expected = Found::torn;
        break;
      default:
        for (std::byte& byte : sector) byte = static_cast<std::byte>(random.bits());
        expected = Found::foreign;
    }
    const SectorRead read = read_stamp(sector, place, kRun);
    // A cut may fall where both have the same bytes.
    if (expected == Found::torn && std::memcmp(sector.data(), stamped(place, version).data(), kSectorBytes) == 0) continue;
    if (expected == Found::torn && std::memcmp(sector.data(), stamped(place, version - 1).data(), kSectorBytes) == 0) {
      CHECK(read.found == Found::whole);  // the whole older write: stale, as its version shows
      continue;
    }
    CAPTURE(i);
    REQUIRE(read.found == expected);
    ++seen[expected];
  }
  for (const Found each : {Found::whole, Found::zero, Found::foreign, Found::torn, Found::misplaced})
    CHECK(seen[each] > 5'000);
}
