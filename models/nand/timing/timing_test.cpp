#include "models/nand/timing/timing.h"

#include <string>

#include "sim/testing/test.h"

using namespace ftlab;

namespace {

std::string kinds_of(PageOrder order, std::uint32_t kinds, std::uint32_t pages) {
  std::string text;
  for (std::uint32_t p = 0; p < pages; ++p) text += static_cast<char>('0' + page_kind(order, kinds, p, pages));
  return text;
}

NandTiming timing_of(const std::string& more) {
  const Node node = parse_document("{\"erase_ns\": 3000000, \"bus_command_ns\": 300, " + more + "}", kCommandLineFile);
  return read_nand_timing(Reader(node));
}

std::string refusal_of(const std::string& more) {
  try {
    timing_of(more);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("kinds of pages follow the page order") {
  CHECK(kinds_of(PageOrder::interleaved, 1, 8) == "00000000");
  CHECK(kinds_of(PageOrder::interleaved, 2, 8) == "01010101");
  CHECK(kinds_of(PageOrder::interleaved, 3, 9) == "012012012");
  CHECK(kinds_of(PageOrder::interleaved, 4, 8) == "01230123");
  CHECK(kinds_of(PageOrder::all_bit_line, 2, 8) == "00101011");
  CHECK(kinds_of(PageOrder::even_odd, 2, 16) == "0000110011001111");
}

TEST_CASE("in both MLC page orders half of the pages are lower pages, and each upper page follows its lower page") {
  for (const PageOrder order : {PageOrder::all_bit_line, PageOrder::even_odd}) {
    const std::string kinds = kinds_of(order, 2, 128);
    std::uint32_t lower = 0, upper = 0;
    for (const char kind : kinds) {
      (kind == '0' ? lower : upper) += 1;
      REQUIRE(upper <= lower);
    }
    CHECK(lower == 64);
  }
  // even_odd, after Micheloni et al.: page 0 is paired with 4, 2 with 8.
  const std::string kinds = kinds_of(PageOrder::even_odd, 2, 128);
  CHECK(kinds[0] != kinds[4]);
  CHECK(kinds[2] != kinds[8]);
  CHECK(kinds[122] != kinds[126]);
}

TEST_CASE("each type of cell has its own program times and optionally its own read times") {
  const NandTiming tlc = timing_of(R"("cell": "tlc", "read_lower_ns": 40, "read_middle_ns": 30, "read_upper_ns": 60,
      "program_lower_ns": 500, "program_middle_ns": 1000, "program_upper_ns": 2000, "bus_bytes_per_s": 100000000)");
  CHECK(tlc.program == std::vector<Nanoseconds>{Nanoseconds{500}, Nanoseconds{1000}, Nanoseconds{2000}});
  CHECK(tlc.read_by_kind == std::vector<Nanoseconds>{Nanoseconds{40}, Nanoseconds{30}, Nanoseconds{60}});
  CHECK(tlc.read == Nanoseconds{30});
  const NandTiming qlc = timing_of(R"("cell": "qlc", "read_ns": 90, "program_lower_ns": 1, "program_upper_ns": 2,
      "program_extra_ns": 3, "program_top_ns": 4, "bus": "toggle2-400")");
  CHECK(qlc.program.size() == 4);
  CHECK(qlc.read_by_kind.empty());
  CHECK(qlc.bus_bytes_per_s == 400'000'000);
}

TEST_CASE("bus rates follow from the cycle times") {
  const std::string slc = R"("cell": "slc", "read_ns": 25000, "program_ns": 200000, "bus": )";
  CHECK(timing_of(slc + "\"sdr-50\"").bus_bytes_per_s == 50'000'000);       // 20 ns per byte
  CHECK(timing_of(slc + "\"nv-ddr-166\"").bus_bytes_per_s == 166'666'667);  // 12 ns per two bytes
  CHECK(timing_of(slc + "\"nv-ddr2-533\"").bus_bytes_per_s == 533'333'333);
  CHECK(timing_of(slc + "\"nv-lpddr4-2400\"").bus_bytes_per_s == 2'400'000'000);
  CHECK(timing_of(slc + "\"toggle1-133\"").bus_bytes_per_s == 133'000'000);
}

TEST_CASE("settings that contradict each other are refused") {
  const std::string slc = R"("cell": "slc", "read_ns": 25000, "program_ns": 200000, "bus": "sdr-50")";
  CHECK(timing_of(slc).bus_bytes_per_s == 50'000'000);
  CHECK(refusal_of(slc + R"(, "bus_bytes_per_s": 50000000)").find("one of the two") != std::string::npos);
  CHECK(refusal_of(slc + R"(, "page_order": "even-odd")").find("cell mlc") != std::string::npos);
  CHECK(refusal_of(slc + R"(, "wear": {"program_faster_permille_per_1000_erases": 100, "until_erases": 5001})")
            .find("comes to 500") == std::string::npos);  // 500.1, rounded down
  CHECK(refusal_of(slc + R"(, "wear": {"program_faster_permille_per_1000_erases": 100, "until_erases": 5010})")
            .find("comes to 501 permille") != std::string::npos);
}
