#include "ftl/drive/drive_defaults.h"

#include <nlohmann/json.hpp>

#include "ftl/drive/drive_config.h"
#include "sim/config/echo.h"
#include "sim/config/error.h"
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

TEST_CASE("a drive of what differs between drives is read, and read the same with its defaults written out") {
  const DriveConfig read = read_drive(least());
  CHECK(read.geometry.page_spare_bytes == 448);
  CHECK(read.geometry.codeword_bytes == 1024);
  CHECK(read.nand.bus_command.count() == 500);
  CHECK(read.ftl.gc.start_free == 6);
  CHECK(read.ftl.separate_relocation);
  const Node whole = with_defaults(least());
  CHECK(missing_defaults(whole).empty());
  CHECK(read_drive(whole).ftl.buffer.pages == read.ftl.buffer.pages);
  // As a result keeps it, and as it is read again.
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

TEST_CASE("a value that stands there is no default, and one water mark follows the other") {
  const Node document = least({"ftl.gc.start_free_superblocks=20", "nand.bus_command_ns=7"});
  CHECK(default_of(document, "nand.bus_command_ns").empty());
  CHECK(default_of(document, "ftl.gc.start_free_superblocks").empty());
  CHECK(default_of(document, "ftl.gc.stop_free_superblocks") == "22");
  CHECK(default_of(least({"geometry.page_bytes=4096"}), "geometry.page_spare_bytes") == "224");
  CHECK(read_drive(document).ftl.gc.stop_free == 22);
  CHECK(default_of(least({"ftl.gc.stop_free_superblocks=3"}), "ftl.gc.start_free_superblocks") == "1");
}

TEST_CASE("designs that collect by merges, keep pages together or speak NVMe have no default of the other kind") {
  CHECK(default_of(least({"ftl.mapping.scheme=fast"}), "ftl.gc.policy").empty());
  CHECK(default_of(least({"ftl.write_buffer.coalesce=true"}), "ftl.write_buffer.partial_pages").empty());
  CHECK(default_of(least({"link.kind=nvme"}), "link.read_command_ns").empty());
}

TEST_CASE("an object that is none is left to its reader") {
  CHECK_THROWS_AS(read_drive(least({"ftl=3"})), ConfigError);
  CHECK_THROWS_AS(read_drive(parse_document("[]", "a.json")), ConfigError);
}

}  // namespace
}  // namespace ftlab
