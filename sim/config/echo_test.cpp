#include "sim/config/echo.h"

#include <nlohmann/json.hpp>

#include "sim/config/reader.h"
#include "sim/testing/test.h"

namespace ftlab {
namespace {

std::string echoed(std::string_view text) { return to_json(parse_document(text, "d.json")).dump(); }

TEST_CASE("a_document_is_written_back_in_its_order") {
  const char* text = R"({"z":1,"a":[true,null,"t",{}],"m":{"y":-2,"b":18446744073709551615}})";
  CHECK(echoed(text) == text);
}

TEST_CASE("the_64_bit_limits_are_written_back_exactly") {
  CHECK(echoed("[-9223372036854775808,-1,0,9223372036854775808]") == "[-9223372036854775808,-1,0,9223372036854775808]");
}

TEST_CASE("a_fraction_reads_back_as_the_same_double") { CHECK(echoed("[0.1,1e-7,2.50]") == "[0.1,1e-07,2.5]"); }

TEST_CASE("an_echo_parsed_again_echoes_the_same") {
  const std::string once = echoed("{ // comment\n \"a\": {\"b\": [1.5, \"\\u00e9\\n\"]}, \"c\": 1e300}");
  CHECK(echoed(once) == once);
}

TEST_CASE("a_physical_number_set_on_the_command_line_can_be_read_again_from_its_echo") {
  Node document = parse_document("{}", "d.json");
  set_by_path(document, "ram_bytes=65536");
  set_by_path(document, "plain=3");
  Reader reader(document);
  reader.sourced("ram_bytes", 1, 100'000);
  reader.integer("plain", 1, 5);
  const Node again = parse_document(to_json(document).dump(), "e.json");
  Reader second(again);
  const Sourced number = second.sourced("ram_bytes", 1, 100'000);
  CHECK(number.value == 65536);
  CHECK(number.from == Provenance::command_line);
  CHECK(second.integer("plain", 1, 5) == 3);
}

}  // namespace
}  // namespace ftlab
