#include "models/nand/backend.h"

#include <algorithm>
#include <utility>

#include "sim/check.h"

namespace ftlab {

Backend::Backend(const Geometry& geometry, const NandTiming& timing, std::uint32_t frontiers, bool timed, BlockSpeed speed)
    : times_(geometry, timing, std::move(speed)),
      page_bytes_(geometry.page_bytes),
      page_spare_bytes_(geometry.page_spare_bytes),
      channel_count_(geometry.channels),
      cache_program_(timing.cache_program),
      cache_read_(timing.cache_read),
      independent_planes_(timing.independent_plane_reads),
      timed_(timed),
      rules_{timing.scheduling == DieScheduling::read_first, timing.suspension},
      channels_(geometry.channels),
      dies_(geometry.dies(), DieState{{}, 0, std::vector<Nanoseconds>(frontiers), std::vector<Nanoseconds>(frontiers)}),
      queues_(timing.scheduling != DieScheduling::reserved ? geometry.dies() : 0),
      channel_queues_(queues_.empty() ? 0 : geometry.channels) {
  for (std::uint32_t die = 0; die < geometry.dies(); ++die) dies_[die].channel = die % channel_count_;
  reserves_ = only_reserves();
  FTLAB_CHECK(!independent_planes_ || !queues_.empty(), "independent plane reads, but no queue that knows planes");
  FTLAB_CHECK(!independent_planes_ || geometry.planes_per_die <= DieQueue::kMostPlanes,
              "more planes than a queue tells apart");
  FTLAB_CHECK(rules_.read_first || !timing.suspension.any(),
              "suspension for reads that do not even pass what has not begun");
  const auto kinds = static_cast<std::uint32_t>(timing.program.size());
  FTLAB_CHECK(kinds > 0 && kinds <= kMostPageKinds, "a flash has 1 to 4 kinds of page");
  for (std::uint32_t page = 0; page < geometry.pages_per_block; ++page) {
    kind_of_page_.push_back(static_cast<std::uint8_t>(page_kind(timing.page_order, kinds, page, geometry.pages_per_block)));
  }
}

std::uint64_t Backend::bus_bytes() const {
  const std::uint64_t pages = work_.pages_programmed - work_.internal_pages_programmed;
  const std::uint64_t page_bytes = page_bytes_.value();
  const std::uint64_t payload = read_bytes_ + pages * page_bytes;
  return payload + payload / page_bytes * page_spare_bytes_ + payload % page_bytes * page_spare_bytes_ / page_bytes;
}

void Backend::count_kind(std::uint32_t nand_page, std::uint32_t planes, bool slc) {
  (slc ? work_.slc_pages_programmed : work_.pages_programmed_by_kind[kind_of_page_[nand_page]]) += planes;
}

Nanoseconds Backend::idle_from() const {
  Nanoseconds last{0};
  for (const Timeline& channel : channels_) last = std::max(last, channel.end());
  for (const DieState& die : dies_) last = std::max(last, die.array.end());
  for (const DieQueue& queue : queues_) last = std::max(last, queue.end());
  for (const ChannelQueue& channel : channel_queues_) last = std::max(last, channel.end());
  return last;
}

std::uint64_t Backend::suspensions() const {
  std::uint64_t sum = past_suspensions_;
  for (const DieQueue& queue : queues_) sum += queue.suspensions();
  return sum;
}

Backend::ReadTimes Backend::read_in_detail(Nanoseconds ready, Die die, std::uint32_t bytes, const FlashPage& page,
                                           Nanoseconds retries) {
  if (!timed_) return {ready, ready, ready, ready};
  const Nanoseconds array = times_.read(die, page) + retries, transfer = times_.read_transfer(bytes);
  const ReadTimes times = queues_.empty() ? reserve_read(ready, dies_[number(die)], array, transfer)
                                          : queued_read(ready, die, array, transfer, page);
  if (log_ != nullptr) [[unlikely]] {
    log_->push_back({{FlashOperation::Kind::read, die, ready, page, bytes}, times.array_start, times.done});
  }
  return times;
}

std::uint32_t Backend::planes_of(const FlashPage& page) const {
  if (!independent_planes_ || page.planes == 0) return DieQueue::kAllPlanes;
  return ((1u << page.planes) - 1) << page.first_plane;
}

// A transfer in the order of asking. Those that it moves back keep their dies longer.
Nanoseconds Backend::take_channel(Die die, Nanoseconds asked, Nanoseconds length, Nanoseconds holder_start) {
  const std::uint64_t holder = holder_start == kNever ? ChannelQueue::kNobody : number(die);
  return channel_queues_[number(die) % channel_count_].take(
      asked, length, {holder, holder_start},
      [this](const ChannelQueue::Holder& moved, Nanoseconds by) { queues_[moved.die].lengthen(moved.start, by); });
}

Backend::ReadTimes Backend::queued_read(Nanoseconds ready, Die die, Nanoseconds array, Nanoseconds transfer,
                                        const FlashPage& page) {
  DieQueue& queue = queues_[number(die)];
  const Nanoseconds start = queue.read(ready, array + (cache_read_ ? Nanoseconds{0} : transfer), planes_of(page), rules_);
  const Nanoseconds asked = start + array;
  channel_queues_[number(die) % channel_count_].forget(ready);
  const Nanoseconds bus_start = take_channel(die, asked, transfer, cache_read_ ? kNever : start);
  if (!cache_read_ && bus_start > asked) queue.lengthen(start, bus_start - asked);
  return {start, asked, bus_start, bus_start + transfer};
}

Nanoseconds Backend::read_internally(Nanoseconds ready, Die die, std::uint32_t bytes, const FlashPage& page) {
  ++work_.reads;
  work_.pages_read += pages_of(bytes);
  if (!timed_) return ready;
  const Nanoseconds array = times_.read(die, page);
  const Nanoseconds start = queues_.empty() ? dies_[number(die)].array.reserve(ready, array)
                                            : queues_[number(die)].read(ready, array, planes_of(page), rules_);
  if (log_ != nullptr) [[unlikely]] {
    log_->push_back({{FlashOperation::Kind::read_internally, die, ready, page}, start, start + array});
  }
  return start + array;
}

Nanoseconds Backend::program_in_detail(Nanoseconds ready, Die die, std::uint32_t nand_page, std::uint32_t planes,
                                       std::uint32_t frontier, bool slc, bool in_register, BlockId block) {
  if (!timed_) return ready;
  const Nanoseconds array = times_.program(die, nand_page, block, slc);
  const Nanoseconds transfer = times_.program_transfer(in_register ? 0 : planes);
  DieState& state = dies_[number(die)];
  const Nanoseconds done = queues_.empty() ? reserve_program(ready, state, array, transfer, frontier)
                                           : queued_program(ready, die, transfer, array, frontier);
  if (log_ != nullptr) [[unlikely]] {
    log_->push_back(
        {{FlashOperation::Kind::program, die, ready, {block, nand_page, 0, 0, slc}, 0, planes, frontier, in_register},
         done - array - transfer,
         done});
  }
  return state.programmed[frontier] = done;
}

// Die and channel at the same time: raise the moment until both agree.
Nanoseconds Backend::plain_program(DieState& die, Timeline& channel, Nanoseconds ready, Nanoseconds transfer,
                                   Nanoseconds array) {
  Nanoseconds in = channel.earliest(ready, transfer);
  for (Nanoseconds both = die.array.earliest(in, transfer + array); both != in;
       both = die.array.earliest(in, transfer + array)) {
    in = channel.earliest(both, transfer);
  }
  channel.reserve(in, transfer);
  die.array.reserve(in, transfer + array);
  return in + transfer;
}

// Reads move back what has not begun, and what can be suspended.
Nanoseconds Backend::expected_end(const DieQueue& queue, Nanoseconds ready, Nanoseconds start, Nanoseconds array,
                                  bool suspended) const {
  return suspended ? queue.expected(ready, start + array, rules_) : queue.expected(ready, start, rules_) + array;
}

// Both of the above, in a queue. What is returned allows for the reads that will come.
Nanoseconds Backend::queued_program(Nanoseconds ready, Die die, Nanoseconds transfer, Nanoseconds array,
                                    std::uint32_t frontier) {
  DieQueue& queue = queues_[number(die)];
  if (cache_program_) {
    Nanoseconds& register_free = dies_[number(die)].register_free[frontier];
    const Nanoseconds in = take_channel(die, std::max(ready, register_free), transfer, kNever) + transfer;
    const Nanoseconds start = queue.earliest(in, array, frontier);
    queue.program(in, start, array, array, frontier, rules_);
    register_free = start;
    return expected_end(queue, ready, start, array, rules_.suspension.program);
  }
  Nanoseconds asked = queue.earliest(ready, transfer + array, frontier);
  Nanoseconds in = asked;
  // What waits for its die under read_first is yet to be moved back, nobody knows how far: its channel will be free.
  const bool waits = asked > ready && rules_.read_first;
  if (!waits) {
    const ChannelQueue& channel = channel_queues_[number(die) % channel_count_];
    while ((in = channel.earliest(asked)) != asked) asked = queue.earliest(in, transfer + array, frontier);
  }
  take_channel(die, asked, transfer, kNever);  // it keeps its die by itself
  queue.program(ready, in, transfer + array, array, frontier, rules_);
  return expected_end(queue, ready, in + transfer, array, rules_.suspension.program);
}

Nanoseconds Backend::erase(Nanoseconds ready, Die die, BlockId block, std::uint32_t blocks) {
  work_.erase(blocks);
  if (!timed_) return ready;
  const Nanoseconds array = times_.erase(die, block);
  Nanoseconds done;
  if (queues_.empty()) {
    done = dies_[number(die)].array.reserve(ready, array) + array;
  } else {
    DieQueue& queue = queues_[number(die)];
    done = expected_end(queue, ready, queue.erase(ready, array, rules_), array, rules_.suspension.erase);
  }
  if (log_ != nullptr) [[unlikely]] {
    log_->push_back({{FlashOperation::Kind::erase, die, ready, {block, 0, 0, 0, false}}, done - array, done});
  }
  return done;
}

}  // namespace ftlab
