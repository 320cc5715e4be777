// Helpers for tests of a drive's speed: one request on an idle drive, a job, a fill.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "ftl/drive/drive.h"
#include "sim/host/host.h"
#include "sim/testing/test.h"
#include "sim/workload/files/job_file.h"

namespace ftlab::testing {

inline Nanoseconds ns(std::uint64_t value) { return Nanoseconds{value}; }

// Executes one request and checks that its latency is the sum of its parts.
inline Completion execute(Drive& drive, const Request& request) {
  drive.submit({&request, 1});
  Completion done;
  REQUIRE(drive.wait(kNever, {&done, 1}) == 1);
  Nanoseconds sum{0};
  for (const Nanoseconds part : done.parts) sum += part;
  if (drive.info().timed) REQUIRE(sum == done.completed - request.issued);
  return done;
}

// `stored`: size to which an ideal compressor shrinks a write, in thousandths.
inline Completion execute(Drive& drive, Op op, std::uint64_t offset, std::uint64_t length, Nanoseconds at,
                          std::uint64_t stored = 1000) {
  Request request{1, op, offset, length, at};
  request.content = {0, stored};
  return execute(drive, request);
}

inline Nanoseconds part(const Completion& done, LatencyPart which) { return done.parts[static_cast<std::size_t>(which)]; }

inline RunStats run(Drive& drive, const std::string& options) {
  JobContext context;
  context.capacity_bytes = drive.config().user_bytes;
  static std::vector<JobFile> kept;  // statistics point to their jobs
  kept.push_back(
      parse_job_file("[j]\nfilename=/dev/d\nioengine=libaio\ndirect=1\nrandrepeat=0\n" + options, "test", context));
  return run_jobs(drive, kept.back().jobs, {});
}

inline double bytes_per_s(const RunStats& stats, Direction direction) {
  const JobStats& job = stats.jobs.front();
  return static_cast<double>(job.directions[static_cast<std::size_t>(direction)].bytes) * 1e9 /
         static_cast<double>((job.ended - job.started).count());
}

inline void fill(Drive& drive) {
  drive.set_clock(Clock::untimed);
  run(drive, "rw=write\nbs=128k\n");
  execute(drive, Op::flush, 0, 0, ns(0));
  drive.set_clock(Clock::timed);
}

// REQUIREs that two drives order pages alike by version. Each pair has both drives' versions of a page. Sorts them.
inline void require_same_order(std::vector<std::pair<Version, Version>>& versions) {
  std::sort(versions.begin(), versions.end());
  for (std::size_t i = 1; i < versions.size(); ++i)
    REQUIRE((versions[i - 1].first < versions[i].first) == (versions[i - 1].second < versions[i].second));
}

inline constexpr Nanoseconds kLater{1'000'000'000'000};

// Requests per second of a job with one direction.
inline double iops(const RunStats& stats, Direction direction, std::uint32_t block_bytes) {
  return bytes_per_s(stats, direction) / block_bytes;
}

}  // namespace ftlab::testing
