// Clocks, the limit on bytes in memory, power cut plans, plugin options, and live statistics of a served drive.
#include "bindings/nbd/byte_store.h"

#include <cerrno>
#include <system_error>
#include <vector>

#include "bindings/nbd/live_figures.h"
#include "bindings/nbd/plugin_options.h"
#include "bindings/nbd/power_cut_plan.h"
#include "bindings/nbd/serving_clock.h"
#include "sim/config/refusal.h"
#include "sim/testing/test.h"

using namespace ftlab;

namespace {

constexpr Nanoseconds ns(std::uint64_t count) { return Nanoseconds{count}; }

std::string refused_plan(const std::string& word) {
  return refusal([&] { PowerCutPlan plan({word}); });
}

}  // namespace

TEST_CASE("real time follows the wall clock, scaled time its multiple, and neither runs backwards") {
  ServingClock real("real"), fast("scaled:10"), slow("scaled:0.5");
  for (ServingClock* clock : {&real, &fast, &slow}) clock->begin(ns(1000));
  CHECK(real.at(ns(1500)) == ns(500));
  CHECK(real.wall_at(ns(500)) == ns(1500));
  CHECK(fast.at(ns(1500)) == ns(5000));
  CHECK(fast.wall_at(ns(5000)) == ns(1500));
  CHECK(slow.at(ns(1500)) == ns(250));
  CHECK(slow.at(ns(1)) == ns(0));
  CHECK_FALSE(real.free());
}

TEST_CASE("free time continues from its latest anchor") {
  ServingClock clock("free");
  CHECK_FALSE(clock.begun());
  clock.begin(ns(100));
  clock.anchor(ns(70'000), ns(200));
  CHECK(clock.at(ns(150)) == ns(70'000));
  CHECK(clock.at(ns(260)) == ns(70'060));
}

TEST_CASE("an unknown clock is refused") {
  const auto refused = [](const char* word) { return refusal([&] { ServingClock clock(word); }); };
  CHECK(refused("reel") == "--time: is not known (got reel; allowed: free, real, scaled:N; did you mean real?)");
  for (const char* word : {"scaled:0", "scaled:", "scaled:1x", "scaled:nan", "scaled:-1", "scaled:1001"})
    CHECK(refused(word) == "--time: is not a speed (got " + std::string(word) + "; allowed: scaled:0.001 to scaled:1000)");
}

TEST_CASE("power fails after a number of requests, at a given time, or repeatedly at random") {
  PowerCutPlan plan({"power-cut@requests:3", "power-cut@time:0.5"});
  CHECK(plan.next() == ns(500'000'000));
  for (int i = 0; i < 2; ++i) plan.submitted(Op::write, ns(10));
  CHECK(plan.next() == ns(500'000'000));
  CHECK(plan.near(1, ns(0)));
  plan.submitted(Op::write, ns(20));
  CHECK(plan.next() == ns(21));
  plan.passed(ns(21));
  CHECK(plan.next() == ns(500'000'000));
  plan.passed(ns(500'000'000));
  CHECK(plan.next() == kNever);
  CHECK_FALSE(plan.near(1000, ns(1) * 1'000'000'000));

  PowerCutPlan random({"power-cut@random:5:10"}), same({"power-cut@random:5:10"});
  std::uint64_t cuts = 0;
  for (std::uint64_t i = 0; i < 10'000; ++i) {
    random.submitted(Op::read, ns(i));
    CHECK(random.next() == kNever);
    random.submitted(Op::write, ns(i));
    same.submitted(Op::write, ns(i));
    CHECK(random.next() == same.next());
    if (random.next() == kNever) continue;
    CHECK((random.next() > ns(i) && random.next() <= ns(i + 2'000'001)));
    random.passed(random.next());
    same.passed(same.next());
    ++cuts;
  }
  CHECK((cuts > 900 && cuts < 1100));
}

TEST_CASE("an invalid power cut plan is refused") {
  for (const char* word : {"", "power-cut", "power-cut@", "power-cut@requests:0", "power-cut@requests:x", "power-cut@time:0",
                           "power-cut@time:1:2", "power-cut@random:1", "power-cut@random:1:0", "erase@requests:1"}) {
    CHECK(refused_plan(word).starts_with("--inject: is not understood"));
  }
  CHECK(refused_plan("power-cut@request:4") ==
        "--inject: is not understood (got power-cut@request:4; allowed: power-cut@requests:N, power-cut@time:SECONDS, "
        "power-cut@random:SEED:WRITES)");
}

TEST_CASE("options pass through the plugin's parameters unchanged") {
  ServeOptions options;
  options.drive = "d=1 x";
  options.settings = {"a=b", "c=d=e"};
  options.inject = {"power-cut@time:1"};
  options.data = "f";
  options.seed = 77;
  options.replace = true;
  options.time = "scaled:2";
  ServeOptions back;
  for (const std::string& word : plugin_words(options)) {
    const std::size_t equals = word.find('=');
    REQUIRE(take_plugin_option(back, word.substr(0, equals), word.substr(equals + 1)));
  }
  CHECK(plugin_words(back) == plugin_words(options));
  CHECK(back.settings == options.settings);
  CHECK(back.seed == 77);
  CHECK_FALSE(take_plugin_option(back, "nonsense", "1"));
  CHECK_FALSE(take_plugin_option(back, "seed", "x"));
}

TEST_CASE("live statistics survive a round trip through JSON, and other text is refused") {
  LiveFigures figures;
  figures.drive = "A \"drive\"";
  figures.requests = {1, 2, 3, 4};
  figures.bytes = {10, 20, 30, 0};
  figures.write_amplification = 1.25;
  figures.free_superblocks = 9;
  figures.last = {1.5, 2.5, 3, 4, 5.5, 6.5};
  const LiveFigures back = figures_of(figures_json(figures), "here");
  CHECK(figures_json(back) == figures_json(figures));
  CHECK(figures_text(back).find("write amplification since the beginning 1.250   free superblocks 9") != std::string::npos);
  CHECK(refusal([] { figures_of("{}", "here"); }).starts_with("here: does not tell the figures of a served drive: "));
}

TEST_CASE("bytes in memory stop at their limit, and discarded space can be used again") {
  constexpr std::uint64_t kPiece = 64 * 1024;
  const auto bytes = bytes_in_memory(8 * kPiece, 2 * kPiece + 1);
  std::vector<std::byte> page(4096, std::byte{7});
  const auto refused = [&](std::uint64_t piece) {
    try {
      bytes->write(piece * kPiece, page);
    } catch (const std::system_error& error) {
      return error.code().value() == ENOSPC;
    }
    return false;
  };
  CHECK_FALSE(refused(0));
  CHECK_FALSE(refused(5));
  CHECK_FALSE(refused(5));  // already allocated
  CHECK(refused(7));
  bytes->discard(0, 4096);
  CHECK_FALSE(refused(7));
  CHECK(refused(0));
  bytes->read(7 * kPiece, page);
  CHECK(page[0] == std::byte{7});
}
