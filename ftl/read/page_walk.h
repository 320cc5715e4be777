// Splits a request at the boundaries of logical pages.
#pragma once

#include <algorithm>
#include <cstdint>

#include "models/nand/array/medium.h"
#include "sim/core/check.h"
#include "sim/core/divisor.h"
#include "sim/request.h"

namespace ftlab {

// The current logical page of a request and its requested bytes; walks from first to last.
class PageWalk {
 public:
  PageWalk(const Request& request, std::uint32_t bytes)
      : offset(request.offset_bytes),
        end_(request.offset_bytes + request.length_bytes),
        page_bytes_(bytes),
        lpn_(static_cast<std::uint32_t>(quotient(offset, bytes))),
        first_byte_(static_cast<std::uint32_t>(offset - std::uint64_t{lpn_} * bytes)) {}
  bool more() const { return offset < end_; }
  // True if this is the last page.
  bool is_last() const { return end_ - offset <= page_bytes_ - first_byte_; }
  Lpn lpn() const { return Lpn{lpn_}; }
  std::uint32_t first_byte() const { return first_byte_; }
  std::uint32_t bytes() const {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(page_bytes_ - first_byte_, end_ - offset));
  }
  void step() {
    FTLAB_DCHECK(more(), "a walk leaves its request");
    offset += bytes();
    first_byte_ = 0;
    ++lpn_;
  }
  // Whole pages from here on; 0 if the current one is not whole.
  std::uint32_t whole_pages() const {
    return first_byte_ == 0 ? static_cast<std::uint32_t>((end_ - offset) / page_bytes_) : 0;
  }
  // Skips that many pages. REQUIRES: they are whole, or it is one.
  void skip(std::uint32_t pages) {
    FTLAB_DCHECK(pages == 1 || (pages > 0 && pages <= whole_pages()), "pages are skipped that are not whole");
    offset += bytes() + std::uint64_t{pages - 1} * page_bytes_;
    first_byte_ = 0;
    lpn_ += pages;
  }
  // Number of pages left.
  std::uint64_t pages() const { return more() ? (end_ - offset + first_byte_ + page_bytes_ - 1) / page_bytes_ : 0; }

  std::uint64_t offset;  // on the drive

 private:
  std::uint64_t end_;
  std::uint32_t page_bytes_;
  std::uint32_t lpn_;
  std::uint32_t first_byte_;
};

}  // namespace ftlab
