// Reads of several pages, some of them lost: a page's result does not depend on other pages, on time, or on its source.
#include <algorithm>
#include <utility>
#include <vector>

#include "ftl/testing/drives.h"
#include "ftl/testing/erring_trials.h"
#include "sim/testing/test.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

constexpr std::uint64_t kLooked = 1'200;  // pages that are checked

struct Seen {
  std::vector<Status> together, alone;  // three pages per read, then one
  std::uint64_t ahead = 0;
};

// Old data, some of them randomly lost; new data among them; and partly written pages in RAM, over old and new data.
Seen read_old_data(DriveConfig config, Clock clock, bool reads_ahead) {
  if (reads_ahead) config.controller.read_ahead = {2, 2, 64 * config.ftl.mapping_bytes};
  Host host(config, clock);
  const std::uint64_t page = config.ftl.mapping_bytes;
  const auto write = [&](std::uint64_t p, std::uint64_t bytes) {
    REQUIRE(host.request(Op::write, p * page, bytes).status == Status::ok);
  };
  for (std::uint64_t p = 0; p < kLooked; ++p) write(p, page);
  host.flush();
  host.rest(52 * kDay);
  RandomStream random(5, "new data");
  for (std::uint64_t p = 0; p < kLooked; ++p)
    if (random.chance(1, 4)) write(p, page);
  host.flush();
  for (int i = 0; i < 8; ++i) write(random.below(kLooked), 512);
  Seen seen;
  for (std::uint64_t p = 0; p + 3 <= kLooked; p += 3)
    seen.together.push_back(host.request(Op::read, p * page, 3 * page).status);
  for (std::uint64_t p = 0; p < kLooked; ++p) seen.alone.push_back(host.request(Op::read, p * page, page).status);
  seen.ahead = host.counters().read_ahead_hits;
  host.require_sound();
  return seen;
}

void check_reads(const DriveConfig& config) {
  const Seen seen = read_old_data(config, Clock::timed, false);
  std::size_t first_alone = 0;  // reads of which only the first page is lost
  for (std::size_t i = 0; i < seen.together.size(); ++i) {
    const auto* const parts = &seen.alone[3 * i];
    const bool lost = std::any_of(parts, parts + 3, [](Status status) { return status == Status::media_error; });
    REQUIRE(seen.together[i] == (lost ? Status::media_error : Status::ok));
    first_alone += parts[0] != Status::ok && parts[1] == Status::ok && parts[2] == Status::ok;
  }
  CHECK(first_alone > 10);
  for (const Clock clock : {Clock::timed, Clock::untimed}) {
    for (const bool reads_ahead : {false, true}) {
      CAPTURE(clock == Clock::timed, reads_ahead);
      const Seen same = read_old_data(config, clock, reads_ahead);
      CHECK((same.together == seen.together));
      CHECK((same.alone == seen.alone));
      CHECK((same.ahead > 0) == reads_ahead);
    }
  }
}

}  // namespace

TEST_CASE("a read with a lost page fails, timed and untimed, with and without read-ahead") {
  check_reads(erring_drive(fading()));
}

TEST_CASE("a read of packed pages fails if one of them is lost") { check_reads(packing(erring_drive(fading()))); }

TEST_CASE("a read of pages that lie on several dies each fails if any part is lost") {
  DriveConfig config = erring_drive(fading());
  config.ftl.mapping_bytes = 32'768;
  check_reads(config);
}

TEST_CASE("a trimmed lost page reads as zeros, except while waiting trims return old data") {
  using Mode = TrimConfig::Mode;
  for (const auto& [mode, old_data] : {std::pair{Mode::immediate, false}, {Mode::deferred, false}, {Mode::deferred, true}}) {
    CAPTURE(mode == Mode::deferred, old_data);
    DriveConfig config = erring_drive(fading());
    config.ftl.trim.mode = mode;
    config.ftl.trim.reads_old_data = old_data;
    config.ftl.trim.pages_per_host_write = mode == Mode::deferred ? 1 : 0;
    for (const Clock clock : {Clock::timed, Clock::untimed}) {
      Host host(config, clock);
      for (std::uint64_t p = 0; p < 64; ++p) REQUIRE(host.write(p) == Status::ok);
      host.flush();
      host.rest(100 * kDay);
      for (std::uint64_t p = 0; p < 64; ++p) REQUIRE(host.read(p) == Status::media_error);
      host.request(Op::trim, 8 * kPage, 8 * kPage);
      const std::uint64_t unmapped = host.counters().unmapped_read_pages;
      for (std::uint64_t p = 0; p < 24; ++p) {
        const bool trimmed = p >= 8 && p < 16 && !old_data;
        CHECK(host.read(p) == (trimmed ? Status::ok : Status::media_error));
        CHECK(host.drive().ftl().pages().version(Lpn{static_cast<std::uint32_t>(p)}) ==
              Version{trimmed ? 0 : std::uint32_t(p) + 1});
      }
      CHECK(host.counters().unmapped_read_pages == unmapped + (old_data ? 0 : 8));
      for (std::uint64_t p = 40; p < 64; ++p) REQUIRE(host.write(p) == Status::ok);  // executes the trim
      for (std::uint64_t p = 0; p < 24; ++p) CHECK(host.read(p) == (p >= 8 && p < 16 ? Status::ok : Status::media_error));
      CHECK(host.counters().unmapped_read_pages == unmapped + (old_data ? 8 : 16));
      CHECK(host.counters().trimmed_pages == 8);
      host.require_sound();
    }
  }
}
