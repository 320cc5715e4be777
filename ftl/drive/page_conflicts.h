// Commands that concern the same pages take effect in the order in which they arrived: a read waits for writes and trims
// before it, a write or trim also for reads. Only those that have not taken effect yet are known here, a few dozen at most.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ftlab {

class PageConflicts {
 public:
  struct Pages {
    std::uint64_t order;  // of arrival
    std::uint32_t first, end;
  };

  void add(const Pages& pages, bool changes) { (changes ? changing_ : reading_).push_back(pages); }
  // It has taken effect.
  void remove(std::uint64_t order, bool changes) {
    std::vector<Pages>& list = changes ? changing_ : reading_;
    const auto found = std::find_if(list.begin(), list.end(), [order](const Pages& pages) { return pages.order == order; });
    if (found != list.end()) list.erase(found);
  }
  // Whether something that arrived before it and concerns the same pages has not taken effect.
  bool blocks(const Pages& pages, bool changes) const {
    return any_before(changing_, pages) || (changes && any_before(reading_, pages));
  }
  // Whether a read does.
  bool read_blocks(const Pages& pages) const { return !reading_.empty() && any_before(reading_, pages); }

 private:
  static bool any_before(const std::vector<Pages>& list, const Pages& pages) {
    for (const Pages& other : list) {
      if (other.order >= pages.order) return false;
      if (other.first < pages.end && pages.first < other.end) return true;
    }
    return false;
  }

  std::vector<Pages> changing_, reading_;  // by order
};

}  // namespace ftlab
