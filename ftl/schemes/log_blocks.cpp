#include "ftl/schemes/log_blocks.h"

#include <algorithm>

namespace ftlab {

LogBlocks::LogBlocks(const MappingConfig& config, std::uint32_t logical_pages, PageStore& store, PageReader& reader,
                     WorkList& work)
    : config_(config),
      logical_pages_(logical_pages),
      pages_(store.medium().layout().data_pages()),
      store_(store),
      reader_(reader),
      work_(work),
      home_((logical_pages + pages_ - 1) / pages_, kNone),
      logs_(config.log_superblocks) {
  recover();
}

const Frontier* LogBlocks::frontier_for(Lpn lpn) {
  ++uses_;
  switch (config_.scheme) {
    case Scheme::block: return replacement_for(lpn);
    case Scheme::bast: return own_log_for(lpn);
    default: return number(lpn) % pages_ == 0 ? sequential_log_for(lpn) : shared_log_for(lpn);
  }
}

std::size_t LogBlocks::find_log(std::uint32_t owner) const {
  const auto found =
      std::find_if(logs_.begin(), logs_.end(), [owner](const Log& log) { return log.block != kNone && log.owner == owner; });
  return static_cast<std::size_t>(found - logs_.begin());
}

std::size_t LogBlocks::free_log() const {
  const std::size_t first = config_.scheme == Scheme::fast ? 1 : 0;
  for (std::size_t log = first; log < logs_.size(); ++log) {
    if (logs_[log].block == kNone) return log;
  }
  return logs_.size();
}

std::size_t LogBlocks::least_recent_log() const {
  std::size_t least = config_.scheme == Scheme::fast ? 1 : 0;
  for (std::size_t log = least + 1; log < logs_.size(); ++log) {
    if (logs_[log].used < logs_[least].used) least = log;
  }
  return least;
}

// A merged superblock is erased as soon as everything that replaces it is programmed. If the superblock is needed now, pages
// that wait in RAM are programmed with padding.
bool LogBlocks::open_superblock(const Frontier& frontier) {
  if (store_.blocks().free().count() == 0) {
    for (std::uint32_t f = 0; f < store_.frontiers().size(); ++f) fill_stripe(store_, store_.frontiers()[f]);
  }
  if (store_.blocks().free().count() == 0) return false;
  store_.open(frontier, false);
  return true;
}

const Frontier* LogBlocks::open_log(std::size_t log, std::uint32_t owner) {
  const Frontier& frontier = frontier_of(log);
  if (!open_superblock(frontier)) return nullptr;
  work_.hold(frontier.block(), frontier.number());  // until the merged data are in the flash
  logs_[log] = {number(frontier.block()), owner, uses_};
  return &frontier;
}

// A page goes to its fixed slot: pages before it are copied. If its slot has been passed, it needs a new replacement.
const Frontier* LogBlocks::replacement_for(Lpn lpn) {
  const std::uint32_t position = number(lpn) % pages_;
  std::size_t log = find_log(owner_of(lpn));
  if (log < logs_.size() && (!frontier_of(log).has_room() || frontier_of(log).next() > position)) {
    if (!merge_log(log)) return nullptr;
    log = logs_.size();
  }
  if (log == logs_.size()) {
    if ((log = free_log()) == logs_.size()) {
      log = least_recent_log();
      if (!merge_log(log)) return nullptr;
    }
    if (open_log(log, owner_of(lpn)) == nullptr) return nullptr;
  }
  const Frontier& frontier = frontier_of(log);
  copy_range(frontier, first_lpn(owner_of(lpn)) + frontier.next(), number(lpn));
  logs_[log].used = uses_;
  return &frontier;
}

const Frontier* LogBlocks::own_log_for(Lpn lpn) {
  std::size_t log = find_log(owner_of(lpn));
  if (log < logs_.size() && !frontier_of(log).has_room()) {
    if (!merge_log(log)) return nullptr;
    log = logs_.size();
  }
  if (log < logs_.size()) {
    logs_[log].used = uses_;
    return &frontier_of(log);
  }
  if ((log = free_log()) == logs_.size()) {
    log = least_recent_log();
    if (!merge_log(log)) return nullptr;
  }
  return open_log(log, owner_of(lpn));
}

const Frontier* LogBlocks::sequential_log_for(Lpn lpn) {
  if (logs_[0].block != kNone && !merge_log(0)) return nullptr;
  return open_log(0, owner_of(lpn));
}

// A page that continues the sequential log goes there, any other to the youngest of the shared logs. If all of them are
// full, the oldest is merged.
const Frontier* LogBlocks::shared_log_for(Lpn lpn) {
  const Frontier& sequential = frontier_of(0);
  if (logs_[0].block != kNone && logs_[0].owner == owner_of(lpn) && sequential.has_room() &&
      sequential.next() == number(lpn) % pages_) {
    return &sequential;
  }
  for (std::size_t log = 1; log < logs_.size(); ++log) {
    if (logs_[log].block != kNone && frontier_of(log).has_room()) return &frontier_of(log);
  }
  std::size_t log = free_log();
  if (log == logs_.size()) {
    log = least_recent_log();
    if (!merge_shared_log(log)) return nullptr;
  }
  return open_log(log, kNone);
}

// True if the first `pages` slots of the log superblock hold the first pages of its owner, all of them valid.
bool LogBlocks::in_order(const Log& log, std::uint32_t pages) const {
  const std::uint32_t first = number(store_.medium().layout().first_page(SuperblockId{log.block}));
  for (std::uint32_t i = 0; i < pages; ++i) {
    const std::uint32_t lpn = first_lpn(log.owner) + i;
    if (lpn >= end_lpn(log.owner)) break;
    const Ppn ppn = store_.pages().map().find(Lpn{lpn});
    const bool hole_in_both = ppn == kNoPpn && !store_.pages().current().test(SuperblockId{log.block}, i);
    if (ppn != Ppn{first + i} && !hole_in_both) return false;
  }
  return true;
}

bool LogBlocks::merge_log(std::size_t log) {
  FTLAB_DCHECK(log < logs_.size() && logs_[log].block != kNone, "a log is merged that is not in use");
  const Log merged = logs_[log];
  const Frontier& frontier = frontier_of(log);
  const bool open = frontier.block() == SuperblockId{merged.block} && frontier.has_room();
  const std::uint32_t written = open ? frontier.next() : pages_;
  logs_[log] = Log{};
  if (!in_order(merged, written)) {
    if (open) close_early(frontier);
    if (!full_merge(merged.owner)) {
      logs_[log] = merged;
      return false;
    }
    discard(SuperblockId{merged.block});
    return true;
  }
  ++(open ? partial_merges_ : switch_merges_);
  if (open) {
    const std::uint32_t first = first_lpn(merged.owner) + written;
    copy_range(frontier, first, mapped_end(merged.owner, first));
    close_early(frontier);
  }
  make_home(merged.owner, SuperblockId{merged.block});
  return true;
}

// Merges every logical superblock with a valid page in the log into a new data superblock.
bool LogBlocks::merge_shared_log(std::size_t log) {
  const SuperblockId block{logs_[log].block};
  const std::uint32_t first = number(store_.medium().layout().first_page(block));
  if (frontier_of(log).block() == block) close_early(frontier_of(log));
  for (std::uint32_t position = 0; position < pages_; ++position) {
    if (!store_.pages().current().test(block, position)) continue;
    if (!full_merge(owner_of(store_.medium().pages().lpn(Ppn{first + position})))) return false;
  }
  logs_[log] = Log{};
  discard(block);
  return true;
}

// End of the mapped pages of the owner, at least `first`.
std::uint32_t LogBlocks::mapped_end(std::uint32_t owner, std::uint32_t first) const {
  std::uint32_t end = end_lpn(owner);
  while (end > first && store_.pages().map().find(Lpn{end - 1}) == kNoPpn) --end;
  return end;
}

bool LogBlocks::full_merge(std::uint32_t owner) {
  const Frontier& frontier = store_.frontiers()[0];
  if (!open_superblock(frontier)) return false;
  const SuperblockId block = frontier.block();
  copy_range(frontier, first_lpn(owner), mapped_end(owner, first_lpn(owner)));
  ++full_merges_;
  close_early(frontier);
  make_home(owner, block);
  return true;
}

// Copies the valid pages of [first, end) to their slots; unmapped ones are replaced by padding.
void LogBlocks::copy_range(const Frontier& frontier, std::uint32_t first, std::uint32_t end) {
  for (std::uint32_t lpn = first; lpn < end; ++lpn) {
    const Ppn ppn = store_.pages().map().find(Lpn{lpn});
    if (ppn == kNoPpn) {
      store_.pad(frontier);
      continue;
    }
    Signal data = kNoSignal;
    if (!store_.pages().staged(ppn)) reader_.read(ppn, data);
    const Version version = store_.pages().at(ppn).version;
    store_.append(frontier, Lpn{lpn}, version, 1, false, data);
    ++copied_pages_;
  }
}

void LogBlocks::make_home(std::uint32_t owner, SuperblockId block) {
  FTLAB_DCHECK(owner < home_.size(), "logical superblock " + std::to_string(owner) + " of " + std::to_string(home_.size()));
  const std::uint32_t old = home_[owner];
  home_[owner] = number(block);
  if (old != kNone) discard(SuperblockId{old});
}

void LogBlocks::close_early(const Frontier& frontier) {
  if (frontier.has_room()) store_.close_early(frontier);
}

// REQUIRES: the superblock is closed and has no valid pages.
void LogBlocks::discard(SuperblockId block) {
  FTLAB_DCHECK(store_.blocks().valid(block) == 0,
               "superblock " + std::to_string(number(block)) + " is discarded with current pages");
  store_.start_collecting(block);
  store_.reclaim(block);
}

// After a power-on scan all superblocks with data are closed. One that holds all valid pages of one logical superblock at
// their slots, and nothing else, is a home; everything else is merged. Pages of several logical superblocks may happen to be
// at their slots in a log superblock: it becomes the home of the first of them, and the others' pages there are merged.
void LogBlocks::recover() {
  std::vector<std::uint32_t> outside;  // logical superblocks with a page outside their home
  std::vector<std::uint32_t> owner_of_home(store_.blocks().count(), kNone);
  for (std::uint32_t owner = 0; owner < home_.size(); ++owner) {
    for (std::uint32_t lpn = first_lpn(owner); lpn < end_lpn(owner); ++lpn) {
      const Ppn ppn = store_.pages().map().find(Lpn{lpn});
      if (ppn == kNoPpn) continue;
      const std::uint32_t block = number(store_.medium().layout().block_of(ppn));
      const bool in_place = store_.medium().layout().position(ppn) == lpn % pages_;
      if (in_place && home_[owner] == kNone && owner_of_home[block] == kNone) {
        home_[owner] = block;
        owner_of_home[block] = owner;
      }
      if (in_place && home_[owner] == block) continue;
      outside.push_back(owner);
      break;
    }
  }
  discard_pending_erases();
  for (const std::uint32_t owner : outside) {
    home_[owner] = kNone;
    FTLAB_CHECK(full_merge(owner), "no superblock is free for the merges after a power cut");
    discard_pending_erases();
  }
}

void LogBlocks::discard_pending_erases() {
  for (SuperblockId block = store_.blocks().closed().oldest(0); block != kNoBlock;) {
    const SuperblockId next = store_.blocks().closed().next_younger(block);
    if (store_.blocks().valid(block) == 0) discard(block);
    block = next;
  }
}

}  // namespace ftlab
