// What a drive is said to take against what it took: of every design the columns that are saved with it, and the memory of
// the process for one that is written from end to end.
#include "ftl/drive/config/table_bytes.h"

#include <malloc.h>

#include <atomic>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ftl/counting/steady_run.h"
#include "ftl/drive/drive.h"
#include "ftl/drive/lifecycle.h"
#include "ftl/testing/drives.h"
#include "sim/host/host.h"
#include "sim/testing/test.h"
#include "validation/checks/reference/design_documents.h"

using namespace ftlab;

namespace {

// 64 times as large, so that what does not grow with the drive does not count: with blocks as many times as long, where the
// tables by page are what counts, or with as many times as many, where those by superblock and by block count, too.
DriveConfig enlarged(const std::string& design, bool longer) {
  Node drive = document(design);
  const std::uint64_t blocks = read_drive(drive).geometry.blocks_per_plane;
  set_by_path(drive, longer ? "geometry.pages_per_block=512" : "geometry.blocks_per_plane=" + std::to_string(64 * blocks));
  set_by_path(drive, "user_sectors=917504");
  if (design == "extent") set_by_path(drive, "ftl.mapping.ram_bytes=256000");
  if (design == "pools") {
    const char* const two = longer ? R"(ftl.placement.pools=[{"logical_pages": 25600, "superblocks": 16},
                                                             {"logical_pages": 89088, "superblocks": 32}])"
                                   : R"(ftl.placement.pools=[{"logical_pages": 25600, "superblocks": 1024},
                                                             {"logical_pages": 89088, "superblocks": 2048}])";
    set_by_path(drive, two);
  }
  return read_drive(drive);
}

std::uint64_t saved_bytes(Drive& drive) {
  std::uint64_t bytes = 0;
  drive.save([&bytes](std::string_view piece) { bytes += piece.size(); });
  return bytes;
}

std::uint64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t all = 0, resident = 0;
  file >> all >> resident;
  return resident * 4096;
}

// The most that was resident since it was asked to forget, which Linux does by this number.
std::uint64_t peak_bytes(bool forget) {
  if (forget) std::ofstream("/proc/self/clear_refs") << 5;
  std::ifstream file("/proc/self/status");
  std::string word;
  while (file >> word && word != "VmHWM:") {
  }
  std::uint64_t kib = 0;
  file >> kib;
  return kib * 1024;
}

}  // namespace

TEST_CASE("a drive of any design takes what its configuration says") {
  for (const auto& [name, unused] : designs()) {
    INFO(name);
    for (const bool longer : {true, false}) {
      const DriveConfig config = enlarged(name, longer);
      Drive drive(config, Clock::untimed);
      const auto said = static_cast<double>(table_bytes(config)), saved = static_cast<double>(saved_bytes(drive));
      // How blocks differ follows from their specimen, and is not saved.
      CHECK(said / saved == Approx(1).margin(config.nand.variation.any() ? 0.06 : 0.03));
    }
  }
}

namespace {

// How long each section of a saved state is; all sections of one name together.
std::map<std::string, std::uint64_t> section_bytes(Drive& drive) {
  const std::string state = drive.save();
  std::map<std::size_t, std::string> begins;
  for (const std::string name :
       {"activity",   "bins",         "blocks",     "deduplication", "defects",      "demand map",   "dram",
        "drive",      "endurance",    "extents",    "fingerprints",  "flash engine", "flash health", "flash work",
        "frontier",   "ftl",          "held pages", "host memory",   "host queues",  "link",         "log blocks",
        "map search", "media errors", "medium",     "page map",      "page store",   "placement",    "read ahead",
        "refresh",    "relocation",   "trims",      "map_cache",     "valid bits"}) {
    const std::string mark = static_cast<char>(name.size()) + name;
    for (std::size_t at = state.find(mark); at != state.npos; at = state.find(mark, at + 1)) begins[at] = name;
  }
  std::map<std::string, std::uint64_t> bytes;
  for (auto it = begins.begin(); it != begins.end(); ++it) {
    const auto next = std::next(it);
    bytes[it->second] += (next == begins.end() ? state.size() : next->first) - it->first;
  }
  return bytes;
}

}  // namespace

TEST_CASE("each table is as large as what is saved of it, but for the ends of sections") {
  const std::pair<const char*, std::vector<const char*>> parts[] = {{"flash pages", {"medium"}},
                                                                    {"superblocks", {"blocks", "bins", "valid bits"}},
                                                                    {"blocks", {"flash health", "defects", "endurance"}},
                                                                    {"bit errors", {"media errors"}},
                                                                    {"contents", {"deduplication", "fingerprints"}},
                                                                    {"map cache", {"map_cache"}}};
  std::set<std::string> seen;
  for (const auto& [name, unused] : designs()) {
    for (const bool longer : {true, false}) {
      CAPTURE(name, longer);
      const DriveConfig config = enlarged(name, longer);
      Drive drive(config, Clock::untimed);
      std::map<std::string, std::uint64_t> said, saved = section_bytes(drive);
      for (const TableSize& table : table_sizes(config, true)) said[table.table] = table.bytes;
      said["flash pages"] += said["versions"];
      said["map"] += said["pages of the host"] - 8 * config.ftl.buffer.pages;  // by page, some of it with other parts
      for (const auto& [table, sections] : parts) {
        if (said[table] == 0 || (std::string(table) == "blocks" && config.nand.variation.any())) continue;
        CAPTURE(table);
        std::uint64_t bytes = 0;
        for (const char* const section : sections) bytes += saved[section];
        CAPTURE(said[table], bytes);
        CHECK((said[table] <= bytes && bytes <= said[table] + 450));
        seen.insert(table);
      }
      const std::uint64_t by_page = saved["page map"] + saved["extents"] + saved["placement"] + saved["trims"];
      CHECK((said["map"] <= by_page + 100 && by_page <= said["map"] + 2'000));
    }
  }
  CHECK(seen.size() == std::size(parts));
}

TEST_CASE("a table that takes nothing is not named") {
  for (const auto& [name, unused] : designs()) {
    CAPTURE(name);
    for (const TableSize& table : table_sizes(read_drive(document(name)), false)) CHECK(table.bytes > 0);
  }
}

TEST_CASE("blocks that differ take two bytes for each kind of time, and worn ones four by superblock") {
  DriveConfig config = read_drive(document("page"));  // 48 superblocks of 8 blocks, pairs of which are programmed together
  const std::uint64_t alike = table_bytes(config);
  const auto more = [&](BlockVariation variation, WearTimes wear) {
    config.nand.variation = variation;
    config.nand.wear = wear;
    return table_bytes(config) - alike;
  };
  CHECK(more({10, 0, 0}, {}) == 48 * 8 * 2);  // read plane by plane
  CHECK(more({0, 10, 0}, {}) == 48 * 4 * 2);
  CHECK(more({0, 0, 10}, {}) == 48 * 4 * 2);
  CHECK(more({1, 0, 0}, {}) == 48 * 8 * 2);  // however little
  CHECK(more({0, 1, 0}, {}) == 48 * 4 * 2);
  CHECK(more({0, 0, 1}, {}) == 48 * 4 * 2);
  CHECK(more({10, 10, 10}, {}) == 48 * 8 * 2 + 48 * 4 * 4);
  CHECK(more({}, {10, 0, 5}) == 48 * 4);
  CHECK(more({}, {0, 10, 5}) == 48 * 4);
  CHECK(more({10, 0, 10}, {10, 10, 5}) == 48 * 8 * 2 + 48 * 4 * 2 + 48 * 4);
}

// With few units beside those that the RAM holds, units are found by their numbers, not by a hash.
TEST_CASE(
    "a map cache has four bytes for each of the units there are, or eight for each place of its index if that is less") {
  Node document = ftlab::document("demand pages");  // 28 translation pages of 1 KiB
  const auto map_cache = [&document](std::uint64_t ram_pages) {
    set_by_path(document, "ftl.mapping.ram_bytes=" + std::to_string(ram_pages * 1024));
    for (const TableSize& table : table_sizes(read_drive(document), true))
      if (std::string(table.table) == "map cache") return table.bytes;
    return std::uint64_t{0};
  };
  CHECK(map_cache(28) == 0);  // all of it is in RAM
  CHECK(map_cache(27) == 24 * 27 + 4 * 28 + 5 * 28);
  CHECK(map_cache(1) == 24 * 1 + 4 * 28 + 5 * 28);
}

TEST_CASE("versions take four bytes a page where they are kept, and where decisions need them") {
  const auto versions = [](const char* design, bool kept) {
    const DriveConfig config = read_drive(document(design));
    for (const TableSize& table : table_sizes(config, kept))
      if (std::string(table.table) == "versions") return table.bytes;
    return std::uint64_t{0};
  };
  CHECK(versions("page", true) == 48 * 64 * 4);
  CHECK(versions("page", false) == 0);
  CHECK(versions("frequency", false) == 48 * 64 * 4);
  CHECK(versions("sharing", false) == 48 * 64 * 4);
  CHECK((versions("held", true) > 0 && versions("held", false) == versions("held", true)));  // its placement asks for them
}

TEST_CASE("a steady state takes the memory that it is said to, while it is filled, too") {
  WaQuestion uniform;
  uniform.blocks = 2'048;
  uniform.pages_per_block = 4'096;
  WaQuestion many = uniform;  // more than two bytes can number
  many.blocks = 131'072;
  many.pages_per_block = 64;
  WaQuestion zipf = uniform, apart = uniform, packed = uniform;
  zipf.workload = WaQuestion::Workload::zipf;
  apart.frontiers = WaQuestion::Frontiers::host_gc;
  packed.blocks = 512;
  packed.stored_low = 2;
  packed.stored_high = 3;
  packed.units = 8;
  std::atomic<bool> interrupted = true;  // as soon as it is full
  SteadyRunOptions options;
  options.interrupted = &interrupted;
  int number = 0;
  for (const WaQuestion& question : {uniform, many, zipf, apart, packed}) {
    CAPTURE(number++);
    REQUIRE(steady_run_problem(question).empty());
    malloc_trim(0);  // what the one before has freed
    peak_bytes(true);
    const std::uint64_t before = resident_bytes();
    CHECK_THROWS_AS(steady_run(question, options), Interrupted);
    const auto took = static_cast<double>(peak_bytes(false) - before);
    const double share = took / static_cast<double>(steady_run_bytes(question, options));
    CHECK(share < 1.05);
    CHECK((share > 0.95 || question.units > 1));  // packed, a fill has not used every slot
  }
}

TEST_CASE("a drive that is written from end to end takes the memory that was foretold") {
  DriveConfig config = theory_drive(16384, 256, 15500 * 256);
  const std::uint64_t before = resident_bytes();
  Drive drive(config, Clock::untimed);
  Nanoseconds now{0};
  for (std::uint64_t at = 0; at + (1 << 20) <= config.user_bytes; at += 1 << 20) {
    const Request request{0, Op::write, at, 1 << 20, now};
    Completion done;
    drive.submit({&request, 1});
    drive.wait(kNever, {&done, 1});
    now = done.completed;
  }
  const auto took = static_cast<double>(resident_bytes() - before);
  CHECK(took / static_cast<double>(table_bytes(config)) == Approx(1).margin(0.15));
}

TEST_CASE("a drive that is aged by counting takes the memory that was foretold, and gives back what only the aging took") {
  const DriveConfig config = theory_drive(16384, 256, 15500 * 256);
  malloc_trim(0);
  const std::uint64_t before = resident_bytes();
  peak_bytes(true);
  Drive drive(config, Clock::untimed);
  for (std::uint64_t at = 0; at + (1 << 20) <= config.user_bytes; at += 1 << 20) {
    const Request request{0, Op::write, at, 1 << 20, Nanoseconds{0}};
    Completion done;
    drive.submit({&request, 1});
    drive.wait(kNever, {&done, 1});
  }
  Lifecycle(drive).age_by_counting(2 * config.logical_pages(), 1);
  const auto most = static_cast<double>(peak_bytes(false) - before);
  malloc_trim(0);
  const auto now = static_cast<double>(resident_bytes() - before);
  const auto predicted = static_cast<double>(table_bytes(config) + counted_aging_bytes(config, config.logical_pages()));
  CHECK(most / predicted == Approx(1).margin(0.15));
  CHECK(now / static_cast<double>(table_bytes(config)) == Approx(1).margin(0.15));
}
