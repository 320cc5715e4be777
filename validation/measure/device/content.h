// Real bytes for writes whose content is given as numbers (sim/request.h): equal numbers give equal bytes, and the bytes
// compress to the requested share.
//
// Each chunk of a write (buffer_compress_chunk) begins with incompressible bytes and ends with zeros, or with the job's
// buffer_pattern. The bytes come from a fixed pool, combined with a random word for each chunk, so that no two chunks share
// a piece, within a write or across the device. About 10 GB/s per core.
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

  // `seed`: of the run. Bytes of unknown content depend on it and on the write's number.
  explicit ContentBytes(std::uint64_t seed);

  // Sets the rules of the jobs of the next run, indexed by Request::queue. Other writes are incompressible.
  void set_jobs(const std::vector<Job>& jobs);

  // `number`: of the write, unique in the run.
  void fill(std::span<std::byte> bytes, const Request& write, std::uint64_t number) const;

  // Reuses bytes that fill() wrote for another write of unknown content: like fio's scramble_buffers, changes one word of
  // each sector, so that no two sectors are equal, at a fifth of the cost of fill().
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
