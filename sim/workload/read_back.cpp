#include "sim/workload/read_back.h"

#include "sim/core/check.h"

namespace ftlab {

void ReadBack::wrote(std::uint64_t offset_bytes, std::uint64_t length_bytes) {
  if (in_order_) return writes_.push_back({offset_bytes, length_bytes});
  auto place = places_.lower_bound(offset_bytes);
  if (place != places_.begin() && std::prev(place)->first + std::prev(place)->second > offset_bytes) --place;
  while (place != places_.end() && place->first < offset_bytes + length_bytes) place = places_.erase(place);
  places_.emplace_hint(place, offset_bytes, length_bytes);
}

ReadBack::Written ReadBack::take() {
  FTLAB_CHECK(count() > 0, "nothing left to read back");
  Written next;
  if (in_order_) {
    next = writes_.front();
    writes_.pop_front();
  } else {
    next = {places_.begin()->first, places_.begin()->second};
    places_.erase(places_.begin());
  }
  return next;
}

}  // namespace ftlab
