// Reads of compressed pages for relocation. A stripe is read once for all valid pages that have a part in it; in random
// order, once for each of them.
#pragma once

#include <cstdint>
#include <vector>

#include "ftl/gc/victim.h"
#include "ftl/read/page_reader.h"

namespace ftlab {

class PackedReads {
 public:
  // `once`: pages come in order, so each stripe is read once. REQUIRES: the others outlive it.
  PackedReads(const PageStore& store, PageReader& reader, WorkList& work, const Victim& victim, bool once)
      : store_(store), layout_(store.medium().layout()), reader_(reader), work_(work), victim_(victim), once_(once) {}

  void begin() { read_until_ = 0; }
  // Returns the signal that is raised when all parts of the page that ends at `position` have been read.
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
  std::uint32_t read_until_ = 0;  // stripes of the victim before this one have been read
  Signal read_last_ = kNoSignal;  // signal of the last stripe read
};

}  // namespace ftlab
