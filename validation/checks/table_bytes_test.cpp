// Compares the predicted memory of a drive with the actual one: for every design the saved columns, and for a drive written
// end to end the memory of the process.
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

// Scales a drive by 64 so that fixed sizes do not matter: with blocks of 64 times the pages, where tables by page dominate,
// or with 64 times the blocks, where tables by superblock and by block also matter.
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

// Peak resident memory since the last call with `forget`; writing 5 makes Linux reset it.
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

TEST_CASE("a drive of any design takes the memory predicted from its configuration") {
  for (const auto& [name, unused] : designs()) {
    INFO(name);
    for (const bool longer : {true, false}) {
      const DriveConfig config = enlarged(name, longer);
      Drive drive(config, Clock::untimed);
      const auto said = static_cast<double>(table_bytes(config)), saved = static_cast<double>(saved_bytes(drive));
      // Block variation is derived from the specimen and not saved.
      CHECK(said / saved == Approx(1).margin(config.nand.variation.any() ? 0.06 : 0.03));
    }
  }
}

namespace {

// Bytes of each section of a saved state; sections of one name are added.
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

TEST_CASE("each table is as large as its saved sections, except for section ends") {
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
      said["map"] += said["pages of the host"] - 8 * config.ftl.buffer.pages;  // by page; the rest is saved in other
                                                                               // sections
      for (const auto& [table, sections] : parts) {
        if (said[table] == 0 || (std::string(table) == "blocks" && config.nand.variation.any())) continue;
        CAPTURE(table);
        std::uint64_t bytes = 0;
        for (const char* const section : sections) bytes += saved[section];
        CAPTURE(said[table], bytes);
        CHECK((said[table] <= bytes && bytes <= said[table] + 600));
        seen.insert(table);
      }
      const std::uint64_t by_page = saved["page map"] + saved["extents"] + saved["placement"] + saved["trims"];
      CHECK((said["map"] <= by_page + 100 && by_page <= said["map"] + 2'000));
    }
  }
  CHECK(seen.size() == std::size(parts));
}

TEST_CASE("a table of size zero is not listed") {
  for (const auto& [name, unused] : designs()) {
    CAPTURE(name);
    for (const TableSize& table : table_sizes(read_drive(document(name)), false)) CHECK(table.bytes > 0);
  }
}

TEST_CASE("block variation takes two bytes per kind of time, and wear four per superblock") {
  DriveConfig config = read_drive(document("page"));  // 48 superblocks of 8 blocks, programmed in pairs
  const std::uint64_t alike = table_bytes(config);
  const auto more = [&](BlockVariation variation, WearTimes wear) {
    config.nand.variation = variation;
    config.nand.wear = wear;
    return table_bytes(config) - alike;
  };
  CHECK(more({10, 0, 0}, {}) == 48 * 8 * 2);  // read plane by plane
  CHECK(more({0, 10, 0}, {}) == 48 * 4 * 2);
  CHECK(more({0, 0, 10}, {}) == 48 * 4 * 2);
  CHECK(more({1, 0, 0}, {}) == 48 * 8 * 2);  // regardless of the amount
  CHECK(more({0, 1, 0}, {}) == 48 * 4 * 2);
  CHECK(more({0, 0, 1}, {}) == 48 * 4 * 2);
  CHECK(more({10, 10, 10}, {}) == 48 * 8 * 2 + 48 * 4 * 4);
  CHECK(more({}, {10, 0, 5}) == 48 * 4);
  CHECK(more({}, {0, 10, 5}) == 48 * 4);
  CHECK(more({10, 0, 10}, {10, 10, 5}) == 48 * 8 * 2 + 48 * 4 * 2 + 48 * 4);
}

// If few units are not in RAM, units are found by number instead of by hash.
TEST_CASE("the index of a map cache takes four bytes per unit, or eight per slot if that is less") {
  Node document = ftlab::document("demand pages");  // 28 translation pages of 1 KiB
  const auto map_cache = [&document](std::uint64_t ram_pages) {
    set_by_path(document, "ftl.mapping.ram_bytes=" + std::to_string(ram_pages * 1024));
    for (const TableSize& table : table_sizes(read_drive(document), true))
      if (std::string(table.table) == "map cache") return table.bytes;
    return std::uint64_t{0};
  };
  CHECK(map_cache(28) == 0);  // the whole map is in RAM
  CHECK(map_cache(27) == 24 * 27 + 4 * 28 + 5 * 28);
  CHECK(map_cache(1) == 24 * 1 + 4 * 28 + 5 * 28);
}

TEST_CASE("versions take four bytes per page if kept or needed for decisions") {
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
  CHECK((versions("held", true) > 0 && versions("held", false) == versions("held", true)));  // its placement uses versions
}

TEST_CASE("a steady-state run takes the predicted memory, even while filling") {
  WaQuestion uniform;
  uniform.blocks = 2'048;
  uniform.pages_per_block = 4'096;
  WaQuestion many = uniform;  // more than 16 bits can number
  many.blocks = 131'072;
  many.pages_per_block = 64;
  WaQuestion zipf = uniform, apart = uniform, packed = uniform;
  zipf.workload = WaQuestion::Workload::zipf;
  apart.frontiers = WaQuestion::Frontiers::host_gc;
  packed.blocks = 512;
  packed.stored_low = 2;
  packed.stored_high = 3;
  packed.units = 8;
  std::atomic<bool> interrupted = true;  // stops as soon as the drive is full
  SteadyRunOptions options;
  options.interrupted = &interrupted;
  int number = 0;
  for (const WaQuestion& question : {uniform, many, zipf, apart, packed}) {
    CAPTURE(number++);
    REQUIRE(steady_run_problem(question).empty());
    malloc_trim(0);  // returns memory freed by the previous run
    peak_bytes(true);
    const std::uint64_t before = resident_bytes();
    CHECK_THROWS_AS(steady_run(question, options), Interrupted);
    const auto took = static_cast<double>(peak_bytes(false) - before);
    const double share = took / static_cast<double>(steady_run_bytes(question, options));
    CHECK(share < 1.05);
    CHECK((share > 0.95 || question.units > 1));  // with packing, a fill does not use every slot
  }
}

namespace {

void check_resident_growth(const DriveConfig& config) {
  malloc_trim(0);
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

}  // namespace

TEST_CASE("drives written end to end take the predicted memory: a page map, an indirection unit of 16 KiB, a demand map") {
  check_resident_growth(theory_drive(16384, 256, 15500 * 256));
  DriveConfig coarse = theory_drive(16384, 256, 15500 * 256);
  coarse.geometry.page_bytes = 16384;
  coarse.ftl.mapping_bytes = 16384;
  coarse.user_bytes *= 4;
  check_resident_growth(coarse);
  Node demand = document("demand pages");
  set_by_path(demand, "geometry.pages_per_block=4096");
  set_by_path(demand, "user_sectors=" + std::to_string(917'504 * 8));
  check_resident_growth(read_drive(demand));
}

TEST_CASE("a drive aged by counting takes the predicted memory and returns what only aging needed") {
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
  const std::uint64_t pages = config.logical_pages();
  const auto predicted = static_cast<double>(table_bytes(config) + counted_aging_bytes(config, pages, 2 * pages));
  CHECK(most / predicted == Approx(1).margin(0.15));
  CHECK(now / static_cast<double>(table_bytes(config)) == Approx(1).margin(0.15));
}
