// Data that a verifying job has written and not yet read back. As in fio, a job with a random map reads in write order. Any
// other job may write a place twice, so its writes are kept in the order of their offsets, and a write replaces the older
// ones that it overlaps.
#pragma once

#include <cstdint>
#include <deque>
#include <map>

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

}  // namespace ftlab
