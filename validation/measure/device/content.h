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

#include "sim/content_log.h"
#include "sim/request.h"
#include "sim/workload/jobs/job.h"

namespace ftlab {

// Memory of the requests in flight: one page-aligned piece for each, all in one mapping that can be registered with the
// kernel at once.

class Buffers {
 public:
  Buffers() = default;
  // Throws EngineError if memory is insufficient.
  Buffers(std::size_t count, std::size_t bytes_each);
  ~Buffers();
  Buffers(Buffers&& other) noexcept;
  Buffers& operator=(Buffers&& other) noexcept;

  std::size_t count() const { return count_; }
  std::size_t stride() const { return stride_; }
  std::byte* at(std::size_t index) const { return memory_ + index * stride_; }
  std::span<std::byte> all() const { return {memory_, count_ * stride_}; }

 private:
  std::byte* memory_ = nullptr;
  std::size_t count_ = 0;
  std::size_t stride_ = 0;
};

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

// Contents of the requests in flight: their memory, the bytes and stamps of writes, and the stamps that reads found.

class DeviceContents {
 public:
  // `first_byte`: device position of the host's offset 0. `seed`: of contents. `run`: for stamps.
  DeviceContents(std::uint64_t first_byte, std::uint64_t seed, std::uint64_t run)
      : first_byte_(first_byte), run_(run), bytes_(seed) {}

  // Makes memory for `depth` requests of up to `largest` bytes. If jobs read and write, reads get separate buffers: a buffer
  // that was read into would have to be refilled completely. Returns false if the existing memory suffices, else calls
  // `forget` before the old memory is freed.
  template <class Forget>
  bool prepare(const std::vector<Job>& jobs, std::size_t depth, bool separate_reads, std::uint64_t largest, Forget forget) {
    bytes_.set_jobs(jobs);
    first_of_writes_ = separate_reads ? depth : 0;
    const std::size_t count = depth + first_of_writes_;
    random_bytes_.assign(count, 0);
    if (buffers_.count() == count && largest <= buffers_.stride()) return false;
    forget();
    buffers_ = Buffers(count, largest);
    return true;
  }
  const Buffers& buffers() const { return buffers_; }
  // Memory of the request in that place.
  std::byte* memory(std::size_t place, Op op) const { return buffers_.at(buffer_of(place, op)); }
  // Leaks the memory, because the kernel may still write into it.
  void abandon_memory() { new Buffers(std::move(buffers_)); }

  // From now on stamps every sector that is written.
  void stamp_writes() { stamps_ = true; }
  bool stamps() const { return stamps_; }
  // Where reads are reported; may be null.
  void set_log(ContentLog* log) {
    log_ = log;
    stamps_ = stamps_ || log != nullptr;
  }

  // `version`: of the last sector before this write.
  void fill(std::size_t place, const Request& write, std::uint64_t version);
  void begin_read(std::size_t place) { random_bytes_[buffer_of(place, Op::read)] = 0; }
  void report_read(std::size_t place, const Request& read);

 private:
  std::size_t buffer_of(std::size_t place, Op op) const { return op == Op::write ? place + first_of_writes_ : place; }
  void make_bytes(std::size_t buffer, std::span<std::byte> memory, const Request& write);

  std::uint64_t first_byte_;
  std::uint64_t run_;
  ContentBytes bytes_;
  Buffers buffers_;
  std::size_t first_of_writes_ = 0;
  std::vector<std::uint64_t> random_bytes_;  // by buffer: how many bytes of unknown content it holds
  std::uint64_t writes_ = 0;
  bool stamps_ = false;
  ContentLog* log_ = nullptr;
};

}  // namespace ftlab
