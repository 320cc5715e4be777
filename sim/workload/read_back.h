// Data that a verifying job has written and not yet read back. As in fio, a job with a random map reads in write order. Any
// other job may write a place twice, so its writes are kept in the order of their offsets, and a write replaces the older
// ones that it overlaps.
#pragma once

#include <cstdint>
#include <deque>
#include <iterator>
#include <map>

#include "sim/core/check.h"
#include "sim/core/random.h"
#include "sim/workload/jobs/access_rules.h"

namespace ftlab {

class ReadBack {
 public:
  struct Written {
    std::uint64_t offset_bytes = 0;
    std::uint64_t length_bytes = 0;
  };

  explicit ReadBack(bool in_order_of_writing = true) : in_order_(in_order_of_writing) {}

  void wrote(std::uint64_t offset_bytes, std::uint64_t length_bytes);
  // The next write to read back. REQUIRES: count() > 0.
  Written take();
  std::uint64_t count() const { return in_order_ ? writes_.size() : places_.size(); }

 private:
  bool in_order_;
  std::deque<Written> writes_;
  std::map<std::uint64_t, std::uint64_t> places_;  // offset to length
};

// fio's trim_percentage: a verifying job trims a share of what it writes. Whenever the number of blocks that it has written
// and not read back is a multiple of trim_backlog, a batch of the chosen ones is trimmed, in the order of writing.
class VerifyTrims {
 public:
  VerifyTrims(const VerifyRules& rules, std::uint64_t seed) : rules_(rules), random_(seed, "trim") {}

  void wrote(std::uint64_t offset_bytes, std::uint64_t length_bytes) {
    if (!rules_.trims() || random_.below(100) >= rules_.trim_percent) return;
    waiting_.wrote(offset_bytes, length_bytes);
  }

  // True if the next request is a trim, which must then be taken. `unread`: blocks written and not read back.
  bool due(std::uint64_t unread, bool last_was_trim) {
    if (waiting_.count() == 0) {
      left_ = 0;
    } else if (left_ > 0) {
      --left_;
      return true;
    } else if (!last_was_trim && unread % rules_.trim_backlog == 0) {
      left_ = (rules_.trim_batch == 0 ? rules_.trim_backlog : rules_.trim_batch) - 1;
      return true;
    }
    return false;
  }
  // The next block to trim. REQUIRES: due().
  ReadBack::Written take() { return waiting_.take(); }

 private:
  VerifyRules rules_;
  RandomStream random_;
  ReadBack waiting_;
  std::uint64_t left_ = 0;  // of the batch
};

inline void ReadBack::wrote(std::uint64_t offset_bytes, std::uint64_t length_bytes) {
  if (in_order_) return writes_.push_back({offset_bytes, length_bytes});
  auto place = places_.lower_bound(offset_bytes);
  if (place != places_.begin() && std::prev(place)->first + std::prev(place)->second > offset_bytes) --place;
  while (place != places_.end() && place->first < offset_bytes + length_bytes) place = places_.erase(place);
  places_.emplace_hint(place, offset_bytes, length_bytes);
}

inline ReadBack::Written ReadBack::take() {
  FTLAB_CHECK(count() > 0, "nothing left to read back");
  Written next;
  if (in_order_) {
    next = writes_.front();
    writes_.pop_front();
  } else {
    next = {places_.begin()->first, places_.begin()->second};
    places_.erase(places_.begin());
  }
  return next;
}

}  // namespace ftlab
