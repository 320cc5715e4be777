// Pages that the reference FTL holds in RAM, in order of arrival.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ftlab::testing {

class ReferenceBuffer {
 public:
  struct Part {
    std::uint32_t lpn, version, first, end;
    bool gapless;
    std::uint32_t stream;
  };

  std::size_t size() const { return held_.size(); }
  // Null if no part of the page is held.
  const Part* find(std::uint32_t lpn) const {
    const auto held = std::find_if(held_.begin(), held_.end(), [lpn](const Part& part) { return part.lpn == lpn; });
    return held == held_.end() ? nullptr : &*held;
  }
  void drop(std::uint32_t lpn) {
    std::erase_if(held_, [lpn](const Part& part) { return part.lpn == lpn; });
  }
  Part take_oldest() {
    const Part part = held_.front();
    held_.erase(held_.begin());
    return part;
  }
  // Returns true if the page was already held.
  bool overlay(const Part& part) {
    const auto held = std::find_if(held_.begin(), held_.end(), [&](const Part& other) { return other.lpn == part.lpn; });
    if (held == held_.end()) {
      held_.push_back(part);
      return false;
    }
    const bool covers = part.first <= held->first && held->end <= part.end;
    const bool touches = part.first <= held->end && held->first <= part.end;
    *held = {part.lpn,
             part.version,
             std::min(held->first, part.first),
             std::max(held->end, part.end),
             covers || (held->gapless && touches),
             part.stream};
    return true;
  }

 private:
  std::vector<Part> held_;
};

}  // namespace ftlab::testing
