// Reads that wait on a die whose planes read independently. The oldest that can begin does, and one that cannot keeps its
// planes free of later ones. Of those that need the same planes only the oldest can be next, so each group of planes has a
// queue: a die with a hundred thousand reads before it looks at a few.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/core/ring_buffer.h"

namespace ftlab {

class PlaneQueues {
 public:
  static constexpr std::uint32_t kNone = 0;  // ids begin at 1
  struct Waiting {
    std::uint32_t planes = 0;  // a bit each
    std::uint32_t id = kNone;
  };

  void add(Waiting read) { of(read.planes).reads.push({added_++, read.id}); }
  // The oldest, or kNone.
  std::uint32_t oldest() const {
    const Queue* first = next_of(*this, 0);
    return first == nullptr ? kNone : first->reads.front().id;
  }
  // Takes out the oldest whose planes are neither busy nor wanted by an older one. kNone: there is none.
  std::uint32_t take(std::uint32_t busy) {
    std::uint64_t number = 0;  // those before it cannot begin
    for (Queue* next = next_of(*this, number); next != nullptr; next = next_of(*this, number)) {
      if ((next->planes & busy) == 0) return next->reads.pop().id;
      busy |= next->planes;
      number = next->reads.front().number + 1;
    }
    return kNone;
  }
  void clear() {
    for (Queue& queue : queues_) queue.reads.clear();
  }
  std::vector<Waiting> in_order() const {
    PlaneQueues rest = *this;
    std::vector<Waiting> all;
    for (Queue* next = next_of(rest, 0); next != nullptr; next = next_of(rest, 0))
      all.push_back({next->planes, next->reads.pop().id});
    return all;
  }

  template <class A>
  void archive(A& archive, std::uint64_t most) {
    std::vector<Waiting> all = in_order();
    archive.list(all, most);
    if (!archive.loading()) return;
    clear();
    for (const Waiting read : all) add(read);
  }

 private:
  struct Numbered {
    std::uint64_t number;  // as they came
    std::uint32_t id;
  };
  struct Queue {
    std::uint32_t planes;
    RingBuffer<Numbered> reads;
  };

  // The queue whose first read is the oldest of all from that number on.
  template <class Self>
  static auto next_of(Self& self, std::uint64_t number) -> decltype(self.queues_.data()) {
    decltype(self.queues_.data()) next = nullptr;
    for (auto& queue : self.queues_) {
      if (queue.reads.empty() || queue.reads.front().number < number) continue;
      if (next == nullptr || queue.reads.front().number < next->reads.front().number) next = &queue;
    }
    return next;
  }
  Queue& of(std::uint32_t planes) {
    for (Queue& queue : queues_) {
      if (queue.planes == planes) return queue;
    }
    return queues_.emplace_back(Queue{planes, {}});
  }

  std::vector<Queue> queues_;
  std::uint64_t added_ = 0;
};

}  // namespace ftlab
