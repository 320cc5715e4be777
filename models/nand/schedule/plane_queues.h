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
    const std::size_t queue = queue_of(read.planes);
    if (queues_[queue].empty()) fronts_[queue].number = added_;
    queues_[queue].push({added_++, read.id});
  }
  // Id of the oldest read, or kNone.
  std::uint32_t oldest() const {
    const std::size_t first = oldest_free(0);
    return first == queues_.size() ? kNone : queues_[first].front().id;
  }
  // Removes the oldest read whose planes are neither busy nor reserved by an older one; kNone if none can begin.
  std::uint32_t take(std::uint32_t busy) {
    for (std::size_t next = oldest_free(busy); next != queues_.size(); next = oldest_free(busy)) {
      const std::uint32_t reserved = planes_before(fronts_[next].number);  // none of these reads can begin
      if ((fronts_[next].planes & reserved) == 0) return pop(next);
      busy |= reserved;
    }
    return kNone;
  }
  void clear() {
    for (RingBuffer<Numbered>& queue : queues_) queue.clear();
    for (Front& front : fronts_) front.number = kEmpty;
  }
  std::vector<Waiting> in_order() const {
    PlaneQueues rest = *this;
    std::vector<Waiting> all;
    for (std::size_t next = rest.oldest_free(0); next != queues_.size(); next = rest.oldest_free(0))
      all.push_back({fronts_[next].planes, rest.pop(next)});
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
  static constexpr std::uint64_t kEmpty = ~std::uint64_t{0};
  struct Front {
    std::uint64_t number;  // of the queue's first read
    std::uint32_t planes;
  };

  // Of the queues whose planes are not busy, the one with the oldest read; queues_.size() if no read waits there.
  std::size_t oldest_free(std::uint32_t busy) const {
    std::size_t next = fronts_.size();
    std::uint64_t oldest = kEmpty;
    for (std::size_t i = 0; i < fronts_.size(); ++i) {
      if ((fronts_[i].planes & busy) != 0 || fronts_[i].number >= oldest) continue;
      next = i;
      oldest = fronts_[i].number;
    }
    return next;
  }
  // Planes of first reads older than `number`.
  std::uint32_t planes_before(std::uint64_t number) const {
    std::uint32_t planes = 0;
    for (const Front& front : fronts_) planes |= front.number < number ? front.planes : 0;
    return planes;
  }
  std::uint32_t pop(std::size_t queue) {
    const std::uint32_t id = queues_[queue].pop().id;
    fronts_[queue].number = queues_[queue].empty() ? kEmpty : queues_[queue].front().number;
    return id;
  }
  std::size_t queue_of(std::uint32_t planes) {
    for (std::size_t i = 0; i < fronts_.size(); ++i)
      if (fronts_[i].planes == planes) return i;
    fronts_.push_back({kEmpty, planes});
    queues_.emplace_back();
    return queues_.size() - 1;
  }

  std::vector<RingBuffer<Numbered>> queues_;  // one for each set of planes
  std::vector<Front> fronts_;                 // of each queue; apart from them, so that a search reads few cache lines
  std::uint64_t added_ = 0;
};

}  // namespace ftlab
