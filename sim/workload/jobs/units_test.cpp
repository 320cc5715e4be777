#include "sim/workload/jobs/units.h"

#include "sim/config/refusal.h"
#include "sim/workload/testing/jobs.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

Setting setting(const std::string& value) { return {"bs", value, true, false, {"f", 1}}; }

std::uint64_t value_of(const std::string& text, std::uint64_t kilo = 1024) {
  return parse_number(setting(text), text, kilo);
}

std::string number_problem(const std::string& text) {
  return refusal([&] { value_of(text); });
}

std::string time_problem(const std::string& text) {
  return refusal([&] { parse_time(setting(text)); });
}

}  // namespace

TEST_CASE("a suffix multiplies by powers of 1024, in either case", "[workload]") {
  CHECK(value_of("7") == 7);
  CHECK(value_of("7b") == 7);
  for (const char* text : {"8k", "8K", "8kb", "8KB", "8ki", "8Ki"}) CHECK(value_of(text) == 8192);
  CHECK(value_of("3m") == 3 * kMiB);
  CHECK(value_of("2G") == 2048 * kMiB);
  CHECK(value_of("1t") == 1024 * 1024 * kMiB);
  CHECK(value_of("1p") == 1024 * 1024 * (1024 * kMiB));
}

TEST_CASE("kib is 1000 if k is 1024 and vice versa, as in fio", "[workload]") {
  CHECK(value_of("8kib") == 8000);
  CHECK(value_of("8KiB") == 8000);
  CHECK(value_of("8k", 1000) == 8000);
  CHECK(value_of("8kib", 1000) == 8192);
  CHECK(value_of("1mib") == 1'000'000);
  CHECK(has_kib_suffix("8KiB"));
  CHECK(has_kib_suffix("4k,1mib"));
  CHECK_FALSE(has_kib_suffix("8ki"));
}

TEST_CASE("numbers may be hexadecimal", "[workload]") {
  CHECK(value_of("0x1000") == 4096);
  CHECK(value_of("0X10k") == 16384);
}

TEST_CASE("numbers that fio misreads silently are refused", "[workload]") {
  CHECK(number_problem("") == "f:1: bs: number missing");
  CHECK(number_problem("x").find("not a number") != std::string::npos);
  CHECK(number_problem("0x").find("not a number") != std::string::npos);
  CHECK(number_problem("-1").find("negative") != std::string::npos);
  CHECK(number_problem("+1").find("not a number") != std::string::npos);
  CHECK(number_problem("1.5k").find("fractions") != std::string::npos);
  CHECK(number_problem("4q").find("unknown unit") != std::string::npos);
  CHECK(number_problem("4kk").find("unknown unit") != std::string::npos);
  CHECK(number_problem("4k ").find("unknown unit") != std::string::npos);
  CHECK(number_problem("50%").find("percent") != std::string::npos);
  CHECK(number_problem("4z").find("zones") != std::string::npos);
}

TEST_CASE("numbers are limited to the largest that fio takes", "[workload]") {
  CHECK(value_of("9223372036854775807") == 9223372036854775807u);
  CHECK(number_problem("9223372036854775808").find("too large") != std::string::npos);
  CHECK(number_problem("99999999999999999999999").find("too large") != std::string::npos);
  CHECK(value_of("8191p") == 8191 * (1024 * 1024 * (1024 * kMiB)));
  CHECK(number_problem("8192p").find("too large") != std::string::npos);
}

TEST_CASE("a range includes both its ends", "[workload]") {
  const auto between = [](const std::string& text) { return parse_number(setting(text), text, 1024, 2, 5); };
  CHECK(between("2") == 2);
  CHECK(between("5") == 5);
  CHECK(refusal([&] { between("1"); }) == "f:1: bs: out of range (got 1; allowed: 2 to 5)");
  CHECK(refusal([&] { between("6"); }) == "f:1: bs: out of range (got 6; allowed: 2 to 5)");
}

TEST_CASE("an amount is bytes or percent", "[workload]") {
  CHECK(parse_amount(setting("64m"), 1024).number == 64 * kMiB);
  CHECK_FALSE(parse_amount(setting("64m"), 1024).percent);
  CHECK(parse_amount(setting("100%"), 1024).percent);
  CHECK(parse_amount(setting("100%"), 1024).number == 100);
  CHECK(refusal([] { parse_amount(setting("101%"), 1024); }).find("more than the whole") != std::string::npos);
  CHECK(refusal([] { parse_amount(setting("5k%"), 1024); }).find("unknown unit") != std::string::npos);
}

TEST_CASE("time is in seconds, and m is a minute", "[workload]") {
  const auto time = [](const std::string& text) { return parse_time(setting(text)).count(); };
  CHECK(time("5") == 5'000'000'000);
  CHECK(time("5s") == 5'000'000'000);
  CHECK(time("240m") == 14'400'000'000'000);
  CHECK(time("1H") == 3'600'000'000'000);
  CHECK(time("2d") == 172'800'000'000'000);
  CHECK(time("7ms") == 7'000'000);
  CHECK(time("7us") == 7'000);
  CHECK(time("9223372036") == 9'223'372'036'000'000'000);
  CHECK(time_problem("9223372037").find("time too long") != std::string::npos);
  CHECK(time_problem("106752d").find("time too long") != std::string::npos);
  CHECK(time_problem("").find("time missing") != std::string::npos);
  CHECK(time_problem("5min").find("unknown unit of time") != std::string::npos);
  CHECK(time_problem("1.5h").find("fractions") != std::string::npos);
}

TEST_CASE("percentiles are sorted, at most twenty, and lie between 0 and 100", "[workload]") {
  CHECK(parse_percentiles(setting("99.9:50:100:0")) == std::vector<double>{0, 50, 99.9, 100});
  const auto refused = [](const std::string& text) { return refusal([&] { parse_percentiles(setting(text)); }); };
  for (const char* text : {"", "50:", "50:x", "-1", "100.1", "nan", "inf", "50,99"})
    CHECK(refused(text).find("not a list of percentiles") != std::string::npos);
  std::string twenty = "1";
  for (int i = 2; i <= 20; ++i) twenty += ":" + std::to_string(i);
  CHECK(parse_percentiles(setting(twenty)).size() == 20);
  CHECK(refused(twenty + ":21").find("too many") != std::string::npos);
}

TEST_CASE("a switch is 0 or 1", "[workload]") {
  CHECK(parse_switch(setting("1")));
  CHECK_FALSE(parse_switch(setting("0")));
  CHECK(refusal([] { parse_switch(setting("yes")); }).find("allowed: 0, 1") != std::string::npos);
}
