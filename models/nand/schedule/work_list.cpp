#include "models/nand/schedule/work_list.h"

#include <algorithm>

#include "sim/core/check.h"

namespace ftlab {

WorkList::WorkList(const Geometry& geometry, const NandTiming& timing, std::uint32_t frontiers, bool listed,
                   bool counts_kinds, const FlashWork& before)
    : listed_(listed), count_(geometry, timing, counts_kinds, before), programs_(frontiers) {}

WorkList::Read WorkList::list_read(Die die, std::uint32_t bytes, const FlashPage& page, bool keeps_data) {
  WorkRecord& record = add(WorkRecord::Kind::read);
  record.die = static_cast<std::uint16_t>(number(die));
  record.first_plane = static_cast<std::uint8_t>(page.first_plane);
  record.planes = static_cast<std::uint8_t>(page.planes);
  record.nand_page = page.nand_page;
  record.superblock = number(page.block);
  record.flags = static_cast<std::uint8_t>((page.slc ? WorkRecord::kSlc : 0) | (keeps_data ? WorkRecord::kKeepsData : 0));
  record.bytes = bytes;
  return {this, static_cast<std::uint32_t>(records_.size() - 1)};
}

void WorkList::repeat(const Read& read, std::uint32_t reads, std::uint32_t bytes, Nanoseconds overhead) {
  count_.read_internally(reads, bytes);
  if (!listed_) return;
  FTLAB_DCHECK(read.record().repeats == 0 || reads == 0, "something is read again that was already");
  FTLAB_DCHECK(read.record().retry_ns + overhead.count() <= 0xffff'ffff, "a read is repeated for more than four seconds");
  read.record().repeats += reads;
  read.record().retry_ns += static_cast<std::uint32_t>(overhead.count());
}

void WorkList::Read::for_host(std::uint32_t tag) const {
  FTLAB_DCHECK(!record().has(WorkRecord::kHost), "a read is reported to the host twice");
  record().flags |= WorkRecord::kHost;
  record().target = tag;
}

void WorkList::Read::after(Signal signal) const {
  FTLAB_DCHECK(record().after == kNoSignal, "a read waits for two signals");
  record().after = signal;
}

void WorkList::Read::raise(Signal& signal) const {
  FTLAB_DCHECK(record().feeds == kNoSignal || record().feeds == signal, "a read raises two signals");
  Signal& newest = list_->newest_signal_;
  if (signal == kNoSignal) signal = ++newest == kNoSignal ? ++newest : newest;
  record().feeds = signal;
}

// A read names one range of at most 255 programs itself; further programs wait for its signal.
void WorkList::Read::feed(std::uint32_t frontier, std::uint32_t number, std::uint32_t span) const {
  FTLAB_DCHECK(span > 0, "a read feeds no program");
  WorkRecord& read = record();
  if (read.span == 0) {
    read.frontier = static_cast<std::uint8_t>(frontier);
    read.target = number;
  }
  const std::uint32_t end = number + span - read.target;
  if (read.frontier == frontier && end <= 255) {
    read.span = static_cast<std::uint8_t>(std::max<std::uint32_t>(read.span, end));
    return;
  }
  raise(read.feeds);
  list_->wait(frontier, number, span, record().feeds);
}

void WorkList::wait(std::uint32_t frontier, std::uint32_t number, std::uint32_t span, Signal signal) {
  if (signal == kNoSignal) return;
  FTLAB_DCHECK(frontier < programs_.size() && span > 0 && span <= 255, "programs beyond the frontier wait");
  WorkRecord& record = add(WorkRecord::Kind::attach);
  record.frontier = static_cast<std::uint8_t>(frontier);
  record.target = number;
  record.span = static_cast<std::uint8_t>(span);
  record.after = signal;
}

void WorkList::feed_signal_from(Signal other, Signal& signal) {
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
  FTLAB_DCHECK(blocks > 0 && erases > 0, "an erase of no block, or one that its superblock does not count");
  count_.erase(blocks);
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

}  // namespace ftlab
