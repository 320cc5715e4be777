#include "models/nand/schedule/work_list.h"

#include <algorithm>

#include "sim/core/check.h"

namespace ftlab {

WorkList::WorkList(const Geometry& geometry, const NandTiming& timing, std::uint32_t frontiers, bool listed)
    : listed_(listed),
      page_bytes_(geometry.page_bytes),
      codeword_bytes_(geometry.codeword_bytes),
      page_spare_bytes_(geometry.page_spare_bytes),
      programs_(frontiers) {
  const auto kinds = static_cast<std::uint32_t>(timing.program.size());
  FTLAB_CHECK(kinds > 0 && kinds <= kMostPageKinds, "a flash has 1 to 4 kinds of page");
  for (std::uint32_t page = 0; page < geometry.pages_per_block; ++page) {
    kind_of_page_.push_back(static_cast<std::uint8_t>(page_kind(timing.page_order, kinds, page, geometry.pages_per_block)));
  }
}

WorkList::ReadCount WorkList::read_count(std::uint32_t bytes) const {
  const std::uint32_t codewords = (bytes + codeword_bytes_.value() - 1) / codeword_bytes_;
  return {pages_of(bytes), std::uint64_t{codewords} * codeword_bytes_.value()};
}

WorkList::Read WorkList::read_internally(Die die, std::uint32_t bytes, const FlashPage& page) {
  ++work_.reads;
  work_.pages_read += pages_of(bytes);
  if (!listed_) return 0;
  const Read read = list_read(die, bytes, page);
  records_[read].flags |= WorkRecord::kKeepsData;
  return read;
}

void WorkList::repeat(Read read, std::uint32_t reads, std::uint32_t bytes, Nanoseconds overhead) {
  work_.reads += reads;
  work_.pages_read += std::uint64_t{reads} * pages_of(bytes);
  if (!listed_) return;
  FTLAB_DCHECK(is_read(read) && records_[read].repeats == 0, "something is read again that was not, or was already");
  records_[read].repeats = reads;
  records_[read].retry_ns = static_cast<std::uint32_t>(overhead.count());
}

// A read whose data go to one run of programs names them itself; any further ones wait for its signal.
void WorkList::feed_too(Read read, std::uint32_t frontier, std::uint32_t number, std::uint32_t span) {
  WorkRecord& record = records_[read];
  const std::uint32_t end = number + span - record.target;
  if (record.frontier == frontier && end <= 255) {
    record.span = static_cast<std::uint8_t>(std::max<std::uint32_t>(record.span, end));
    return;
  }
  raise(read, record.feeds);
  wait(frontier, number, span, records_[read].feeds);
}

void WorkList::wait(std::uint32_t frontier, std::uint32_t number, std::uint32_t span, Signal signal) {
  if (signal == kNoSignal) return;
  FTLAB_DCHECK(frontier < programs_.size() && span > 0 && span <= 255, "programs wait that there are not");
  WorkRecord& record = add(WorkRecord::Kind::attach);
  record.frontier = static_cast<std::uint8_t>(frontier);
  record.target = number;
  record.span = static_cast<std::uint8_t>(span);
  record.after = signal;
}

void WorkList::raise_with(Signal other, Signal& signal) {
  if (signal == kNoSignal) {
    signal = other;
    return;
  }
  FTLAB_DCHECK(other != signal, "a signal waits for itself");
  WorkRecord& record = add(WorkRecord::Kind::attach);
  record.after = other;
  record.feeds = signal;
}

void WorkList::erase(Die die, SuperblockId block, std::uint32_t blocks, std::uint32_t erases, bool again) {
  work_.erase(blocks);
  if (!listed_) return;
  WorkRecord& record = add(WorkRecord::Kind::erase);
  record.die = static_cast<std::uint16_t>(number(die));
  record.planes = static_cast<std::uint8_t>(blocks);
  record.superblock = number(block);
  record.flags = again ? WorkRecord::kAfterPrevious : 0;
  record.target = erases;
}

void WorkList::hold(SuperblockId block, std::uint32_t frontier) {
  if (!listed_) return;
  WorkRecord& record = add(WorkRecord::Kind::barrier);
  record.superblock = number(block);
  record.frontier = static_cast<std::uint8_t>(frontier);
}

// The spare bytes that travel along are computed once for all bytes, so that rounding does not add up.
std::uint64_t WorkList::bus_bytes() const {
  const std::uint64_t pages = work_.pages_programmed - work_.internal_pages_programmed;
  const std::uint64_t page_bytes = page_bytes_.value();
  const std::uint64_t payload = read_bytes_ + pages * page_bytes;
  return payload + payload / page_bytes * page_spare_bytes_ + payload % page_bytes * page_spare_bytes_ / page_bytes;
}

}  // namespace ftlab
