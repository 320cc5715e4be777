#include "sim/config/document.h"

#include "sim/config/refusal.h"
#include "sim/testing/test.h"

namespace ftlab {
namespace {

Node parse(std::string_view text) { return parse_document(text, "d.json"); }

std::string refused(std::string_view text) {
  return refusal([&] { parse(text); });
}

TEST_CASE("a_document_keeps_kinds_values_and_order") {
  const Node root = parse(R"({"b": 1, "a": [-2, 0.5, true, null, "t"], "o": {}})");
  REQUIRE(root.members.size() == 3);
  CHECK(root.members[0].first == "b");
  CHECK(root.members[1].first == "a");
  const std::vector<Node>& items = root.find("a")->items;
  REQUIRE(items.size() == 5);
  CHECK((items[0].kind == Node::Kind::integer && items[0].negative && items[0].magnitude == 2));
  CHECK((items[1].kind == Node::Kind::real && items[1].real == 0.5 && items[1].text == "0.5"));
  CHECK((items[2].kind == Node::Kind::boolean && items[2].boolean));
  CHECK(items[3].kind == Node::Kind::null);
  CHECK((items[4].kind == Node::Kind::text && items[4].text == "t"));
  CHECK(root.find("o")->kind == Node::Kind::object);
  CHECK(root.find("c") == nullptr);
}

TEST_CASE("a_member_has_the_line_of_its_key") {
  const Node root = parse("{\n \"a\":\n\n 1,\n\"b\": {\n\"c\": 2\n}, \"d\"\n:\n[\n]\n}");
  CHECK(root.line == 1);
  CHECK(root.find("a")->line == 2);
  CHECK(root.find("b")->line == 5);
  CHECK(root.find("b")->find("c")->line == 6);
  CHECK(root.find("d")->line == 7);
}

TEST_CASE("an_array_item_has_its_own_line") {
  const Node root = parse("[1,\n2\n,\n-3.5\n,\ntrue,\n\"x\",\n[\n7\n],{\n}\n]");
  const std::vector<std::size_t> lines = {1, 2, 4, 6, 7, 8, 10};
  REQUIRE(root.items.size() == lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) CHECK(root.items[i].line == lines[i]);
  CHECK(root.items[5].items[0].line == 9);
}

TEST_CASE("lines_are_right_after_comments_and_with_carriage_returns") {
  const Node root = parse("// one\r\n/* two\r\nthree */ {\r\n \"a\": 1, // b\r\n \"c\": 2\r\n}");
  CHECK(root.line == 3);
  CHECK(root.find("a")->line == 4);
  CHECK(root.find("c")->line == 5);
}

TEST_CASE("a_byte_order_mark_is_skipped") { CHECK(parse("\xEF\xBB\xBF{\"a\": 1}").find("a")->magnitude == 1); }

TEST_CASE("integers_cover_the_full_64_bit_range") {
  const Node root = parse("[18446744073709551615, -9223372036854775808, 9223372036854775808]");
  CHECK(root.items[0].magnitude == ~std::uint64_t{0});
  CHECK((root.items[1].negative && root.items[1].magnitude == std::uint64_t{1} << 63));
  CHECK((!root.items[2].negative && root.items[2].magnitude == std::uint64_t{1} << 63));
}

TEST_CASE("numbers_out_of_range_are_refused_by_their_digits") {
  CHECK(refused("{\n\"a\": 18446744073709551616\n}") ==
        "d.json:2: a: is a number beyond the range of 64-bit integers (got 18446744073709551616)");
  CHECK(refused("{\"a\": {\"b\": -9223372036854775809}}") ==
        "d.json:1: a.b: is a number beyond the range of 64-bit integers (got -9223372036854775809)");
  CHECK(refused("[1e999]") == "d.json:1: is a number too large for a double (got 1e999)");
}

TEST_CASE("a_number_with_point_or_exponent_is_not_an_integer") {
  CHECK(parse("1.0").kind == Node::Kind::real);
  CHECK(parse("1e3").kind == Node::Kind::real);
}

TEST_CASE("a_duplicate_key_is_refused_with_both_lines") {
  CHECK(refused("{\n\"a\": {\n\"b\": 1,\n\"c\": 2,\n\"b\": 3}}") == "d.json:5: a.b: is given twice, first on line 3");
  CHECK(refused(R"([{"x": 1}, {"x": 2}])") == "accepted");
}

TEST_CASE("64_levels_are_accepted_and_65_refused") {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  CHECK(refused(nested(64)) == "accepted");
  CHECK(refused(nested(65)) == "d.json:1: is nested more than 64 levels deep");
  CHECK(refused(std::string(1000000, '[')) == "d.json:1: is nested more than 64 levels deep");
}

TEST_CASE("a_truncated_document_names_what_was_not_closed") {
  CHECK(refused("{\n\"a\": {\n\"b\": 1\n") == "d.json:3: a: ends before the object opened on line 2 is closed");
  CHECK(refused("[1,") == "d.json:1: ends before the list opened on line 1 is closed");
  CHECK(refused("{\"a\": \"tex") == "d.json:1: a: ends before the object opened on line 1 is closed");
  CHECK(refused("{ /* never") == "d.json:1: ends before the object opened on line 1 is closed");
}

TEST_CASE("every_prefix_of_a_document_is_refused") {
  const std::string whole = "{\"a\": [1, 2.5e3, true, null, \"x\\n\", {\"b\": {}}]}";
  for (std::size_t size = 0; size < whole.size(); ++size) CHECK(refused(whole.substr(0, size)) != "accepted");
  CHECK(refused(whole) == "accepted");
}

TEST_CASE("empty_binary_and_broken_texts_are_refused_with_a_plain_reason") {
  CHECK(refused("") == "d.json: is empty");
  CHECK(refused(" \n\t\r\n") == "d.json: is empty");
  CHECK(refused(std::string_view("{\0}", 3)) == "d.json: is a binary file, not JSON");
  CHECK(refused("{\"a\": \"\xff\"}") == "d.json:1: a: contains invalid UTF-8");
  CHECK(refused("{\"a\": 1,\n}") == "d.json:2: is not JSON here: unexpected '}'; expected string literal");
  CHECK(refused("{\"a\": 1} x") == "d.json:1: is not JSON here: invalid literal; expected end of input");
  CHECK(refused("{\"a\": 1}\n{}") == "d.json:2: is not JSON here: unexpected '{'; expected end of input");
  CHECK(refused("[1 2]") == "d.json:1: is not JSON here: unexpected number literal; expected ']'");
  CHECK(refused("{\"a\": nope}") == "d.json:1: a: is not JSON here: invalid literal");
  CHECK(refused("// only a comment") ==
        "d.json:1: is not JSON here: unexpected end of input; expected '[', '{', or a literal");
}

TEST_CASE("no_message_shows_the_parsers_internal_wording") {
  for (const char* text : {"{", "}", "{\"a\"}", "[01]", "\"\\q\"", "{\"a\":\n\"b\nc\"}", "tru", "/", "-"}) {
    const std::string message = refused(text);
    CHECK(message.find("json.exception") == std::string::npos);
    CHECK(message.find("last read") == std::string::npos);
    CHECK(message.rfind("d.json:", 0) == 0);
  }
}

TEST_CASE("values_are_abbreviated_in_messages") {
  CHECK(parse("-12").shown() == "-12");
  CHECK(parse("1.50").shown() == "1.50");
  CHECK(parse("\"a\\nb\"").shown() == "\"a\\x0ab\"");
  CHECK(parse("[1]").shown() == "[...]");
  CHECK(parse("{}").shown() == "{}");
  CHECK(parse("null").shown() == "null");
  CHECK(parse("false").shown() == "false");
}

}  // namespace
}  // namespace ftlab
