// Pages on the link keep their arrival times when several are handled together, and the host sees them in time.
#include "ftl/drive/path/transit.h"

#include <array>
#include <tuple>
#include <vector>

#include "ftl/drive/drive.h"
#include "ftl/drive/drive_counters.h"
#include "ftl/testing/drive_trials.h"
#include "ftl/testing/drives.h"
#include "sim/core/random.h"
#include "sim/testing/test.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

// Stripes of 16 pages: most pages of a write in order only wait in a stage.
DriveConfig wide_drive() {
  DriveConfig drive = striped_drive();
  drive.geometry.page_bytes = 32'768;
  drive.geometry.blocks_per_plane = 16;
  drive.ftl.buffer.pages = 256;
  drive.user_bytes = 96ull << 20;
  return drive;
}

// Writes of up to 256 KiB, many of them behind one another, with a quarter of reads and a few trims and flushes.
std::vector<Request> mixed_requests(std::uint64_t user_bytes, std::uint64_t seed) {
  RandomStream random(seed, "requests");
  std::vector<Request> requests;
  std::uint64_t next = 0;
  Nanoseconds at{0};
  for (std::uint64_t tag = 0; tag < 4'000; ++tag) {
    const std::uint64_t length = (1 + random.below(64)) * 4096 - (random.below(8) == 0 ? 512 : 0);
    if (random.below(3) == 0) next = random.below(user_bytes / 4096) * 4096;
    if (next + length > user_bytes) next = 0;
    const std::uint64_t kind = random.below(40);
    const Op op = kind < 10 ? Op::read : kind == 10 ? Op::trim : kind == 11 ? Op::flush : Op::write;
    requests.push_back(op == Op::flush ? Request{tag, op, 0, 0, at} : Request{tag, op, next, length, at});
    if (op == Op::write) next = (next + length) / 4096 * 4096;
    at += ns(random.below(4) == 0 ? random.below(2'000'000) : random.below(200'000));
  }
  return requests;
}

using Seen = std::tuple<std::uint64_t, Nanoseconds, LatencyParts>;

std::uint64_t signature_of(const Drive& drive) {
  Signature signature;
  sign(drive, signature);
  return signature.value();
}

// Submits the requests at their times; between them the host looks at the drive every `step`.
std::vector<Seen> completions(Drive& drive, const std::vector<Request>& requests, Nanoseconds step) {
  std::vector<Seen> all;
  std::array<Completion, 16> done;
  const auto take = [&](Nanoseconds until) {
    while (const std::size_t count = drive.wait(until, done))
      for (std::size_t i = 0; i < count; ++i) all.emplace_back(done[i].tag, done[i].completed, done[i].parts);
  };
  Nanoseconds now{0};
  std::uint64_t looks = 0;
  for (const Request& request : requests) {
    for (; step > ns(0) && now + step < request.issued; now += step) {
      take(now);
      if (++looks % 64 == 0) REQUIRE(inspect(drive.ftl()).empty());
    }
    take(request.issued);
    drive.submit({&request, 1});
    now = request.issued;
  }
  take(kNever);
  return all;
}

}  // namespace

TEST_CASE("pages that are handled together are due when the last of them arrives") {
  Transit transit;
  CHECK(transit.due() == kNever);
  transit.add({ns(100), ns(10), 1, 7, 10});
  transit.add({ns(500), ns(0), 2, 8, 1});
  CHECK(transit.due() == ns(100));
  transit.gather(4);
  CHECK(transit.due() == ns(130));
  CHECK_FALSE(transit.has_arrived(ns(99)));
  CHECK(transit.has_arrived(ns(100)));
  CHECK_FALSE(transit.has_arrived(ns(130)));  // they are due
  CHECK(transit.take_arrived(ns(119)).count == 2);
  CHECK_FALSE(transit.has_arrived(ns(119)));
  CHECK(transit.due() == ns(130));
  const Transit::Pages due = transit.take_due();
  CHECK((due.command == 7 && due.count == 2));
  transit.gather(100);
  CHECK(transit.due() == ns(190));
  CHECK(transit.take_due().count == 6);
  transit.gather(100);
  CHECK((transit.command() == 8 && transit.due() == ns(500) && transit.take_due().count == 1));
  transit.gather(1);
  CHECK((transit.empty() && transit.due() == kNever));
}

TEST_CASE("a host that looks between two pages of a write sees those that have crossed the link") {
  DriveConfig config = wide_drive();
  Drive drive(config, Clock::timed);
  Request write{1, Op::write, 0, 64 * 4096, ns(0)};
  drive.submit({&write, 1});
  Completion done;
  const std::uint64_t first = 5'000 + 6'200, page = 4096ull * 1'000'000'000 / 300'000'000 + 1;  // firmware, command on the link
  for (std::uint64_t at = 0; at < first + 20 * page; at += 997) {
    REQUIRE(drive.wait(ns(at), {&done, 1}) == 0);
    CAPTURE(at);
    REQUIRE(drive.counters_at(ns(at)).host_write_bytes == (at < first ? 0 : (at - first) / page * 4096));
  }
}

TEST_CASE("when a host looks at a drive changes nothing") {
  const DriveConfig plain = wide_drive();
  DriveConfig reading_ahead = plain;
  reading_ahead.controller.read_ahead = {4, 2, 256 * 4096};
  for (const DriveConfig& config : {plain, reading_ahead}) {
    for (const std::uint64_t seed : {1, 2}) {
      const std::vector<Request> requests = mixed_requests(config.user_bytes, seed);
      Drive rarely(config, Clock::timed), often(config, Clock::timed);
      REQUIRE(completions(rarely, requests, ns(0)) == completions(often, requests, ns(7'001)));
      CHECK(signature_of(rarely) == signature_of(often));
    }
  }
}
