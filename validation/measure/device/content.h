// Real bytes for writes whose content is told by numbers (sim/request.h): equal numbers give equal bytes, and what is left
// after compression is the share asked for.
//
// Each chunk of a write (buffer_compress_chunk) begins with bytes that do not compress and ends with zeros, or with the
// job's buffer_pattern. The bytes come from a pool made once, combined with a word that is drawn for the chunk, so that no
// two chunks have a piece in common, within a write or across the device. About 10 GB/s a core.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/request.h"
#include "sim/workload/jobs/job.h"

namespace ftlab {

class ContentBytes {
 public:
  static constexpr std::size_t kPoolBytes = 64 << 10;

  // `seed`: of the run; writes of which nothing is known draw their bytes from it and their number.
  explicit ContentBytes(std::uint64_t seed);

  // The rules of the jobs of the next run, found by Request::queue. Whatever is not of a job does not compress.
  void set_jobs(const std::vector<Job>& jobs);

  // `number`: of the write, unique in the run.
  void fill(std::span<std::byte> bytes, const Request& write, std::uint64_t number) const;

  // For a write of whose content nothing is known, in bytes that fill() wrote for another such: as fio's scramble_buffers it
  // changes one word of each sector, so that no sector is equal to any other, at a fifth of the cost.
  void freshen(std::span<std::byte> bytes, std::uint64_t number) const;

 private:
  struct Rules {
    std::uint64_t chunk_bytes = 512;
    std::string pattern;  // empty: zeros
  };

  void fill_random(std::span<std::byte> bytes, std::uint64_t draw) const;

  std::uint64_t seed_;
  std::vector<std::uint64_t> pool_;
  std::vector<Rules> jobs_;
};

}  // namespace ftlab
