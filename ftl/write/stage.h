// Pages of one frontier, held in controller RAM until their stripe is complete and can be programmed in one operation.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "models/nand/array/data_slots.h"
#include "models/nand/array/medium.h"
#include "sim/core/check.h"

namespace ftlab {

// Content of a slot. In a page of several slots, only the last one has the LPN and the number of `slots`; those before it
// have kNoLpn.
struct StagedPage {
  Lpn lpn;
  Version version;
  std::uint32_t slots;
};

class Stage {
 public:
  explicit Stage(std::uint32_t pages) : lpns_(pages), versions_(pages), slots_(pages) {}

  // `id` numbers the stages of all frontiers in the order in which their first page came.
  void begin(std::uint64_t id) {
    FTLAB_DCHECK(id > id_, "stages are numbered in order");
    id_ = id;
  }
  std::uint64_t id() const { return id_; }
  // `internal`: the page came by copyback. REQUIRES: !complete().
  void add(Lpn lpn, Version version, bool from_host, std::uint8_t slots = 1, bool internal = false) {
    FTLAB_DCHECK(!complete(), "a page is staged behind a whole stripe");
    lpns_[count_] = lpn;
    slots_[count_] = slots;
    versions_[count_++] = version;
    host_pages_ += from_host;
    internal_pages_ += internal;
  }
  // Call after the pages were programmed: the next stripe begins.
  void clear() { count_ = failed_ = host_pages_ = internal_pages_ = 0; }
  // Call after their program failed: the caller adds the pages again, with those that wait and the earlier slots of the
  // first page (begun_before()). The stage number and the number of host pages stay.
  void restart() {
    waiting_.clear();
    count_ = internal_pages_ = 0;
    failed_ = 1;
  }
  // True if a program of the staged pages has failed before.
  bool failed() const { return failed_ != 0; }
  // Slots of the first staged page that were programmed with the previous stage.
  std::uint32_t begun_before() const {
    for (std::uint32_t i = 0; i < count_; ++i)
      if (lpns_[i] != kNoLpn) return slots_[i] > i + 1 ? slots_[i] - (i + 1) : 0;
    return 0;
  }

  std::uint32_t count() const { return count_; }
  std::uint32_t room() const { return static_cast<std::uint32_t>(lpns_.size()) - count_; }
  bool complete() const { return count_ == lpns_.size(); }
  std::uint32_t host_pages() const { return host_pages_; }
  bool internal() const { return internal_pages_ > 0 && internal_pages_ == count_; }  // all came by copyback
  struct Pages {
    std::span<const Lpn> lpns;
    std::span<const Version> versions;
    std::span<const std::uint8_t> slots;
  };
  Pages pages() const { return {{lpns_.data(), count_}, {versions_.data(), count_}, {slots_.data(), count_}}; }
  // The page at `position` of the superblock. `next`: position after the last staged page.
  StagedPage at(std::uint32_t position, std::uint32_t next) const {
    FTLAB_DCHECK(position + count_ >= next, "the page is programmed already");
    if (position >= next) return waiting_at(position);
    const std::uint32_t i = position + count_ - next;
    return {lpns_[i], versions_[i], slots_[i]};
  }

  // Compressed pages that are staged again may exceed a stripe: the last ones wait for their slots. So do the remaining
  // slots of a page whose stage finds no place in the flash.
  struct Waiting {
    StagedPage page;
    std::uint32_t position;  // its future position
  };
  // Adds a slot behind the complete stripe that ends at `next`; `layout` tells which slots hold data. Returns its position.
  std::uint32_t wait(const StagedPage& page, std::uint32_t next, const Layout& layout) {
    FTLAB_DCHECK(complete(), "a page waits behind a stripe that has room");
    const std::uint32_t last = waiting_.empty() ? next - 1 : waiting_.back().position;
    waiting_.push_back({page, DataSlots(layout).after(last)});
    return waiting_.back().position;
  }
  std::span<const Waiting> waiting() const { return waiting_; }
  // Instead of clear(): stages the waiting slots. The last host pages are counted among them. Returns the number of slots.
  std::uint32_t advance();
  std::uint32_t slots_in_ram() const { return count_ + static_cast<std::uint32_t>(waiting_.size()); }

  // Renumbers the versions: number_of(Lpn, Version) returns the new one.
  template <class NumberOf>
  void renumber(NumberOf&& number_of) {
    for (std::uint32_t i = 0; i < count_; ++i) versions_[i] = number_of(lpns_[i], versions_[i]);
    for (Waiting& one : waiting_) one.page.version = number_of(one.page.lpn, one.page.version);
  }

  // `may_wait`: compressed pages of this drive may be staged again.
  template <class A>
  void archive(A& archive, bool may_wait) {
    for (auto* value : {&count_, &host_pages_, &internal_pages_, &failed_}) archive.value(*value);
    archive.value(id_);
    archive.exact(lpns_);
    archive.exact(versions_);
    archive.exact(slots_);
    if (may_wait) archive.list(waiting_, 2 * lpns_.size());
  }

 private:
  const StagedPage& waiting_at(std::uint32_t position) const {
    const auto found =
        std::find_if(waiting_.begin(), waiting_.end(), [position](const Waiting& one) { return one.position == position; });
    FTLAB_CHECK(found != waiting_.end(), "no page waits for place " + std::to_string(position) + " of its superblock");
    return found->page;
  }

  std::vector<Lpn> lpns_;
  std::vector<Version> versions_;
  std::vector<std::uint8_t> slots_;
  std::uint32_t count_ = 0;
  std::uint32_t host_pages_ = 0, internal_pages_ = 0;
  std::uint32_t failed_ = 0;
  std::uint64_t id_ = 0;
  std::vector<Waiting> waiting_;
};

inline std::uint32_t Stage::advance() {
  FTLAB_DCHECK(waiting_.size() <= lpns_.size(), "pages that wait find no room in a stripe");
  const auto count = static_cast<std::uint32_t>(waiting_.size());
  std::uint32_t host_pages = std::min(count, host_pages_);
  clear();
  for (const Waiting& one : waiting_) {
    add(one.page.lpn, one.page.version, host_pages > 0, static_cast<std::uint8_t>(one.page.slots));
    host_pages -= host_pages > 0;
  }
  waiting_.clear();
  return count;
}

}  // namespace ftlab
