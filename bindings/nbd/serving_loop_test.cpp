// Many threads, one drive, three clocks. No test depends on the speed of the machine.
#include "bindings/nbd/serving_loop.h"

#include <cerrno>
#include <cstring>
#include <thread>

#include "sim/config/refusal.h"
#include "sim/core/random.h"
#include "sim/testing/test.h"

using namespace ftlab;

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
