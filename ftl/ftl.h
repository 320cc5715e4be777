// The translation layer as the drive's controller sees it: logical pages in, places out. It holds no durable state:
// destroying it and making a new one on the same medium is a power cut.
//
// The same code runs timed and untimed: `now` and `ready` only pass through to the backend, so that placement and
// counters are identical in both.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ftl/config.h"
#include "ftl/page_store.h"
#include "ftl/partial_pages.h"
#include "ftl/relocate.h"
#include "ftl/write_buffer.h"

namespace ftlab {

class Ftl {
 public:
  // Takes up what the medium holds. REQUIRES: medium and backend outlive the layer.
  Ftl(const FtlConfig& config, std::uint32_t logical_pages, Medium& medium, Backend& backend);
  Ftl(const Ftl&) = delete;  // its parts know one another
  Ftl& operator=(const Ftl&) = delete;

  // When the write buffer has room for one more page, as of `now`.
  Nanoseconds room_at(Nanoseconds now) const { return std::max(now, buffer_.room_at()); }

  // Bytes [first, end) of a logical page, in RAM at `ready`; `now` is when garbage collection that goes with it may begin.
  void write(Lpn lpn, std::uint32_t first_byte, std::uint32_t end_byte, Nanoseconds now, Nanoseconds ready);

  // A whole logical page is no longer needed.
  void trim(Lpn lpn);

  // Programs all that waits in RAM; returns when it is in the flash.
  Nanoseconds flush(Nanoseconds now);

  // Where the content of a page is. `ram`: in the controller's RAM; `unmapped`: nowhere, reads as zeros.
  struct Found {
    enum class Where : std::uint8_t { unmapped, ram, flash } where;
    Ppn ppn = kNoPpn;
  };
  Found find(Lpn lpn) const;
  // Version of the content that a read of the page returns now; Version{0}: never written, or trimmed.
  Version version(Lpn lpn) const;

  // Brings what a write or read of the page will touch nearer to the CPU; changes nothing. Two steps, to be taken some
  // requests apart, because the second needs the result of the first.
  void prefetch_map(Lpn lpn) const { store_.map().prefetch(lpn); }
  void prefetch_blocks(Lpn lpn) const;

  const PageStore& store() const { return store_; }
  const Relocation& relocation() const { return relocation_; }
  const PartialPages& partial_pages() const { return partial_; }
  std::uint64_t host_pages() const { return host_pages_; }    // put behind the host's frontier
  std::uint64_t filled_bytes() const { return filled_bytes_; }  // of them, bytes that the host did not write just then
  std::uint64_t read_modify_writes() const { return read_modify_writes_; }

 private:
  void put_whole(Lpn lpn, Version version, Nanoseconds now, Nanoseconds ready);
  void put_partial(const PartialPage& page, Nanoseconds now, Nanoseconds ready);
  Version next_version();

  FtlConfig config_;
  Backend& backend_;
  WriteBuffer buffer_;
  PageStore store_;
  Relocation relocation_;
  PartialPages partial_;
  std::uint32_t newest_version_;
  std::uint64_t host_pages_ = 0;
  std::uint64_t filled_bytes_ = 0;
  std::uint64_t read_modify_writes_ = 0;
};

// Looks at the whole state and returns every violation of an invariant that it finds, as sentences; empty when all hold.
// Costs a pass over all pages. See ftl/inspect.cpp for the list.
std::vector<std::string> inspect(const Ftl& ftl);

inline void Ftl::prefetch_blocks(Lpn lpn) const {
  const Ppn ppn = store_.map().find(lpn);
  if (ppn != kNoPpn) store_.blocks().prefetch(ppn);
}

}  // namespace ftlab
