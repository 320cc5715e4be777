// The place where writes go: one open superblock, filled in order. Pages wait in the controller's RAM until their stripe
// is complete and can be programmed in one operation.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "models/nand/medium.h"
#include "sim/types.h"

namespace ftlab {

// What a frontier is for.
struct FrontierPlan {
  std::uint8_t pool = 0;
  bool relocation = false;          // relocated pages go here (host writes may, too)
  std::uint32_t cells_per_bit = 1;  // of its fast superblocks, in which one page in so many is used; 1: it has none
  bool always_fast = false;         // pSLC cache; else as the mode of the drive is when a superblock is opened
};

class Frontier {
 public:
  Frontier(const Layout& layout, std::uint8_t number, FrontierPlan plan)
      : number_(number),
        plan_(plan),
        plain_capacity_(layout.whole_rows(layout.data_pages())),
        fast_capacity_(layout.whole_rows(layout.data_pages() / plan.cells_per_bit)),
        capacity_(plain_capacity_),
        lpns_(layout.pages_per_stripe()),
        versions_(layout.pages_per_stripe()),
        slots_(layout.pages_per_stripe()) {}

  // REQUIRES: !has_room(). `fast`: one bit a cell. `next` > 0 takes up a superblock that was partly programmed before a
  // power cut, `used` of whose pages were for data.
  void open(BlockId block, Nanoseconds erased, bool fast, std::uint32_t next = 0, std::uint32_t used = 0) {
    block_ = block;
    fast_ = fast;
    capacity_ = fast ? fast_capacity_ : plain_capacity_;
    next_ = next;
    used_ = used;
    ready_ = erased;
    erased_ = erased;
  }
  bool has_room() const { return room() > 0; }
  std::uint32_t room() const { return block_ == kNoBlock ? 0 : capacity_ - used_; }

  // Takes one page whose data are in RAM at `ready`; returns its position in the superblock. Of a page that takes several
  // places the last one, of `slots`, carries its number; the others are staged before it with kNoLpn. REQUIRES: has_room().
  std::uint32_t stage(Lpn lpn, Version version, Nanoseconds ready, bool from_host, std::uint8_t slots = 1) {
    lpns_[staged_] = lpn;
    slots_[staged_] = slots;
    versions_[staged_++] = version;
    if (ready > ready_) ready_ = ready;
    host_pages_ += from_host;
    ++used_;
    return next_++;
  }

  // The pages were programmed; their stripe's successor begins.
  void clear_stage() {
    staged_ = 0;
    host_pages_ = 0;
    internal_pages_ = 0;
    ready_ = erased_;
  }
  // Of the staged pages, so many more came by copyback.
  void count_internal(std::uint32_t pages) { internal_pages_ += pages; }
  bool staged_internally() const { return internal_pages_ > 0 && internal_pages_ == staged_; }
  // Goes on behind a stripe that takes no data: parity, or a failed program.
  void skip(std::uint32_t pages) { next_ += pages; }

  // The staged pages, a whole stripe, begin `block` instead: their program failed. They are in RAM still.
  void restage(BlockId block, Nanoseconds erased, Nanoseconds failed) {
    block_ = block;
    next_ = used_ = staged_;
    erased_ = erased;
    ready_ = std::max({ready_, erased, failed});
    internal_pages_ = 0;
  }
  // As above, but they go to the next stripe of the superblock. REQUIRES: room for them.
  void restage_behind(Nanoseconds failed) {
    next_ += staged_;
    used_ += staged_;
    ready_ = std::max(ready_, failed);
    internal_pages_ = 0;
  }

  // No more pages in this superblock.
  void leave() { used_ = capacity_; }

  std::uint8_t number() const { return number_; }
  const FrontierPlan& plan() const { return plan_; }
  BlockId block() const { return block_; }
  bool fast() const { return fast_; }
  std::uint32_t next() const { return next_; }
  std::uint32_t stripe_room() const { return static_cast<std::uint32_t>(lpns_.size()) - staged_; }
  bool stripe_complete() const { return staged_ == lpns_.size(); }
  std::uint32_t staged_count() const { return staged_; }
  std::uint32_t staged_first() const { return next_ - staged_; }
  std::span<const Lpn> staged_lpns() const { return {lpns_.data(), staged_}; }
  std::span<const Version> staged_versions() const { return {versions_.data(), staged_}; }
  std::span<const std::uint8_t> staged_slots() const { return {slots_.data(), staged_}; }
  std::uint32_t staged_host_pages() const { return host_pages_; }
  Nanoseconds staged_ready() const { return ready_; }  // when the last of the staged data, and the erase, are done
  Version staged_version(std::uint32_t position) const { return versions_[position - staged_first()]; }
  std::uint32_t staged_slots(std::uint32_t position) const { return slots_[position - staged_first()]; }
  // Gives the staged versions other numbers: number_of(Lpn, Version).
  template <class NumberOf>
  void renumber(NumberOf&& number_of) {
    for (std::uint32_t i = 0; i < staged_; ++i) versions_[i] = number_of(lpns_[i], versions_[i]);
  }
  // Stages are numbered over all frontiers in the order in which their first page came.
  std::uint64_t stage_id() const { return stage_id_; }
  void begin_stage(std::uint64_t id) { stage_id_ = id; }

  template <class A>
  void archive(A& archive) {
    archive.section("frontier");
    archive.value(block_);
    archive.value(fast_);
    archive.value(capacity_);
    for (auto* value : {&next_, &used_, &staged_, &host_pages_, &internal_pages_}) archive.value(*value);
    archive.value(erased_);
    archive.value(ready_);
    archive.value(stage_id_);
    archive.list(lpns_, lpns_.size());
    archive.list(versions_, versions_.size());
    archive.list(slots_, slots_.size());
  }

 private:
  std::uint8_t number_;
  FrontierPlan plan_;
  std::uint32_t plain_capacity_, fast_capacity_;
  std::uint32_t capacity_;  // of the open superblock
  bool fast_ = false;
  BlockId block_ = kNoBlock;
  std::uint32_t next_ = 0;
  std::uint32_t used_ = 0;
  Nanoseconds erased_{0};
  Nanoseconds ready_{0};
  std::vector<Lpn> lpns_;
  std::vector<Version> versions_;
  std::vector<std::uint8_t> slots_;
  std::uint32_t staged_ = 0;
  std::uint32_t host_pages_ = 0;
  std::uint32_t internal_pages_ = 0;
  std::uint64_t stage_id_ = 0;
};

}  // namespace ftlab
