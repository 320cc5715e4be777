// Clocks, the limit on bytes in memory, power cut plans, plugin options, and live statistics of a served drive.
#include <cerrno>
#include <cstring>
#include <system_error>
#include <thread>
#include <vector>

#include "bindings/nbd/live_figures.h"
#include "bindings/nbd/served_drive.h"
#include "bindings/nbd/power_cut_plan.h"
#include "bindings/nbd/served_bytes.h"
#include "bindings/nbd/serving_clock.h"
#include "bindings/nbd/serving_loop.h"
#include "sim/config/refusal.h"
#include "sim/core/random.h"
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

// Many threads, one drive, three clocks. No test depends on the speed of the machine.

namespace {

constexpr std::uint64_t kPage = 4096;

ServeOptions small_drive() {
  ServeOptions options;
  options.drive = "example-small-and-slow";
  options.settings = {"nand.program_ns=200000", "nand.read_ns=25000", "nand.erase_ns=1500000"};
  return options;
}

// Writes pages and reads them back. Returns the number of errors.
int use(ServingLoop& loop, std::uint64_t first_page, std::uint64_t requests) {
  RandomStream random(first_page, "a thread");
  std::vector<std::uint64_t> written(16);
  std::vector<std::byte> page(kPage);
  const std::uint64_t power_on = loop.connect();
  int wrong = 0;
  for (std::uint64_t i = 1; i <= requests; ++i) {
    const std::uint64_t own = random.below(written.size()), offset = (first_page + own) * kPage;
    if (random.chance(1, 2)) {
      std::memcpy(page.data(), &i, sizeof i);
      wrong += loop.serve({Op::write, offset, kPage, false, {}, page, power_on}) != 0;
      written[own] = i;
    } else {
      std::uint64_t found = 0;
      wrong += loop.serve({Op::read, offset, kPage, false, page, {}, power_on}) != 0;
      std::memcpy(&found, page.data(), sizeof found);
      wrong += found != written[own];
    }
  }
  loop.disconnect();
  return wrong;
}

}  // namespace

TEST_CASE("threads read back what they wrote, with every clock") {
  for (const char* time : {"free", "scaled:100", "real"}) {
    ServedDrive drive(small_drive());
    {
      ServingLoop loop(drive, time);
      std::array<int, 6> wrong{};
      std::vector<std::thread> threads;
      for (std::size_t t = 0; t < wrong.size(); ++t) threads.emplace_back([&, t] { wrong[t] = use(loop, 100 * t, 150); });
      for (std::thread& thread : threads) thread.join();
      CHECK(wrong == std::array<int, 6>{});
      CHECK(loop.figures().find("\"wa\"") != std::string::npos);
      loop.stop();
      CHECK(loop.failure().empty());
      CHECK(loop.report()["connections"] == 6);
      CHECK(loop.serve({Op::flush, 0, 0, false, {}, {}, 1}) == ESHUTDOWN);
    }
    CHECK(drive.finish({}, 1).stats.requests == 900);
  }
}

TEST_CASE("queries are answered while threads write, but not for clients from before a power cut or after the end") {
  ServedDrive drive(small_drive());
  ServingLoop loop(drive, "free");
  std::thread writer([&loop] { use(loop, 0, 500); });
  const std::uint64_t power_on = loop.connect();
  std::vector<StoredRange> found;
  std::vector<std::byte> page(kPage, std::byte{7});
  for (std::uint64_t i = 0; i < 50; ++i) {
    const StoredRange range{(1000 + i) * kPage, kPage};
    CHECK(loop.written(power_on, range, found) == 0);
    CHECK(found.empty());
    CHECK(loop.serve({Op::write, range.offset, kPage, false, {}, page, power_on}) == 0);
    CHECK(loop.written(power_on, range, found) == 0);
    REQUIRE(found.size() == 1);
    CHECK((found[0].offset == range.offset && found[0].length == kPage));
  }
  writer.join();
  CHECK(loop.written(power_on - 1, {0, kPage}, found) == ESHUTDOWN);
  loop.disconnect();
  loop.stop();
  CHECK(loop.written(power_on, {0, kPage}, found) == EIO);
  CHECK(loop.figures().empty());
}

TEST_CASE("in real time no answer comes early, and late answers are counted") {
  ServedDrive drive(small_drive());
  ServingLoop loop(drive, "real");
  const std::uint64_t power_on = loop.connect();
  const std::vector<std::byte> page(kPage);
  const auto began = std::chrono::steady_clock::now();
  for (std::uint64_t i = 0; i < 100; ++i) CHECK(loop.serve({Op::write, i * kPage, kPage, true, {}, page, power_on}) == 0);
  const auto took = std::chrono::steady_clock::now() - began;
  loop.stop();
  CHECK(took >= std::chrono::microseconds(100 * 200));  // one program each
  CHECK(loop.report()["answers"] == 100);
  CHECK(loop.report()["lateness_max_us"].get<double>() >= loop.report()["lateness_mean_us"].get<double>());
  CHECK(std::chrono::nanoseconds(drive.now().count()) <= took + std::chrono::milliseconds(1));
}

TEST_CASE("free time skips the drive's latency and follows the clients' think time") {
  ServeOptions options = small_drive();
  options.settings = {"nand.program_ns=9000000"};
  ServedDrive drive(options);
  ServingLoop loop(drive, "free");
  const std::uint64_t power_on = loop.connect();
  const std::vector<std::byte> page(kPage);
  CHECK(loop.serve({Op::write, 0, kPage, true, {}, page, power_on}) == 0);
  const Nanoseconds first = drive.now();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  for (int i = 0; i < 200; ++i) CHECK(loop.serve({Op::write, 0, kPage, true, {}, page, power_on}) == 0);
  loop.stop();
  CHECK(first >= Nanoseconds{9'000'000});
  CHECK(drive.now() >= first + Nanoseconds{20'000'000} + 200 * Nanoseconds{9'000'000});
}
