// ftlab-signature: hashes the behaviour of the whole program. Runs small jobs on small drives and hashes the completions and
// the final state of each. Prints one line per job and one for all; equal on every compiler, optimisation level and CPU. The
// expected output is data/signature.txt.
#include <cstdio>

#include "ftl/drive/drive.h"
#include "ftl/drive/drive_counters.h"
#include "ftl/testing/drives.h"
#include "sim/core/signature.h"
#include "sim/host/host.h"
#include "sim/workload/files/job_file.h"

namespace {

using namespace ftlab;

struct Case {
  const char* name;
  DriveConfig drive;
  Clock clock;
  const char* job;
};

std::uint64_t signature_of(const Case& c) {
  JobContext context;
  context.capacity_bytes = c.drive.user_bytes;
  const JobFile jobs = parse_job_file(c.job, c.name, context);
  Drive drive(c.drive, c.clock);
  const RunStats stats = run_jobs(drive, jobs.jobs, {});
  Signature signature;
  signature.add(stats.signature);
  sign(drive, signature);
  return signature.value();
}

#define COMMON "[global]\nfilename=/dev/drive\nioengine=libaio\ndirect=1\n"

const Case kCases[] = {
    {"random-write", striped_drive(), Clock::timed,
     COMMON "iodepth=32\n[j]\nrw=randwrite\nbs=4k\nnorandommap\nio_size=256m\n"},
    {"random-write-untimed", striped_drive(), Clock::untimed,
     COMMON "iodepth=32\n[j]\nrw=randwrite\nbs=4k\nnorandommap\nio_size=256m\n"},
    {"permutation", striped_drive(), Clock::timed, COMMON "iodepth=4\n[j]\nrw=randwrite\nbs=4k\nloops=3\n"},
    {"sequential-then-read", striped_drive(), Clock::timed,
     COMMON "iodepth=8\n[w]\nrw=write\nbs=128k\n[r]\nstonewall\nrw=randread\nbs=8k\nnorandommap\nio_size=32m\n"},
    {"mixed-small", striped_drive(), Clock::timed,
     COMMON
     "iodepth=16\n[a]\nrw=randrw\nrwmixread=70\nbs=2k\nnorandommap\nio_size=32m\n[b]\nrw=write\nbs=512\nio_size=4m\n"},
    {"trim", striped_drive(), Clock::timed,
     COMMON "iodepth=4\n[j]\nrw=randtrimwrite\nbs=16k\nloops=2\n[k]\nrw=randtrim\nbs=64k\n"},
    {"timed-runtime", striped_drive(), Clock::timed,
     COMMON "iodepth=4\ntime_based\nruntime=2\nramp_time=1\n[a]\nrw=randwrite\nbs=64k\n[b]\nstartdelay=1\nrw=read\nbs=4k\n"},
    {"one-frontier", theory_drive(256, 64, 15'000), Clock::timed,
     COMMON "[j]\nrw=randwrite\nbs=4k\nnorandommap\nio_size=200m\n"},
};

}  // namespace

int main() {
  ftlab::Signature all;
  for (const Case& c : kCases) {
    const std::uint64_t value = signature_of(c);
    all.add(value);
    std::printf("%-24s %016llx\n", c.name, static_cast<unsigned long long>(value));
  }
  std::printf("%-24s %s\n", "signature", all.text().c_str());
}
