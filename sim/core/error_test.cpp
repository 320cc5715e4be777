#include "sim/core/error.h"

#include "sim/testing/test.h"

namespace ftlab {
namespace {

std::string message(const ConfigError& error) { return error.what(); }

TEST_CASE("a_full_message_names_place_key_value_what_is_allowed_and_the_nearest_name") {
  const ConfigError error({"fast.json", 7}, "ftl.gc.policy", "is not a known name", "gredy", "greedy, fifo", "greedy");
  CHECK(message(error) ==
        "fast.json:7: ftl.gc.policy: is not a known name (got gredy; allowed: greedy, fifo; did you mean "
        "greedy?)");
}

TEST_CASE("empty_parts_of_a_message_are_left_out") {
  CHECK(message({{"a.json", 3}, "k", "is missing"}) == "a.json:3: k: is missing");
  CHECK(message({{"a.json", 0}, "", "is empty"}) == "a.json: is empty");
  CHECK(message({{"", 0}, "k", "is missing"}) == "k: is missing");
  CHECK(message({{"a", 0}, "k", "bad", "1"}) == "a: k: bad (got 1)");
  CHECK(message({{"a", 0}, "k", "bad", "", "2"}) == "a: k: bad (allowed: 2)");
  CHECK(message({{"a", 0}, "k", "bad", "", "", "n"}) == "a: k: bad (did you mean n?)");
}

TEST_CASE("a_message_is_one_line_of_ascii_whatever_the_user_wrote") {
  const std::string text = message({{"a\nb", 1}, "k\x1b[31m", "x\ty", "\xc3\xa9", "\r"});
  CHECK(text == "a\\x0ab:1: k\\x1b[31m: x\\x09y (got \\xc3\\xa9; allowed: \\x0d)");
}

TEST_CASE("a_long_value_is_cut_in_the_message") {
  CHECK(message({{"a", 0}, "k", "bad", std::string(500, 'x')}).size() < 100);
}

TEST_CASE("printable_text_keeps_60_characters_and_cuts_61") {
  const std::string fits(60, 'x');
  CHECK(printable(fits) == fits);
  CHECK(printable(fits + "x") == std::string(57, 'x') + "...");
}

TEST_CASE("printable_text_never_cuts_an_escape_in_two") {
  for (std::size_t before = 50; before < 60; ++before) {
    const std::string shown = printable(std::string(before, 'x') + "\n" + std::string(20, 'y'));
    CHECK(shown.size() <= 60);
    const std::size_t slash = shown.find('\\');
    CHECK((slash == std::string::npos || shown.substr(slash, 4) == "\\x0a"));
  }
}

TEST_CASE("printable_leaves_printable_text_unchanged") {
  for (const std::string& text : {std::string(100, '\n'), std::string("a\\b\x7f"), std::string(99, 'x')}) {
    CHECK(printable(printable(text)) == printable(text));
  }
}

TEST_CASE("nearest_name_counts_insertions_deletions_replacements_and_swaps_as_one_edit") {
  const std::vector<std::string> names = {"greedy", "fifo", "cost-benefit"};
  CHECK(nearest_name("gredy", names) == "greedy");
  CHECK(nearest_name("greeedy", names) == "greedy");
  CHECK(nearest_name("grewdy", names) == "greedy");
  CHECK(nearest_name("fiof", names) == "fifo");
  CHECK(nearest_name("costbenefit", names) == "cost-benefit");
  CHECK(nearest_name("cost_benfit", names) == "cost-benefit");
}

TEST_CASE("nearest_name_is_empty_when_nothing_is_near") {
  CHECK(nearest_name("random", {"greedy", "fifo"}).empty());
  CHECK(nearest_name("abc", {}).empty());
  CHECK(nearest_name("q", {"bs", "rw"}).empty());
  CHECK(nearest_name("", {"bs"}).empty());
}

TEST_CASE("nearest_name_allows_two_edits_or_a_third_of_the_name") {
  CHECK(nearest_name("abcdef", {"abcdxy"}) == "abcdxy");
  CHECK(nearest_name("abcdef", {"abcxyz"}).empty());
  CHECK(nearest_name("abcdefghi", {"abcdefxyz"}) == "abcdefxyz");
  CHECK(nearest_name("abcdefghi", {"abcdewxyz"}).empty());
}

TEST_CASE("nearest_name_prefers_the_smaller_distance_and_then_the_first") {
  CHECK(nearest_name("reads", {"writs", "read", "reads_"}) == "read");
  CHECK(nearest_name("ab", {"ac", "ad"}) == "ac");
}

}  // namespace
}  // namespace ftlab
