// Zoned namespaces: the state of zones, their placement, and jobs of zonemode=zbd on them.
#include "ftl/schemes/zoned_map.h"

#include "ftl/drive/drive.h"
#include "ftl/drive/lifecycle.h"
#include "ftl/testing/drives.h"
#include "sim/core/error.h"
#include "sim/host/host.h"
#include "sim/host/stack/passing_device.h"
#include "sim/testing/archive_trials.h"
#include "sim/testing/test.h"
#include "sim/workload/files/job_file.h"

namespace ftlab {
namespace {

constexpr std::uint64_t kMiB = 1 << 20;

// 24 zones of two superblocks of 1 MiB, 2.5 MiB apart; at most two are open and three active.
DriveConfig zoned_drive() {
  DriveConfig drive = striped_drive();
  drive.ftl.mapping.scheme = MappingConfig::Scheme::zoned;
  drive.ftl.mapping.zones = {2, 5 * kMiB / 2, 2 * kMiB, 24, 2, 3};
  drive.ftl.buffer.power_loss_protected = true;
  drive.user_bytes = 24 * 5 * kMiB / 2;
  return drive;
}

constexpr std::uint64_t first_of(std::uint32_t zone) { return zone * 5 * kMiB / 2; }

// Sends one command and waits for it.
Completion send(Drive& drive, Request request) {
  request.issued = drive.idle_from();
  drive.submit({&request, 1});
  Completion done;
  REQUIRE(drive.wait(kNever, {&done, 1}) == 1);
  return done;
}
Status write(Drive& drive, std::uint64_t offset, std::uint64_t bytes) {
  return send(drive, {0, Op::write, offset, bytes}).status;
}
Status manage(Drive& drive, std::uint32_t zone, ZoneCommand command) {
  Request request{0, Op::trim, first_of(zone), 5 * kMiB / 2};
  request.zone = command;
  return send(drive, request).status;
}
Zone zone(const Device& drive, std::uint32_t number) { return drive.zones().zones.at(number); }

void require_sound(const Drive& drive) {
  for (const std::string& problem : inspect(drive.ftl())) FAIL(problem);
}

std::vector<Job> jobs_of(const Drive& drive, const std::string& text) {
  JobContext context;
  context.capacity_bytes = drive.info().capacity_bytes;
  const std::string shared = "[global]\nfilename=/dev/drive\nioengine=libaio\ndirect=1\nzonemode=zbd\n";
  return parse_job_file(shared + text, "zones.fio", context).jobs;
}

std::string refusal(const Drive& drive, const std::string& text) {
  Drive run(drive.config(), Clock::untimed);
  try {
    run_jobs(run, jobs_of(run, text), {});
  } catch (const ConfigError& error) {
    return error.what();
  }
  return {};
}

// Remembers the most zones that were active at a time.
class Watching final : public PassingDevice {
 public:
  explicit Watching(Device& device) : PassingDevice(device) {}
  void submit(std::span<const Request> batch) override {
    for (const Request& request : batch) {
      behind().submit({&request, 1});
      std::uint32_t active = 0;
      for (const Zone& zone : behind().zones().zones) active += is_active(zone.state);
      most_active = std::max(most_active, active);
    }
  }
  std::uint32_t most_active = 0;
};

}  // namespace

TEST_CASE("a zone is written at its write pointer, up to its capacity") {
  for (const Clock clock : {Clock::timed, Clock::untimed}) {
    Drive drive(zoned_drive(), clock);
    CHECK(write(drive, first_of(3), 64 << 10) == Status::ok);
    CHECK(write(drive, first_of(3), 4096) == Status::zone_invalid_write);
    CHECK(write(drive, first_of(3) + (128 << 10), 4096) == Status::zone_invalid_write);
    CHECK(write(drive, first_of(3) + (64 << 10), 2048) == Status::invalid);  // less than a mapping page
    CHECK(write(drive, first_of(3) + (64 << 10), 2 * kMiB) == Status::zone_boundary_error);
    CHECK(zone(drive, 3).written_bytes == 64 << 10);
    CHECK(write(drive, first_of(3) + (64 << 10), 2 * kMiB - (64 << 10)) == Status::ok);
    CHECK(zone(drive, 3).state == ZoneState::full);
    CHECK(write(drive, first_of(3) + 2 * kMiB, 4096) == Status::zone_is_full);
    CHECK(drive.counters().host_write_bytes == 2 * kMiB);
    CHECK(drive.counters().media_write_bytes() == 2 * kMiB);
    require_sound(drive);
  }
}

TEST_CASE("a drive closes a zone that it opened itself, and no other, to open the next") {
  Drive drive(zoned_drive(), Clock::timed);
  for (const std::uint32_t z : {0u, 1u}) REQUIRE(write(drive, first_of(z), 4096) == Status::ok);
  CHECK(manage(drive, 1, ZoneCommand::open) == Status::ok);
  CHECK(write(drive, first_of(2), 4096) == Status::ok);
  CHECK(zone(drive, 0).state == ZoneState::closed);
  CHECK(zone(drive, 1).state == ZoneState::explicitly_open);
  CHECK(zone(drive, 2).state == ZoneState::implicitly_open);
  CHECK(write(drive, first_of(3), 4096) == Status::too_many_active_zones);
  CHECK(manage(drive, 2, ZoneCommand::open) == Status::ok);
  CHECK(write(drive, 4096, 4096) == Status::too_many_open_zones);
  CHECK(manage(drive, 2, ZoneCommand::close) == Status::ok);
  CHECK(write(drive, 4096, 4096) == Status::ok);
  CHECK(manage(drive, 5, ZoneCommand::close) == Status::invalid_zone_state_transition);
}

TEST_CASE("an append goes to the write pointer, and its completion says where") {
  for (const Clock clock : {Clock::timed, Clock::untimed}) {
    Drive drive(zoned_drive(), clock);
    Request append{0, Op::write, first_of(1), 8192};
    append.append = true;
    CHECK(send(drive, append).offset_bytes == first_of(1));
    CHECK(send(drive, append).offset_bytes == first_of(1) + 8192);
    append.offset_bytes += 4096;
    CHECK(send(drive, append).status == Status::invalid);
    CHECK(zone(drive, 1).written_bytes == 16384);
  }
}

TEST_CASE("a reset erases the superblocks of a zone, and a finished zone takes no more data") {
  Drive drive(zoned_drive(), Clock::timed);
  const std::uint64_t free = drive.counters().free_superblocks;
  REQUIRE(write(drive, first_of(4), kMiB + 4096) == Status::ok);
  CHECK(drive.counters().free_superblocks == free - 2);
  CHECK(manage(drive, 4, ZoneCommand::finish) == Status::ok);
  CHECK(write(drive, first_of(4) + kMiB + 4096, 4096) == Status::zone_is_full);
  CHECK(manage(drive, 4, ZoneCommand::open) == Status::invalid_zone_state_transition);
  CHECK(manage(drive, 4, ZoneCommand::reset) == Status::ok);
  CHECK(manage(drive, 4, ZoneCommand::reset) == Status::ok);  // it is empty already
  drive.idle_from();
  CHECK(drive.counters().free_superblocks == free);
  CHECK(drive.counters().block_erases == 2 * drive.medium().layout().blocks_per_superblock());
  CHECK(drive.counters().zone_resets == 1);
  CHECK(drive.counters().zone_finishes == 1);
  CHECK(drive.counters().mapped_bytes == 0);
  CHECK(drive.counters().host_trim_bytes == 0);
  CHECK(send(drive, {0, Op::trim, first_of(4), 4096}).status == Status::invalid);
  require_sound(drive);
}

TEST_CASE("write amplification is 1, whatever a job writes") {
  for (const char* const job : {"[j]\nrw=write\nbs=64k\nloops=3\n", "[j]\nrw=randwrite\nbs=16k\niodepth=8\nio_size=100m\n",
                                "[j]\nrw=randwrite\nbs=128k\nmax_open_zones=2\nio_size=100m\nnorandommap\n",
                                "[j]\nrw=randrw\nbs=32k\njob_max_open_zones=1\nio_size=64m\niodepth=4\n",
                                "[j]\nrw=randwrite\nbs=64k\nnumjobs=4\niodepth=4\nio_size=40m\n",
                                "[j]\nrw=write\nbs=32k\nnumjobs=3\noffset_increment=8z\nsize=8z\nzonesize=2560k\n"
                                "loops=2\nzone_append=1\n"}) {
    INFO(job);
    for (const Clock clock : {Clock::timed, Clock::untimed}) {
      Drive drive(zoned_drive(), clock);
      const std::vector<Job> jobs = jobs_of(drive, job);
      const RunStats stats = run_jobs(drive, jobs, {});
      const Counters all = drive.counters();
      std::uint64_t written = 0, failed = 0;
      for (const JobStats& one : stats.jobs) {
        written += one.directions[1].bytes;
        failed += one.failed[0] + one.failed[1];
      }
      CHECK(failed == 0);
      CHECK(written == all.host_write_bytes);
      CHECK(written > 20 * kMiB);
      CHECK(all.media_write_bytes() == all.host_write_bytes);
      CHECK(all.relocated_pages == 0);
      require_sound(drive);
      Drive again(zoned_drive(), clock);
      CHECK(run_jobs(again, jobs_of(again, job), {}).signature == stats.signature);
    }
  }
}

TEST_CASE("no more zones are written at a time than a job asks for, or the drive allows") {
  const std::vector<std::pair<std::string, std::uint32_t>> limits = {
      {"max_open_zones=1\n", 1}, {"job_max_open_zones=1\n", 1}, {"", 2}};
  for (const auto& [lines, most] : limits) {
    Drive drive(zoned_drive(), Clock::timed);
    Watching watching(drive);
    run_jobs(watching, jobs_of(drive, "[j]\nrw=randwrite\nbs=64k\niodepth=4\n" + lines), {});
    CHECK(watching.most_active == most);
  }
}

TEST_CASE("a second job finds the zones as the first one left them") {
  Drive drive(zoned_drive(), Clock::timed);
  const std::string jobs =
      "[w]\nrw=randwrite\nbs=64k\nio_size=10m\nmax_open_zones=2\n"
      "[r]\nstonewall\nrw=randread\nbs=16k\nnorandommap\nio_size=4m\n[s]\nstonewall\nrw=read\nbs=64k\n";
  const std::vector<Job> parsed = jobs_of(drive, jobs);
  const RunStats stats = run_jobs(drive, parsed, {});
  CHECK(stats.jobs[1].directions[0].bytes == 4 * kMiB);
  CHECK(stats.jobs[2].directions[0].bytes == drive.counters().mapped_bytes);  // each written block once
  CHECK(drive.counters().unmapped_read_pages == 0);
  const std::vector<Job> later = jobs_of(drive, "[v]\nrw=randwrite\nbs=64k\nio_size=10m\nmax_open_zones=1\n");
  const RunStats after = run_jobs(drive, later, {});
  CHECK(after.jobs[0].failed[1] == 0);
  CHECK(after.jobs[0].directions[1].bytes == 10 * kMiB);
}

TEST_CASE("zone_reset_frequency resets zones above the threshold") {
  Drive drive(zoned_drive(), Clock::untimed);
  const std::string job = "[j]\nrw=randwrite\nbs=64k\nio_size=40m\nzone_reset_threshold=0.2\nzone_reset_frequency=0.1\n";
  run_jobs(drive, jobs_of(drive, job), {});
  CHECK(drive.counters().zone_resets > 20);
  CHECK(drive.counters().media_relocation_bytes == 0);
}

TEST_CASE("verified data come back from where they were written") {
  Drive drive(zoned_drive(), Clock::timed);
  const std::string text =
      "[w]\nrw=write\nbs=64k\nsize=10m\nverify=crc32c\n"
      "[x]\nstonewall\nrw=randwrite\nbs=32k\nio_size=20m\nverify=crc32c\n";
  const std::vector<Job> jobs = jobs_of(drive, text);
  const RunStats stats = run_jobs(drive, jobs, {});
  for (const JobStats& job : stats.jobs) {
    CHECK(job.error == 0);
    CHECK(job.directions[0].bytes == job.directions[1].bytes);
    CHECK(job.directions[0].bytes >= 8 * kMiB);
  }
}

TEST_CASE("a job that verifies writes as much as one that does not, and reads back before a zone is reset") {
  const std::string job = "[j]\nrw=randwrite\nbs=64k\nsize=10m\nio_size=40m\niodepth=4\n";
  const auto bytes = [&](const std::string& more) {
    Drive drive(zoned_drive(), Clock::timed);
    const RunStats stats = run_jobs(drive, jobs_of(drive, job + more), {});
    CHECK(stats.jobs[0].error == 0);
    CHECK(drive.counters().unmapped_read_pages == 0);
    return std::pair(stats.jobs[0].directions[0].bytes, stats.jobs[0].directions[1].bytes);
  };
  CHECK(bytes("") == std::pair(0 * kMiB, 40 * kMiB));
  CHECK(bytes("verify=crc32c\ndo_verify=0\n") == std::pair(0 * kMiB, 40 * kMiB));
  const auto [read, written] = bytes("verify=crc32c\n");  // io_size counts both
  CHECK(read == written);
  CHECK(read + written >= 40 * kMiB - 64 * 1024);
  const auto [few, most] = bytes("verify=crc32c\ntime_based\nruntime=2\n");
  CHECK(most > 40 * kMiB);
  CHECK(few * 4 > most * 3);  // not what was written again elsewhere before the reset
}

TEST_CASE("write pointers outlive a power cut, and zones continue there") {
  Drive drive(zoned_drive(), Clock::timed);
  REQUIRE(write(drive, first_of(0), kMiB + 20480) == Status::ok);
  REQUIRE(write(drive, first_of(1), 4096) == Status::ok);
  REQUIRE(write(drive, first_of(2), 2 * kMiB) == Status::ok);
  for (int cut = 0; cut < 3; ++cut) {
    Lifecycle(drive).power_cycle();
    require_sound(drive);
    CHECK(zone(drive, 0).state == ZoneState::closed);
    CHECK(zone(drive, 0).written_bytes == kMiB + 20480 + cut * 4096);
    CHECK(zone(drive, 1).written_bytes == 4096);
    CHECK(zone(drive, 2).state == ZoneState::full);
    CHECK(write(drive, first_of(0) + kMiB + 20480 + cut * 4096, 4096) == Status::ok);
    // Six pages fill whole stripes of two, so that the second cut pads nothing; five and seven do not.
    CHECK(drive.counters().relocated_pages == (cut < 2 ? 5 : 12));
  }
  CHECK(write(drive, first_of(0) + kMiB + 20480 + 3 * 4096, kMiB - 20480 - 3 * 4096) == Status::ok);
  for (const std::uint32_t z : {0u, 1u, 2u}) CHECK(manage(drive, z, ZoneCommand::reset) == Status::ok);
  Lifecycle(drive).power_cycle();
  require_sound(drive);
  CHECK(zone(drive, 0).state == ZoneState::empty);
  CHECK(drive.counters().free_superblocks == 64);
}

TEST_CASE("a saved zoned drive continues as it was") {
  const std::string job = "[j]\nrw=randwrite\nbs=64k\niodepth=4\nio_size=30m\n";
  Drive drive(zoned_drive(), Clock::timed);
  run_jobs(drive, jobs_of(drive, job), {});
  Drive copy(zoned_drive(), Clock::timed);
  copy.load(drive.save());
  const auto pointers = [](const Device& of) {
    std::string text;
    for (const Zone& zone : of.zones().zones)
      text += std::to_string(static_cast<int>(zone.state)) + ":" + std::to_string(zone.written_bytes) + " ";
    return text;
  };
  CHECK(pointers(copy) == pointers(drive));
  for (Drive* const one : {&drive, &copy}) run_jobs(*one, jobs_of(*one, job), {});
  CHECK(pointers(copy) == pointers(drive));
  CHECK(copy.counters().zone_resets == drive.counters().zone_resets);
}

TEST_CASE("a saved zone that ends elsewhere than its data is refused") {
  Drive drive(zoned_drive(), Clock::timed), other(zoned_drive(), Clock::timed);
  REQUIRE(write(drive, 0, kMiB) == Status::ok);
  const std::string state = drive.save();
  // Of each zone the state (1 byte) and the bytes written, behind the name and its length.
  const std::size_t at = state.find("\5zones") + 7;
  REQUIRE(testing::with_number(state, at, kMiB) == state);
  CHECK_THROWS_WITH(other.load(testing::with_number(state, at, kMiB / 2)),
                    "the saved state contradicts itself: a zone ends elsewhere than its data");
}

TEST_CASE("a conventional drive runs the same job, with zones of the host") {
  Drive drive(striped_drive(), Clock::untimed);
  CHECK(refusal(drive, "[j]\nrw=write\nbs=64k\n").find("zonesize") != std::string::npos);
  const std::vector<Job> jobs =
      jobs_of(drive, "[j]\nrw=randwrite\nbs=64k\nzonesize=2m\nzonecapacity=1920k\nio_size=200m\nmax_open_zones=4\n");
  const RunStats stats = run_jobs(drive, jobs, {});
  CHECK(stats.jobs[0].directions[1].bytes == 200 * kMiB);
  CHECK(drive.counters().media_relocation_bytes > 0);  // its superblocks mix the data of four zones
  CHECK(drive.counters().mapped_bytes <= 28 * 1920 * 1024);
}

TEST_CASE("jobs that do not fit the zones of the drive are refused") {
  const Drive drive(zoned_drive(), Clock::untimed);
  const auto says = [&](const char* job, const char* text) { return refusal(drive, job).find(text) != std::string::npos; };
  CHECK(says("zonemode=none\n[j]\nrw=randwrite\nbs=64k\n", "written in order"));
  CHECK(says("[j]\nrw=write\nbs=64k\nzonesize=2m\n", "have another size"));
  CHECK(says("[j]\nrw=write\nbs=64k\nsize=2m\n", "holds no whole zone"));
  CHECK(says("[j]\nrw=write\nbs=2k\n", "in blocks of 4096 bytes"));
  CHECK(says("[j]\nrw=write\nbs=4m\n", "larger than a zone"));
  CHECK(says("[j]\nrw=trim\nbs=64k\n", "resets a whole zone"));
  CHECK(says("[j]\nrw=write\nbs=64k\nmax_open_zones=3\n", "the drive has fewer"));
  CHECK(refusal(drive, "[j]\nrw=write\nbs=64k\nmax_open_zones=3\nignore_zone_limits=1\n").empty());
  CHECK(refusal(drive, "zonemode=none\n[j]\nrw=randread\nbs=64k\n").empty());
  CHECK(refusal(drive, "[j]\nrw=randtrim\nbs=2560k\n").empty());
}

}  // namespace ftlab
