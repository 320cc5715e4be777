#include "sim/config/keys.h"

#include "sim/core/check.h"
#include "sim/testing/test.h"

namespace ftlab {
namespace {

TEST_CASE("a key's line converts its unit, and a key that may be left out keeps the member's value") {
  const Node root = parse_document(R"({"a_ms": 2, "b_s": 3, "c_nj": 4, "d": "two", "e": true})", "d.json");
  Reader reader(root);
  Nanoseconds a{0}, b{0}, left_out{7};
  std::uint64_t c = 0;
  bool d = false, e = false;
  read_sourced(reader, "a_ms", a, 0, 9, "a");
  read_integer_or(reader, "b_s", b, 0, 9, "b");
  read_sourced_or(reader, "c_nj", c, 0, 9, "c");
  read_choice_or(reader, "d", d, {"one", "two"}, "d");
  read_boolean_or(reader, "e", e, "e");
  read_sourced_or(reader, "f_ns", left_out, 0, 9, "f");
  reader.finish();
  CHECK((a.count() == 2'000'000 && b.count() == 3'000'000'000 && c == 4'000 && d && e && left_out.count() == 7));
}

TEST_CASE("a key log refuses two keys of one member and two meanings of one key") {
  KeyLog keys;
  int first = 0, second = 0;
  keys.add("list[0]", "a", &first, "a number");
  keys.add("list[1]", "a", &second, "a number");
  CHECK(keys.meanings() == std::map<std::string, std::string>{{"list.a", "a number"}});
  CHECK_THROWS_AS(keys.add("list[0]", "b", &first, "another"), CheckFailed);
  CHECK_THROWS_AS(keys.add("list[2]", "a", &first, "else"), CheckFailed);
}

}  // namespace
}  // namespace ftlab
