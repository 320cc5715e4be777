#include "sim/config/split.h"

#include "sim/testing/test.h"

using namespace ftlab;

TEST_CASE("a text splits at every separator, and empty parts are parts") {
  using Parts = std::vector<std::string_view>;
  CHECK(split("4k,8k", ',') == Parts{"4k", "8k"});
  CHECK(split("4k", ',') == Parts{"4k"});
  CHECK(split(",8k,", ',') == Parts{"", "8k", ""});
  CHECK(split("", ',') == Parts{""});
  CHECK(split("a:b,c", ':') == Parts{"a", "b,c"});
}
