// Concurrent jobs share a drive in the same proportions timed and untimed. Untimed, each job takes turns by its queue depth,
// as a busy drive serves its queue, so write amplification and the order of designs are the same.
#include <spdlog/fmt/fmt.h>
#include <cmath>

#include "ftl/drive/drive.h"
#include "ftl/testing/drives.h"
#include "sim/core/random.h"
#include "sim/counters.h"
#include "sim/host/host.h"
#include "sim/testing/test.h"
#include "validation/run/job_input.h"

using namespace ftlab;

namespace {

// The first job writes randomly, and with `flow` all do: sequential jobs in a fixed ratio repeat one order forever, and
// their write amplification depends on their relative phase. Every byte of the drive belongs to one job.
std::string drawn_jobs(RandomStream& random) {
  constexpr const char* kDepths[] = {"4", "8", "16", "32"};
  const std::uint64_t jobs = 2 + random.below(2);
  const bool flow = random.chance(1, 3);
  std::string text = "[global]\nfilename=drive\nioengine=libaio\ndirect=1\nnorandommap\nrandrepeat=0\nexitall\n";
  text += fmt::format("bs={}\n", random.chance(1, 4) ? "4k" : "16k");
  std::uint64_t first = 0;
  for (std::uint64_t job = 0; job < jobs; ++job) {
    const std::uint64_t size = job + 1 == jobs ? 100 - first : 10 + random.below(80 / jobs);
    text +=
        fmt::format("[job{}]\nrw={}\noffset={}%\nsize={}%\nio_size=440m\niodepth={}\n", job,
                    job == 0 || flow || random.chance(1, 2) ? "randwrite" : "write", first, size, kDepths[random.below(4)]);
    if (flow) text += fmt::format("flow_id=1\nflow={}\n", 1 + random.below(3));
    first += size;
  }
  return text;
}

struct Answer {
  double wa = 0;
  std::vector<double> shares;  // share of the requests, by job
};

Answer answer(const DriveConfig& config, Clock clock, const JobFile& jobs) {
  Drive drive(config, clock, 7);
  const RunStats stats = run_jobs(drive, jobs.jobs, {});
  const Counters run = difference(stats.device_after, stats.device_before);
  Answer found{static_cast<double>(run.media_write_bytes()) / static_cast<double>(run.host_write_bytes), {}};
  for (const JobStats& job : stats.jobs)
    found.shares.push_back(static_cast<double>(job.directions[static_cast<std::size_t>(Direction::write)].requests) /
                           static_cast<double>(stats.requests));
  return found;
}

// Designs with clearly different write amplification.
std::vector<DriveConfig> designs() {
  DriveConfig greedy = striped_drive();
  greedy.geometry.blocks_per_plane *= 2;
  greedy.user_bytes *= 2;
  DriveConfig fifo = greedy;
  fifo.ftl.gc.policy = gc_policy_index("fifo");
  return {greedy, fifo};
}

void check_turns(int cases) {
  constexpr double kWithin = 0.02;
  RandomStream random(45, "jobs that take turns");
  for (int i = 0; i < cases; ++i) {
    const std::string jobs = drawn_jobs(random);
    INFO(i << ":\n" << jobs);
    Answer last_timed, last_untimed;
    for (const DriveConfig& design : designs()) {
      const JobFile file = parse_jobs(jobs, "drawn.fio", design.user_bytes, {});
      const Answer timed = answer(design, Clock::timed, file), untimed = answer(design, Clock::untimed, file);
      CHECK(untimed.wa == Approx(timed.wa).epsilon(kWithin));
      for (std::size_t job = 0; job < file.jobs.size(); ++job)
        CHECK(untimed.shares[job] == Approx(timed.shares[job]).margin(kWithin));
      if (std::abs(timed.wa / last_timed.wa - 1) > 2 * kWithin)
        CHECK((untimed.wa > last_untimed.wa) == (timed.wa > last_timed.wa));
      last_timed = timed;
      last_untimed = untimed;
    }
  }
}

}  // namespace

TEST_CASE("concurrent jobs have the same write amplification timed and untimed") { check_turns(7); }

TEST_CASE("200 random groups of jobs have the same write amplification timed and untimed", "[.][long]") { check_turns(200); }
