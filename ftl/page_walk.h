// A request cut at the edges of logical pages.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/request.h"

namespace ftlab {

// The next logical page that a request touches, and which of its bytes; walks from first to last.
struct PageWalk {
  std::uint64_t offset, end;
  std::uint32_t page_bytes;

  PageWalk(const Request& request, std::uint32_t bytes)
      : offset(request.offset_bytes), end(request.offset_bytes + request.length_bytes), page_bytes(bytes) {}
  bool more() const { return offset < end; }
  Lpn lpn() const { return Lpn{static_cast<std::uint32_t>(offset / page_bytes)}; }
  std::uint32_t first_byte() const { return static_cast<std::uint32_t>(offset % page_bytes); }
  std::uint32_t bytes() const {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(page_bytes - first_byte(), end - offset));
  }
  void step() { offset += bytes(); }
  std::uint64_t pages() const { return more() ? (end - 1) / page_bytes - offset / page_bytes + 1 : 0; }  // still to come
};

}  // namespace ftlab
