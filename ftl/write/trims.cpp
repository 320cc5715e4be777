#include "ftl/write/trims.h"

#include <string>

#include "sim/core/check.h"

namespace ftlab {

void Trims::add(Lpn first, std::uint32_t pages) {
  FTLAB_CHECK(number(first) + std::uint64_t{pages} <= lpns_,
              "trim of " + std::to_string(pages) + " pages from " + std::to_string(number(first)) + " on exceeds the drive");
  for (std::uint32_t lpn = number(first); lpn < number(first) + pages; ++lpn) {
    pending_[lpn / 64] |= std::uint64_t{1} << (lpn % 64);
  }
  ranges_.push_back({number(first), number(first) + pages});
}

Lpn Trims::take() {
  for (; first_ < ranges_.size(); ++first_) {
    Range& range = ranges_[first_];
    while (range.next < range.end) {
      const Lpn lpn{range.next++};
      if (!pending(lpn)) continue;
      cancel(lpn);
      return lpn;
    }
  }
  ranges_.clear();
  first_ = 0;
  return kNoLpn;
}

}  // namespace ftlab
