// The place where writes go: one open superblock, filled in order. Pages wait in the controller's RAM until their stripe
// is complete and can be programmed in one operation.
#pragma once

#include <span>
#include <vector>

#include "models/nand/medium.h"
#include "sim/types.h"

namespace ftlab {

class Frontier {
 public:
  Frontier(const Layout& layout, std::uint8_t number)
      : number_(number),
        pages_(layout.pages_per_superblock()),
        lpns_(layout.pages_per_stripe()),
        versions_(layout.pages_per_stripe()) {}

  // REQUIRES: !has_room(). `next` > 0 takes up a superblock that was partly programmed before a power cut.
  void open(BlockId block, Nanoseconds erased, std::uint32_t next = 0) {
    block_ = block;
    next_ = next;
    ready_ = erased;
    erased_ = erased;
  }
  bool has_room() const { return room() > 0; }
  std::uint32_t room() const { return block_ == kNoBlock ? 0 : pages_ - next_; }

  // Takes one page whose data are in RAM at `ready`; returns its position in the superblock. REQUIRES: has_room().
  std::uint32_t stage(Lpn lpn, Version version, Nanoseconds ready, bool from_host) {
    lpns_[staged_] = lpn;
    versions_[staged_++] = version;
    if (ready > ready_) ready_ = ready;
    host_pages_ += from_host;
    return next_++;
  }

  // The pages were programmed; their stripe's successor begins.
  void clear_stage() {
    staged_ = 0;
    host_pages_ = 0;
    ready_ = erased_;
  }

  std::uint8_t number() const { return number_; }
  BlockId block() const { return block_; }
  std::uint32_t next() const { return next_; }
  std::uint32_t stripe_room() const { return static_cast<std::uint32_t>(lpns_.size()) - staged_; }
  bool stripe_complete() const { return staged_ == lpns_.size(); }
  std::uint32_t staged_count() const { return staged_; }
  std::uint32_t staged_first() const { return next_ - staged_; }
  std::span<const Lpn> staged_lpns() const { return {lpns_.data(), staged_}; }
  std::span<const Version> staged_versions() const { return {versions_.data(), staged_}; }
  std::uint32_t staged_host_pages() const { return host_pages_; }
  Nanoseconds staged_ready() const { return ready_; }  // when the last of the staged data, and the erase, are done
  Version staged_version(std::uint32_t position) const { return versions_[position - staged_first()]; }

 private:
  std::uint8_t number_;
  std::uint32_t pages_;
  BlockId block_ = kNoBlock;
  std::uint32_t next_ = 0;
  Nanoseconds erased_{0};
  Nanoseconds ready_{0};
  std::vector<Lpn> lpns_;
  std::vector<Version> versions_;
  std::uint32_t staged_ = 0;
  std::uint32_t host_pages_ = 0;
};

}  // namespace ftlab
