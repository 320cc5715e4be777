// FIFO in contiguous memory that grows by doubling: no allocation once it is large enough.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "sim/core/check.h"

namespace ftlab {

template <class T>
class RingBuffer {
 public:
  bool empty() const { return first_ == end_; }
  std::size_t size() const { return end_ - first_; }
  void push(const T& item) { add() = item; }
  // Appends an item for the caller to fill in. REQUIRES: the caller assigns every member, because the item is not cleared.
  T& add() {
    if (size() > mask_) [[unlikely]]
      grow();
    return items_[end_++ & mask_];
  }
  T& front() {
    FTLAB_DCHECK(!empty(), "the front of an empty queue");
    return items_[first_ & mask_];
  }
  const T& front() const { return items_[first_ & mask_]; }
  T& back() { return items_[(end_ - 1) & mask_]; }
  T pop() {
    FTLAB_CHECK(!empty(), "taken from an empty queue");
    return items_[first_++ & mask_];
  }
  T& operator[](std::size_t i) { return items_[(first_ + i) & mask_]; }
  const T& operator[](std::size_t i) const { return items_[(first_ + i) & mask_]; }
  void clear() { first_ = end_ = 0; }

  template <class A>
  void archive(A& archive, std::uint64_t most) {
    std::vector<T> list;
    for (std::size_t i = 0; i < size(); ++i) list.push_back((*this)[i]);
    archive.list(list, most);
    clear();
    for (const T& item : list) push(item);
  }

 private:
  [[gnu::noinline]] void grow() {
    std::vector<T> larger(2 * items_.size());
    const std::size_t count = size();
    for (std::size_t i = 0; i < count; ++i) larger[i] = (*this)[i];
    items_.swap(larger);
    first_ = 0;
    end_ = count;
    mask_ = items_.size() - 1;
  }

  std::vector<T> items_ = std::vector<T>(16);
  std::size_t mask_ = 15;  // items_.size() - 1; computing it would cost a division if sizeof(T) is not a power of two
  std::size_t first_ = 0, end_ = 0;
};

}  // namespace ftlab
