// The bytes of a served drive. Ranges never written read as zeros and take no space.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace ftlab {

struct StoredRange {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  std::uint64_t end() const { return offset + length; }
};

// Appends a range. Merges it with the last one if they are adjacent.
void append_range(std::vector<StoredRange>& ranges, std::uint64_t from, std::uint64_t to);

class ByteStore {
 public:
  virtual ~ByteStore() = default;
  // REQUIRES for all functions: the range is inside the capacity. Throw std::system_error if file I/O fails.
  virtual void read(std::uint64_t offset, std::span<std::byte> out) = 0;
  virtual void write(std::uint64_t offset, std::span<const std::byte> bytes) = 0;
  // The range reads as zeros from now on. Frees its space where possible.
  virtual void discard(std::uint64_t offset, std::uint64_t length) = 0;
  // The parts of a range that may hold non-zero bytes, in order, with a granularity of 4 KiB or finer.
  virtual std::vector<StoredRange> written(StoredRange range) = 0;
};

// In memory, in pieces of 64 KiB, at most `most_bytes` in total: a write that needs more throws ENOSPC.
std::unique_ptr<ByteStore> bytes_in_memory(std::uint64_t capacity_bytes, std::uint64_t most_bytes = ~std::uint64_t{0});

// In a sparse file, which is created if it does not exist. An existing file must be empty or have the drive's size. Writes
// go to the kernel at once, so they survive a killed server. Throws ConfigError, also if another server has the file open.
std::unique_ptr<ByteStore> bytes_in_file(const std::string& path, std::uint64_t capacity_bytes);

}  // namespace ftlab
