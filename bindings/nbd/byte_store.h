// The bytes of a served drive. What nobody has written is zeros and takes no room.
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

// Appends a range; one that begins where the last ended becomes part of it.
void append_range(std::vector<StoredRange>& ranges, std::uint64_t from, std::uint64_t to);

class ByteStore {
 public:
  virtual ~ByteStore() = default;
  // REQUIRES of all: inside the capacity. Throw std::system_error when the file cannot be read or written.
  virtual void read(std::uint64_t offset, std::span<std::byte> out) = 0;
  virtual void write(std::uint64_t offset, std::span<const std::byte> bytes) = 0;
  // Zeros from now on; gives the room back where it can.
  virtual void discard(std::uint64_t offset, std::uint64_t length) = 0;
  // What may hold other bytes than zeros in a range, in order, to 4 KiB or finer.
  virtual std::vector<StoredRange> written(StoredRange range) = 0;
};

// In memory, in pieces of 64 KiB, of which `most_bytes` are taken at most: a write that needs more throws ENOSPC.
std::unique_ptr<ByteStore> bytes_in_memory(std::uint64_t capacity_bytes, std::uint64_t most_bytes = ~std::uint64_t{0});

// In a sparse file, which is made when it is not there. It has the size of the drive or none. What was written is the
// kernel's at once, so it outlives a killed server. Throws ConfigError; also when another server holds the file.
std::unique_ptr<ByteStore> bytes_in_file(const std::string& path, std::uint64_t capacity_bytes);

}  // namespace ftlab
