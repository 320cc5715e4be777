#include "sim/config/share.h"

#include <string>

#include "sim/core/random.h"
#include "sim/testing/test.h"

using namespace ftlab;

namespace {

double share(std::string_view text, const ShareRange& range = kUntilSteady) {
  return share_of({"run", 0}, "k", text, range);
}

// `digits` times 10^-places as a decimal.
std::string decimal(std::uint64_t digits, unsigned places) {
  std::string text = std::to_string(digits);
  if (text.size() <= places) text.insert(0, places + 1 - text.size(), '0');
  return places == 0 ? text : text.substr(0, text.size() - places) + "." + text.substr(text.size() - places);
}

}  // namespace

TEST_CASE("per cent and its ratio are the same double") {
  RandomStream chance(1, "share");
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t digits = 1 + chance.below(4999);  // in ten-thousandths
    CHECK(share(decimal(digits, 2) + "%", {0, 1}) == share(decimal(digits, 4), {0, 1}));
  }
}

TEST_CASE("a plain number is a ratio, per cent, or refused with both readings") {
  CHECK(share("0.02") == 0.02);
  CHECK(share("2") == 0.02);
  CHECK(share("2%") == 0.02);
  CHECK(share("0.1") == 0.1);
  CHECK(share("1") == 0.01);
  CHECK_THROWS_WITH(
      share("0.5"),
      "run: k: may be a ratio or per cent (got 0.5; allowed: 0.5% if per cent was meant, 50% if the ratio was)");
  CHECK_THROWS_WITH(share("7", over_provisioning_range(0.01, 5)),
                    "run: k: may be a ratio or per cent (got 7; allowed: 7% if per cent was meant, 700% if the ratio was)");
  CHECK(share("0.5", over_provisioning_range(0.01, 5)) == 0.5);
}

TEST_CASE("text that is not a share is refused with the range") {
  for (const char* const text : {"", "%", "two", "-2%", "+2%", "2 %", "1e1%", "nan", "inf", "2%%", "0x2"})
    CHECK_THROWS_WITH(share(text), std::string("run: k: is not a share (") +
                                       (*text ? "got " + std::string(text) + "; " : "") +
                                       "allowed: 0.01% to 50%, as 7% or 0.07)");
  for (const char* const text : {"0", "0%", "0.00001", "51%", "70"}) CHECK_THROWS_AS(share(text), ConfigError);
  CHECK_THROWS_AS(share("1" + std::string(300, '0'), over_provisioning_range(0.01, 5)), ConfigError);
}
