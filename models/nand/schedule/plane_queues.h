// Waiting reads of a die with independent planes. The oldest read that can begin is next, and a read that cannot begin
// reserves its planes against later ones. Each set of planes has its own queue, of which only the first read can be next:
// with a hundred thousand waiting reads only a few are looked at.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/core/check.h"
#include "sim/core/ring_buffer.h"

namespace ftlab {

class PlaneQueues {
 public:
  static constexpr std::uint32_t kNone = 0;  // ids begin at 1
  struct Waiting {
    std::uint32_t planes = 0;  // bit mask
    std::uint32_t id = kNone;
  };

  void add(Waiting read) {
    FTLAB_DCHECK(read.planes != 0 && read.id != kNone, "a read waits for no plane, or there is none");
    of(read.planes).reads.push({added_++, read.id});
  }
  // Id of the oldest read, or kNone.
  std::uint32_t oldest() const {
    const Queue* first = next_of(*this, 0);
    return first == nullptr ? kNone : first->reads.front().id;
  }
  // Removes the oldest read whose planes are neither busy nor reserved by an older one; kNone if none can begin.
  std::uint32_t take(std::uint32_t busy) {
    std::uint64_t number = 0;  // reads before it cannot begin
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
    std::uint64_t number;  // in order of arrival
    std::uint32_t id;
  };
  struct Queue {
    std::uint32_t planes;
    RingBuffer<Numbered> reads;
  };

  // The queue with the oldest first read from `number` on.
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
