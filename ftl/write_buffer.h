// The controller's RAM for host data on its way to the flash. A page occupies a place from its arrival until it is
// programmed; places are handed out in a ring, so a full buffer makes the host wait for the oldest program. What waits to
// become a whole mapping page is in held_pages.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/types.h"

namespace ftlab {

class WriteBuffer {
 public:
  // REQUIRES: pages at least those of one stripe.
  explicit WriteBuffer(std::uint32_t pages) : free_at_(pages, Nanoseconds{0}) {}

  // From when the next `pages` pages have a place. REQUIRES: at most as many as there are in all.
  Nanoseconds room_at(std::uint32_t pages = 1) const {
    Nanoseconds room = free_at_[next_in_];
    for (std::uint32_t place = next_in_; --pages > 0;) {
      place = next(place);
      room = std::max(room, free_at_[place]);
    }
    return room;
  }
  // They took the places.
  void take(std::uint32_t pages = 1) {
    for (; pages > 0; --pages) next_in_ = next(next_in_);
  }
  // The oldest `pages` pages that are not programmed yet are programmed at `done`.
  void programmed(std::uint32_t pages, Nanoseconds done) {
    for (std::uint32_t i = 0; i < pages; ++i, next_out_ = next(next_out_)) free_at_[next_out_] = done;
    all_programmed_ = std::max(all_programmed_, done);
  }
  // When everything handed over for programming so far is in the flash.
  Nanoseconds all_programmed() const { return all_programmed_; }

  template <class A>
  void archive(A& archive) {
    archive.section("write buffer");
    archive.exact(free_at_);
    archive.value(next_in_);
    archive.value(next_out_);
    archive.value(all_programmed_);
    archive.require(next_in_ < free_at_.size() && next_out_ < free_at_.size(), "the next page has no place in it.");
  }

 private:
  std::uint32_t next(std::uint32_t place) const { return place + 1 == free_at_.size() ? 0 : place + 1; }

  std::vector<Nanoseconds> free_at_;
  std::uint32_t next_in_ = 0;
  std::uint32_t next_out_ = 0;
  Nanoseconds all_programmed_{0};
};

}  // namespace ftlab
