// Energy of a whole drive: laws that hold for every run, and cases that can be computed by hand.
#include <algorithm>

#include "ftl/drive/lifecycle.h"
#include "ftl/testing/drive_trials.h"
#include "ftl/testing/drives.h"
#include "sim/counters.h"
#include "sim/host/host.h"
#include "sim/host/stack/rebased_device.h"
#include "sim/testing/test.h"
#include "sim/workload/files/job_file.h"

using namespace ftlab;
using testing::execute;

namespace {

constexpr Nanoseconds kSecond{1'000'000'000};

DriveConfig powered_drive(bool sleeps = false) {
  DriveConfig drive = striped_drive();
  PowerConfig power;
  power.idle_mw = 100;
  power.active_mw = 350;
  power.dram_mw = 30;
  power.controller_mw = 400;
  power.link_pj_per_byte = 70;
  power.flash_bus_pj_per_byte = 90;
  power.read_pj = 3'000'000;
  power.program_pj = {20'000'000, 60'000'000};
  power.erase_pj = 90'000'000;
  if (sleeps) power.sleep = SleepConfig{Nanoseconds{50'000'000}, 5, Nanoseconds{2'000'000}};
  drive.power = power;
  return drive;
}

RunStats run(Drive& drive, const std::string& options, Nanoseconds interval = kSecond) {
  JobContext context;
  context.capacity_bytes = drive.config().user_bytes;
  static std::vector<JobFile> kept;  // statistics point to their jobs
  kept.push_back(
      parse_job_file("[j]\nfilename=/dev/d\nioengine=libaio\ndirect=1\nrandrepeat=0\n" + options, "test", context));
  HostOptions host;
  host.series_interval = interval;
  RebasedDevice device(drive, drive.idle_from());
  return run_jobs(device, kept.back().jobs, host);
}

EnergyParts parts_of(const Drive& drive, const RunStats& stats) {
  return energy_parts(*drive.config().power, difference(stats.device_after, stats.device_before));
}

std::uint64_t part(const EnergyParts& parts, EnergyPart of) {
  return static_cast<std::uint64_t>(parts[static_cast<std::size_t>(of)]);
}

}  // namespace

TEST_CASE("a drive that is idle for ten seconds uses its idle power for ten seconds, exactly") {
  const Drive drive(powered_drive(), Clock::timed);
  CHECK(drive.counters_at(10 * kSecond).energy_pj == 10'000'000'000u * (100 + 30));
  const Drive sleeper(powered_drive(true), Clock::timed);
  CHECK(sleeper.counters_at(10 * kSecond).energy_pj == 50'000'000ull * (100 + 30) + 9'950'000'000ull * 5);
  CHECK(sleeper.counters_at(10 * kSecond).asleep_ns == 9'950'000'000u);
}

TEST_CASE("without a power model no energy is counted") {
  Drive drive(striped_drive(), Clock::timed);
  run(drive, "rw=randwrite\nbs=4k\niodepth=4\nio_size=4m\n");
  const Counters all = drive.counters();
  CHECK((all.energy_pj == 0 && all.active_ns == 0 && all.asleep_ns == 0));
  CHECK((all.array_programs > 0 && all.flash_bus_bytes > 0 && all.controller_busy_ns > 0));
}

TEST_CASE("one read costs the sum of its parts, to the picojoule") {
  Drive drive(powered_drive(), Clock::timed);
  const Completion written = execute(drive, Op::write, 0, 65536, Nanoseconds{0});
  const Completion flushed = execute(drive, Op::flush, 0, 0, written.completed);
  const Nanoseconds from = flushed.completed + kSecond;
  const Counters before = drive.counters_at(from);
  const Completion done = execute(drive, Op::read, 0, 4096, from);
  const EnergyParts parts = energy_parts(*drive.config().power, difference(drive.counters_at(done.completed), before));
  const std::uint64_t took = (done.completed - from).count();
  CHECK(part(parts, EnergyPart::idle) == took * 100);
  CHECK(part(parts, EnergyPart::active) == took * 250);
  CHECK(part(parts, EnergyPart::dram) == took * 30);
  CHECK(part(parts, EnergyPart::controller) == 5000u * 400);
  CHECK(part(parts, EnergyPart::link) == 4096u * 70);
  CHECK(part(parts, EnergyPart::flash_bus) == (4096u + 128) * 90);
  CHECK(part(parts, EnergyPart::read) == 3'000'000u);
  CHECK((part(parts, EnergyPart::program) == 0 && part(parts, EnergyPart::erase) == 0));
}

TEST_CASE("the energies of the intervals sum to that of the run, and so do its parts") {
  for (const bool sleeps : {false, true}) {
    Drive drive(powered_drive(sleeps), Clock::timed);
    for (const char* job : {"rw=randwrite\nbs=4k\nnorandommap\niodepth=8\nio_size=40m\n",
                            "rw=randrw\nbs=12k\niodepth=1\nthinktime=80ms\nthinktime_blocks=50\nio_size=8m\n"}) {
      const RunStats stats = run(drive, job, Nanoseconds{37'000'000});
      const Counters whole = difference(stats.device_after, stats.device_before);
      std::uint64_t sum = 0, previous = stats.device_before.energy_pj;
      for (const SeriesRow& row : stats.series) {
        CHECK(row.device.energy_pj >= previous);
        sum += row.device.energy_pj - previous;
        previous = row.device.energy_pj;
      }
      CHECK(stats.series.size() > 3);
      CHECK(sum == whole.energy_pj);
      const bool parts_sum = energy(parts_of(drive, stats)) == whole.energy_pj;
      CHECK(parts_sum);
      CHECK(whole.powered_ns == stats.ended.count());
      CHECK(whole.active_ns + whole.asleep_ns <= whole.powered_ns);
    }
    CHECK((drive.counters().asleep_ns > 0) == sleeps);
  }
}

TEST_CASE("the phases of a job file are consecutive, and their energies sum to that of the run") {
  Drive drive(powered_drive(true), Clock::timed);
  const std::string same = "filename=/dev/d\nioengine=libaio\ndirect=1\n";
  const RunStats stats =
      run(drive, "rw=write\nbs=64k\nio_size=8m\n[same]\n" + same + "rw=read\nbs=4k\nio_size=1m\n[later]\n" + same +
                     "stonewall\nstartdelay=1\nrw=randread\nbs=4k\nio_size=4m\n");
  REQUIRE(stats.phases.size() == 2);
  CHECK((stats.phases[0].first_job == 0 && stats.phases[0].end_job == 2 && stats.phases[1].end_job == 3));
  CHECK((stats.phases[0].from == Nanoseconds{0} && stats.phases[0].to == stats.phases[1].from));
  CHECK(stats.phases[1].to == stats.ended);
  CHECK(stats.phases[1].device.energy_pj == stats.device_after.energy_pj);
  const Counters later = difference(stats.phases[1].device, stats.phases[0].device);
  CHECK(later.powered_ns == (stats.phases[1].to - stats.phases[1].from).count());
  CHECK((later.asleep_ns == 950'000'000 && later.host_write_bytes == 0));
}

TEST_CASE("sequential writes draw the energy of a page program times the page rate") {
  Drive drive(powered_drive(), Clock::timed);
  const RunStats stats = run(drive, "rw=write\nbs=128k\niodepth=32\n");
  const double seconds = static_cast<double>(stats.ended.count()) / 1e9;
  const double pages_per_s = 56.0 * 256 / seconds;
  const double watts = static_cast<double>(part(parts_of(drive, stats), EnergyPart::program)) / 1e12 / seconds;
  CHECK(watts == Approx(pages_per_s * (20e-6 + 60e-6) / 2).epsilon(0.01));  // the buffer's pages are not programmed yet
}

TEST_CASE("the counters include every page and block of the flash operations") {
  Drive drive(powered_drive(), Clock::untimed);
  run(drive, "rw=randwrite\nbs=4k\nnorandommap\niodepth=8\nio_size=300m\n");
  const Counters all = drive.counters();
  const std::uint64_t pages = all.first_pages_programmed + all.second_pages_programmed;
  CHECK(pages == all.array_pages_programmed);
  CHECK(pages == drive.medium().pages().programmed());  // mapping page = NAND page
  CHECK(pages == 2 * all.array_programs);
  CHECK(all.array_blocks_erased == all.block_erases);
  CHECK(all.array_blocks_erased == 2 * all.array_erases);
  CHECK(all.array_reads + all.array_programs + all.array_erases == all.media_operations);
  CHECK(all.array_pages_read >= all.relocated_pages);
}

TEST_CASE("timed and untimed runs execute the same flash operations") {
  for (const char* job : {"rw=randwrite\nbs=4k\nnorandommap\niodepth=32\nio_size=200m\n",
                          "rw=randrw\nbs=2k\nnorandommap\niodepth=1\nio_size=200m\n"}) {
    for (const bool copyback : {false, true}) {
      DriveConfig config = powered_drive();
      config.ftl.gc.copyback = copyback;
      Drive timed(config, Clock::timed), untimed(config, Clock::untimed);
      run(timed, job);
      run(untimed, job);
      const EnergyParts a = energy_parts(*config.power, timed.counters()),
                        b = energy_parts(*config.power, untimed.counters());
      for (const EnergyPart same :
           {EnergyPart::link, EnergyPart::flash_bus, EnergyPart::read, EnergyPart::program, EnergyPart::erase}) {
        CHECK(part(a, same) == part(b, same));
        CHECK(part(a, same) > 0);
      }
      CHECK((timed.counters().copyback_pages > 0) == copyback);
    }
  }
}

TEST_CASE("a request to a sleeping drive waits until it is awake, and the next one does not") {
  Drive drive(powered_drive(true), Clock::timed);
  const Completion first = execute(drive, Op::read, 0, 4096, Nanoseconds{1});
  const Nanoseconds falls_asleep = first.completed + Nanoseconds{50'000'000};
  const Nanoseconds quick = first.completed - Nanoseconds{1};
  const Completion awake = execute(drive, Op::read, 0, 4096, falls_asleep);
  CHECK(awake.completed - falls_asleep == quick);
  const Nanoseconds later = awake.completed + Nanoseconds{50'000'001};
  const Completion woken = execute(drive, Op::read, 0, 4096, later);
  CHECK(woken.completed - later == quick + Nanoseconds{2'000'000});
  CHECK(woken.parts[static_cast<std::size_t>(LatencyPart::controller_wait)] == Nanoseconds{2'000'000});
  CHECK(drive.counters_at(woken.completed).asleep_ns == 1);
}

TEST_CASE("a loaded drive counts energy exactly like the saved one") {
  for (const Clock clock : {Clock::timed, Clock::untimed}) {
    Drive whole(powered_drive(true), clock);
    run(whole, "rw=randwrite\nbs=4k\nnorandommap\niodepth=8\nio_size=60m\n");
    Drive loaded(powered_drive(true), clock);
    loaded.load(whole.save());
    CHECK(loaded.counters().energy_pj == whole.counters().energy_pj);
    const RunStats a = run(whole, "rw=randrw\nbs=4k\niodepth=2\nio_size=20m\n");
    const RunStats b = run(loaded, "rw=randrw\nbs=4k\niodepth=2\nio_size=20m\n");
    CHECK(a.device_after.energy_pj == b.device_after.energy_pj);
    for (const CounterField& field : kCounterFields) {
      INFO(field.name);
      CHECK(a.device_after.*field.member == b.device_after.*field.member);
    }
  }
}

TEST_CASE("a power cut is counted, and energy continues to be counted") {
  Drive drive(powered_drive(), Clock::timed);
  run(drive, "rw=randwrite\nbs=4k\nnorandommap\niodepth=8\nio_size=20m\n");
  const std::uint64_t before = drive.counters().energy_pj;
  Lifecycle(drive).power_cycle();
  Lifecycle(drive).power_cycle();
  CHECK(drive.counters().power_cuts == 2);
  CHECK(drive.counters().energy_pj == before);
}
