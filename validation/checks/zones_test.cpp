// Laws of zoned namespaces, by random commands beside a small model of NVM Express, Zoned Namespace Command Set 1.1.
#include <map>
#include <set>
#include <string>
#include <vector>

#include "ftl/drive/drive.h"
#include "ftl/drive/lifecycle.h"
#include "ftl/testing/drives.h"
#include "sim/core/random.h"
#include "sim/host/host.h"
#include "sim/host/stack/host_stack.h"
#include "sim/testing/test.h"
#include "sim/workload/files/job_file.h"

namespace ftlab {
namespace {

constexpr std::uint64_t kPage = 4096, kZone = 5 << 19, kCapacity = 2 << 20;
constexpr std::uint32_t kCount = 10, kMostOpen = 3, kMostActive = 5;

DriveConfig ten_zones() {
  DriveConfig drive = striped_drive();
  drive.ftl.mapping.scheme = MappingConfig::Scheme::zoned;
  drive.ftl.mapping.zones = {2, kZone, kCapacity, kCount, kMostOpen, kMostActive};
  drive.ftl.buffer.power_loss_protected = true;
  drive.user_bytes = kCount * kZone;
  return drive;
}

// What a host knows about its zones. Of several zones that the drive may close, it closes the one that it opened first.
class Model {
 public:
  struct Zone {
    ZoneState state = ZoneState::empty;
    std::uint64_t pointer = 0, data = 0;  // data: bytes written since the reset
    std::uint64_t opened = 0;
  };

  Status write(std::uint32_t z, std::uint64_t at, std::uint64_t bytes) {
    Zone& zone = zones[z];
    if (zone.state == ZoneState::full) return Status::zone_is_full;
    if (at != zone.pointer) return Status::zone_invalid_write;
    if (at + bytes > kCapacity) return Status::zone_boundary_error;
    if (const Status status = open(z, ZoneState::implicitly_open); status != Status::ok) return status;
    zone.pointer += bytes;
    zone.data += bytes;
    written += bytes;
    if (zone.pointer == kCapacity) zone.state = ZoneState::full;
    return Status::ok;
  }
  Status manage(std::uint32_t z, ZoneCommand command) {
    Zone& zone = zones[z];
    switch (command) {
      case ZoneCommand::reset: zone = {}; return Status::ok;
      case ZoneCommand::finish:
        zone.state = ZoneState::full;
        zone.pointer = kCapacity;
        return Status::ok;
      case ZoneCommand::close:
        if (!is_active(zone.state)) return Status::invalid_zone_state_transition;
        zone.state = ZoneState::closed;
        return Status::ok;
      default:
        return zone.state == ZoneState::full ? Status::invalid_zone_state_transition : open(z, ZoneState::explicitly_open);
    }
  }
  // Open zones are closed by a power cut; one without data is empty again.
  void cut_power() {
    for (Zone& zone : zones)
      if (is_active(zone.state)) zone.state = zone.data > 0 ? ZoneState::closed : ZoneState::empty;
  }
  std::uint32_t count(bool (*counts)(ZoneState)) const {
    return static_cast<std::uint32_t>(std::ranges::count_if(zones, [&](const Zone& zone) { return counts(zone.state); }));
  }

  std::vector<Zone> zones = std::vector<Zone>(kCount);
  std::uint64_t written = 0;

 private:
  Status open(std::uint32_t z, ZoneState wanted) {
    Zone& zone = zones[z];
    const bool was = is_open(zone.state);
    if (was && wanted == ZoneState::implicitly_open) return Status::ok;
    if (!is_active(zone.state) && count(is_active) == kMostActive) return Status::too_many_active_zones;
    if (!was && count(is_open) == kMostOpen) {
      Zone* first = nullptr;
      for (Zone& one : zones)
        if (one.state == ZoneState::implicitly_open && (first == nullptr || one.opened < first->opened)) first = &one;
      if (first == nullptr) return Status::too_many_open_zones;
      first->state = ZoneState::closed;
    }
    if (!was) zone.opened = ++openings_;
    zone.state = wanted;
    return Status::ok;
  }
  std::uint64_t openings_ = 0;
};

class Trial {
 public:
  Trial(Clock clock, std::uint64_t seed) : clock_(clock), chance_(seed, "zones"), drive_(new Drive(ten_zones(), clock)) {}

  void step() {
    const auto zone = static_cast<std::uint32_t>(chance_.below(kCount));
    const std::uint64_t kind = chance_.below(100);
    if (kind < 70) return write(zone, kind);
    if (kind < 98) return manage(zone, kind);
    if (kind == 98 || clock_ == Clock::untimed) return save_and_load();
    Lifecycle(*drive_).power_cycle();
    model_.cut_power();
  }

  void check() const {
    const ZoneReport report = static_cast<const Device&>(*drive_).zones();
    const Counters counters = drive_->counters();
    std::uint64_t data = 0;
    for (std::uint32_t z = 0; z < kCount; ++z) {
      REQUIRE(report.zones[z].state == model_.zones[z].state);
      REQUIRE(report.zones[z].written_bytes == model_.zones[z].pointer);
      data += model_.zones[z].data;
    }
    REQUIRE(model_.count(is_open) <= kMostOpen);
    REQUIRE(model_.count(is_active) <= kMostActive);
    REQUIRE(counters.mapped_bytes == data);
    REQUIRE(counters.host_write_bytes == model_.written);
    REQUIRE(counters.media_host_bytes == model_.written);  // each write lands on the flash once
    REQUIRE((counters.power_cuts > 0 || counters.relocated_pages == 0));
    REQUIRE(counters.media_write_bytes() ==
            model_.written + counters.media_padding_bytes + counters.relocated_pages * kPage);
  }
  void inspect_layer() const {
    for (const std::string& problem : inspect(drive_->ftl())) FAIL(problem);
  }
  const Counters counters() const { return drive_->counters(); }
  std::map<Status, int> seen;

 private:
  Completion send(Request request) {
    request.issued = drive_->idle_from();
    drive_->submit({&request, 1});
    Completion done;
    REQUIRE(drive_->wait(kNever, {&done, 1}) == 1);
    ++seen[done.status];
    return done;
  }
  void write(std::uint32_t z, std::uint64_t kind) {
    const std::uint64_t pointer = model_.zones[z].pointer;
    const bool elsewhere = kind >= 66, append = kind >= 50 && !elsewhere;
    const std::uint64_t at = elsewhere ? chance_.below(kCapacity / kPage) * kPage : pointer;
    const std::uint64_t bytes = std::min((1 + chance_.below(kind < 20 ? 400 : 40)) * kPage, kZone - at);
    Request request{0, Op::write, z * kZone + (append ? 0 : at), bytes};
    request.append = append;
    const Completion done = send(request);
    REQUIRE(done.status == model_.write(z, at, bytes));
    if (append && done.status == Status::ok) REQUIRE(done.offset_bytes == z * kZone + at);
  }
  void manage(std::uint32_t z, std::uint64_t kind) {
    const ZoneCommand command = kind < 80   ? ZoneCommand::reset
                                : kind < 84 ? ZoneCommand::finish
                                : kind < 91 ? ZoneCommand::open
                                            : ZoneCommand::close;
    Request request{0, Op::trim, z * kZone, kZone};
    request.zone = command;
    REQUIRE(send(request).status == model_.manage(z, command));
  }
  void save_and_load() {
    const std::string state = drive_->save();
    drive_.reset(new Drive(ten_zones(), clock_));
    drive_->load(state);
    REQUIRE(drive_->save() == state);
  }

  Clock clock_;
  RandomStream chance_;
  std::unique_ptr<Drive> drive_;
  Model model_;
};

std::vector<Job> zoned_jobs(const Device& device, const std::string& text) {
  JobContext context;
  context.capacity_bytes = device.info().capacity_bytes;
  return parse_job_file("[global]\nfilename=/dev/drive\nioengine=libaio\ndirect=1\nzonemode=zbd\n" + text, "z.fio", context)
      .jobs;
}

}  // namespace

TEST_CASE("a zoned namespace follows the model of its specification, command by command") {
  for (const Clock clock : {Clock::timed, Clock::untimed}) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      INFO("seed " << seed);
      Trial trial(clock, seed);
      for (int step = 0; step < 1500; ++step) {
        trial.step();
        trial.check();
        if (step % 100 == 0) trial.inspect_layer();
      }
      for (const Status status :
           {Status::zone_boundary_error, Status::zone_is_full, Status::zone_invalid_write, Status::too_many_active_zones,
            Status::too_many_open_zones, Status::invalid_zone_state_transition})
        CHECK(trial.seen[status] > 0);
      CHECK(trial.counters().zone_resets > 50);
      CHECK((clock == Clock::untimed) == (trial.counters().power_cuts == 0));
    }
  }
}

TEST_CASE("a finish adds the rest of a multi-plane program to what is written, a full zone nothing") {
  Drive drive(ten_zones(), Clock::timed);
  const auto send = [&](Request request) {
    request.issued = drive.idle_from();
    drive.submit({&request, 1});
    Completion done;
    REQUIRE(drive.wait(kNever, {&done, 1}) == 1);
    REQUIRE(done.status == Status::ok);
    drive.idle_from();
  };
  send({0, Op::write, 0, kCapacity});
  CHECK(drive.counters().media_padding_bytes == 0);
  send({0, Op::write, kZone, 3 * kPage});
  Request finish{0, Op::trim, kZone, kZone};
  finish.zone = ZoneCommand::finish;
  send(finish);
  CHECK(drive.counters().media_padding_bytes == kPage);  // programs write two planes
  CHECK(drive.counters().media_host_bytes == kCapacity + 3 * kPage);
}

TEST_CASE("writes of several jobs to a zone do not overtake each other, on any way to the drive") {
  DriveConfig config = ten_zones();
  config.link.queue_depth = 3;
  config.link.queues = 4;
  config.link.commands = 5;
  HostSoftwareConfig cores;
  cores.submit = HostTimes(Nanoseconds{7000}, Nanoseconds{9000});
  cores.complete = HostTimes(Nanoseconds{3000});
  cores.cores = 3;
  for (const HostSoftwareConfig& host : {HostSoftwareConfig{}, cores}) {
    for (const char* const job :
         {"[j]\nrw=randwrite\nbsrange=4k-64k\niodepth=8\nnumjobs=6\nio_size=12m\nnorandommap\n",
          "[j]\nrw=write\nbs=20k\niodepth=4\nnumjobs=5\nio_size=8m\n[t]\nrw=randrw\nbs=8k\niodepth=3\nio_size=4m\n",
          "[j]\nrw=randwrite\nbs=12k\niodepth=4\nnumjobs=3\nio_size=12m\nzone_reset_threshold=0.3\nzone_reset_frequency=0."
          "01\n",
          "[j]\nrw=randwrite\nbs=16k\niodepth=4\nnumjobs=4\nio_size=12m\njob_max_open_zones=1\nzone_append=1\n"}) {
      INFO(job);
      Drive drive(config, Clock::timed);
      HostStack stack(drive, host, 1);
      const std::vector<Job> jobs = zoned_jobs(drive, job);
      const RunStats stats = run_jobs(stack.front(), jobs, {});
      std::uint64_t written = 0;
      for (const JobStats& one : stats.jobs) {
        CHECK(one.failed[0] + one.failed[1] == 0);
        written += one.directions[1].bytes;
      }
      CHECK(written > 20 << 20);
      const Counters all = drive.counters();
      CHECK(all.host_write_bytes == written);
      CHECK(all.media_host_bytes == written);
      CHECK(all.relocated_pages == 0);
    }
  }
}

TEST_CASE("jobs go on with the zones that others left partly written") {
  Drive drive(ten_zones(), Clock::timed);
  const std::vector<Job> before = zoned_jobs(drive, "[j]\nrw=randwrite\nbs=64k\nio_size=3m\nmax_open_zones=3\n");
  run_jobs(drive, before, {});
  const auto open_zones = [&] {
    std::set<std::size_t> open;
    const ZoneReport report = static_cast<const Device&>(drive).zones();
    for (std::size_t z = 0; z < report.zones.size(); ++z)
      if (is_active(report.zones[z].state)) open.insert(z);
    return open;
  };
  const std::set<std::size_t> left = open_zones();
  REQUIRE(left.size() == 3);
  const std::vector<Job> after = zoned_jobs(drive, "[j]\nrw=randwrite\nbs=64k\nio_size=256k\nmax_open_zones=3\n");
  run_jobs(drive, after, {});
  CHECK(open_zones() == left);
  CHECK(drive.counters().zone_finishes == 0);
  // Outside of its region they take no part, and are finished once the drive needs their resources.
  const std::vector<Job> apart = zoned_jobs(drive, "[j]\nrw=write\nbs=64k\nzonesize=2560k\nsize=2z\noffset=" +
                                                       std::to_string(*left.rbegin() >= 8 ? 0 : 8) + "z\n");
  CHECK(run_jobs(drive, apart, {}).jobs[0].failed[1] == 0);
}

}  // namespace ftlab
