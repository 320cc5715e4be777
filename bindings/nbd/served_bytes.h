// What a served drive holds, in bytes, and what a power cut leaves of it. The drive decides that by the versions of its
// mapping pages (validation/run/power/open_changes.h); here the bytes of each version are kept until a barrier has made a
// later one durable. Without power cuts to come nothing is kept beside the bytes themselves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "bindings/nbd/byte_store.h"
#include "validation/run/power/open_changes.h"

namespace ftlab {

struct ServedPages {
  std::uint64_t capacity_bytes = 0;
  ChangeRules rules;
};

class ServedBytes {
 public:
  // `newest`: the drive's version so far. `loses`: power cuts may come, and the drive may lose what no barrier covers.
  ServedBytes(std::unique_ptr<ByteStore> store, const ServedPages& pages, bool loses, std::uint64_t newest);

  // In order of submission. REQUIRES: inside the capacity.
  void read(std::uint64_t offset, std::span<std::byte> out);
  void write(std::uint64_t offset, std::span<const std::byte> bytes);
  // Whole pieces of trim_bytes inside the range are zeros from now on, the rest stays.
  void trim(std::uint64_t offset, std::uint64_t length);

  // As OpenChanges.
  std::uint64_t mark() const { return open_.mark(); }
  void settle(std::uint64_t mark);

  // The power failed: each page holds what the drive says, by its version. Returns the pages that are not as they were last.
  // `newest`: the drive's version from now on.
  std::uint64_t lose(const std::function<std::uint64_t(std::uint64_t page)>& version_of, std::uint64_t newest);
  // Counting begins anew from here, after a write that the drive has refused. REQUIRES: nothing is outstanding.
  void recount(std::uint64_t newest) { open_.recount(newest); }

  // What may hold other bytes than zeros in a range, in order.
  std::vector<StoredRange> written(StoredRange range) const;

 private:
  using PageBytes = std::vector<std::byte>;  // of a whole page; empty: zeros

  std::uint64_t page_length(std::uint64_t page) const;
  void apply(std::uint64_t page, const PageBytes& bytes);

  std::unique_ptr<ByteStore> store_;  // what is durable; without power cuts everything
  ServedPages pages_;
  bool loses_;
  OpenChanges open_;
  std::deque<PageBytes> bytes_;  // after each open change
};

}  // namespace ftlab
