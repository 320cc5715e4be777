#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>
#include <vector>

#include "sim/config/refusal.h"
#include "sim/core/random.h"
#include "sim/testing/test.h"
#include "validation/measure/contents/durability_log.h"
#include "validation/measure/device/stamps.h"

using namespace ftlab;

namespace {

constexpr std::uint64_t kRun = 99, kBlock = 4096;
constexpr ByteRange kRange{0, 1 << 20};

// Completes the requests that the test names, when it names them.
class HandDevice final : public Device {
 public:
  DeviceInfo info() const override { return {"by hand", kRange.end, true}; }
  void expect(const Request&) override {}
  void submit(std::span<const Request>) override {}
  std::size_t wait(Nanoseconds, std::span<Completion> out) override {
    if (next.empty()) return 0;
    out[0] = {next.front(), Nanoseconds{0}, Status::ok, {}};
    next.erase(next.begin());
    return 1;
  }
  Counters counters() const override { return {}; }
  std::vector<std::uint64_t> next;
};

struct RequestTracker {
  RequestTracker()
      : path((std::filesystem::temp_directory_path() / ("ftlab-promises-" + std::to_string(::getpid()))).string()) {
    std::filesystem::remove(path);
    log.emplace(device, path, kRun, "serial", kRange);
  }
  ~RequestTracker() { std::filesystem::remove(path); }
  void ask(std::uint64_t tag, Op op, std::uint64_t block, bool fua = false) {
    Request request{tag, op, op == Op::flush ? 0 : block * kBlock, op == Op::flush ? 0 : kBlock};
    request.fua = fua;
    log->submit({&request, 1});
  }
  void done(std::uint64_t tag) {
    device.next.push_back(tag);
    Completion completion;
    log->wait(kNever, {&completion, 1});
  }
  Promises promises() const { return read_promises(path); }
  std::uint64_t held(std::uint64_t block) const {
    const Promises all = promises();
    return all.held.at(block * kBlock / kSectorBytes).value_or(0);
  }

  std::string path;
  HandDevice device;
  std::optional<DurabilityLog> log;
};

// Verdict on a sector with this stamp, where version 9 was promised.
AfterCut judged(std::uint64_t version, std::uint64_t place = 512, std::uint64_t run = kRun) {
  Promises promises{kRun, "serial", kRange, 20, SectorVersions(1), SectorVersions(0)};
  promises.held.raise(1, 2, 9);
  std::array<std::byte, kSectorBytes> sector{};
  if (version > 0) write_stamp(sector, {place, version, run, 4096});
  AfterCut after;
  judge_sector(after, promises, 512, sector);
  return after;
}

}  // namespace

TEST_CASE("a flush promises the writes complete at its submission, not those completed while it is in flight") {
  RequestTracker tracker;
  tracker.ask(0, Op::write, 0);
  tracker.ask(1, Op::write, 1);
  tracker.done(0);
  tracker.ask(2, Op::flush, 0);
  tracker.done(1);
  CHECK(tracker.held(0) == 0);
  tracker.done(2);
  CHECK(tracker.held(0) == 1);
  CHECK(tracker.held(1) == 0);
  tracker.ask(3, Op::flush, 0);
  tracker.done(3);
  CHECK(tracker.held(1) == 9);  // the first sector of the second write of 8 sectors
}

TEST_CASE("flushes that overtake one another promise only their own writes") {
  RequestTracker tracker;
  tracker.ask(0, Op::write, 0);
  tracker.done(0);
  tracker.ask(1, Op::flush, 0);
  tracker.ask(2, Op::write, 1);
  tracker.done(2);
  tracker.ask(3, Op::flush, 0);
  tracker.ask(4, Op::write, 2);
  tracker.done(4);
  tracker.done(3);
  CHECK(tracker.held(1) == 9);
  tracker.done(1);
  CHECK(tracker.held(2) == 0);
}

TEST_CASE("a FUA write promises only itself, and versions are logged before they are issued") {
  RequestTracker tracker;
  tracker.ask(0, Op::write, 0);
  tracker.ask(1, Op::write, 1, true);
  CHECK(tracker.promises().issued >= 16);
  tracker.done(0);
  tracker.done(1);
  CHECK(tracker.held(0) == 0);
  CHECK(tracker.held(1) == 9);
}

TEST_CASE("contents found instead of promised data are classified") {
  CHECK(judged(9).kept == 1);
  CHECK(judged(20).kept == 1);
  CHECK(judged(8).stale == 1);
  CHECK(judged(21).never_issued == 1);
  CHECK(judged(0).zero == 1);
  CHECK(judged(9, 512, kRun + 1).foreign == 1);
  CHECK(judged(9, 1024).misplaced == 1);
  CHECK(judged(9).holds());
  for (const std::uint64_t version : {0, 8, 21}) CHECK_FALSE(judged(version).holds());
}

TEST_CASE("trimmed sectors may hold anything until a later write is promised") {
  RequestTracker tracker;
  tracker.ask(0, Op::write, 0);
  tracker.done(0);
  tracker.ask(1, Op::trim, 0);
  tracker.ask(2, Op::flush, 0);
  tracker.done(2);
  AfterCut after;
  const std::array<std::byte, kSectorBytes> zeros{};
  judge_sector(after, tracker.promises(), 0, zeros);
  CHECK(after.holds());
  tracker.ask(3, Op::write, 0);
  tracker.done(3);
  tracker.ask(4, Op::flush, 0);
  tracker.done(4);
  judge_sector(after, tracker.promises(), 0, zeros);
  CHECK_FALSE(after.holds());
}

TEST_CASE("a log whose last line is incomplete is read up to it") {
  RequestTracker tracker;
  tracker.ask(0, Op::write, 0);
  tracker.done(0);
  tracker.ask(1, Op::flush, 0);
  tracker.done(1);
  std::ofstream(tracker.path, std::ios::app) << "held 8 40";
  CHECK(tracker.held(0) == 1);
  CHECK(tracker.promises().held.sectors() == 8);
}

TEST_CASE("a foreign log is refused by its line, whatever it names") {
  const auto refused = [](const std::string& text) {
    std::istringstream stream(text);
    return refusal([&] { parse_promises(stream, "log"); });
  };
  const std::string title = "ftlab-promises-1 7 0 1048576 SERIAL\n";
  CHECK(refused(title + "issued 65536\nheld 0 0 1048576\ntrim 9 0 4096\n") == "accepted");
  CHECK(refused("ftlab-promises-1 7 0\n") == "log:1: does not begin as a log of promises");
  CHECK(refused("ftlab-promises-1 7 4096 512 S\n") ==
        "log:1: its range is none (got 4096 512; allowed: whole sectors, the end behind the first)");
  for (const char* line :
       {"held 0 0 18446744073709551104", "held 0 1048576 512", "held 0 1 512", "trim 0 0 1048577", "kept 0 0 0"})
    CHECK(refused(title + line + "\n") == "log:2: is not a line of a durability log of this range");
}

namespace {

constexpr std::uint64_t kSectors = 60;

// One number for each sector; 0: none.
class Plain {
 public:
  explicit Plain(std::uint64_t step) : step_(step) {}
  void raise(std::uint64_t first, std::uint64_t end, std::uint64_t version) {
    for (std::uint64_t s = first; s < end; ++s, version += step_) versions_[s] = std::max(versions_[s], version);
  }
  std::uint64_t at(std::uint64_t sector) const { return versions_[sector]; }

 private:
  std::uint64_t step_;
  std::vector<std::uint64_t> versions_ = std::vector<std::uint64_t>(kSectors);
};

}  // namespace

TEST_CASE("runs of versions give the same results as an array of versions") {
  RandomStream random(1, "sector versions");
  for (const std::uint64_t step : {0, 1}) {
    for (int life = 0; life < 300; ++life) {
      SectorVersions runs(step);
      Plain plain(step);
      for (int i = 0; i < 30; ++i) {
        const std::uint64_t first = random.below(kSectors - 1), end = first + 1 + random.below(kSectors - first);
        const std::uint64_t version = 1 + random.below(200);
        runs.raise(first, end, version);
        plain.raise(first, end, version);
        const std::uint64_t sector = random.below(kSectors);
        REQUIRE(runs.at(sector).value_or(0) == plain.at(sector));
      }
      std::uint64_t with = 0;
      for (std::uint64_t s = 0; s < kSectors; ++s) {
        REQUIRE(runs.at(s).value_or(0) == plain.at(s));
        with += plain.at(s) > 0;
      }
      REQUIRE(runs.sectors() == with);
    }
  }
}

TEST_CASE("a run of any length costs as much as one sector") {
  SectorVersions versions(1);
  versions.raise(0, std::uint64_t{1} << 54, 1);
  versions.raise(1000, 2000, 5);
  CHECK(versions.at(1500) == 1501);  // the older run has the later version
  versions.raise(1000, 2000, 5000);
  CHECK(versions.at(1500) == 5500);
  CHECK(versions.at(2000) == 2001);
  CHECK(versions.sectors() == std::uint64_t{1} << 54);
}
