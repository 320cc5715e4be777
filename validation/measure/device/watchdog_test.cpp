#include "validation/measure/device/watchdog.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <unistd.h>

#include "sim/core/error.h"
#include "sim/host/host.h"
#include "sim/workload/testing/jobs.h"
#include "validation/measure/growing_folder.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

// Takes 10 us per request, one after another, and mishandles the n-th.
class FaultyDevice final : public Device {
 public:
  enum class Wrong { nothing, fails, is_short, never_comes, comes_late, comes_twice, comes_early, comes_unasked };
  FaultyDevice(Wrong wrong, std::size_t nth) : wrong_(wrong), nth_(nth) {}

  DeviceInfo info() const override { return {"faulty", 64 * kMiB, true}; }
  void expect(const Request&) override {}
  void submit(std::span<const Request> batch) override {
    for (const Request& request : batch) {
      free_ = std::max(free_, request.issued) + Nanoseconds{10'000};
      Completion done{request.tag, free_, Status::ok, {}};
      if (++count == nth_)
        spoil(done);
      else
        waiting_.push_back(done);
    }
    std::stable_sort(waiting_.begin(), waiting_.end(),
                     [](const auto& a, const auto& b) { return a.completed < b.completed; });
  }
  std::size_t wait(Nanoseconds until, std::span<Completion> out) override {
    if (waiting_.empty() || waiting_.front().completed > until) {
      if (until != kNever) clock_ = std::max(clock_, until);
      return 0;
    }
    out[0] = waiting_.front();
    clock_ = std::max(clock_, out[0].completed);
    waiting_.erase(waiting_.begin());
    return 1;
  }
  Nanoseconds now(Nanoseconds believed) const override { return std::max(clock_, believed); }
  Counters counters() const override { return {}; }

  std::size_t count = 0;

 private:
  void spoil(Completion done) {
    if (wrong_ == Wrong::fails) done.status = Status::media_error;
    if (wrong_ == Wrong::is_short) done.status = Status::short_transfer;
    if (wrong_ == Wrong::comes_late) done.completed += std::chrono::seconds(90);
    if (wrong_ == Wrong::comes_early) done.completed = Nanoseconds{1};
    if (wrong_ == Wrong::comes_twice) waiting_.push_back(done);
    if (wrong_ == Wrong::comes_unasked) waiting_.push_back({999 | std::uint64_t{1} << 32, done.completed, Status::ok, {}});
    if (wrong_ != Wrong::never_comes) waiting_.push_back(done);
  }

  Wrong wrong_;
  std::size_t nth_;
  Nanoseconds free_{0}, clock_{0};
  std::vector<Completion> waiting_;
};

struct Story {
  explicit Story(FaultyDevice::Wrong wrong, const std::string& lines = "rw=write\nbs=4k\nsize=40m\niodepth=4")
      : device(wrong, 1'000),
        watchdog(device,
                 {std::chrono::seconds(60), [](std::uint64_t) { return std::string("told by the device"); }, &leave}) {
    const JobFile file = parse(job_text(lines));
    HostOptions host;
    host.leave = &leave;
    try {
      stats = run_jobs(watchdog, file.jobs, host);
    } catch (const DeviceLost& error) {
      lost = error.what();
    }
  }
  std::uint64_t served() const { return stats.jobs.at(0).directions[1].requests; }

  std::atomic<bool> leave{false};
  FaultyDevice device;
  Watchdog watchdog;
  RunStats stats;
  std::string lost;
};

using Wrong = FaultyDevice::Wrong;

}  // namespace

TEST_CASE("a device without faults is served to the end, and nothing is recorded") {
  const Story story(Wrong::nothing);
  CHECK(story.watchdog.fault_count() == 0);
  CHECK(story.served() == 10'240);
  CHECK_FALSE(story.leave);
}

TEST_CASE("a fault is recorded with its request and ends the run after the outstanding requests") {
  const std::pair<Wrong, FaultKind> faults[] = {{Wrong::fails, FaultKind::failed},
                                                {Wrong::is_short, FaultKind::short_transfer},
                                                {Wrong::comes_late, FaultKind::late},
                                                {Wrong::comes_twice, FaultKind::duplicate},
                                                {Wrong::comes_early, FaultKind::out_of_order},
                                                {Wrong::comes_unasked, FaultKind::duplicate}};
  for (const auto& [wrong, kind] : faults) {
    CAPTURE(name_of(kind));
    const Story story(wrong);
    REQUIRE(story.watchdog.faults().size() == 1);
    const ObservedFault& fault = story.watchdog.faults()[0];
    CHECK(fault.kind == kind);
    const bool of_nobody = kind == FaultKind::duplicate;
    CHECK((of_nobody || fault.request.offset_bytes == 999 * 4096));
    CHECK(story.watchdog.outstanding() == 0);
    CHECK(story.lost.empty());
    if (kind != FaultKind::late) CHECK(story.device.count <= 1'008);
    CHECK(story.stats.requests == story.device.count);
  }
}

TEST_CASE("the device's own error text is kept") {
  const Story story(Wrong::fails);
  CHECK(story.watchdog.faults().at(0).text == "told by the device");
  CHECK(story.stats.jobs.at(0).failed[1] == 1);
}

TEST_CASE("a device that never returns a request is given up after twice the patience") {
  const Story story(Wrong::never_comes);
  CHECK(story.lost.find("did not come back") != std::string::npos);
  REQUIRE(story.watchdog.faults().size() == 2);
  CHECK(story.watchdog.faults()[0].kind == FaultKind::late);
  CHECK(story.watchdog.faults()[0].at >= std::chrono::seconds(60));
  CHECK(story.watchdog.faults()[0].at < std::chrono::seconds(63));
  CHECK(story.watchdog.faults()[1].kind == FaultKind::lost);
  CHECK(story.watchdog.faults()[1].at >= std::chrono::seconds(120));
}

TEST_CASE("a run told to leave ends at once with nothing outstanding, even if all its jobs sleep") {
  for (const std::string lines : {"rw=write\nbs=4k\nsize=4m\niodepth=4", "rw=write\nbs=4k\nsize=4m\nrate_iops=1",
                                  "rw=write\nbs=4k\nsize=4m\nstartdelay=3600", "rw=write\nbs=4k\nsize=4m\nthinktime=1s"}) {
    CAPTURE(lines);
    FaultyDevice device(Wrong::nothing, 0);
    std::atomic<bool> leave{true};
    Watchdog watchdog(device, {std::chrono::seconds(60), {}, &leave});
    const JobFile file = parse(job_text(lines));
    HostOptions host;
    host.leave = &leave;
    const RunStats stats = run_jobs(watchdog, file.jobs, host);
    CHECK(stats.requests <= 4);
    CHECK(device.count == stats.requests);
    CHECK(watchdog.outstanding() == 0);
  }
}

TEST_CASE("a growing result is marked as incomplete until it is complete") {
  const auto path = std::filesystem::temp_directory_path() / ("ftlab-growing-" + std::to_string(::getpid()));
  {
    GrowingFolder folder(path.string());
    CHECK(std::filesystem::exists(path / "INCOMPLETE"));
    folder.append("series.csv", "a\n");
    folder.append("series.csv", "b\n");
    folder.write("01-x/result.json", "{}");
    folder.say_why("the device no longer answered");
    std::string text;
    std::getline(std::ifstream(path / "INCOMPLETE"), text);
    CHECK(text == "This result is incomplete: the device no longer answered");
    std::getline(std::ifstream(path / "series.csv"), text, '\0');
    CHECK(text == "a\nb\n");
    CHECK_THROWS_AS(GrowingFolder(path.string()), ConfigError);
    folder.complete();
    CHECK_FALSE(std::filesystem::exists(path / "INCOMPLETE"));
  }
  std::filesystem::remove_all(path);
}
