// What a served drive holds, in bytes, and what a power cut leaves of it. The drive decides that by the versions of its
// mapping pages; here the bytes of each version are kept until a barrier has made a later one durable.
//
// Versions are predicted as the host's verifier does it (sim/host/stack/content_log.h): each mapping page of a write counts
// one, in order of submission. Without power cuts to come nothing is kept beside the bytes themselves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "bindings/nbd/byte_store.h"

namespace ftlab {

struct ServedPages {
  std::uint64_t capacity_bytes = 0;
  std::uint64_t page_bytes = 4096;  // the mapping page
  std::uint64_t trim_bytes = 4096;  // a trim concerns whole multiples of it; 0: the drive has no trims
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

  // How many changes there were. A barrier submitted now makes them durable once it is complete.
  std::uint64_t mark() const { return first_ + changes_.size(); }
  void settle(std::uint64_t mark);

  // The power failed: each page holds what the drive says, by its version. Returns the pages that are not as they were last.
  // `newest`: the drive's version from now on.
  std::uint64_t lose(const std::function<std::uint64_t(std::uint64_t page)>& version_of, std::uint64_t newest);
  // Counting begins anew from here, after a write that the drive has refused. REQUIRES: nothing is outstanding.
  void recount(std::uint64_t newest) { newest_ = newest; }

  // What may hold other bytes than zeros in a range, in order.
  std::vector<StoredRange> written(StoredRange range) const;

 private:
  // One page after a write or trim.
  struct Change {
    std::uint64_t page = 0;
    std::uint64_t version = 0;     // 0: trimmed
    std::vector<std::byte> bytes;  // of the whole page; empty: zeros
  };

  std::uint64_t page_length(std::uint64_t page) const;
  void note(Change change);
  void apply(const Change& change);

  std::unique_ptr<ByteStore> store_;  // what is durable; without power cuts everything
  ServedPages pages_;
  bool loses_;
  std::uint64_t newest_;
  std::deque<Change> changes_;  // since the last barrier, from number first_ on
  std::uint64_t first_ = 0;
  std::unordered_map<std::uint64_t, std::uint64_t> latest_;  // number of a page's last change; never walked
};

}  // namespace ftlab
