// Shared by the tests of this folder: job files as text, and the sequences that they produce.
#pragma once

#include <string>
#include <vector>

#include "sim/core/error.h"
#include "sim/testing/test.h"
#include "sim/workload/files/job_file.h"
#include "sim/workload/generator.h"

namespace ftlab::testing {

inline constexpr std::uint64_t kKiB = 1024, kMiB = 1024 * kKiB;

inline JobFile parse(const std::string& text, std::uint64_t capacity = 64 * kMiB,
                     const std::vector<JobOverride>& overrides = {}) {
  JobContext context;
  context.capacity_bytes = capacity;
  context.overrides = overrides;
  return parse_job_file(text, "test.fio", context);
}

// One job on the whole drive, queued and direct, with additional lines.
inline std::string job_text(const std::string& lines) {
  return "[j]\nioengine=libaio\ndirect=1\nfilename=/dev/ssd\n" + lines + "\n";
}

inline Job one_job(const std::string& lines, std::uint64_t capacity = 64 * kMiB) {
  return parse(job_text(lines), capacity).jobs.at(0);
}

// Message of the refusal; empty if the job is accepted.
inline std::string job_refusal(const std::string& text, std::uint64_t capacity = 64 * kMiB) {
  try {
    parse(text, capacity);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return {};
}

inline std::vector<Access> sequence(const Job& job, std::uint64_t seed = 1, std::size_t most = 1'000'000) {
  Generator generator(job, seed);
  std::vector<Access> all;
  Access access;
  while (all.size() < most && generator.next(access)) all.push_back(access);
  return all;
}

inline std::vector<std::uint64_t> blocks_of(const std::vector<Access>& accesses, std::uint64_t block) {
  std::vector<std::uint64_t> blocks;
  for (const Access& access : accesses) blocks.push_back(access.offset_bytes / block);
  return blocks;
}

// "read 0 4096" for each access, the format that fio's logs are compared in.
inline std::string line_of(const Access& access) {
  constexpr const char* kNames[] = {"read", "write", "trim"};
  return std::string(kNames[static_cast<std::size_t>(access.direction)]) + " " + std::to_string(access.offset_bytes) + " " +
         std::to_string(access.length_bytes);
}

}  // namespace ftlab::testing
