#include "validation/calibrate/fit_key.h"

#include "ftl/drive/config/drive_config.h"
#include "sim/config/refusal.h"
#include "sim/testing/test.h"
#include "validation/calibrate/drive_state.h"

using namespace ftlab;

namespace {

constexpr char kDrive[] = R"({
  "name": "n",
  "user_sectors": 1000,
  "nand": {"cell": "mlc", "cache_read": true,
    "read_ns": {"value": 50000, "from": "datasheet", "source": "s"},
    "bus_command_ns": {"value": 0, "from": "assumed", "source": "s"},
    "erase_ns": {"value": 3000, "from": "fitted", "source": "s"}},
  "host": {"submit_ns": {"value": 7000, "from": "assumed", "source": "s"}, "cores": 4},
  "ftl": {"gc": {"d": 3}}
})";
const Node& drive() {
  static const Node node = parse_document(kDrive, "d.json");
  return node;
}
std::string refused(const std::string& text) {
  return refusal([&] { parse_fit_key(text, drive()); });
}
constexpr char kFittable[] =
    "numbers of nand, link, controller, dram, host, state; of a disk all but geometry and user_sectors";

}  // namespace

TEST_CASE("provenance determines a key's prior and its usual bounds") {
  const FitKey datasheet = parse_fit_key("nand.read_ns", drive());
  CHECK(datasheet.low == 25000);
  CHECK(datasheet.high == 100000);
  CHECK(datasheet.deviation == 0.10);
  const FitKey assumed = parse_fit_key("host.submit_ns", drive());
  CHECK(assumed.low == 700);
  CHECK(assumed.high == 70000);
  CHECK(assumed.deviation == 0.70);
  const FitKey fitted = parse_fit_key("nand.erase_ns", drive());
  CHECK(fitted.low == 1000);
  CHECK(fitted.high == 9000);
  CHECK(parse_fit_key("host.cores", drive()).sourced == false);
}

TEST_CASE("explicit bounds apply, and a key that may be 0 is fitted linearly") {
  const FitKey key = parse_fit_key("nand.bus_command_ns:0:4000", drive());
  CHECK_FALSE(key.logarithmic);
  CHECK(key.deviation == 2000);
  CHECK(key.rounded_at(key.position(1234)) == 1234);
  CHECK(key.rounded_at(100) == 4000);
  CHECK(parse_fit_key("nand.read_ns:20000:90000", drive()).high == 90000);
}

TEST_CASE("shares of the state count millionths, and their bounds are shares") {
  const Node with = with_state(drive(), {800'000, 0});
  const FitKey unwritten = parse_fit_key("state.unwritten", with);
  CHECK(unwritten.value == 800'000);
  CHECK(unwritten.high == 1'000'000);
  CHECK_FALSE(unwritten.logarithmic);
  CHECK(unwritten.shown(812'345) == "0.8123");
  const FitKey bounded = parse_fit_key("state.unwritten:0.5:0.9", with);
  CHECK(bounded.low == 500'000);
  CHECK(bounded.deviation == 200'000);
  CHECK_FALSE(bounded.logarithmic);
  CHECK(refusal([&] { parse_fit_key("state.random:0:2", with); }) ==
        "--fit: state.random: is out of range (got 2; allowed: 0% to 100%, as 7% or 0.07)");
  CHECK(refusal([&] { parse_fit_key("state.unwritten:0:0.5", with); }) ==
        "--fit: state.unwritten: is outside of its bounds in the drive file (got 0.8000; allowed: 0.0000 to 0.5000)");
}

TEST_CASE("position and value are inverse, and a step moves the key by at least two units") {
  for (const char* const text : {"nand.read_ns", "host.cores:1:64", "nand.bus_command_ns:0:10"}) {
    const FitKey key = parse_fit_key(text, drive());
    CHECK(key.value_at(key.position(static_cast<double>(key.high))) == Approx(static_cast<double>(key.high)));
    CHECK(std::abs(key.value_at(key.step()) - static_cast<double>(key.value)) >= 1.9);
  }
}

TEST_CASE("drive_at sets only the key's value, marked as from the command line") {
  const std::vector<FitKey> keys = parse_fit_keys({"nand.read_ns", "host.cores:1:64"}, {drive()});
  const Node moved = drive_at(drive(), keys, {keys[0].position(61000), keys[1].position(8)});
  CHECK(moved.find("nand")->find("read_ns")->find("value")->magnitude == 61000);
  CHECK(moved.find("nand")->find("read_ns")->find("from")->text == "command_line");
  CHECK(moved.find("host")->find("cores")->magnitude == 8);
  CHECK(moved.find("nand")->find("erase_ns")->find("value")->magnitude == 3000);
}

TEST_CASE("every misuse of a key is refused with the reason") {
  CHECK(refused("nand.reed_ns") == std::string("--fit: nand.reed_ns: is not a key of the drive (allowed: ") + kFittable +
                                       "; did you mean nand.read_ns?)");
  CHECK(refused("nand.cell") == std::string("--fit: nand.cell: is not a number (got \"mlc\"; allowed: ") + kFittable + ")");
  CHECK(refused("nand.cache_read") ==
        std::string("--fit: nand.cache_read: is not a number (got true; allowed: ") + kFittable + ")");
  CHECK(refused("ftl.gc.d") ==
        std::string("--fit: ftl.gc.d: changes where data lie, not only how long things take (allowed: ") + kFittable + ")");
  CHECK(refused("nand.read_ns:9000:8000") ==
        "--fit: nand.read_ns: has bounds that leave no room (got 9000:8000; allowed: LOW below HIGH)");
  CHECK(refused("nand.read_ns:10:20") ==
        "--fit: nand.read_ns: is outside of its bounds in the drive file (got 50000; allowed: 10 to 20)");
  CHECK(refused("nand.read_ns:10k:90k") ==
        "--fit: nand.read_ns: has a bound that is not a number (got 10k; allowed: KEY or KEY:LOW:HIGH, whole numbers)");
  CHECK(refused("nand.read_ns:10") ==
        "--fit: nand.read_ns: lacks its upper bound (got 10; allowed: KEY or KEY:LOW:HIGH, whole numbers)");
  CHECK(refused("nand.bus_command_ns") ==
        "--fit: nand.bus_command_ns: is 0, which has no usual bounds (allowed: KEY:LOW:HIGH)");
  CHECK(refusal([] {
          parse_fit_keys({"nand.read_ns", "nand.read_ns:1:90000"}, {drive()});
        }) == "--fit: nand.read_ns: is named twice");
}

TEST_CASE("one key stands for the times of all page types") {
  const Node tlc = parse_document(R"({"name": "n", "user_sectors": 1000, "nand": {"cell": "tlc",
      "read_lower_ns": {"value": 60000, "from": "assumed", "source": "s"},
      "read_middle_ns": {"value": 70000, "from": "assumed", "source": "s"},
      "read_upper_ns": {"value": 80000, "from": "assumed", "source": "s"}}})",
                                  "d.json");
  const FitKey key = parse_fit_key("nand.read_ns", tlc);
  REQUIRE(key.parts.size() == 3);
  CHECK(key.value == 70000);
  Node moved = tlc;
  set_key(moved, key, 35000);
  CHECK(node_at(moved, "nand.read_lower_ns")->find("value")->magnitude == 30000);
  CHECK(node_at(moved, "nand.read_upper_ns")->find("value")->magnitude == 40000);
  CHECK(refusal([&] {
          parse_fit_keys({"nand.read_ns", "nand.read_upper_ns"}, {tlc});
        }) == "--fit: nand.read_upper_ns: is named twice (got nand.read_ns)");
}
