#include "sim/config/reader.h"

#include <functional>

#include "sim/config/refusal.h"
#include "sim/testing/test.h"

namespace ftlab {
namespace {

std::string refused(std::string_view document, const std::function<void(Reader&)>& take) {
  return refusal([&] {
    const Node root = parse_document(document, "d.json");
    Reader reader(root);
    take(reader);
  });
}

Sourced sourced(std::string_view document, std::string_view assignment = {}) {
  Node root = parse_document(document, "d.json");
  if (!assignment.empty()) set_by_path(root, assignment);
  return Reader(root).sourced("t", 1, 100);
}

TEST_CASE("a_reader_takes_values_by_type") {
  const Node root = parse_document(R"({"i": 7, "b": true, "t": "x", "c": "two", "o": {"p": 1}})", "d.json");
  Reader reader(root);
  CHECK(reader.integer("i", 0, 10) == 7);
  CHECK(reader.boolean("b"));
  CHECK(reader.text("t") == "x");
  CHECK(reader.choice("c", {"one", "two"}) == 1);
  CHECK(reader.object("o").integer("p", 0, 1) == 1);
  CHECK_NOTHROW(reader.finish());
}

TEST_CASE("a_reader_takes_lists") {
  const Node root = parse_document(R"({"i": [1, 2], "t": ["a"], "o": [{"p": 1}, {"p": 2}], "e": []})", "d.json");
  Reader reader(root);
  CHECK(reader.integers("i", 0, 9) == std::vector<std::uint64_t>{1, 2});
  CHECK(reader.texts("t") == std::vector<std::string>{"a"});
  CHECK(reader.objects("o").at(1).integer("p", 0, 9) == 2);
  CHECK(reader.integers("e", 0, 9).empty());
}

TEST_CASE("an_item_of_a_list_is_named_by_its_index") {
  CHECK(refused("{\"i\": [1,\n\"x\"]}", [](Reader& r) { r.integers("i", 0, 9); }) ==
        "d.json:2: i[1]: must be an integer, not a text (got \"x\")");
  CHECK(refused(R"({"t": [1]})", [](Reader& r) { r.texts("t"); }) ==
        "d.json:1: t[0]: must be a text, not an integer (got 1)");
  CHECK(refused(R"({"o": [{"p": 10}]})", [](Reader& r) { r.objects("o")[0].integer("p", 0, 9); }) ==
        "d.json:1: o[0].p: is out of range (got 10; allowed: 0 to 9)");
}

TEST_CASE("the_ends_of_a_range_are_allowed_and_their_neighbours_refused") {
  const auto take = [](Reader& r) { r.integer("i", 2, 5); };
  CHECK(refused(R"({"i": 2})", take) == "accepted");
  CHECK(refused(R"({"i": 5})", take) == "accepted");
  CHECK(refused(R"({"i": 1})", take) == "d.json:1: i: is out of range (got 1; allowed: 2 to 5)");
  CHECK(refused(R"({"i": 6})", take) == "d.json:1: i: is out of range (got 6; allowed: 2 to 5)");
  CHECK(refused(R"({"i": -3})", take) == "d.json:1: i: is out of range (got -3; allowed: 2 to 5)");
  CHECK(refused(R"({"i": 0})", [](Reader& r) { r.integer("i", 1, ~std::uint64_t{0}); }) ==
        "d.json:1: i: is out of range (got 0; allowed: 1 or more)");
}

TEST_CASE("a_wrong_type_names_both_types") {
  const auto take = [](Reader& r) { r.integer("i", 0, 9); };
  CHECK(refused(R"({"i": "5"})", take) == "d.json:1: i: must be an integer, not a text (got \"5\")");
  CHECK(refused(R"({"i": 1e3})", take) ==
        "d.json:1: i: must be an integer, not a number with a fraction or an exponent (got 1e3)");
  CHECK(refused(R"({"i": null})", take) == "d.json:1: i: must be an integer, not null (got null)");
  CHECK(refused(R"({"b": 1})", [](Reader& r) { r.boolean("b"); }) ==
        "d.json:1: b: must be true or false, not an integer (got 1)");
  CHECK(refused(R"({"o": [1]})", [](Reader& r) { r.object("o"); }) ==
        "d.json:1: o: must be an object, not a list (got [...])");
  CHECK(refused("[]", [](Reader&) {}) == "d.json:1: must be an object, not a list (got [])");
}

TEST_CASE("an_unknown_choice_names_the_choices_and_the_nearest") {
  const auto take = [](Reader& r) { r.choice("policy", {"greedy", "fifo"}); };
  CHECK(refused(R"({"policy": "gredy"})", take) ==
        "d.json:1: policy: is not a known name (got \"gredy\"; allowed: greedy, fifo; did you mean greedy?)");
  CHECK(refused(R"({"policy": "random"})", take) ==
        "d.json:1: policy: is not a known name (got \"random\"; allowed: greedy, fifo)");
}

TEST_CASE("a_missing_key_is_named_with_its_path_and_the_line_of_its_object") {
  CHECK(refused("{\n\"a\": {\"c\": 1}}", [](Reader& r) { r.object("a").integer("budget", 0, 9); }) ==
        "d.json:2: a.budget: is missing");
}

TEST_CASE("a_missing_key_suggests_a_similar_unread_key") {
  CHECK(refused("{\n\"polcy\": 1}", [](Reader& r) { r.text("policy"); }) ==
        "d.json:1: policy: is missing; is it meant by polcy on line 2?");
  CHECK(refused(R"({"reads": 1})", [](Reader& r) { r.integer("reads", 0, 9), r.integer("read", 0, 9); }) ==
        "d.json:1: read: is missing");
}

TEST_CASE("finish_refuses_unread_keys") {
  const auto take = [](Reader& r) { r.integer_or("size", 0, 9, 1), r.has("depth"), r.finish(); };
  CHECK(refused("{\"size\": 1,\n\"dept\": 2}", take) == "d.json:2: dept: is not a known key (did you mean depth?)");
  CHECK(refused(R"({"colour": 2})", take) == "d.json:1: colour: is not a known key (allowed: size, depth)");
  CHECK(refused(R"({"depth": 2})", take) == "accepted");
}

TEST_CASE("an_absent_key_takes_the_default_and_a_present_one_is_still_checked") {
  const Node root = parse_document(R"({"i": 77, "c": "x"})", "d.json");
  Reader reader(root);
  CHECK(reader.integer_or("none", 0, 9, 5) == 5);
  CHECK(reader.boolean_or("none", true));
  CHECK(reader.text_or("none", "t") == "t");
  CHECK(reader.choice_or("none", {"a", "b"}, 1) == 1);
  CHECK_FALSE(reader.object_if_present("none"));
  CHECK_THROWS_AS(reader.integer_or("i", 0, 9, 5), ConfigError);
  CHECK_THROWS_AS(reader.choice_or("c", {"a", "b"}, 0), ConfigError);
}

TEST_CASE("a_broken_relation_is_refused_at_the_key") {
  CHECK(refused("{\n\"a\": 5}", [](Reader& r) { r.refuse("a", "must be a multiple of b", "4, 8"); }) ==
        "d.json:2: a: must be a multiple of b (got 5; allowed: 4, 8)");
  CHECK(refused("{}", [](Reader& r) { r.refuse("a", "is needed when b is given"); }) ==
        "d.json:1: a: is needed when b is given");
}

TEST_CASE("a_sourced_number_carries_value_provenance_and_source") {
  const Sourced number = sourced(R"({"t": {"value": 5, "from": "measured", "source": "run 3"}})");
  CHECK(number.value == 5);
  CHECK(number.from == Provenance::measured);
  CHECK(number.source == "run 3");
}

TEST_CASE("every_provenance_is_read_back_by_its_name") {
  for (const Provenance from : {Provenance::datasheet, Provenance::measured, Provenance::fitted, Provenance::assumed,
                                Provenance::inferred, Provenance::command_line, Provenance::by_default}) {
    const std::string name = name_of(from);
    CHECK(sourced(R"({"t": {"value": 5, "source": "x", "from": ")" + name + "\"}}").from == from);
  }
}

TEST_CASE("a_bare_integer_in_a_file_is_assumed_and_still_checked") {
  const Sourced bare = sourced(R"({"t": 5})");
  CHECK(bare.value == 5);
  CHECK(bare.from == Provenance::assumed);
  CHECK(bare.source == kBareSource);
  CHECK(refused(R"({"t": 500})", [](Reader& r) { r.sourced("t", 1, 100); }) ==
        "d.json:1: t: is out of range (got 500; allowed: 1 to 100)");
}

TEST_CASE("a_number_set_on_the_command_line_needs_no_source") {
  CHECK(sourced("{}", "t=5").value == 5);
  CHECK(sourced("{}", "t=5").from == Provenance::command_line);
  const Sourced over = sourced(R"({"t": {"value": 7, "from": "measured", "source": "run 3"}})", "t=5");
  CHECK(over.value == 5);
  CHECK(over.from == Provenance::command_line);
  CHECK(over.source == "--set t=5");
  CHECK(refusal([] { sourced("{}", "t=500"); }) == "--set: t: is out of range (got 500; allowed: 1 to 100)");
}

TEST_CASE("setting_only_the_value_of_a_sourced_number_does_not_keep_its_provenance") {
  const char* document = R"({"t": {"value": 7, "from": "measured", "source": "run 3"}})";
  CHECK(sourced(document, "t.value=5").from == Provenance::command_line);
}

TEST_CASE("a_sourced_number_without_a_reason_is_refused") {
  const auto take = [](Reader& r) { r.sourced("t", 1, 100); };
  CHECK(refused(R"({"t": {"value": 5, "from": "assumed", "source": " "}})", take) ==
        "d.json:1: t.source: must name the document, measurement or reason (got \" \")");
  CHECK(refused(R"({"t": {"value": 5, "from": "assumed"}})", take) == "d.json:1: t.source: is missing");
  CHECK(refused(R"({"t": {"value": 5, "from": "datashet", "source": "x"}})", take).find("did you mean datasheet?") !=
        std::string::npos);
  CHECK(refused(R"({"t": {"value": 5, "from": "fitted", "source": "x", "unit": "ns"}})", take) ==
        "d.json:1: t.unit: is not a known key (allowed: value, from, source)");
  CHECK(refused(R"({"t": {"value": 101, "from": "fitted", "source": "x"}})", take) ==
        "d.json:1: t.value: is out of range (got 101; allowed: 1 to 100)");
  CHECK(refused(R"({"t": "5"})", take) == "d.json:1: t: must be an integer, not a text (got \"5\")");
}

}  // namespace
}  // namespace ftlab
