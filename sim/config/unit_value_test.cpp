#include "sim/config/unit_value.h"

#include "sim/config/document.h"
#include "sim/config/error.h"
#include "sim/testing/test.h"

using namespace ftlab;

TEST_CASE("a number with a unit becomes a whole number of the key's unit") {
  CHECK(value_with_unit("nand.read_ns", "75us") == 75'000);
  CHECK(value_with_unit("nand.read_ns", "1.5us") == 1'500);
  CHECK(value_with_unit("nand.erase_ns", "3ms") == 3'000'000);
  CHECK(value_with_unit("a.age_s", "2d") == 172'800);
  CHECK(value_with_unit("user_sectors", "1TB") == 1'953'125'000);
  CHECK(value_with_unit("dram.bytes", "1GiB") == std::nullopt);  // the key does not end in a unit
  CHECK(value_with_unit("a.ram_bytes", "1GiB") == std::uint64_t{1} << 30);
  CHECK(value_with_unit("link.data_bytes_per_s", "300MB/s") == 300'000'000);
}

TEST_CASE("what is no number with a unit of the key's kind is left alone") {
  for (const char* const value : {"", "us", "75", "75 us", "75kg", "75MB", "-75us", "1.us", ".5us", "1.2.3us", "0x10ns"})
    CHECK(value_with_unit("nand.read_ns", value) == std::nullopt);
  CHECK(value_with_unit("ftl.gc.policy", "75us") == std::nullopt);
  CHECK(value_with_unit("link.data_bytes_per_s", "300MB") == std::nullopt);
}

TEST_CASE("a fraction of the key's unit is refused with the value") {
  CHECK_THROWS_WITH(value_with_unit("nand.read_ns", "0.5ns"),
                    "--set: nand.read_ns: is no whole number of the unit in the key's name that fits 64 bits (got 0.5ns)");
  CHECK_THROWS_AS(value_with_unit("user_sectors", "1kB"), ConfigError);
  CHECK_THROWS_AS(value_with_unit("nand.read_ns", "9999999999999d"), ConfigError);
}

TEST_CASE("--set takes a number with a unit") {
  Node root = parse_document(R"({"nand": {"read_ns": 1}})", "drive.json");
  set_by_path(root, "nand.read_ns=75us");
  CHECK(root.find("nand")->find("read_ns")->magnitude == 75'000);
}
