// Even pace of collection: for each page that the host writes, so many pages of the victim are moved that the superblock that
// it frees is ready when the host has filled one, so free space neither falls nor grows. A victim of `slots` page slots with
// `valid` ones frees slots - valid, so valid / (slots - valid) pages are due for each page of the host: write amplification
// minus one. Collection is then spread over all host writes instead of alternating with pauses.
#pragma once

#include <algorithm>
#include <cstdint>

namespace ftlab {

class EvenPace {
 public:
  // A victim begins. Collection moves at most `most` pages for each page of the host. What the last victim was ahead or
  // behind is forgotten: less than a stripe.
  void begin(std::uint64_t valid, std::uint64_t slots, std::uint32_t most) {
    gain_ = slots - std::min(valid, slots - 1);
    share_ = std::clamp<std::uint64_t>(valid, 1, gain_ * most);
    due_ = 0;
  }
  void host_wrote_page() { due_ += static_cast<std::int64_t>(share_); }
  bool due() const { return due_ > 0; }
  void moved(std::uint32_t pages) { due_ -= static_cast<std::int64_t>(gain_ * pages); }

  template <class A>
  void archive(A& archive) {
    archive.value(share_);
    archive.value(gain_);
    archive.value(due_);
  }

 private:
  std::uint64_t share_ = 1, gain_ = 1;  // of the victim: pages due for each page of the host are share_ / gain_
  std::int64_t due_ = 0;                // pages due, times gain_; negative: ahead
};

}  // namespace ftlab
