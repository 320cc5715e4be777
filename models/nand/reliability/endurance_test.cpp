#include "models/nand/reliability/endurance.h"

#include <cmath>
#include <vector>

#include "sim/config/refusal.h"
#include "sim/core/archive.h"
#include "sim/testing/test.h"

using namespace ftlab;

namespace {

RandomStream stream(std::uint64_t seed = 1) { return RandomStream(seed, "endurance"); }

EnduranceConfig read(std::string_view document) { return read_endurance(Reader(parse_document(document, "d.json"))); }

std::string refused(std::string_view document) {
  return refusal([&] {
    const Node root = parse_document(document, "d.json");
    read_endurance(Reader(root).object("endurance"));
  });
}

struct Moments {
  double mean = 0;
  double deviation = 0;
  std::uint32_t least = 0xffff'ffff;
  std::uint32_t most = 0;
};

Moments moments(const Endurance& endurance) {
  Moments m;
  double squares = 0;
  for (std::uint32_t b = 0; b < endurance.block_count(); ++b) {
    const std::uint32_t limit = endurance.limit(b);
    m.mean += limit;
    squares += double(limit) * limit;
    m.least = std::min(m.least, limit);
    m.most = std::max(m.most, limit);
  }
  m.mean /= endurance.block_count();
  m.deviation = std::sqrt(squares / endurance.block_count() - m.mean * m.mean);
  return m;
}

std::uint32_t factory_bad(const Endurance& endurance) {
  std::uint32_t count = 0;
  for (std::uint32_t b = 0; b < endurance.block_count(); ++b) count += endurance.factory_bad(b);
  return count;
}

}  // namespace

TEST_CASE("block limits have the mean and the spread of the drive file") {
  for (const auto& [mean, permille] : {std::pair{3000u, 100u}, {100'000u, 30u}, {100'000'000u, 200u}, {20u, 150u}}) {
    CAPTURE(mean, permille);
    const Moments m = moments(Endurance({mean, permille, 0, 0, 0}, 2'000'000, stream()));
    const double sigma = double(mean) * permille / 1000;
    CHECK(m.mean == Approx(mean).margin(sigma * 5 / std::sqrt(2'000'000.0)));
    CHECK(m.deviation == Approx(sigma).epsilon(0.01).margin(0.05));  // rounding to whole cycles adds a variance of 1/12
    CHECK(m.least >= mean - 4 * sigma - 0.5);
    CHECK(m.most <= mean + 4 * sigma + 0.5);
    CHECK(m.least <= mean - 3.5 * sigma + 0.5);  // the tails are drawn
    CHECK(m.most >= mean + 3.5 * sigma - 0.5);
  }
}

TEST_CASE("two thirds of the limits lie within one standard deviation") {
  const Endurance endurance({10'000, 100, 0, 0, 0}, 100'000, stream());
  std::uint32_t within = 0;
  for (std::uint32_t b = 0; b < 100'000; ++b) within += endurance.limit(b) >= 9'000 && endurance.limit(b) <= 11'000;
  CHECK(within / 100'000.0 == Approx(0.683).margin(0.008));
}

TEST_CASE("no block limit is below a tenth of the mean or below 1") {
  CHECK(moments(Endurance({1000, 300, 0, 0, 0}, 200'000, stream())).least >= 100);
  const Moments one = moments(Endurance({1, 300, 0, 0, 0}, 100'000, stream()));
  CHECK(one.least == 1);
  CHECK(one.most == 2);  // 1 + 4 * 0.3, rounded
}

TEST_CASE("without a spread every limit is the mean; without a limit every block is unlimited") {
  const Moments same = moments(Endurance({500, 0, 0, 0, 0}, 1000, stream()));
  CHECK(same.least == 500);
  CHECK(same.most == 500);
  CHECK(moments(Endurance({0, 100, 0, 0, 0}, 1000, stream())).least == Endurance::kUnlimited);
}

TEST_CASE("a block survives as many erases as its limit") {
  Endurance endurance({500, 100, 0, 0, 0}, 100, stream());
  for (std::uint32_t b = 0; b < 100; ++b) {
    CHECK_FALSE(endurance.erase_fails(b, 0));
    CHECK_FALSE(endurance.erase_fails(b, endurance.limit(b) - 1));
    CHECK(endurance.erase_fails(b, endurance.limit(b)));
    CHECK(endurance.erase_fails(b, endurance.limit(b) + 1));
  }
}

TEST_CASE("programs and erases fail at the stated rate, never at 0 and always at 1") {
  Endurance endurance({0, 0, 0, 200'000'000, 50'000'000}, 1, stream());
  std::uint32_t programs = 0;
  std::uint32_t erases = 0;
  for (int i = 0; i < 100'000; ++i) {
    programs += endurance.program_fails();
    erases += endurance.erase_fails(0, 0);
  }
  CHECK(programs / 100'000.0 == Approx(0.2).margin(0.006));
  CHECK(erases / 100'000.0 == Approx(0.05).margin(0.0035));
  Endurance never({}, 1, stream());
  Endurance always({0, 0, 0, 1'000'000'000, 1'000'000'000}, 1, stream());
  for (int i = 0; i < 1000; ++i) {
    REQUIRE_FALSE((never.program_fails() || never.erase_fails(0, 0xffff'fffe)));
    REQUIRE((always.program_fails() && always.erase_fails(0, 0)));
  }
}

TEST_CASE("factory bad blocks occur at the stated rate") {
  CHECK(factory_bad(Endurance({0, 0, 20'000, 0, 0}, 100'000, stream())) == Approx(2000).margin(5 * std::sqrt(2000.0)));
  CHECK(factory_bad(Endurance({}, 10'000, stream())) == 0);
  CHECK(factory_bad(Endurance({0, 0, 1'000'000, 0, 0}, 10'000, stream())) == 10'000);
}

TEST_CASE("the same seed gives the same blocks, and changing one rate does not change what another hits") {
  Endurance a({1000, 100, 20'000, 1000, 100'000'000}, 5000, stream());
  Endurance b({1000, 200, 20'000, 500'000'000, 100'000'000}, 5000, stream());
  Endurance c({1000, 100, 0, 1000, 0}, 5000, stream());
  for (std::uint32_t block = 0; block < 5000; ++block) {
    REQUIRE(a.factory_bad(block) == b.factory_bad(block));
    REQUIRE(a.limit(block) == c.limit(block));
    static_cast<void>(b.program_fails());
    REQUIRE(a.erase_fails(block, 0) == b.erase_fails(block, 0));
  }
  const Endurance other({1000, 100, 20'000, 0, 0}, 5000, stream(2));
  std::uint32_t equal = 0;
  for (std::uint32_t block = 0; block < 5000; ++block) equal += a.limit(block) == other.limit(block);
  CHECK(equal < 100);
}

TEST_CASE("endurance is read with a source for each number; without keys it is unlimited") {
  const EnduranceConfig c = read(R"({"program_erase_limit": {"value": 3000, "from": "datasheet", "source": "x"},
      "limit_spread_permille": {"value": 80, "from": "assumed", "source": "x"},
      "factory_bad_per_million": {"value": 20000, "from": "datasheet", "source": "x"},
      "program_failures_per_billion": {"value": 5, "from": "assumed", "source": "x"},
      "erase_failures_per_billion": {"value": 1000000000, "from": "assumed", "source": "x"}})");
  CHECK(c.program_erase_limit == 3000);
  CHECK(c.limit_spread_permille == 80);
  CHECK(c.factory_bad_per_million == 20'000);
  CHECK(c.program_failures_per_billion == 5);
  CHECK(c.erase_failures_per_billion == 1'000'000'000);
  const EnduranceConfig none = read("{}");
  CHECK(none.program_erase_limit == 0);
  CHECK(none.factory_bad_per_million == 0);
}

TEST_CASE("invalid endurance keys and values are refused") {
  CHECK(refused(R"({"endurance": {"limit_spread_permille": {"value": 301, "from": "assumed", "source": "x"}}})")
            .find("limit_spread_permille.value: is out of range (got 301; allowed: 0 to 300)") != std::string::npos);
  CHECK(refused(R"({"endurance": {"factory_bad_per_million": {"value": 1000001, "from": "assumed", "source": "x"}}})")
            .find("allowed: 0 to 1000000") != std::string::npos);
  CHECK(refused(R"({"endurance": {"program_erase_limit": {"value": 3000}}})").find("program_erase_limit") !=
        std::string::npos);
  CHECK(refused(R"({"endurance": {"program_erase_limits": 3000}})").find("did you mean program_erase_limit?") !=
        std::string::npos);
  CHECK_THROWS_AS(Endurance({1000, 301, 0, 0, 0}, 1, stream()), CheckFailed);
}

TEST_CASE("endurance loaded from an archive continues like the saved one") {
  const EnduranceConfig config{1000, 100, 20'000, 300'000'000, 300'000'000};
  Endurance saved(config, 1000, stream());
  Endurance loaded(config, 1000, stream(2));
  for (int i = 0; i < 100; ++i) static_cast<void>(saved.program_fails());
  Archive file = Archive::saving();
  saved.archive(file);
  Archive copy = Archive::loading(file.finish());
  loaded.archive(copy);
  copy.end();
  for (std::uint32_t block = 0; block < 1000; ++block) {
    REQUIRE(saved.limit(block) == loaded.limit(block));
    REQUIRE(saved.factory_bad(block) == loaded.factory_bad(block));
    REQUIRE(saved.program_fails() == loaded.program_fails());
    REQUIRE(saved.erase_fails(block, 0) == loaded.erase_fails(block, 0));
  }
}

TEST_CASE("every n-th operation and planned operations fail, alone and combined") {
  const auto failing = [](std::uint32_t every, std::uint64_t first, std::uint64_t second) {
    EnduranceConfig config;
    config.failing_program = config.failing_erase = every;
    if (first != 0) config.planned_programs = config.planned_erases = {first, second};
    Endurance endurance(config, 4, stream());
    std::vector<int> failed;
    for (int n = 1; n <= 12; ++n) {
      const bool fails = endurance.program_fails();
      REQUIRE(endurance.erase_fails(1, 0) == fails);
      if (fails) failed.push_back(n);
    }
    return failed;
  };
  CHECK(failing(0, 0, 0).empty());
  CHECK((failing(5, 0, 0) == std::vector{5, 10}));
  CHECK((failing(0, 7, 7) == std::vector{7}));
  CHECK((failing(5, 7, 8) == std::vector{5, 7, 8, 10}));
}
