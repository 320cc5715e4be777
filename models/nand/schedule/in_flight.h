// Number of programs in flight and of the pages that they carry, and the limits that the caller waits for.
#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "models/nand/schedule/programs.h"
#include "sim/core/check.h"

namespace ftlab {

class InFlight {
 public:
  enum Watched : std::uint32_t { kPrograms, kMovedPages };

  std::uint32_t programs() const { return count_[kPrograms]; }
  std::uint32_t moved_pages() const { return count_[kMovedPages]; }  // relocated
  std::uint32_t host_pages() const { return host_pages_; }           // write buffer slots
  bool has(const FlashProgram& program) const { return programs() > 0 && host_pages_ >= program.host_pages; }

  void add(std::uint32_t programs, std::uint32_t host_pages) {
    count_[kPrograms] += programs;
    host_pages_ += host_pages;
  }
  void add_moved_pages(std::uint32_t pages) { count_[kMovedPages] += pages; }
  void end(const FlashProgram& program) {
    FTLAB_DCHECK(moved_pages() >= program.moved_pages, "more moved pages arrive than are in flight");
    --count_[kPrograms];
    host_pages_ -= program.host_pages;
    freed_places_ += program.host_pages;
    count_[kMovedPages] -= program.moved_pages;
  }
  // below_limit() is true while fewer than `fewer_than` are in flight; 0: never.
  void watch(Watched what, std::uint32_t fewer_than) {
    fewer_than_[what] = fewer_than;
    watched_ = fewer_than_[kPrograms] + fewer_than_[kMovedPages] > 0;
  }
  bool below_limit() const {
    return has_freed_places() ||
           (watched_ && (moved_pages() < fewer_than_[kMovedPages] || programs() < fewer_than_[kPrograms]));
  }
  bool has_freed_places() const { return freed_places_ != 0; }
  // Write buffer slots freed since the last call.
  std::uint32_t take_freed_slots() { return std::exchange(freed_places_, 0); }
  void clear() {
    count_ = {};
    host_pages_ = freed_places_ = 0;
  }

  // REQUIRES: !has_freed_places().
  template <class A>
  void archive(A& archive) {
    FTLAB_DCHECK(!has_freed_places(), "freed places of the write buffer are forgotten");
    for (auto* count : {&count_[kPrograms], &host_pages_, &count_[kMovedPages]}) archive.value(*count);
  }

 private:
  std::array<std::uint32_t, 2> count_{}, fewer_than_{};
  std::uint32_t host_pages_ = 0, freed_places_ = 0;
  bool watched_ = false;  // a limit is set
};

}  // namespace ftlab
