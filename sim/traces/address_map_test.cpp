// PageSet and AddressMap against straightforward reference computations.
#include "sim/traces/address_map.h"

#include <iterator>
#include <map>
#include <set>

#include "sim/config/refusal.h"
#include "sim/core/random.h"
#include "sim/testing/test.h"
#include "sim/traces/testing/traces.h"

using namespace ftlab;

namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

// Three requests of two volumes: a ends at 1 MiB, b at 2 MiB + 512.
const char* const kTwoVolumes =
    "a,W,1044480,4096,1\n"
    "b,W,2097152,512,2\n"
    "b,R,8704,1024,3\n";

std::vector<std::uint64_t> places(AddressPolicy policy, std::uint64_t capacity, const TraceFile& file,
                                  std::uint64_t* moved = nullptr) {
  TraceSummary summary = summarise_trace(file.options("alibaba"));
  AddressMap map(policy, capacity, summary, "t");
  std::vector<std::uint64_t> found;
  Trace trace(file.options("alibaba"));
  for (TraceRecord record; trace.next(record);) found.push_back(map.place(record));
  if (moved != nullptr) *moved = map.moved();
  return found;
}

}  // namespace

TEST_CASE("a page set counts and ranks like a sorted set") {
  RandomStream random(1, "page set");
  PageSet pages;
  std::set<std::pair<std::uint32_t, std::uint64_t>> touched, written;
  for (int i = 0; i < 3000; ++i) {
    const auto volume = static_cast<std::uint32_t>(random.below(3) * 32767);
    const std::uint64_t first = random.below(2) == 0 ? random.below(4000) : random.below(std::uint64_t{1} << 35);
    const std::uint64_t end = first + 1 + random.below(200);
    const bool write = random.below(2) == 0;
    pages.touch(volume, first, end, write);
    for (std::uint64_t page = first; page < end; ++page) {
      touched.emplace(volume, page);
      if (write) written.emplace(volume, page);
    }
  }
  REQUIRE(pages.touched() == touched.size());
  REQUIRE(pages.written() == written.size());
  pages.rank();
  std::uint64_t rank = 0, wrong = 0;
  for (const auto& [volume, page] : touched) wrong += pages.rank_of(volume, page) != rank++;
  CHECK(wrong == 0);
}

TEST_CASE("error keeps addresses, lays volumes out one after another, and refuses addresses beyond the drive") {
  const TraceFile file(kTwoVolumes);
  CHECK(places(AddressPolicy::error, 3 * kMiB + 512, file) == std::vector<std::uint64_t>{1044480, 3 * kMiB, kMiB + 8704});
  CHECK(refusal([&] { places(AddressPolicy::error, 3 * kMiB, file); }) ==
        "t:2: reaches byte 3146240, the drive has 3145728; say with --trace-address what to do (modulo, scale or compact)");
}

TEST_CASE("modulo wraps at the end of the drive and moves down a request that would cross it") {
  const TraceFile file("a,W,8192,4096,1\na,W,12288,4096,2\na,W,6144,4096,3\na,W,81920,512,4\n");
  std::uint64_t moved = 0;
  CHECK(places(AddressPolicy::modulo, 8192, file, &moved) == std::vector<std::uint64_t>{0, 4096, 4096, 0});
  CHECK(moved == 1);
}

TEST_CASE("scale spreads the span over the drive and keeps offsets within pages") {
  const TraceFile file("a,W,0,4096,1\na,W,40960,4096,2\na,W,20992,512,3\na,R,77824,4096,4\n");  // 20 pages
  CHECK(places(AddressPolicy::scale, 10 * 4096, file) == std::vector<std::uint64_t>{0, 5 * 4096, 2 * 4096 + 512, 9 * 4096});
  CHECK(places(AddressPolicy::scale, 40 * 4096, file) ==
        std::vector<std::uint64_t>{0, 20 * 4096, 10 * 4096 + 512, 38 * 4096});
}

TEST_CASE("compact packs the used pages in order") {
  const TraceFile file(kTwoVolumes);
  CHECK(places(AddressPolicy::compact, 3 * 4096, file) == std::vector<std::uint64_t>{0, 2 * 4096, 4096 + 512});
  CHECK(refusal([&] { places(AddressPolicy::compact, 3 * 4096 - 512, file); }) ==
        "t: uses more pages than the drive has room for, so --trace-address compact cannot place them (got 12288 bytes; "
        "allowed: up to 11776)");
}

TEST_CASE("under every policy, requests fit on the drive and keep their offsets within pages") {
  RandomStream random(2, "address map");
  std::string text;
  for (int i = 0; i < 2000; ++i) {
    text += std::string(random.below(2) == 0 ? "a" : "b") + ",W," + std::to_string(random.below(100'000) * 512) + "," +
            std::to_string(512 * (1 + random.below(64))) + "," + std::to_string(i) + "\n";
  }
  const TraceFile file(text);
  const std::uint64_t capacity = 120 * kMiB - 512;
  for (const AddressPolicy policy : {AddressPolicy::modulo, AddressPolicy::scale, AddressPolicy::compact}) {
    TraceSummary summary = summarise_trace(file.options());
    AddressMap map(policy, capacity, summary, "t");
    Trace trace(file.options());
    std::uint64_t beyond = 0, displaced = 0;
    for (TraceRecord record; trace.next(record);) {
      const std::uint64_t first = map.place(record);
      beyond += first % 512 != 0 || first + record.length_bytes > capacity;
      displaced += first % 4096 != record.offset_bytes % 4096;
    }
    CAPTURE(name_of(policy));
    CHECK(beyond == 0);
    CHECK(displaced <= map.moved());
  }
}

TEST_CASE("a request larger than the drive is refused under any policy") {
  const TraceFile file("a,W,0,8192,1\n");
  CHECK(refusal([&] { places(AddressPolicy::modulo, 4096, file); }) ==
        "t: holds a request that is larger than the drive (got 8192 bytes; allowed: up to 4096)");
}
