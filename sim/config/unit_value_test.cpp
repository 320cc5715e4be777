#include "sim/config/unit_value.h"

#include "sim/config/document.h"
#include "sim/core/error.h"
#include "sim/testing/test.h"

using namespace ftlab;

namespace {

std::optional<std::uint64_t> value_of(std::string_view key, std::string_view value) {
  return value_with_unit({kCommandLineFile, 0}, key, value);
}

}  // namespace

TEST_CASE("a number with a unit becomes a whole number of the key's unit") {
  CHECK(value_of("nand.read_ns", "75us") == 75'000);
  CHECK(value_of("nand.read_ns", "1.5us") == 1'500);
  CHECK(value_of("nand.erase_ns", "3ms") == 3'000'000);
  CHECK(value_of("a.age_s", "2d") == 172'800);
  CHECK(value_of("user_sectors", "1TB") == 1'953'125'000);
  CHECK(value_of("ftl.write_buffer.bytes", "40MB") == 40'000'000);
  CHECK(value_of("dram.bytes_per_s", "1GB/s") == 1'000'000'000);
  CHECK(value_of("a.kilobytes", "1GiB") == std::nullopt);  // the key does not end in a unit
  CHECK(value_of("a.ram_bytes", "1GiB") == std::uint64_t{1} << 30);
  CHECK(value_of("link.data_bytes_per_s", "300MB/s") == 300'000'000);
  CHECK(value_of("steps[0].seconds", "5min") == 300);
  CHECK(value_of("steps[0].milliseconds", "5min") == 300'000);
  CHECK(value_of("ftl.pslc_mode.until_mapped_permille", "7.5%") == 75);
}

TEST_CASE("text that is not a number with a unit of the key's kind is left alone") {
  for (const char* const value : {"", "us", "75", "75 us", "75kg", "75MB", "-75us", "1.us", ".5us", "1.2.3us", "0x10ns"})
    CHECK(value_of("nand.read_ns", value) == std::nullopt);
  CHECK(value_of("ftl.gc.policy", "75us") == std::nullopt);
  CHECK(value_of("link.data_bytes_per_s", "300MB") == std::nullopt);
}

TEST_CASE("a fraction of the key's unit is refused with the value") {
  CHECK_THROWS_WITH(
      value_of("nand.read_ns", "0.5ns"),
      "--set: nand.read_ns: is not a whole number of the unit in the key's name that fits 64 bits (got 0.5ns)");
  CHECK_THROWS_AS(value_of("user_sectors", "1kB"), ConfigError);
  CHECK_THROWS_AS(value_of("a.share_permille", "0.05%"), ConfigError);
  CHECK_THROWS_AS(value_of("nand.read_ns", "9999999999999d"), ConfigError);
}

TEST_CASE("--set takes a number with a unit, bare, as a text and within an object") {
  for (const char* const assignment : {"nand.read_ns=75us", "nand.read_ns=\"75us\"", "nand={\"read_ns\": \"75us\"}"}) {
    Node root = parse_document(R"({"nand": {"read_ns": 1}})", "drive.json");
    set_by_path(root, assignment);
    CHECK(root.find("nand")->find("read_ns")->magnitude == 75'000);
  }
}

TEST_CASE("items of a list have the unit of its key, and a sourced number that of its own") {
  Node root = parse_document("{}", "drive.json");
  set_by_path(root, R"(nand={"steps_us": ["1ms", 5], "read_ns": {"value": "75us", "from": "assumed", "source": "75us"}})");
  const Node& nand = *root.find("nand");
  CHECK(nand.find("steps_us")->items[0].magnitude == 1'000);
  CHECK(nand.find("steps_us")->items[1].magnitude == 5);
  CHECK(nand.find("read_ns")->find("value")->magnitude == 75'000);
  CHECK(nand.find("read_ns")->find("source")->text == "75us");
}
