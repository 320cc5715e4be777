#include "ftl/reserved_work.h"

#include <algorithm>

namespace ftlab {

ReservedWork::ReservedWork(Backend& backend, const Medium& medium, std::uint32_t frontiers, std::uint32_t buffer_pages)
    : backend_(backend),
      medium_(medium),
      buffer_(buffer_pages),
      frontiers_(frontiers),
      erased_at_(medium.layout().superblocks()) {}

Nanoseconds ReservedWork::programmed() const {
  Nanoseconds latest{0};
  for (const FrontierState& frontier : frontiers_) latest = std::max(latest, frontier.programmed);
  return latest;
}

void ReservedWork::execute(WorkList& work, Nanoseconds now, Nanoseconds arrival, std::uint32_t places) {
  buffer_.take(places);
  const std::span<const WorkRecord> records = work.records();
  reads_.resize(std::max(reads_.size(), records.size()));
  for (std::size_t i = 0; i < records.size(); ++i) {
    switch (records[i].kind) {
      case WorkRecord::Kind::read: read(records[i], i, now); break;
      case WorkRecord::Kind::program: program(records[i]); break;
      case WorkRecord::Kind::erase: erase(records[i]); break;
      case WorkRecord::Kind::attach: attach(records[i], now, arrival); break;
      case WorkRecord::Kind::barrier:
        erased_at_[records[i].superblock] = std::max(
            {erased_at_[records[i].superblock], frontiers_[0].programmed, frontiers_[records[i].frontier].programmed});
        break;
    }
  }
  work.clear();
}

void ReservedWork::feed(const WorkRecord& record, Nanoseconds done) {
  for (std::uint32_t n = record.target; n < record.target + record.span; ++n) {
    Nanoseconds& input = frontiers_[record.frontier].inputs[n % kRing];
    input = std::max(input, done);
  }
  if (record.feeds == kNoSignal) return;
  signals_[(record.feeds + kRing / 2) % kRing] = Nanoseconds{0};  // of one that is long over
  Nanoseconds& signal = signals_[record.feeds % kRing];
  signal = std::max(signal, done);
}

void ReservedWork::read(const WorkRecord& record, std::size_t index, Nanoseconds now) {
  const Nanoseconds ready = raised(record.after, now);
  const Die die{record.die};
  ReadTimes& times = reads_[index];
  times.retries = record.repeats * backend_.array_read(die, record.page()) + Nanoseconds{record.retry_ns};
  if (record.has(WorkRecord::kKeepsData)) {
    const Nanoseconds done = backend_.read_internally(ready, die, record.bytes, record.page());
    times.times = {ready, done, done, done};
  } else {
    times.times = backend_.read(ready, die, record.bytes, record.page(), times.retries);
  }
  feed(record, times.times.done);
}

void ReservedWork::program(const WorkRecord& record) {
  FrontierState& frontier = frontiers_[record.frontier];
  Nanoseconds& input = frontier.inputs[frontier.next++ % kRing];
  Nanoseconds ready = std::max(input, erased_at_[record.superblock]);
  input = Nanoseconds{0};
  if (record.has(WorkRecord::kWithPrevious)) ready = std::max(ready, frontier.last_ready);
  if (record.has(WorkRecord::kAfterPrevious)) ready = std::max(ready, frontier.last_done);
  const Nanoseconds done =
      backend_.program(ready, Die{record.die}, record.nand_page, record.planes, record.frontier,
                       record.has(WorkRecord::kSlc), record.has(WorkRecord::kInRegister), BlockId{record.superblock});
  frontier.last_ready = ready;
  frontier.last_done = done;
  frontier.programmed = std::max(frontier.programmed, done);
  if (record.host_pages > 0) buffer_.programmed(record.host_pages, done);
}

void ReservedWork::erase(const WorkRecord& record) {
  const BlockId block{record.superblock};
  Nanoseconds& erased = erased_at_[record.superblock];
  backend_.set_erases(block, medium_.erases(block));
  const Nanoseconds ready = record.has(WorkRecord::kAfterPrevious) ? erased : programmed();
  erased = std::max(erased, backend_.erase(ready, Die{record.die}, block, record.planes));
}

void ReservedWork::attach(const WorkRecord& record, Nanoseconds now, Nanoseconds arrival) {
  if (record.after != kNoSignal) return feed(record, raised(record.after, now));
  Nanoseconds& input = frontiers_[record.frontier].inputs[record.target % kRing];
  input = std::max(input, record.has(WorkRecord::kHost) ? arrival : now);
}

}  // namespace ftlab
