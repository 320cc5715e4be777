// Pages of one frontier that wait in the controller's RAM until their stripe is complete and can be programmed in one
// operation.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "models/nand/array/data_slots.h"
#include "models/nand/array/medium.h"
#include "sim/core/check.h"
#include "sim/core/rule.h"

namespace ftlab {

// What a slot holds. Of a page that takes several slots the last one, of `slots`, carries its number; those before it have
// kNoLpn.
struct StagedPage {
  Lpn lpn;
  Version version;
  std::uint32_t slots;
};

class Stage {
 public:
  explicit Stage(std::uint32_t pages) : lpns_(pages), versions_(pages), slots_(pages) {}

  // Stages are numbered over all frontiers in the order in which their first page came.
  void begin(std::uint64_t id) {
    FTLAB_DCHECK(id > id_, "stages are numbered in order");
    id_ = id;
  }
  std::uint64_t id() const { return id_; }
  // REQUIRES: !complete(). `internal`: it came by copyback.
  void add(Lpn lpn, Version version, bool from_host, std::uint8_t slots = 1, bool internal = false) {
    FTLAB_DCHECK(!complete(), "a page is staged behind a whole stripe");
    lpns_[count_] = lpn;
    slots_[count_] = slots;
    versions_[count_++] = version;
    host_pages_ += from_host;
    internal_pages_ += internal;
  }
  // The pages were programmed; their stripe's successor begins.
  void clear() { count_ = failed_ = host_pages_ = internal_pages_ = 0; }
  // Their program failed: they are added again, with those that wait and what was programmed before of the first one
  // (begun_before()). They keep the number of the stage, and are the host's still.
  void restart() {
    waiting_.clear();
    count_ = internal_pages_ = 0;
    failed_ = 1;
  }
  // The staged pages were programmed once before, in vain.
  bool failed() const { return failed_ != 0; }
  // Slots of the first staged page that were programmed with the stage before.
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
  // The page at `position` of the superblock, of which `next` follows the staged ones.
  StagedPage at(std::uint32_t position, std::uint32_t next) const {
    FTLAB_DCHECK(position + count_ >= next, "the page is programmed already");
    if (position >= next) return waiting_at(position);
    const std::uint32_t i = position + count_ - next;
    return {lpns_[i], versions_[i], slots_[i]};
  }

  // Compressed pages that are staged again may be more than a stripe: the last of them wait for their slots. So does the
  // rest of a page whose stage finds no slot in the flash any more.
  struct Waiting {
    StagedPage page;
    std::uint32_t position;  // that they will have
  };
  // Behind a complete stripe, of which `next` is the end; `layout` says where the next slot for data is. Returns its
  // position.
  std::uint32_t wait(const StagedPage& page, std::uint32_t next, const Layout& layout) {
    FTLAB_DCHECK(complete(), "a page waits behind a stripe that has room");
    const std::uint32_t last = waiting_.empty() ? next - 1 : waiting_.back().position;
    waiting_.push_back({page, DataSlots(layout).after(last)});
    return waiting_.back().position;
  }
  std::span<const Waiting> waiting() const { return waiting_; }
  // In the place of clear(): those that wait are the staged ones. The last of the pages that came from the host are among
  // them. Returns how many they are.
  std::uint32_t advance();
  std::uint32_t slots_in_ram() const { return count_ + static_cast<std::uint32_t>(waiting_.size()); }

  // Gives the versions other numbers: number_of(Lpn, Version).
  template <class NumberOf>
  void renumber(NumberOf&& number_of) {
    for (std::uint32_t i = 0; i < count_; ++i) versions_[i] = number_of(lpns_[i], versions_[i]);
    for (Waiting& one : waiting_) one.page.version = number_of(one.page.lpn, one.page.version);
  }

  // The frontier's next slot is `next` of `positions`. `may_wait`: compressed pages of this drive may be staged again.
  template <class A>
  void archive(A& archive, std::uint32_t next, std::uint32_t positions, bool may_wait) {
    for (auto* value : {&count_, &host_pages_, &internal_pages_, &failed_}) archive.value(*value);
    archive.value(id_);
    archive.exact(lpns_);
    archive.exact(versions_);
    archive.exact(slots_);
    if (may_wait) archive.list(waiting_, 2 * lpns_.size());
    archive.require(rules(), *this, next, positions);
  }

 private:
  friend struct LoadedStates;
  static std::span<const Rule<Stage, std::uint32_t, std::uint32_t>> rules();
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

inline std::span<const Rule<Stage, std::uint32_t, std::uint32_t>> Stage::rules() {
  static constexpr Rule<Stage, std::uint32_t, std::uint32_t> kRules[] = {
      {"more pages are staged than a stripe has.",
       [](const Stage& it, const std::uint32_t&, const std::uint32_t&) { return it.count_ <= it.lpns_.size(); }},
      {"more pages are staged than it took.",
       [](const Stage& it, const std::uint32_t& next, const std::uint32_t&) { return it.count_ <= next; }},
      {"more staged pages are marked as host or copyback pages than are staged.",
       [](const Stage& it, const std::uint32_t&, const std::uint32_t&) {
         return it.host_pages_ <= it.count_ && it.internal_pages_ <= it.count_;
       }},
      {"a page waits for a slot outside of its superblock.",
       [](const Stage& it, const std::uint32_t&, const std::uint32_t& positions) {
         return each(it.waiting_, [positions](const Waiting& one) { return one.position < positions; });
       }},
  };
  return kRules;
}

}  // namespace ftlab
