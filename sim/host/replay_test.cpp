// Every request of the file reaches the device once per pass, at its time or as soon as there is room.
#include "sim/host/replay.h"

#include <deque>

#include "sim/config/refusal.h"
#include "sim/host/request_tracker.h"
#include "sim/testing/test.h"
#include "sim/traces/testing/traces.h"

using namespace ftlab;

namespace {

// Serves one request at a time, in 10 us each, and records them.
class SlowDisk : public Device {
 public:
  DeviceInfo info() const override { return {"slow disk", 1 << 20, true}; }
  void expect(const Request&) override {}
  Counters counters() const override { return {}; }

  void submit(std::span<const Request> batch) override {
    for (const Request& request : batch) {
      REQUIRE(request.issued >= last_);
      last_ = request.issued;
      free_ = std::max(free_, request.issued) + std::chrono::microseconds(10);
      Completion done{request.tag, free_, Status::ok, {}};
      done.parts[0] = free_ - request.issued;
      queue_.push_back(done);
      taken.push_back(request);
      deepest = std::max(deepest, queue_.size());
    }
  }

  std::size_t wait(Nanoseconds until, std::span<Completion> out) override {
    if (queue_.empty() || queue_.front().completed > until) return 0;
    out[0] = queue_.front();
    queue_.pop_front();
    last_ = std::max(last_, out[0].completed);
    return 1;
  }

  std::vector<Request> taken;
  std::size_t deepest = 0;

 private:
  std::deque<Completion> queue_;
  Nanoseconds free_{0};
  Nanoseconds last_{0};
};

const char* const kTrace =
    "fio version 3 iolog\n"
    "100 d write 0 4096\n"
    "101 d read 4096 512\n"
    "130 d sync\n"
    "140 d trim 8192 4096\n"
    "200 d write 512 512\n";

struct Replayed {
  SlowDisk disk;
  RunStats stats;
  Job description;
};

std::unique_ptr<Replayed> replay(const std::string& text, const ReplayOptions& options) {
  const TraceFile file(text);
  auto done = std::make_unique<Replayed>();
  TraceSummary summary = summarise_trace(file.options());
  AddressMap addresses(AddressPolicy::error, 1 << 20, summary, file.path());
  check_replay(summary, options, "t");
  done->stats = replay_trace(done->disk, file.options(), summary, addresses, options, done->description, {});
  return done;
}

std::vector<std::uint64_t> issue_times(const SlowDisk& disk) {
  std::vector<std::uint64_t> times;
  for (const Request& request : disk.taken) times.push_back(request.issued.count());
  return times;
}

// Power switch of the slow disk: records its calls, and is back one millisecond after a cut.
class SlowSwitch final : public PowerSwitch {
 public:
  explicit SlowSwitch(SlowDisk& disk) : disk_(disk) {}

  void watch_flash() override { happened.push_back("watched after " + std::to_string(disk_.taken.size())); }
  Nanoseconds cut(RequestTracker& tracker, Nanoseconds at, std::uint64_t fates) override {
    happened.push_back(std::to_string(at.count()) + " ns, fates " + std::to_string(fates) + ", outstanding " +
                       std::to_string(tracker.outstanding()));
    for (Completion done; tracker.outstanding() > 0;) {
      REQUIRE(disk_.wait(kNever, {&done, 1}) == 1);
      tracker.settle(done);
    }
    return at + std::chrono::milliseconds(1);
  }

  void held_up() override { ++late; }

  std::vector<std::string> happened;
  int late = 0;

 private:
  SlowDisk& disk_;
};

const char* const kRecording =
    "0,0 0 1 0.000000000 0 D W 0 + 8 [ftlab]\n"
    "0,0 0 2 0.000001000 0 m N ftlab watch-flash\n"
    "0,0 0 3 0.000002000 0 D W 8 + 8 [ftlab]\n"
    "0,0 0 4 0.000040000 0 D W 16 + 8 [ftlab]\n"
    "0,0 0 5 0.000041000 0 D WF 24 + 8 [ftlab]\n"
    "0,0 0 6 0.000045000 0 m N ftlab power-cut fates=7\n"
    "0,0 0 7 0.000050000 0 D R 0 + 8 [ftlab]\n"
    "0,0 0 8 0.003000000 0 D F 0 + 0 [ftlab]\n"
    "0,0 0 9 0.004000000 0 m N ftlab power-cut fates=8\n";

}  // namespace

TEST_CASE("power events happen at their times in the trace, and requests that they hold up are issued later") {
  const TraceFile file(kRecording);
  TraceSummary summary = summarise_trace(file.options());
  AddressMap addresses(AddressPolicy::error, 1 << 20, summary, file.path());
  check_replay(summary, {}, "t");
  SlowDisk disk;
  SlowSwitch power(disk);
  const Job description;
  const RunStats stats = replay_trace(disk, file.options(), summary, addresses, {}, description, {}, &power);
  CHECK(stats.requests == 6);
  CHECK(power.happened == std::vector<std::string>{"watched after 1", "45000 ns, fates 7, outstanding 2",
                                                   "4000000 ns, fates 8, outstanding 0"});
  // watch-flash waits for the first write (10 us), so the second is issued then; the read is issued when the disk is back.
  CHECK(issue_times(disk) == std::vector<std::uint64_t>{0, 10'000, 40'000, 41'000, 1'045'000, 3'000'000});
  CHECK(power.late == 2);
  CHECK(disk.taken[3].fua);
}

TEST_CASE("a trace with power cuts can only be replayed once and at its recorded times") {
  const TraceFile file(kRecording);
  const TraceSummary summary = summarise_trace(file.options());
  const auto refused = [&](const ReplayOptions& options) { return refusal([&] { check_replay(summary, options, "t"); }); };
  const std::string begin = "t:2: cuts the power of the drive, so the trace cannot be replayed ";
  const std::string allowed = "; allowed: its recorded times, once)";
  CHECK(refused({}) == "accepted");
  CHECK(refused({200, 0, 1}) == begin + "at another speed (got --trace-speed 200" + allowed);
  CHECK(refused({100, 4, 1}) == begin + "without its times (got --closed-loop 4" + allowed);
  CHECK(refused({100, 0, 2}) == begin + "several times (got --trace-loops 2" + allowed);
}

TEST_CASE("an open loop issues every request of the file unchanged, at its recorded time") {
  const auto done = replay(kTrace, {});
  CHECK(issue_times(done->disk) == std::vector<std::uint64_t>{0, 1'000, 30'000, 40'000, 100'000});
  REQUIRE(done->stats.requests == 5);
  CHECK(done->disk.taken[1].offset_bytes == 4096);
  CHECK(done->disk.taken[1].length_bytes == 512);
  CHECK(done->disk.taken[2].op == Op::flush);
  CHECK(done->disk.taken[3].op == Op::trim);
}

TEST_CASE("flushes are served, but not counted as reads, writes or trims") {
  const auto done = replay(kTrace, {});
  const JobStats& job = done->stats.jobs.front();
  CHECK(job.job == &done->description);
  CHECK(job.directions[0].requests == 1);
  CHECK(job.directions[1].requests == 2);
  CHECK(job.directions[2].requests == 1);
  CHECK(done->stats.ended == Nanoseconds{110'000});
}

TEST_CASE("speed scales the gaps exactly, rounding down to a nanosecond") {
  CHECK(issue_times(replay(kTrace, {200, 0, 1})->disk) == std::vector<std::uint64_t>{0, 500, 15'000, 20'000, 50'000});
  CHECK(issue_times(replay(kTrace, {300, 0, 1})->disk) == std::vector<std::uint64_t>{0, 333, 10'000, 13'333, 33'333});
  CHECK(issue_times(replay(kTrace, {50, 0, 1})->disk) == std::vector<std::uint64_t>{0, 2'000, 60'000, 80'000, 200'000});
}

TEST_CASE("a further pass begins one mean gap after the last request") {
  const auto done = replay(kTrace, {100, 0, 3});
  REQUIRE(done->stats.requests == 15);
  CHECK(done->disk.taken[5].issued.count() == 125'000);
  CHECK(done->disk.taken[14].issued.count() == 350'000);
}

TEST_CASE("a closed loop keeps its queue depth and issues on every completion") {
  std::string text = "fio version 2 iolog\n";
  for (int i = 0; i < 100; ++i) text += "d write " + std::to_string(i * 4096) + " 4096\n";
  for (const std::uint64_t depth : {1, 3, 64, 1000}) {
    CAPTURE(depth);
    const auto done = replay(text, {100, depth, 1});
    CHECK(done->stats.requests == 100);
    CHECK(done->disk.deepest == std::min<std::uint64_t>(depth, 100));
    CHECK(done->stats.ended == Nanoseconds{1'000'000});
    const std::uint64_t issued_later = 100 - std::min<std::uint64_t>(depth, 100);
    CHECK(done->disk.taken.back().issued.count() == issued_later * 10'000);
  }
}

TEST_CASE("a trace without times is refused in an open loop") {
  CHECK(refusal([] { replay("fio version 2 iolog\nd write 0 512\nd write 0 512\n", {}); }) ==
        "t: its 2 requests all carry the same time, so it cannot be replayed at its own times; give --closed-loop DEPTH");
  CHECK(replay("fio version 2 iolog\nd write 0 512\n", {})->stats.requests == 1);
}

TEST_CASE("a replay that would last too long is refused, taking passes and speed into account") {
  const auto checked = [](std::uint64_t days, const ReplayOptions& options) {
    const TraceFile file("fio version 3 iolog\n0 d write 0 512\n" + std::to_string(days * 86'400'000'000) +
                         " d write 0 512\n");
    const TraceSummary summary = summarise_trace(file.options());
    return refusal([&] { check_replay(summary, options, "t"); });
  };
  const std::string too_long =
      "t: would last longer than 100 days; is its time unit right? (--trace-speed shortens it, --closed-loop does without "
      "times)";
  CHECK(checked(100, {}) == "accepted");
  CHECK(checked(101, {}) == too_long);
  CHECK(checked(101, {200, 0, 1}) == "accepted");
  CHECK(checked(101, {100, 1, 1}) == "accepted");
  CHECK(checked(33, {100, 0, 2}) == "accepted");
  CHECK(checked(34, {100, 0, 2}) == too_long);  // two passes of 34 days and a gap of 34 days
  CHECK(checked(1, {1, 0, 1}) == "accepted");
  CHECK(checked(2, {1, 0, 1}) == too_long);
}
