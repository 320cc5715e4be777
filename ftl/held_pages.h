// Host writes smaller than a mapping page, kept in RAM until they make a whole one or must give way. A page that leaves
// incomplete costs a read of its old content (read-modify-write). A handful of entries: searched one by one.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/nand/medium.h"

namespace ftlab {

struct PartialPage {
  Lpn lpn{};
  Version version{};
  std::uint32_t first_byte = 0;  // what the host wrote lies in [first, end)
  std::uint32_t end_byte = 0;
  bool hole = false;             // not all of it: two writes left a gap between them
  bool whole(std::uint32_t page_bytes) const { return !hole && first_byte == 0 && end_byte == page_bytes; }
};

class PartialPages {
 public:
  explicit PartialPages(std::uint32_t capacity) : capacity_(capacity) { pages_.reserve(capacity + 1); }

  bool empty() const { return pages_.empty(); }
  bool over_capacity() const { return pages_.size() > capacity_; }
  std::size_t size() const { return pages_.size(); }

  // Lays [first, end) of `lpn` over what is kept of it, or keeps it as the youngest entry.
  PartialPage& merge(Lpn lpn, Version version, std::uint32_t first_byte, std::uint32_t end_byte);
  const PartialPage* find(Lpn lpn) const;
  // Takes out the page, if it is kept.
  std::optional<PartialPage> take(Lpn lpn);
  // REQUIRES: !empty().
  PartialPage take_oldest();
  const std::vector<PartialPage>& entries() const { return pages_; }

 private:
  std::size_t capacity_;
  std::vector<PartialPage> pages_;  // oldest first
};

}  // namespace ftlab
