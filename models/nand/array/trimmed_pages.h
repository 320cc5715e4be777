// Which logical pages the host has trimmed, and at which version. Memory: 4 bytes per page from the first trim on.
#pragma once

#include <cstdint>
#include <string>

#include "models/nand/array/page_records.h"
#include "sim/core/check.h"
#include "sim/core/column.h"

namespace ftlab {

class TrimmedPages {
 public:
  bool any() const { return version_.size() > 0; }
  // Version of the latest trim of the page; Version{0} if it was never trimmed.
  Version version(Lpn lpn) const {
    FTLAB_DCHECK(!any() || number(lpn) < version_.size(), "page " + std::to_string(number(lpn)) + " is none");
    return any() ? version_[number(lpn)] : Version{0};
  }
  // `pages`: upper limit of the number of logical pages.
  void set(Lpn lpn, Version version, std::uint64_t pages) {
    FTLAB_CHECK(number(lpn) < pages, "page " + std::to_string(number(lpn)) + " is trimmed, which is none");
    if (!any()) version_ = Column<Version>(pages);
    version_[number(lpn)] = version;
  }
  template <class NumberOf>
  void renumber(NumberOf&& number_of) {
    for (std::uint32_t l = 0; l < version_.size(); ++l) version_[l] = number_of(Lpn{l}, version_[l]);
  }

  template <class A>
  void archive(A& archive, std::uint64_t pages) {
    bool trims = any();
    archive.value(trims);
    if (archive.loading()) version_ = trims ? Column<Version>(pages) : Column<Version>();
    archive.column(version_);
  }

 private:
  Column<Version> version_;  // by logical page, but sized by the number of slots; empty before the first trim
};

}  // namespace ftlab
