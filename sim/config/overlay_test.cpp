#include <nlohmann/json.hpp>

#include "sim/config/echo.h"
#include "sim/config/refusal.h"
#include "sim/testing/test.h"

namespace ftlab {
namespace {

Node parse(std::string_view text, const char* file = "d.json") { return parse_document(text, file); }

std::string overridden_by(std::string_view under, std::string_view over) {
  Node whole = parse(under);
  overlay(whole, parse(over));
  return to_json(whole).dump();
}

std::string with(std::string_view document, std::string_view assignment) {
  Node root = parse(document);
  set_by_path(root, assignment);
  return to_json(root).dump();
}

std::string refused(std::string_view document, std::string_view assignment) {
  return refusal([&] { with(document, assignment); });
}

TEST_CASE("overlay_merges_objects_key_by_key_and_replaces_everything_else") {
  CHECK(overridden_by(R"({"a":{"b":1,"c":[1,2]},"d":"x"})", R"({"a":{"c":[3],"e":true},"f":null})") ==
        R"({"a":{"b":1,"c":[3],"e":true},"d":"x","f":null})");
  CHECK(overridden_by(R"({"a":{"b":1}})", R"({"a":2})") == R"({"a":2})");
  CHECK(overridden_by(R"({"a":1})", R"({"a":{"b":2}})") == R"({"a":{"b":2}})");
}

TEST_CASE("overlay_never_gives_a_new_value_the_source_of_the_old_one") {
  CHECK(overridden_by(R"({"t":{"value":1,"from":"datasheet","source":"p. 5"}})", R"({"t":{"value":2}})") ==
        R"({"t":{"value":2}})");
}

TEST_CASE("overlay_keeps_the_file_of_each_value") {
  Node whole = parse("{\"a\": 1,\n\"b\": 2}", "base.json");
  overlay(whole, parse("{\n\n\"b\": 3}", "top.json"));
  CHECK(whole.find("a")->file == "base.json");
  CHECK(whole.find("b")->file == "top.json");
  CHECK(whole.find("b")->line == 3);
  CHECK(whole.file == "top.json");
}

TEST_CASE("a_value_set_by_path_is_json_if_it_parses_and_text_otherwise") {
  CHECK(with("{}", "a=5") == R"({"a":5})");
  CHECK(with("{}", "a=-5") == R"({"a":-5})");
  CHECK(with("{}", "a=true") == R"({"a":true})");
  CHECK(with("{}", "a=\"5\"") == R"({"a":"5"})");
  CHECK(with("{}", "a=[1,2]") == R"({"a":[1,2]})");
  CHECK(with("{}", "a={\"b\":1}") == R"({"a":{"b":1}})");
  CHECK(with("{}", "a=fifo") == R"({"a":"fifo"})");
  CHECK(with("{}", "a=4k") == R"({"a":"4k"})");
  CHECK(with("{}", "a=") == R"({"a":""})");
  CHECK(with("{}", "a=b=c") == R"({"a":"b=c"})");
}

TEST_CASE("a_path_creates_missing_objects_and_keeps_their_siblings") {
  CHECK(with(R"({"a":{"x":1}})", "a.b.c=2") == R"({"a":{"x":1,"b":{"c":2}}})");
  CHECK(with(R"({"a":{"x":1}})", "a.x=2") == R"({"a":{"x":2}})");
}

TEST_CASE("an_integer_set_on_a_sourced_number_names_the_command_line_as_its_source") {
  CHECK(with(R"({"t":{"value":1,"from":"datasheet","source":"p. 5"}})", "t=2") ==
        R"({"t":{"value":2,"from":"command_line","source":"--set t=2"}})");
}

TEST_CASE("values_set_by_path_carry_the_command_line_as_their_place") {
  Node root = parse("{}");
  set_by_path(root, "a.b=[5]");
  const Node& list = *root.find("a")->find("b");
  CHECK(list.file == kCommandLineFile);
  CHECK(list.line == 0);
  CHECK(list.items[0].line == 0);
}

TEST_CASE("a_key_that_is_set_twice_is_refused_as_it_is_in_a_file") {
  Node root = parse("{}");
  set_by_paths(root, {"a.b=1", "a.c=2"});
  CHECK(root.find("a")->members.size() == 2);
  std::string message;
  try {
    set_by_paths(root, {"a.b=1", "a.c=2", "a.b=3"});
  } catch (const ConfigError& error) {
    message = error.what();
  }
  CHECK(message == "--set: a.b: is set twice, first as a.b=1 (got a.b=3; allowed: one --set KEY=VALUE for each key)");
}

TEST_CASE("malformed_assignments_are_refused") {
  CHECK(refused("{}", "a") == "--set: lacks the value (got a; allowed: KEY.KEY...=VALUE)");
  CHECK(refused("{}", "=1") == "--set: is not a path of keys (allowed: KEY.KEY...=VALUE)");
  CHECK(refused("{}", "a..b=1") == "--set: a..b: is not a path of keys (allowed: KEY.KEY...=VALUE)");
  CHECK(refused("{}", "a.=1") == "--set: a.: is not a path of keys (allowed: KEY.KEY...=VALUE)");
  CHECK(refused(R"({"a":5})", "a.b=1") == "--set: a.b: leads through a value that is not an object (got 5)");
  CHECK(refused(R"({"a":[1]})", "a.b=1") == "--set: a.b: leads through a value that is not an object (got [...])");
  CHECK(refused("{}", "a=\xff") == "--set: is not UTF-8 (got a=\\xff)");
}

TEST_CASE("malformed_json_values_are_not_taken_as_text") {
  CHECK(refused("{}", "a=99999999999999999999").find("beyond the range of 64-bit integers") != std::string::npos);
  CHECK(refused("{}", "a={\"b\":") == "--set:1: b: ends before the object opened on line 1 is closed");
  CHECK(refused("{}", "a=\"x") != "accepted");
}

TEST_CASE("a_path_of_more_than_64_steps_is_refused") {
  std::string path = "a";
  for (int i = 0; i < 64; ++i) path += ".a";
  CHECK(refused("{}", path.substr(2) + "=1") == "accepted");
  CHECK(refused("{}", path + "=1") != "accepted");
}

}  // namespace
}  // namespace ftlab
