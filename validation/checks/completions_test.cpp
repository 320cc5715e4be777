// Completion time of every request: random jobs run on random drives, and each completion, its latency parts and all
// counters must match a table. A change of the table means a change of timing or placement.
//
//   ftlab-tests "completions of drawn runs are printed"    prints the table
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "ftl/drive/drive.h"
#include "ftl/drive/drive_counters.h"
#include "sim/core/signature.h"
#include "sim/host/host.h"
#include "sim/testing/test.h"
#include "sim/workload/files/job_file.h"
#include "validation/checks/reference/drawn_designs.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

constexpr int kRuns = 500;

constexpr Special kSpecials[] = {Special::none, Special::none, Special::compression, Special::pslc_mode,
                                 Special::deduplication};

void draw_scheduling(SchedulingConfig& scheduling, Draw draw) {
  const std::vector<SchedulingPolicyKind>& kinds = scheduling_policy_kinds();
  scheduling.policy = draw.coin() ? 0 : draw.random.below(kinds.size());
  for (const SchedulingParameter& parameter : kinds[scheduling.policy].parameters)
    scheduling.values.push_back(std::clamp<std::uint64_t>(300'000, parameter.low, parameter.high));
}

// Draws timing features that drawn_design() leaves at their defaults.
void draw_timing(DriveConfig& drive, Draw draw) {
  drive.link.queue_depth = draw.coin() ? 0 : draw.of({1, 4, 32});
  drive.link.full_duplex = draw.coin();
  if (draw.coin()) drive.link.submit = drive.link.complete = Nanoseconds{700};
  if (draw.coin()) drive.dram.bytes_per_s = 800'000'000;
  drive.controller.cores = draw.of({1, 1, 1, 2, 3});
  if (draw.coin()) drive.controller.write_page = Nanoseconds{400};
  if (draw.coin()) drive.controller.read_unmapped_page = Nanoseconds{100};
  drive.controller.write_pages_beside_data = draw.coin();
  draw_scheduling(drive.nand.scheduling, draw);
  drive.nand.independent_plane_reads = draw.random.chance(1, 4);
  if (draw.random.chance(1, 3)) drive.nand.suspension = {true, draw.coin(), Nanoseconds{15'000}, Nanoseconds{5'000}, 2};
  drive.ftl.trim.granularity_bytes = draw.coin() ? 0 : std::uint64_t{drive.ftl.mapping_bytes} * draw.of({1, 2, 4});
  drive.ftl.buffer.write_back = !draw.random.chance(1, 8);
  if (!drive.nand.scheduling.make(1)->suspends()) drive.nand.suspension = {};
}

// For one drive in three: pages, blocks and planes differ in speed. Uses a random stream of its own.
void draw_variation(DriveConfig& drive, std::uint64_t run) {
  RandomStream random(run, "variation");
  if (!random.chance(1, 3)) return;
  Draw draw{random};
  const std::size_t kinds = drive.nand.program.size();
  for (std::size_t kind = 0; kind < kinds && kinds > 1; ++kind)
    drive.nand.read_by_kind.push_back(Nanoseconds{40'000 + 15'000 * kind});
  if (draw.coin()) drive.nand.page_order = PageOrder::even_odd;
  if (draw.coin()) drive.nand.variation = {20, 30, 50};
  if (draw.coin()) drive.nand.wear = {20, 200, 3000};
}

EnduranceConfig drawn_endurance(std::uint64_t specimen) {
  EnduranceConfig endurance;
  endurance.specimen = specimen;
  endurance.program_erase_limit = 1'000;
  endurance.limit_spread_permille = 300;
  endurance.program_failures_per_billion = 200'000;
  endurance.erase_failures_per_billion = 2'000'000;
  return endurance;
}

DriveConfig drawn_drive(RandomStream& random, int run) {
  const Special special = kSpecials[run % 5];
  const std::uint32_t faults = special == Special::deduplication ? 0 : static_cast<std::uint32_t>(random.below(5));
  const bool page_mapped = faults > 2;  // hybrid mappings support neither failures nor bit errors
  DriveConfig drive = next_design(random, page_mapped ? run / 3 * 6 + run % 3 : run, special);
  if (faults == 3) drive = mortal(drive, drawn_endurance(7 + static_cast<std::uint64_t>(run)));
  if (faults == 4) make_err(drive, random);
  draw_timing(drive, Draw{random});
  draw_variation(drive, static_cast<std::uint64_t>(run));
  return drive;
}

std::string number(std::uint64_t value) { return std::to_string(value); }

// One to three concurrent jobs on the whole drive.
std::string drawn_jobs(RandomStream& random, const DriveConfig& drive) {
  Draw draw{random};
  const char* const kinds[] = {"randwrite", "randread", "randrw", "write", "read", "rw", "randtrim"};
  const std::uint64_t largest = std::min<std::uint64_t>(65'536, drive.user_bytes / 512 * 512);
  std::string text =
      "[global]\nfilename=/dev/d\nioengine=libaio\ndirect=1\nrandrepeat=0\nnorandommap\nrefill_buffers\n"
      "buffer_compress_percentage=50\n";
  const std::uint32_t jobs = draw.of({1, 1, 2, 3});
  for (std::uint32_t i = 0; i < jobs; ++i) {
    const bool trims = drive.ftl.trim.mode != TrimConfig::Mode::off;
    const char* const kind = kinds[i == 0 ? draw.of({0, 2, 5}) : random.below(trims ? 7 : 6)];
    const std::uint64_t least = std::min<std::uint64_t>(largest, draw.of({512, 2'048, 4'096, 16'384}));
    const std::uint64_t most = std::min<std::uint64_t>(largest, least * draw.of({1, 1, 2, 4}));
    text += "[j" + number(i) + "]\nrw=" + kind + "\nbsrange=" + number(least) + "-" + number(most) +
            "\niodepth=" + number(draw.of({1, 2, 4, 16, 32})) + "\nnumber_ios=" + number(200 + random.below(600)) +
            "\nio_size=" + number(drive.user_bytes * 8) + "\n";
    if (random.chance(1, 4)) text += "fsync=" + number(draw.of({1, 7, 50})) + "\n";
    if (random.chance(1, 4)) text += "thinktime=" + number(draw.of({20, 1'000, 5'000})) + "\n";
  }
  return text;
}

void add_to(Signature& signature, const RunStats& stats) {
  signature.add(stats.signature);
  for (const JobStats& job : stats.jobs) {
    signature.add(job.ended.count());
    for (const Nanoseconds part : job.parts_by_latency.total()) signature.add(part.count());
    for (const DirectionStats& direction : job.directions) signature.add(direction.bytes);
  }
}

void add_to(Signature& signature, const Counters& c) {
  for (const std::uint64_t count : {c.host_write_bytes,
                                    c.host_read_bytes,
                                    c.media_write_bytes(),
                                    c.media_relocation_bytes,
                                    c.media_mapping_bytes,
                                    c.media_padding_bytes,
                                    c.media_parity_bytes,
                                    c.relocated_pages,
                                    c.collected_superblocks,
                                    c.array_reads,
                                    c.array_pages_read,
                                    c.array_programs,
                                    c.array_pages_programmed,
                                    c.array_erases,
                                    c.array_blocks_erased,
                                    c.flash_bus_bytes,
                                    c.read_retries,
                                    c.trimmed_pages,
                                    c.coalesced_pages,
                                    c.copyback_pages,
                                    c.read_ahead_hits,
                                    c.die_host_read_ns,
                                    c.die_internal_read_ns,
                                    c.die_host_program_ns,
                                    c.die_relocation_program_ns,
                                    c.die_erase_ns,
                                    c.die_suspension_ns,
                                    c.controller_busy_ns}) {
    signature.add(count);
  }
}

std::uint64_t hash_of(int run) {
  RandomStream random(static_cast<std::uint64_t>(run), "completions");
  const DriveConfig config = drawn_drive(random, run);
  const std::string text = drawn_jobs(random, config);
  INFO("run " << run << ": " << words(config) << "\n" << text);
  JobContext context;
  context.capacity_bytes = config.user_bytes;
  Drive drive(config, Clock::timed, random.bits());
  const JobFile jobs = parse_job_file(text, "completions.fio", context);
  Signature signature;
  add_to(signature, run_jobs(drive, jobs.jobs, {}));
  add_to(signature, drive.counters());
  sign(drive, signature);
  return signature.value();
}

std::vector<std::string> table() {
  std::vector<std::string> lines;
  for (int run = 0; run < kRuns; ++run) {
    char line[40];
    std::snprintf(line, sizeof line, "%d %016llx", run, static_cast<unsigned long long>(hash_of(run)));
    lines.emplace_back(line);
  }
  return lines;
}

}  // namespace

TEST_CASE("every request of random runs completes at the recorded time") {
  std::ifstream file(FTLAB_SOURCE_DIR "/validation/checks/data/completions.txt");
  for (const std::string& line : table()) {
    std::string expected;
    std::getline(file, expected);
    CHECK(line == expected);
  }
}

TEST_CASE("completions of drawn runs are printed", "[.][by-hand]") {
  for (const std::string& line : table()) std::printf("%s\n", line.c_str());
}
