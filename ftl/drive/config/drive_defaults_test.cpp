#include "ftl/drive/config/drive_defaults.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "ftl/drive/config/drive_config.h"
#include "sim/config/echo.h"
#include "sim/core/error.h"
#include "sim/testing/test.h"

namespace ftlab {
namespace {

constexpr char kLeast[] = R"({
  "name": "least", "user_sectors": 1802240,
  "geometry": {"channels": 8, "chips_per_channel": 1, "dies_per_chip": 1, "planes_per_die": 2, "blocks_per_plane": 256,
               "pages_per_block": 32, "page_bytes": 8192},
  "nand": {"cell": "mlc", "read_ns": 75000, "program_lower_ns": 500000, "program_upper_ns": 2100000, "erase_ns": 3800000,
           "bus": "nv-ddr-200"},
  "link": {"kind": "sata-6"}, "controller": {"read_command_ns": 5000, "write_command_ns": 5000}})";

Node least(const std::vector<std::string>& settings = {}) {
  Node document = parse_document(kLeast, "least.json");
  set_by_paths(document, settings);
  return document;
}

std::string default_of(const Node& document, const std::string& key) {
  for (const DriveDefault& one : missing_defaults(document))
    if (one.key == key) return one.value;
  return {};
}

TEST_CASE("a drive file without any default key is read, and read the same with its defaults written out") {
  const DriveConfig read = read_drive(least());
  CHECK(read.geometry.page_spare_bytes == 448);
  CHECK(read.geometry.codeword_bytes == 1024);
  CHECK(read.nand.bus_command.count() == 500);
  CHECK(read.ftl.gc.start_free == 6);
  CHECK(read.ftl.separate_relocation);
  const Node whole = with_defaults(least());
  CHECK(missing_defaults(whole).empty());
  CHECK(read_drive(whole).ftl.buffer.pages == read.ftl.buffer.pages);
  // The form written to a result can be read back.
  const auto echo = to_json(whole);
  CHECK(echo["nand"]["bus_command_ns"]["from"] == "default");
  CHECK(echo["ftl"]["gc"]["policy"] == "greedy");
  CHECK(missing_defaults(parse_document(echo.dump(), "echo.json")).empty());
  CHECK(read_drive(parse_document(echo.dump(), "echo.json")).ftl.gc.stop_free == read.ftl.gc.stop_free);
}

TEST_CASE("a plain number of a file is echoed as assumed") {
  const Node document = least();
  read_drive(with_defaults(document));
  const Node whole = with_defaults(document);
  read_drive(whole);
  const auto echo = to_json(whole);
  CHECK(echo["nand"]["read_ns"]["from"] == "assumed");
  CHECK(echo["nand"]["read_ns"]["source"] == kBareSource);
}

TEST_CASE("a value in the file replaces the default, and one water mark follows the other") {
  const Node document = least({"ftl.gc.start_free_superblocks=20", "nand.bus_command_ns=7"});
  CHECK(default_of(document, "nand.bus_command_ns").empty());
  CHECK(default_of(document, "ftl.gc.start_free_superblocks").empty());
  CHECK(default_of(document, "ftl.gc.stop_free_superblocks") == "22");
  CHECK(default_of(least({"geometry.page_bytes=4096"}), "geometry.page_spare_bytes") == "224");
  CHECK(read_drive(document).ftl.gc.stop_free == 22);
  CHECK(default_of(least({"ftl.gc.stop_free_superblocks=3"}), "ftl.gc.start_free_superblocks") == "1");
}

TEST_CASE("collection starts two superblocks below its end, at most at 6 free, and always below its end") {
  const auto start = [](const std::string& stop) {
    return default_of(least({"ftl.gc.stop_free_superblocks=" + stop}), "ftl.gc.start_free_superblocks");
  };
  for (const auto& [stop, begin] : {std::pair{"1", "1"},
                                    {"2", "1"},
                                    {"3", "1"},
                                    {"4", "2"},
                                    {"5", "3"},
                                    {"7", "5"},
                                    {"8", "6"},
                                    {"9", "6"},
                                    {"30", "6"}}) {
    CAPTURE(stop);
    CHECK(start(stop) == begin);
  }
  CHECK(default_of(least(), "ftl.gc.start_free_superblocks") == "6");
  CHECK(default_of(least(), "ftl.gc.stop_free_superblocks") == "8");
  CHECK(default_of(least({"ftl.gc.start_free_superblocks=1"}), "ftl.gc.stop_free_superblocks") == "3");
}

TEST_CASE("default spare bytes depend on cell and page size, default command times on the link") {
  const auto spare = [](const std::string& cell, const std::string& page) {
    return default_of(least({"nand.cell=" + cell, "geometry.page_bytes=" + page}), "geometry.page_spare_bytes");
  };
  CHECK((spare("slc", "2048") == "112" && spare("mlc", "16384") == "896"));
  CHECK((spare("tlc", "16384") == "2048" && spare("qlc", "4096") == "512"));
  CHECK(default_of(least({"geometry.page_bytes=2048"}), "geometry.codeword_bytes") == "1024");
  CHECK(default_of(least({"geometry.page_bytes=512"}), "geometry.codeword_bytes") == "512");
  const auto times = [](const std::string& kind) {
    const Node document = least({"link.kind=" + kind});
    return default_of(document, "link.read_command_ns") + " " + default_of(document, "link.write_command_ns");
  };
  CHECK((times("sata-1.5") == "5400 6200" && times("sata-3") == "5400 6200"));
  CHECK((times("sata-6") == "2200 2600" && times("sas-6") == "2200 2600" && times("sas-12") == "2200 2600"));
  const std::pair<const char*, const char*> others[] = {
      {"nand.bus_command_ns", "500"},        {"ftl.frontiers", "host+gc"},
      {"ftl.gc.policy", "greedy"},           {"ftl.gc.pages_per_host_write", "8"},
      {"ftl.mapping.scheme", "page"},        {"ftl.mapping.page_bytes", "4096"},
      {"ftl.write_buffer.bytes", "4194304"}, {"ftl.write_buffer.partial_pages", "64"}};
  for (const auto& [key, value] : others) {
    CAPTURE(key);
    CHECK(default_of(least(), key) == value);
  }
}

TEST_CASE("a missing part of the drive gets no defaults, except for the layer") {
  const Node nothing = parse_document("{}", "a.json");
  for (const DriveDefault& one : missing_defaults(nothing)) {
    CAPTURE(one.key);
    CHECK(one.key.starts_with("ftl."));
  }
}

TEST_CASE("designs with merges, write coalescing or NVMe get no defaults of the other kind") {
  for (const char* const scheme : {"block", "bast", "fast"})
    CHECK(default_of(least({std::string("ftl.mapping.scheme=") + scheme}), "ftl.gc.policy").empty());
  CHECK(default_of(least({"ftl.mapping.scheme=extent"}), "ftl.gc.policy") == "greedy");
  CHECK(default_of(least({"ftl.write_buffer.coalesce=true"}), "ftl.write_buffer.partial_pages").empty());
  CHECK(default_of(least({"ftl.write_buffer.coalesce=false"}), "ftl.write_buffer.partial_pages") == "64");
  CHECK(default_of(least({"link.kind=nvme"}), "link.read_command_ns").empty());
}

TEST_CASE("a value that should be an object is left to its reader") {
  CHECK_THROWS_AS(read_drive(least({"ftl=3"})), ConfigError);
  CHECK_THROWS_AS(read_drive(parse_document("[]", "a.json")), ConfigError);
}

}  // namespace
}  // namespace ftlab
