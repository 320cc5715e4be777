// Reads of compressed pages that are relocated: a stripe is read once for all current pages of which it holds a part, in
// random order once for each.
#pragma once

#include <cstdint>
#include <vector>

#include "ftl/gc/victim.h"
#include "ftl/read/page_reader.h"

namespace ftlab {

class PackedReads {
 public:
  // `once`: pages come in order. REQUIRES: the others outlive it.
  PackedReads(const PageStore& store, PageReader& reader, WorkList& work, const Victim& victim, bool once)
      : store_(store), layout_(store.medium().layout()), reader_(reader), work_(work), victim_(victim), once_(once) {}

  void begin() { read_until_ = 0; }
  // Returns what signals that all parts of the page that ends at `position` are there.
  Signal read(std::uint32_t position);

  template <class A>
  void archive(A& archive) {
    archive.value(read_until_);
    archive.value(read_last_);
  }

 private:
  void read_stripe(std::uint32_t stripe);
  std::vector<std::uint32_t> pages_with_part_in(std::uint32_t stripe) const;

  const PageStore& store_;
  Layout layout_;
  PageReader& reader_;
  WorkList& work_;
  const Victim& victim_;
  bool once_;
  std::uint32_t read_until_ = 0;  // stripes of the victim before this one are read ...
  Signal read_last_ = kNoSignal;  // ... the last of them with this signal
};

}  // namespace ftlab
