#include "sim/config/problems.h"

#include "sim/config/reader.h"
#include "sim/config/refusal.h"
#include "sim/testing/test.h"

namespace ftlab {
namespace {

// Reads {"a": 1 to 9, "b": {"kind": x|y, "n": 1 to 9, "m": 1 to 9, n < m}, "c": 1 to 9}.
std::string refused(std::string_view document) {
  return refusal([&] {
    const Node root = parse_document(document, "d.json");
    Problems problems;
    Reader reader(root, {}, &problems);
    reader.integer("a", 1, 9);
    read_part(reader, {"b"}, [&] {
      Reader b = reader.object("b");
      b.choice("kind", {"x", "y"});
      const std::uint64_t n = b.sourced("n", 1, 9).value, m = b.sourced("m", 1, 9).value;
      if (n >= m) b.refuse("n", "must be below m");
      b.finish();
    });
    reader.integer("c", 1, 9);
    reader.finish();
    problems.refuse_if_any();
  });
}

TEST_CASE("all_problems_of_a_document_are_refused_together_one_a_line") {
  CHECK(refused(R"({"a": 0, "b": {"kind": "x", "n": 1, "m": 77}, "cc": 1})") ==
        "d.json:1: a: is out of range (got 0; allowed: 1 to 9)\n"
        "d.json:1: b.m: is out of range (got 77; allowed: 1 to 9)\n"
        "d.json:1: c: is missing; is it meant by cc on line 1?");
  CHECK(refused(R"({"a": 1, "b": {"kind": "x", "n": 1, "m": 2}, "c": 1})") == "accepted");
}

TEST_CASE("a_single_problem_has_the_message_of_a_reader_without_problems") {
  CHECK(refused(R"({"a": 1, "b": {"kind": "x", "n": 1, "m": 2}, "c": 10})") == refusal([] {
          const Node root = parse_document(R"({"c": 10})", "d.json");
          Reader(root).integer("c", 1, 9);
        }));
}

TEST_CASE("a_broken_relation_is_one_more_problem_and_ends_only_its_part") {
  CHECK(refused(R"({"a": 1, "b": {"kind": "x", "n": 3, "m": 2}, "c": 10})") ==
        "d.json:1: b.n: must be below m (got 3)\nd.json:1: c: is out of range (got 10; allowed: 1 to 9)");
}

TEST_CASE("problems_that_may_follow_from_another_are_not_reported") {
  CHECK(refused(R"({"a": 1, "b": {"kind": "x", "n": 3, "m": 0}, "c": 1})") ==
        "d.json:1: b.m: is out of range (got 0; allowed: 1 to 9)");  // without: n must be below m
  CHECK(refused(R"({"a": 1, "b": {"kind": "z", "n": 1, "p": 0}, "c": 1})") ==
        "d.json:1: b.kind: is not a known name (got \"z\"; allowed: x, y)");  // without keys that its kind might need
  CHECK(refused(R"({"a": 1, "c": 1})") == "d.json:1: b: is missing");         // without its keys
}

TEST_CASE("equal_problems_count_once_and_only_twenty_are_shown") {
  Problems problems;
  for (int i = 0; i < 22; ++i)
    problems.add("k" + std::to_string(i), ConfigError({"f", 0}, "k" + std::to_string(i), "is bad"));
  problems.add("k3", ConfigError({"f", 0}, "k3", "is bad"));
  const std::string said = refusal([&] { problems.refuse_if_any(); });
  CHECK(std::count(said.begin(), said.end(), '\n') == 20);
  CHECK(said.ends_with("f: k19: is bad\nand 2 more problems; only the first 20 are shown"));
}

TEST_CASE("problems_touch_the_values_around_and_below_them_but_not_their_siblings") {
  Problems problems;
  CHECK_FALSE(problems.touch(""));
  problems.add("a.b[2].c", ConfigError("x"));
  for (const char* const path : {"", "a", "a.b", "a.b[2].c", "a.b[2].c.value"}) CHECK(problems.touch(path));
  for (const char* const path : {"a.bb", "b", "a.b[2].d"}) CHECK_FALSE(problems.touch(path));
}

}  // namespace
}  // namespace ftlab
