// Power cuts, saved states, and the log of operations.
#include <algorithm>
#include <utility>

#include "models/nand/schedule/flash_engine.h"
#include "sim/core/archive.h"
#include "sim/core/check.h"

namespace ftlab {

void FlashEngine::clear(Nanoseconds now) {
  FTLAB_CHECK(now >= shared_.now || idle(), "the power fails in the past, during operations");
  shared_.now = std::max(shared_.now, now);
  for (FlashDie& die : dies_) die.clear(shared_);
  for (FlashChannel& channel : shared_.channels) channel.clear(shared_.now);
  for (FrontierPrograms& programs : shared_.programs) programs.restart();
  shared_.operations.clear();
  shared_.die_moments.clear();
  shared_.arrivals.clear();
  signals_.clear();
  order_.clear();
  early_.clear();
  in_flight_.clear();
  host_reads_.clear();
  reached_.clear();
  reports_ = false;
}

// Operations in flight are not in the new log.
void FlashEngine::record(std::vector<TimedOperation>* log) {
  shared_.log.write_to(log);
  shared_.forget_log();
}

std::vector<Nanoseconds> FlashEngine::busy() const {
  std::vector<Nanoseconds> busy;
  for (const FlashDie& die : dies_) busy.push_back(die.state().busy);
  for (const FlashChannel& channel : shared_.channels) busy.push_back(channel.busy);
  return busy;
}

void FlashEngine::archive(Archive& archive) {
  archive.section("flash engine");
  FTLAB_CHECK(!reports() && !in_flight_.has_freed_places(), "saved during an event");
  archive.value(shared_.now);
  FlashDie::archive(archive, dies_, shared_);
  for (FlashChannel& channel : shared_.channels) {
    archive.value(channel.free);
    archive.duration(channel.busy);
    channel.out.archive(archive, OperationTable::kMostSaved);
  }
  for (FrontierPrograms& programs : shared_.programs) programs.archive(archive);
  FlashDie::archive_inputs(archive, dies_, static_cast<std::uint32_t>(shared_.programs.size()));
  shared_.operations.archive(archive);
  signals_.archive(archive);
  order_.archive(archive);
  early_.archive(archive);
  in_flight_.archive(archive);
  shared_.operations.archive_count(archive, in_flight_.programs());
  archive.value(shared_.use.suspensions);
  archive.value(shared_.use.buffered_reads);
  shared_.use.die_time.archive(archive);
  if (std::vector<std::uint64_t> state = shared_.policy->state(); !state.empty()) {
    archive.exact(state);
    shared_.policy->set_state(state);
  }
  shared_.die_moments.archive(archive, shared_.dies);
  shared_.arrivals.archive(archive);
  if (archive.loading()) shared_.forget_log();  // the log of the saved engine is not this one's
}

}  // namespace ftlab
