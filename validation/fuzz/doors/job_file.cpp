// A fio job file with overriding options, and the first requests of each of its jobs. The input is the file, a zero byte,
// the text of a file that it includes, a zero byte, and options, one per line.
#include "sim/core/check.h"
#include "sim/core/error.h"
#include "sim/workload/files/job_file.h"
#include "sim/workload/generator.h"
#include "validation/fuzz/door.h"
#include "validation/fuzz/parts.h"
#include "validation/fuzz/seeds.h"

namespace ftlab::fuzz {
namespace {

constexpr std::uint64_t kCapacityBytes = 16u << 20;
constexpr int kRequests = 64;     // per job
constexpr std::size_t kJobs = 4;  // per file

// Generates requests. One beyond the drive fails the check.
void draw(const Job& job) {
  if (job.replay) return;
  Generator generator(job, 1);
  Access access;
  for (int i = 0; i < kRequests && generator.next(access); ++i) {
    FTLAB_CHECK(access.length_bytes > 0 && access.length_bytes <= kCapacityBytes, "a request of no bytes, or of too many");
    FTLAB_CHECK(access.offset_bytes <= kCapacityBytes - access.length_bytes, "a request beyond the drive");
  }
}

void enter_job_file(std::string_view input) {
  const std::string_view text = next_part(input), included = next_part(input);
  JobContext context;
  context.capacity_bytes = kCapacityBytes;
  context.environment = [](const std::string& name) { return name == "size" ? "1m" : nullptr; };
  context.include = [included](const std::string&) { return std::string(included); };
  context.folder = "/nowhere";
  try {
    while (!input.empty()) context.overrides.push_back(parse_job_override(next_part(input, '\n')));
    const JobFile jobs = parse_job_file(text, kInputName, context);
    for (std::size_t i = 0; i < jobs.jobs.size() && i < kJobs; ++i) draw(jobs.jobs[i]);
  } catch (const ConfigError&) {
  }
}

std::vector<std::string> job_file_seeds() {
  std::vector<std::string> all = joined(texts_of("configs/jobs", "", ".fio", 2048), bad_texts("job/job-", ".fio", 2048));
  all.push_back("[a]\nrw=randrw\nsize=${size}\n" + std::string(2, '\0') + "a:bs=8k\niodepth=4");
  all.push_back("include x.fio\n[b]\nrw=write\n" + std::string(1, '\0') + "[global]\nioengine=libaio\ndirect=1\n");
  all.push_back(
      "#!/bin/sh\nS='1m'\nsudo fio --name=a -rw=write --size \"$S\" \\\n --bs=${bs:-4k} x.fio --section=b | tee l\n" +
      std::string(1, '\0') + "[b]\nrw=read\nsize=1m\n");
  return all;
}

}  // namespace

Door job_file() { return {"job_file", enter_job_file, job_file_seeds, 2048, 4}; }

}  // namespace ftlab::fuzz
