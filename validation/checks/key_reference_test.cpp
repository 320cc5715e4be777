// docs/drive_file_keys.md lists every key of a drive file with its allowed values, docs/hosts.md those of a host, as named
// by --set. The rows must match what the readers allow, and what their lines say that a key means (sim/config/keys.h). Only
// a few keys without such a line, texts and sources, have their meaning in the document alone.
//   ftlab-tests "print the reference of keys"      prints the rows
#include <cstdint>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "sim/config/keys.h"
#include "sim/testing/test.h"
#include "validation/checks/reference/design_documents.h"
#include "validation/checks/reference/drive_keys.h"

using namespace ftlab;

namespace {

bool is_of_host(const std::string& key) { return key.starts_with("host."); }

std::map<std::string, std::string> document_rows() {
  std::map<std::string, std::string> rows;
  for (const char* const document : {"drive_file_keys.md", "hosts.md"}) {
    std::ifstream file(std::string(FTLAB_SOURCE_DIR "/docs/") + document);
    for (std::string line; std::getline(file, line);) {
      if (line.rfind("| `", 0) != 0) continue;
      const std::string key = line.substr(3, line.find('`', 3) - 3);
      if (is_of_host(key) == (std::string(document) == "hosts.md")) rows[key] = line;
    }
  }
  return rows;
}

// As stated where the keys are read; checks that every key sets a member of its own.
std::map<std::string, std::string> meanings() {
  std::map<std::string, std::string> all;
  for (const auto& [design, text] : designs()) {
    KeyLog keys;
    read_drive(document(design), &keys);
    all.insert(keys.meanings().begin(), keys.meanings().end());
  }
  all["user_sectors.value"] = all["user_sectors"];
  return all;
}

// A star: required wherever its object is present; a plus: required by some designs. The meaning is that of its line, or
// else of the row `old`.
std::string row_of(const std::string& key, const DriveKeys::About& about, const std::string& old) {
  static const std::map<std::string, std::string> stated = meanings();
  const char* const needed = !about.seen || about.may_be_left ? "" : about.missed ? " +" : " *";
  std::string allowed;
  for (const std::string& one : about.allowed) allowed += (allowed.empty() ? "" : "; ") + one;
  const auto meaning = stated.find(key);
  const std::size_t cell = old.empty() ? std::string::npos : old.rfind(" | ", old.size() - 3);
  return "| `" + key + "`" + needed + " | " + allowed + " | " +
         (meaning != stated.end()     ? meaning->second + " |"
          : cell == std::string::npos ? "|"
                                      : old.substr(cell + 3));
}

}  // namespace

TEST_CASE("the reference of drive file keys matches the reader") {
  const std::map<std::string, std::string> rows = document_rows();
  const DriveKeys keys = drive_keys();
  for (const auto& [key, about] : keys.about) {
    INFO("key " << key << "; write the row anew: ftlab-tests \"print the reference of keys\"");
    const auto row = rows.find(key);
    REQUIRE(row != rows.end());
    CHECK(row->second == row_of(key, about, row->second));
    CHECK(!row->second.ends_with("|  |"));  // it has a meaning
  }
  for (const auto& [key, row] : rows) {
    INFO("key " << key << " of the document is none of a drive file or a host");
    CHECK(keys.about.count(key) == 1);
  }
}

TEST_CASE("print the reference of keys", "[.][by-hand]") {
  std::map<std::string, std::string> rows = document_rows();
  for (const auto& [key, about] : drive_keys().about) std::cout << row_of(key, about, rows[key]) << "\n";
}

// Words of drive files, and numbers that are not a config's member as they stand, mean what they say. A key whose line names
// its member (sim/config/keys.h) needs no row here.

namespace {

using Drive = const DriveConfig&;

struct Row {
  const char* design;
  std::string assignment;
  std::uint64_t expected;
  std::uint64_t (*place)(Drive drive);
};

#define PLACE(expression) [](Drive drive) { return static_cast<std::uint64_t>(expression); }
#define TIME(expression) PLACE((expression).count())

std::vector<Row> rows() {
  using Mode = TrimConfig::Mode;
  using Eviction = MapCacheConfig::Eviction;
  return {
      {"page", "nand.program_lower_ns=52", 52, TIME(drive.nand.program.at(0))},
      {"page", "nand.program_upper_ns=53", 53, TIME(drive.nand.program.at(1))},
      {"page", "nand.page_order=all-bit-line", 1, PLACE(drive.nand.page_order == PageOrder::all_bit_line)},
      {"page", "nand.page_order=even-odd", 1, PLACE(drive.nand.page_order == PageOrder::even_odd)},
      {"page", "nand.plane_reads=independent", 1, PLACE(drive.nand.independent_plane_reads)},
      {"tlc", "nand.program_middle_ns=58", 58, TIME(drive.nand.program.at(1))},
      {"tlc", "nand.read_middle_ns=59", 59, TIME(drive.nand.read_by_kind.at(1))},
      {"tlc", "nand.read_upper_ns=61", 61, TIME(drive.nand.read)},  // the fastest
      {"qlc", "nand.program_extra_ns=61", 61, TIME(drive.nand.program.at(2))},
      {"qlc", "nand.program_top_ns=62", 62, TIME(drive.nand.program.at(3))},
      {"qlc", "nand.read_top_ns=63", 63, TIME(drive.nand.read_by_kind.at(3))},
      {"cells", R"(cells.page_kinds=[{"errors_permille": 83}, {"errors_permille": 84}])", 83 * 1000 + 84,
       PLACE(drive.cells.kinds_permille.at(0) * 1000 + drive.cells.kinds_permille.at(1))},
      {"cells", R"(cells.retry=[{"errors_permille": 85, "correctable_bits": 30, "array_reads": 3, "overhead_ns": 86}])",
       85'030'003'086,
       PLACE(drive.cells.retry.at(0).errors_permille * 1'000'000'000ull +
             drive.cells.retry.at(0).correctable_bits * 1'000'000 + drive.cells.retry.at(0).array_reads * 1'000 +
             drive.cells.retry.at(0).overhead.count())},
      {"cells", R"(cells.retry=[{"errors_permille": 85, "array_reads": 1}])", 20,
       PLACE(drive.cells.retry.at(0).correctable_bits)},  // as in the step before it
      {"page", "ftl.frontiers=one", 0, PLACE(drive.ftl.separate_relocation)},
      {"page", "ftl.gc.policy=fifo", gc_policy_index("fifo"), PLACE(drive.ftl.gc.policy)},
      {"page", "ftl.gc.ties=lifo", 1, PLACE(drive.ftl.gc.ties == Bins::Keeping::lifo)},
      {"page", "ftl.gc.ties=fifo", 1, PLACE(drive.ftl.gc.ties == Bins::Keeping::fifo)},
      {"page", "ftl.gc.ties=random", 1, PLACE(drive.ftl.gc.ties == Bins::Keeping::sorted)},
      {"page", "ftl.gc.order=random", 1, PLACE(drive.ftl.gc.shuffle)},
      {"page", "ftl.gc.pace=even", 1, PLACE(drive.ftl.gc.even_pace)},
      {"streams", "ftl.gc.d=9", 9, PLACE(drive.ftl.gc.values.at(0))},
      {"frequency", "ftl.gc.window_superblocks=10", 10, PLACE(drive.ftl.gc.values.at(0))},
      {"page", "ftl.wear.free_list=least-worn", 1, PLACE(drive.ftl.wear.least_worn_first)},
      {"page", "ftl.trim.mode=off", 1, PLACE(drive.ftl.trim.mode == Mode::off)},
      {"page", "ftl.trim.mode=immediate", 1, PLACE(drive.ftl.trim.mode == Mode::immediate)},
      {"streams", "ftl.trim.read_before=old-data", 1, PLACE(drive.ftl.trim.reads_old_data)},
      {"page", "ftl.write_buffer.bytes=131072", 32, PLACE(drive.ftl.buffer.pages)},
      {"page", R"(ftl.placement={"scheme": "streams", "streams": 2, "isolation": "initial"})", 1,
       PLACE(drive.ftl.placement.isolation)},
      {"streams", R"(ftl.placement={"scheme": "streams", "streams": 1, "reclaim_unit_superblocks": 3})", 3,
       PLACE(drive.ftl.placement.reclaim_unit)},
      {"slc", "ftl.slc_cache.when_full=fold", 0, PLACE(drive.ftl.slc.direct_when_full)},
      {"slc", "ftl.slc_cache.when_full=direct", 1, PLACE(drive.ftl.slc.direct_when_full)},
      {"slc", "ftl.slc_cache.superblocks=6", 2, PLACE(drive.ftl.slc.cells_per_bit)},
      {"tlc", "ftl.slc_cache.superblocks=6", 3, PLACE(drive.ftl.slc.cells_per_bit)},
      {"half full", "ftl.pslc_mode.fold=at-once", 0, PLACE(drive.ftl.pslc_mode.folds_late)},
      {"host memory", "ftl.mapping.eviction=lru", 1, PLACE(drive.ftl.mapping.cache.eviction == Eviction::lru)},
      {"demand entries", "ftl.mapping.eviction=fifo", 1, PLACE(drive.ftl.mapping.cache.eviction == Eviction::fifo)},
      {"demand entries", "ftl.mapping.eviction=segmented-lru", 1,
       PLACE(drive.ftl.mapping.cache.eviction == Eviction::segmented_lru)},
      {"host memory", "ftl.mapping.ram_bytes=5120", 1, PLACE(drive.ftl.mapping.cache.whole_pages)},
      {"extent", "ftl.mapping.ram_bytes=4800", 600, PLACE(drive.ftl.mapping.extents.entries)},
      {"extent", "ftl.mapping.entry_bytes=16", 250, PLACE(drive.ftl.mapping.extents.entries)},
      {"demand pages", "ftl.mapping.ram_bytes=9216", 9216, PLACE(drive.ftl.mapping.cache.budget_bytes)},
      {"extent", "ftl.mapping.start_permille=701", 701, PLACE(drive.ftl.mapping.extents.stop_permille)},
      {"sharing", "ftl.deduplication.entry_bytes=20", 100, PLACE(drive.ftl.deduplication.entries())},
      {"sharing", "ftl.deduplication.ram_bytes=4000", 100, PLACE(drive.ftl.deduplication.entries())},
      {"cells", "ftl.refresh.scan_every_s=31", 31'000'000'000, TIME(drive.ftl.refresh.scan_every)},
  };
}

}  // namespace

TEST_CASE("words and derived numbers of a drive file set their values") {
  for (const Row& row : rows()) {
    CAPTURE(row.design, row.assignment);
    Node design = document(row.design);
    set_by_path(design, row.assignment);
    try {
      CHECK(row.place(read_drive(design)) == row.expected);
    } catch (const ConfigError& error) {
      FAIL_CHECK(error.what());
    }
  }
}
