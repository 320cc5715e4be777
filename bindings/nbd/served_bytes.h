// The contents of a served drive, and what a power cut leaves of them. The drive decides that by the versions of its mapping
// pages (validation/run/power_cuts.h). This class keeps the bytes of each version until a barrier has made it
// durable or obsolete. If no power cut is planned, it keeps only the current bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "validation/run/power_cuts.h"

namespace ftlab {

// The bytes of a served drive. Ranges never written read as zeros and take no space.
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

struct ServedPages {
  std::uint64_t capacity_bytes = 0;
  ChangeRules rules;
};

class ServedBytes {
 public:
  // `newest`: the drive's current version. `loses`: power cuts may come, and may undo changes that no barrier covers.
  ServedBytes(std::unique_ptr<ByteStore> store, const ServedPages& pages, bool loses, std::uint64_t newest);

  // Calls are in order of submission. REQUIRES: the range is inside the capacity.
  void read(std::uint64_t offset, std::span<std::byte> out);
  void write(std::uint64_t offset, std::span<const std::byte> bytes);
  // Zeros every aligned unit of trim_bytes that lies entirely inside the range. The rest is unchanged.
  void trim(std::uint64_t offset, std::uint64_t length);

  // Like the functions of OpenChanges.
  std::uint64_t mark() const { return open_.mark(); }
  void settle(std::uint64_t mark);

  // After a power cut: each page reverts to its version on the drive. Returns the number of pages that lost their last
  // change. `newest`: the drive's version count.
  std::uint64_t lose(const std::function<std::uint64_t(std::uint64_t page)>& version_of, std::uint64_t newest);
  // Restarts version counting after the drive refused a write. REQUIRES: nothing is outstanding.
  void recount(std::uint64_t newest) { open_.recount(newest); }

  // The parts of a range that may hold non-zero bytes, in order.
  std::vector<StoredRange> written(StoredRange range) const;

 private:
  using PageBytes = std::vector<std::byte>;  // a whole page; empty: zeros

  std::uint64_t page_length(std::uint64_t page) const;
  void apply(std::uint64_t page, const PageBytes& bytes);

  std::unique_ptr<ByteStore> store_;  // durable contents; all contents if !loses_
  ServedPages pages_;
  bool loses_;
  OpenChanges open_;
  std::deque<PageBytes> bytes_;  // after each open change
};

}  // namespace ftlab
