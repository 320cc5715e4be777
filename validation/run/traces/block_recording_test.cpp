// Pictures of superblocks match the drive at their times, add up, and do not affect the run.
#include "ftl/drive/drive_counters.h"
#include "validation/run/traces/block_recording.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>

#include "ftl/testing/drives.h"
#include "sim/config/refusal.h"
#include "sim/core/signature.h"
#include "sim/host/host.h"
#include "sim/host/stack/host_software.h"
#include "sim/host/stack/rebased_device.h"
#include "sim/stats/fio/fio_report.h"
#include "sim/testing/devices.h"
#include "sim/testing/test.h"
#include "sim/workload/files/job_file.h"
#include "validation/run/testing/recording.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

using Json = nlohmann::json;

constexpr Nanoseconds kMillisecond{1'000'000};

DriveConfig parity_drive() {
  DriveConfig drive = striped_drive();
  drive.ftl.superblock.parity = true;
  drive.user_bytes = 46ull << 20;
  return drive;
}

// Fills the drive, overwrites it, is idle, trims half and continues.
std::vector<Job> phases(const Drive& drive) {
  JobContext context;
  context.capacity_bytes = drive.config().user_bytes;
  const std::string text =
      "[global]\nfilename=/dev/d\nioengine=libaio\ndirect=1\nrandrepeat=0\nnorandommap\niodepth=4\n"
      "[fill]\nrw=write\nbs=64k\nsize=100%\n"
      "[overwrite]\nstonewall\nrw=randrw\nrwmixread=20\nbs=4k\nio_size=60m\n"
      "[trim]\nstonewall\nstartdelay=100ms\nrw=trim\nbs=64k\nsize=50%\n"
      "[rest]\nstonewall\nrw=randwrite\nbs=16k\nio_size=20m\n";
  return parse_job_file(text, "phases.fio", context).jobs;
}

std::int64_t pages_of_data(const PageStore& store, SuperblockId block) {
  const Layout& layout = store.medium().layout();
  std::int64_t pages = 0;
  for (std::uint32_t position = 0; position < store.medium().superblocks().programmed(block); ++position)
    pages += !layout.is_parity(layout.stripe_of(position));
  for (const Frontier& frontier : store.frontiers())
    if (frontier.block() == block) pages += store.stages()[frontier.number()].count();
  return pages;
}

// Picture computed page by page.
Picture walk(const Drive& drive) {
  const PageStore& store = drive.ftl().store();
  Picture picture;
  for (std::uint32_t b = 0; b < store.blocks().count(); ++b) {
    std::int64_t valid = 0;
    for (std::uint32_t page = 0; page < store.medium().layout().pages_per_superblock(); ++page)
      valid += store.pages().current().test(SuperblockId{b}, page);
    picture["valid"].push_back(valid);
    picture["written"].push_back(pages_of_data(store, SuperblockId{b}));
    picture["state"].push_back(static_cast<std::int64_t>(store.blocks().state(SuperblockId{b})));
    picture["erases"].push_back(store.medium().superblocks().erases(SuperblockId{b}));
    const bool erased = store.blocks().state(SuperblockId{b}) == BlockState::free;
    picture["frontier"].push_back(erased ? 0 : 1 + store.medium().superblocks().frontier(SuperblockId{b}));
  }
  return picture;
}

// Computes a picture at each picture time.
class Walker final : public PassingDevice {
 public:
  Walker(Drive& drive, const RecordingPlan& plan) : PassingDevice(drive), drive_(drive), plan_(plan) {}

  void submit(std::span<const Request> batch) override {
    for (const Request& request : batch) {
      walk_until(request.issued);
      behind().submit({&request, 1});
    }
  }
  // Advances the drive to each picture time first, as RecordedDevice does.
  std::size_t wait(Nanoseconds until, std::span<Completion> out) override {
    while (next_ < plan_.pictures() && moment() <= until) {
      const std::size_t count = behind().wait(moment() - Nanoseconds{1}, out);
      if (count > 0) return count;
      walk_until(moment());
    }
    return behind().wait(until, out);
  }
  void walk_until(Nanoseconds now) {
    for (; next_ < plan_.pictures() && moment() <= now; ++next_) pictures.push_back(walk(drive_));
  }

  std::vector<Picture> pictures;

 private:
  Nanoseconds moment() const { return plan_.from + plan_.every * next_; }

  Drive& drive_;
  RecordingPlan plan_;
  std::uint64_t next_ = 0;
};

std::int64_t sum(const std::vector<std::int64_t>& values) {
  std::int64_t total = 0;
  for (const std::int64_t value : values) total += value;
  return total;
}

std::int64_t sum(const Json& list) {
  std::int64_t total = 0;
  for (const Json& value : list) total += value.is_null() ? 0 : value.get<std::int64_t>();
  return total;
}

std::uint64_t state_of(const Drive& drive) {
  Signature signature;
  sign(drive, signature);
  return signature.value();
}

constexpr RecordingPlan kAll{Nanoseconds{0}, 20'000 * kMillisecond, 20 * kMillisecond};

}  // namespace

TEST_CASE("pictures equal those of a walk over the superblocks") {
  for (const DriveConfig& config : {striped_drive(), parity_drive()}) {
    const RecordingPlan plan{30 * kMillisecond, 20'000 * kMillisecond, 20 * kMillisecond};
    Drive drive(config, Clock::timed), walked(config, Clock::timed);
    const std::vector<Job> jobs = phases(drive);
    std::string text;
    record(drive, jobs, plan, text);
    Walker walker(walked, plan);
    const RunStats stats = run_jobs(walker, jobs, {});
    walker.walk_until(stats.ended);
    const std::vector<Picture> pictures = decoded(text);
    REQUIRE(pictures.size() > 50);
    REQUIRE(walker.pictures.size() == pictures.size());
    for (std::size_t p = 0; p < pictures.size(); ++p)
      for (const char* column : kRecordedColumns) {
        INFO("picture " << p << ", " << column);
        CHECK(pictures[p].at(column) == walker.pictures[p].at(column));
      }
  }
}

TEST_CASE("valid pages of every picture add up to the mapped pages") {
  Drive drive(striped_drive(), Clock::timed);
  std::string text;
  record(drive, phases(drive), kAll, text);
  const Json json = Json::parse(text);
  const std::vector<Picture> pictures = decoded(text);
  for (std::size_t p = 0; p < pictures.size(); ++p)
    CHECK(sum(pictures[p].at("valid")) == json["host"]["mapped_pages"][p].get<std::int64_t>());
  CHECK(json["host"]["mapped_pages"].front() == 0);
  CHECK(json["host"]["mapped_pages"].back() > drive.config().logical_pages() / 2);
}

TEST_CASE("erases of pictures and of superblocks add up to those of the run") {
  Drive drive(striped_drive(), Clock::timed);
  std::string text;
  const RunStats stats = record(drive, phases(drive), kAll, text);
  const Json json = Json::parse(text);
  const auto erased = static_cast<std::int64_t>(stats.device_after.block_erases - stats.device_before.block_erases);
  CHECK(erased > 100);
  CHECK(sum(json["erases_at_end"]) * json["blocks_per_superblock"].get<std::int64_t>() == erased);
  const std::int64_t in_pictures = sum(decoded(text).back().at("erases"));
  CHECK(sum(json["host"]["erased_blocks"]) == in_pictures * json["blocks_per_superblock"].get<std::int64_t>());
}

TEST_CASE("host rates of pictures add up to the bytes of the run") {
  Drive drive(striped_drive(), Clock::timed);
  std::string text;
  const RunStats stats = record(drive, phases(drive), kAll, text);
  const Json host = Json::parse(text)["host"];
  double megabytes = 0, most = 0;  // maximum between two pictures
  for (const Json& rate : host["write_MB_per_s"]) {
    const double here = rate.is_null() ? 0 : rate.get<double>() * 0.02;
    megabytes += here;
    most = std::max(most, here);
  }
  const double written = static_cast<double>(stats.device_after.host_write_bytes) / 1e6;
  CHECK(megabytes <= written * 1.0001);
  CHECK(written - megabytes <= most);  // after the last picture
  CHECK(most < written / 20);
  CHECK(host["write_MB_per_s"].front().is_null());
  CHECK(sum(host["trimmed_pages"]) == drive.config().logical_pages() / 2);
}

TEST_CASE("erases at the end are complete if the pictures ended earlier") {
  Drive drive(striped_drive(), Clock::timed);
  std::string text;
  record(drive, phases(drive), {Nanoseconds{0}, 100 * kMillisecond, 50 * kMillisecond}, text);
  const Json json = Json::parse(text);
  CHECK(json["pictures"] == 3);
  const std::span<const std::uint32_t> erases = drive.medium().superblocks().erase_counts();
  CHECK(json["erases_at_end"].get<std::vector<std::uint32_t>>() == std::vector<std::uint32_t>(erases.begin(), erases.end()));
}

TEST_CASE("a run that ends before the first picture has no pictures") {
  Drive drive(striped_drive(), Clock::timed);
  std::string text;
  record(drive, phases(drive), {Nanoseconds{3'600'000'000'000}, Nanoseconds{3'600'000'000'000}, kMillisecond}, text);
  const Json json = Json::parse(text);
  CHECK(json["pictures"] == 0);
  CHECK(json["columns"]["valid"].empty());
  CHECK(json["erases_at_end"].size() == 64);
}

TEST_CASE("a picture of an idle drive takes two brackets") {
  Drive drive(striped_drive(), Clock::timed);
  std::string text;
  record(drive, phases(drive), kAll, text);
  CHECK(text.find(",\n[],\n[],\n[]") != text.npos);
}

TEST_CASE("a recording does not change host or drive") {
  const HostSoftwareConfig computer{
      Nanoseconds{3000}, Nanoseconds{7000}, 2, {{100'000, Nanoseconds{10'000}, Nanoseconds{900'000}}}};
  for (const std::uint32_t queue_depth : {0u, 2u}) {
    std::string reports[2], series[2], text;
    std::uint64_t states[2], signatures[2];
    for (const int recorded : {0, 1}) {
      DriveConfig config = striped_drive();
      config.link.queue_depth = queue_depth;
      Drive drive(config, Clock::timed);
      const std::vector<Job> jobs = phases(drive);
      RebasedDevice rebased(drive, Nanoseconds{5'000'000});
      HostSoftware software(rebased, computer, 7);
      BlockRecording recording(drive, {kMillisecond, 5'000 * kMillisecond, 3 * kMillisecond});
      RecordedDevice device(software, recording);
      const RunStats stats = run_jobs(recorded ? static_cast<Device&>(device) : software, jobs, {});
      if (recorded) device.finish(stats.ended);
      CHECK((recording.taken() > 100) == (recorded == 1));
      reports[recorded] = fio_json(stats).dump();
      series[recorded] = series_csv(stats);
      states[recorded] = state_of(drive);
      signatures[recorded] = stats.signature;
    }
    CHECK(reports[0] == reports[1]);
    CHECK(series[0] == series[1]);
    CHECK(states[0] == states[1]);
    CHECK(signatures[0] == signatures[1]);
  }
}

TEST_CASE("a request that completes at a picture's time counts after it") {
  const Drive drive(striped_drive(), Clock::timed);  // source of the pictures only; requests go to `server`
  OneServer server(kMillisecond);
  BlockRecording recording(drive, {Nanoseconds{0}, 5 * kMillisecond, kMillisecond});
  RecordedDevice device(server, recording);
  const JobFile jobs = jobs_of("[j]\nrw=write\nbs=4k\nsize=16k\n");
  const RunStats stats = run_jobs(device, jobs.jobs, {});
  CHECK(stats.ended == 4 * kMillisecond);
  device.finish(stats.ended);
  CHECK(Json::parse(recording.text(stats))["host"]["write_MB_per_s"] == Json::parse("[null, 0.0, 4.096, 4.096, 4.096]"));
}

TEST_CASE("the recorded GC threshold is the reserve if GC stops the host") {
  const auto begins = [](std::uint32_t pages_per_host_write) {
    DriveConfig config = striped_drive();
    config.ftl.gc.pages_per_host_write = pages_per_host_write;
    const Drive drive(config, Clock::timed);
    const RunStats none;
    const BlockRecording recording(drive, {Nanoseconds{0}, Nanoseconds{0}, kMillisecond});
    return Json::parse(recording.text(none))["gc"]["start_free_superblocks"].get<int>();
  };
  CHECK(begins(8) == 3);
  CHECK(begins(0) == 1);
}

TEST_CASE("a picture with fewer changes is shorter") {
  Drive drive(striped_drive(), Clock::timed);
  std::string text;
  record(drive, phases(drive), kAll, text);
  const Json json = Json::parse(text);
  const std::uint64_t cells = json["superblocks"].get<std::uint64_t>() * json["pictures"].get<std::uint64_t>();
  CHECK(json["columns"]["erases"].dump().size() < cells / 4);
  CHECK(json["columns"]["state"].dump().size() < cells / 2);
}

TEST_CASE("invalid recording ranges are refused") {
  const auto message = [](const std::string& text) { return refusal([&] { read_recording_plan(text); }); };
  const std::string form = "allowed: FROM:TO:EVERY in seconds or with a unit, as 0:120s:500ms)";
  CHECK(message("0:120s:500ms") == "accepted");
  CHECK(message("0:1999:1") == "accepted");
  CHECK(message("5:5:1us") == "accepted");
  CHECK(message("") == "--record-blocks: is not three times (" + form);
  CHECK(message("0:120s") == "--record-blocks: is not three times (got 0:120s; " + form);
  CHECK(message("0:1:1:1") == "--record-blocks: is not three times (got 0:1:1:1; " + form);
  CHECK(message("0::1") == "--record-blocks: time missing (got 0::1)");
  CHECK(message("0:x:1") == "--record-blocks: not a number (got 0:x:1)");
  CHECK(message("0:-1:1") == "--record-blocks: must not be negative (got 0:-1:1)");
  CHECK(message("0:1.5:1") ==
        "--record-blocks: fractions are not possible (fio ignores what follows the point) (got 0:1.5:1)");
  CHECK(message("0:10sec:1") ==
        "--record-blocks: unknown unit of time (got 0:10sec:1; allowed: seconds, or with d h m (minutes) s ms us)");
  CHECK(message("0:99999999999:1") ==
        "--record-blocks: time too long (got 0:99999999999:1; allowed: up to 9223372036 seconds, 292 years)");
  CHECK(message("0:1:0") == "--record-blocks: needs an interval above 0 (got 0:1:0; " + form);
  CHECK(message("2:1:1") == "--record-blocks: ends before it begins (got 2:1:1; " + form);
  CHECK(message("10:130:50ms") ==
        "--record-blocks: makes (130 s - 10 s) / 0.05 s + 1 = 2401 pictures (got 10:130:50ms; allowed: at most 2000)");
}

TEST_CASE("too many cells are refused with the calculation") {
  const Drive drive(theory_drive(8192, 4, 20'000), Clock::timed);
  const auto message = [&drive](const RecordingPlan& plan) { return refusal([&] { BlockRecording(drive, plan); }); };
  CHECK(message({Nanoseconds{0}, 510 * kMillisecond, kMillisecond}) == "accepted");
  CHECK(message({Nanoseconds{0}, 1499 * kMillisecond, kMillisecond}) ==
        "--record-blocks: makes 8193 superblocks x 1500 pictures = 12289500 cells (allowed: at most 4194304; of this drive "
        "511 "
        "pictures)");
}
