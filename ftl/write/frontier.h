// The place where writes go: one open superblock, filled in order. Pages wait in the controller's RAM until their stripe
// is complete and can be programmed in one operation.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "models/nand/array/data_slots.h"
#include "models/nand/array/medium.h"
#include "sim/core/check.h"
#include "sim/core/rule.h"
#include "sim/core/types.h"

namespace ftlab {

// What a frontier is for.
struct FrontierPlan {
  std::uint8_t pool = 0;
  bool relocation = false;          // relocated pages go here (host writes may, too)
  std::uint32_t cells_per_bit = 1;  // of its fast superblocks, in which one page in so many is used; 1: it has none
  bool always_pslc = false;         // pSLC cache; else as the mode of the drive is when a superblock is opened
  std::uint32_t superblocks = 1;    // that are taken for it together: a reclaim unit
};

class Frontier {
 public:
  Frontier(const Layout& layout, std::uint8_t number, FrontierPlan plan)
      : number_(number),
        plan_(plan),
        full_capacity_(DataSlots(layout).whole_rows(layout.data_pages())),
        pslc_capacity_(DataSlots(layout).whole_rows(layout.data_pages() / plan.cells_per_bit)),
        capacity_(full_capacity_),
        lpns_(layout.pages_per_stripe()),
        versions_(layout.pages_per_stripe()),
        slots_(layout.pages_per_stripe()) {}

  // `fast`: one bit a cell. `next` > 0 takes up a superblock that was partly programmed before a power cut, `used` of whose
  // pages were for data. REQUIRES: nothing is staged; !has_room(), but where a start chooses among several.
  void open(SuperblockId block, bool pslc, std::uint32_t next = 0, std::uint32_t used = 0) {
    FTLAB_DCHECK(staged_ == 0, "a frontier leaves a superblock of which pages are in RAM");
    FTLAB_DCHECK(used <= next, "more slots are used than were programmed");
    block_ = block;
    pslc_ = pslc;
    capacity_ = pslc ? pslc_capacity_ : full_capacity_;
    next_ = next;
    used_ = used;
  }
  bool has_room() const { return room() > 0; }
  std::uint32_t room() const { return block_ == kNoBlock ? 0 : capacity_ - used_; }
  std::uint32_t used() const { return used_; }  // slots for data that are taken, or left for good

  // Takes one page; returns its position in the superblock. Of a page that takes several slots the last one, of `slots`,
  // carries its number; the others are staged before it with kNoLpn. REQUIRES: has_room().
  std::uint32_t stage(Lpn lpn, Version version, bool from_host, std::uint8_t slots = 1) {
    FTLAB_DCHECK(staged_ < lpns_.size(), "a page is staged behind a whole stripe");
    lpns_[staged_] = lpn;
    slots_[staged_] = slots;
    versions_[staged_++] = version;
    host_pages_ += from_host;
    ++used_;
    return next_++;
  }

  // So many pages, whole stripes of them, were programmed without being staged here; the last was stage `id`. REQUIRES:
  // nothing is staged.
  void pass(std::uint32_t pages, std::uint64_t id) {
    FTLAB_DCHECK(staged_ == 0 && pages % lpns_.size() == 0, "stripes are programmed while one waits, or not as a whole");
    FTLAB_DCHECK(pages <= room(), "more is programmed than there is room for");
    next_ += pages;
    used_ += pages;
    stage_id_ = id;
  }
  // The pages were programmed; their stripe's successor begins.
  void clear_stage() {
    staged_ = 0;
    failed_ = 0;
    host_pages_ = 0;
    internal_pages_ = 0;
    if (waiting_.empty()) replaced_.clear();
  }
  // A staged page replaces one in `block`, which must be kept until the stage is programmed.
  void note_replaced(SuperblockId block) {
    if (!replaces_in(block)) replaced_.push_back(block);
  }
  bool replaces_in(SuperblockId block) const {
    return std::find(replaced_.begin(), replaced_.end(), block) != replaced_.end();
  }
  // Of the staged pages, so many more came by copyback.
  void count_internal(std::uint32_t pages) {
    internal_pages_ += pages;
    FTLAB_DCHECK(internal_pages_ <= lpns_.size(), "more pages came by copyback than fit into a stripe");
  }
  bool staged_internally() const { return internal_pages_ > 0 && internal_pages_ == staged_; }
  // Goes on behind a stripe that takes no data: parity, or a failed program.
  void skip(std::uint32_t pages) { next_ += pages; }

  // The program of the staged pages failed. They are in RAM still, and are staged anew from here on, in `block`, with what
  // of the first one was programmed before: it came to begun_before() slots.
  void restage(SuperblockId block) {
    FTLAB_DCHECK(block != kNoBlock, "a failed stripe is staged nowhere");
    restage_behind();
    block_ = block;
    next_ = used_ = 0;
  }
  // As above, but they go to the next stripe of the superblock. REQUIRES: room for them.
  void restage_behind() {
    FTLAB_DCHECK(used_ >= waiting_.size(), "more pages wait than slots are taken");
    used_ -= static_cast<std::uint32_t>(waiting_.size());
    waiting_.clear();
    staged_ = 0;
    failed_ = 1;
    internal_pages_ = 0;
  }
  // The staged pages were programmed once before, in vain.
  bool stage_failed() const { return failed_ != 0; }
  // Places of the first staged page that were programmed with the stage before.
  std::uint32_t begun_before() const {
    for (std::uint32_t i = 0; i < staged_; ++i) {
      if (lpns_[i] != kNoLpn) return slots_[i] > i + 1 ? slots_[i] - (i + 1) : 0;
    }
    return 0;
  }

  // Packed pages that are staged anew may be more than a stripe: the last of them wait for their slots. So does the rest of
  // a page whose stage finds no slot in the flash any more.
  struct Waiting {
    Lpn lpn;
    Version version;
    std::uint32_t slots;
    std::uint32_t position;  // that they will have
  };
  // REQUIRES: stripe_complete(); `position` is the next one for data.
  std::uint32_t wait(Lpn lpn, Version version, std::uint32_t slots, std::uint32_t position) {
    FTLAB_DCHECK(stripe_complete(), "a page waits behind a stripe that has room");
    FTLAB_DCHECK(waiting_.empty() || waiting_.back().position < position, "pages wait out of order");
    waiting_.push_back({lpn, version, slots, position});
    if (has_room()) ++used_;  // of a frontier that takes no more pages all is used
    return position;
  }
  std::span<const Waiting> waiting() const { return waiting_; }
  // The position of the last page that is staged or waits.
  std::uint32_t last() const { return waiting_.empty() ? next_ - 1 : waiting_.back().position; }
  // After clear_stage(): they are staged. `host_pages` of them are the host's.
  void stage_waiting(std::uint32_t host_pages) {
    FTLAB_DCHECK(staged_ == 0 && waiting_.size() <= lpns_.size(), "pages that wait find no room in a stripe");
    used_ -= static_cast<std::uint32_t>(waiting_.size());
    for (const Waiting& page : waiting_) {
      stage(page.lpn, page.version, host_pages > 0, static_cast<std::uint8_t>(page.slots));
      host_pages -= host_pages > 0;
    }
    waiting_.clear();
  }

  // Superblocks of its reclaim unit that it will open next, in this order.
  std::span<const SuperblockId> set_aside() const { return set_aside_; }
  void set_aside(SuperblockId block) { set_aside_.push_back(block); }
  SuperblockId take_set_aside() {
    FTLAB_CHECK(!set_aside_.empty(), "frontier " + std::to_string(number_) + " has no superblock set aside");
    const SuperblockId block = set_aside_.front();
    set_aside_.erase(set_aside_.begin());
    return block;
  }

  // No more pages in this superblock.
  void leave() { used_ = capacity_; }

  std::uint8_t number() const { return number_; }
  const FrontierPlan& plan() const { return plan_; }
  SuperblockId block() const { return block_; }
  bool pslc() const { return pslc_; }
  std::uint32_t next() const { return next_; }
  std::uint32_t stripe_room() const { return static_cast<std::uint32_t>(lpns_.size()) - staged_; }
  bool stripe_complete() const { return staged_ == lpns_.size(); }
  std::uint32_t staged_count() const { return staged_; }
  std::uint32_t slots_in_ram() const { return staged_ + static_cast<std::uint32_t>(waiting_.size()); }
  std::uint32_t staged_first() const { return next_ - staged_; }
  std::span<const Lpn> staged_lpns() const { return {lpns_.data(), staged_}; }
  std::span<const Version> staged_versions() const { return {versions_.data(), staged_}; }
  std::span<const std::uint8_t> staged_slots() const { return {slots_.data(), staged_}; }
  std::uint32_t staged_host_pages() const { return host_pages_; }
  Lpn staged_lpn(std::uint32_t position) const {
    FTLAB_DCHECK(position >= staged_first(), "the page is programmed already");
    return position < next_ ? lpns_[position - staged_first()] : waiting_at(position).lpn;
  }
  Version staged_version(std::uint32_t position) const {
    FTLAB_DCHECK(position >= staged_first(), "the page is programmed already");
    return position < next_ ? versions_[position - staged_first()] : waiting_at(position).version;
  }
  std::uint32_t staged_slots(std::uint32_t position) const {
    FTLAB_DCHECK(position >= staged_first(), "the page is programmed already");
    return position < next_ ? slots_[position - staged_first()] : waiting_at(position).slots;
  }
  // Gives the staged versions other numbers: number_of(Lpn, Version).
  template <class NumberOf>
  void renumber(NumberOf&& number_of) {
    for (std::uint32_t i = 0; i < staged_; ++i) versions_[i] = number_of(lpns_[i], versions_[i]);
    for (Waiting& page : waiting_) page.version = number_of(page.lpn, page.version);
  }
  // Stages are numbered over all frontiers in the order in which their first page came.
  std::uint64_t stage_id() const { return stage_id_; }
  void begin_stage(std::uint64_t id) {
    FTLAB_DCHECK(id > stage_id_, "stages are numbered in order");
    stage_id_ = id;
  }

  // `positions`: of a superblock.
  template <class A>
  void archive(A& archive, std::uint32_t positions) {
    archive.section("frontier");
    archive.value(block_);
    archive.value(pslc_);
    archive.value(capacity_);
    for (auto* value : {&next_, &used_, &staged_, &host_pages_, &internal_pages_, &failed_}) archive.value(*value);
    archive.value(stage_id_);
    archive.exact(lpns_);
    archive.exact(versions_);
    archive.exact(slots_);
    archive.list(replaced_, 4 * lpns_.size());
    archive.list(set_aside_, plan_.superblocks);
    archive.require(rules(), *this, positions);
  }
  // Of a drive whose packed pages may be staged anew.
  template <class A>
  void archive_waiting(A& archive, std::uint32_t positions) {
    archive.list(waiting_, 2 * lpns_.size());
    archive.require(rules_of_waiting(), waiting_, positions);
  }

 private:
  friend struct LoadedStates;
  static std::span<const Rule<Frontier, std::uint32_t>> rules();
  static std::span<const Rule<std::vector<Waiting>, std::uint32_t>> rules_of_waiting();
  const Waiting& waiting_at(std::uint32_t position) const {
    const auto page = std::find_if(waiting_.begin(), waiting_.end(),
                                   [position](const Waiting& waiting) { return waiting.position == position; });
    FTLAB_CHECK(page != waiting_.end(), "no page waits for place " + std::to_string(position) + " of its superblock");
    return *page;
  }

  std::uint8_t number_;
  FrontierPlan plan_;
  std::uint32_t full_capacity_, pslc_capacity_;
  std::uint32_t capacity_;  // of the open superblock
  bool pslc_ = false;
  SuperblockId block_ = kNoBlock;
  std::uint32_t next_ = 0;
  std::uint32_t used_ = 0;
  std::vector<Lpn> lpns_;
  std::vector<Version> versions_;
  std::vector<std::uint8_t> slots_;
  std::vector<Waiting> waiting_;
  std::vector<SuperblockId> replaced_;  // see note_replaced()
  std::vector<SuperblockId> set_aside_;
  std::uint32_t staged_ = 0;
  std::uint32_t host_pages_ = 0;
  std::uint32_t internal_pages_ = 0;
  std::uint32_t failed_ = 0;  // 1: see stage_failed()
  std::uint64_t stage_id_ = 0;
};

// `positions`: of a superblock.
inline std::span<const Rule<Frontier, std::uint32_t>> Frontier::rules() {
  static constexpr Rule<Frontier, std::uint32_t> kRules[] = {
      {"it holds as much as no superblock does.",
       [](const Frontier& it, const std::uint32_t&) {
         return it.capacity_ == it.full_capacity_ || it.capacity_ == it.pslc_capacity_;
       }},
      {"it stands where no superblock has a page.",
       [](const Frontier& it, const std::uint32_t& positions) { return it.used_ <= it.capacity_ && it.next_ <= positions; }},
      {"more pages are staged than a stripe has.",
       [](const Frontier& it, const std::uint32_t&) { return it.staged_ <= it.lpns_.size(); }},
      {"more pages are staged than it took.",
       [](const Frontier& it, const std::uint32_t&) { return it.staged_ <= it.next_; }},
      {"of its staged pages more came from the host, or by copyback, than there are.",
       [](const Frontier& it, const std::uint32_t&) {
         return it.host_pages_ <= it.staged_ && it.internal_pages_ <= it.staged_;
       }},
  };
  return kRules;
}

inline std::span<const Rule<std::vector<Frontier::Waiting>, std::uint32_t>> Frontier::rules_of_waiting() {
  static constexpr Rule<std::vector<Waiting>, std::uint32_t> kRules[] = {
      {"a page waits for a slot outside of its superblock.",
       [](const std::vector<Waiting>& waiting, const std::uint32_t& positions) {
         return each(waiting, [positions](const Waiting& page) { return page.position < positions; });
       }},
  };
  return kRules;
}

}  // namespace ftlab
