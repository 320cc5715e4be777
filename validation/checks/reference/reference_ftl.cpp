#include "validation/checks/reference/reference_ftl.h"

namespace ftlab::testing {

ReferenceFtl::ReferenceFtl(const ReferenceRules& rules)
    : rules_(rules), superblocks_(rules.superblocks), frontiers_(rules_), victims_(rules_, superblocks_) {
  for (std::uint32_t b = 0; b < rules.superblocks; ++b) {
    superblocks_[b].pages.resize(std::size_t{rules.stripes} * rules.pages_per_stripe);
    free_.push_back(b);
  }
  watch_free_space();
}

void ReferenceFtl::write(std::uint32_t lpn, std::uint32_t first, std::uint32_t end, std::uint32_t stream) {
  pending_trims_.erase(lpn);
  const Part part{lpn, ++newest_version_, first, end, true, stream};
  if (is_whole(part) && !rules_.coalesce) {
    buffer_.drop(lpn);
    return put(part);
  }
  counts_.coalesced += buffer_.overlay(part);
  const Part kept = *buffer_.find(lpn);
  if (!rules_.coalesce && is_whole(kept)) {
    buffer_.drop(lpn);
    return put(kept);
  }
  if (buffer_.size() > rules_.coalescing_pages) append_oldest_coalesced();
}

void ReferenceFtl::trim(std::uint32_t first, std::uint32_t end) {
  for (std::uint32_t lpn = first; lpn < end && rules_.trim != ReferenceRules::Trim::never; ++lpn) {
    if (rules_.trim == ReferenceRules::Trim::at_once) {
      trim_now(lpn);
    } else {
      pending_trims_.insert(lpn);
      trims_to_do_.push_back(lpn);
    }
  }
}

void ReferenceFtl::flush() {
  if (rules_.power_loss_protected) return;
  while (buffer_.size() > 0) append_oldest_coalesced();
  for (Frontier& frontier : frontiers_.all()) {
    if (frontier.staged_by_host == 0) continue;
    if (frontiers_.takes_relocated(frontier) && free_.size() < reserve()) end_victim();
    pad(frontier);
  }
}

std::uint32_t ReferenceFtl::version(std::uint32_t lpn) const {
  if (pending_trims_.count(lpn) > 0) return 0;
  if (const Part* part = buffer_.find(lpn)) return part->version;
  const auto place = map_.find(lpn);
  return place == map_.end() ? 0 : superblocks_[place->second.superblock].pages.at(place->second.position).version;
}

void ReferenceFtl::append_oldest_coalesced() {
  const Part part = buffer_.take_oldest();
  if (pending_trims_.erase(part.lpn) > 0) return trim_now(part.lpn);
  const auto old = map_.find(part.lpn);
  if (!is_whole(part) && old != map_.end() && !frontiers_.is_staged(old->second)) ++counts_.read_modify_writes;
  put(part);
  counts_.filled_bytes += rules_.page_bytes - (part.end - part.first);
}

void ReferenceFtl::trim_now(std::uint32_t lpn) {
  buffer_.drop(lpn);
  if (map_.count(lpn) == 0) return;
  forget(lpn);
  ++counts_.trimmed;
}

void ReferenceFtl::forget(std::uint32_t lpn) {
  const auto old = map_.find(lpn);
  if (old == map_.end()) return;
  superblocks_[old->second.superblock].current.erase(old->second.position);
  victims_.lost_page(old->second.superblock);
  map_.erase(old);
}

void ReferenceFtl::put(const Part& part) {
  for (std::uint32_t left = rules_.trims_per_host_write; left > 0 && execute_trim(); --left) {
  }
  Frontier& frontier = frontiers_.of_stream(part.stream);
  if (active_ && rules_.pages_per_host_write > 0) relocate_some();
  make_room(frontier);
  if (const auto old = map_.find(part.lpn); old != map_.end()) frontier.replaces.insert(old->second.superblock);
  forget(part.lpn);
  stage(frontier, {part.lpn, part.version}, true);
  ++counts_.host;
}

bool ReferenceFtl::execute_trim() {
  while (!trims_to_do_.empty()) {
    const std::uint32_t lpn = trims_to_do_.front();
    trims_to_do_.pop_front();
    if (pending_trims_.erase(lpn) == 0) continue;
    trim_now(lpn);
    return true;
  }
  return false;
}

void ReferenceFtl::stage(Frontier& frontier, const ReferencePage& page, bool from_host) {
  const std::uint32_t position = frontiers_.stage(frontier, from_host);
  superblocks_[frontier.superblock].pages[position] = page;
  if (page.lpn != kNone) {
    map_[page.lpn] = {frontier.superblock, position};
    superblocks_[frontier.superblock].current.insert(position);
    ++pages_appended_;
  }
  if (frontier.staged == rules_.pages_per_stripe) program(frontier);
}

void ReferenceFtl::program(Frontier& frontier) {
  frontiers_.programmed(frontier);
  if (rules_.parity_every > 0 && frontier.used % ((rules_.parity_every - 1) * rules_.pages_per_stripe) == 0)
    counts_.parity += rules_.pages_per_stripe;
  if (frontiers_.room(frontier) == 0) victims_.close(frontier.superblock, pages_appended_);
  erase_pending();
}

void ReferenceFtl::pad(Frontier& frontier) {
  while (frontier.staged > 0) {
    ++counts_.padded;
    stage(frontier, {kNone, 0}, false);
  }
}

void ReferenceFtl::open(Frontier& frontier) {
  auto chosen = free_.begin();
  for (auto other = free_.begin(); rules_.least_worn_first && other != free_.end(); ++other) {
    if (superblocks_[*other].erases < superblocks_[*chosen].erases) chosen = other;
  }
  if (chosen == free_.end()) throw std::logic_error("the reference has no free superblock");
  frontier.superblock = *chosen;
  frontier.used = 0;
  superblocks_[*chosen].frontier = frontier.index;
  free_.erase(chosen);
}

void ReferenceFtl::erase_pending() {
  for (const std::uint32_t superblock : frontiers_.take_erasable()) {
    ++superblocks_[superblock].erases;
    ++counts_.erased;
    free_.push_back(superblock);
  }
}

void ReferenceFtl::watch_free_space() {
  if (free_or_pending_erase() <= rules_.start_free) active_ = true;
  if (free_or_pending_erase() >= rules_.stop_free) active_ = false;
}

bool ReferenceFtl::host_may_write(const Frontier& frontier) const {
  if (frontiers_.room(frontier) == 0) return false;
  if (free_or_pending_erase() >= reserve()) return true;
  if (victim_.superblock == kNone) return false;
  return !frontiers_.takes_relocated(frontier) ||
         frontiers_.room(frontier) >= superblocks_[victim_.superblock].current.size() + 1;
}

void ReferenceFtl::make_room(Frontier& frontier) {
  for (int patience = 0; !host_may_write(frontier); ++patience) {
    if (patience > 1'000'000) throw std::logic_error("the reference collects for ever");
    if (frontiers_.room(frontier) == 0 && free_.size() > reserve()) {
      open(frontier);
      watch_free_space();
    } else if (victim_.superblock != kNone || choose_victim()) {
      end_victim();
    } else {
      free_what_waits();
    }
  }
}

void ReferenceFtl::free_what_waits() {
  if (frontiers_.postponed() == 0) throw std::logic_error("the reference finds nothing to collect");
  while (frontiers_.postponed() > 0 && free_.size() <= reserve()) pad(frontiers_.oldest_staged());
}

void ReferenceFtl::end_victim() {
  while (victim_.superblock != kNone) advance();
}

void ReferenceFtl::relocate_some() {
  for (std::uint32_t moved = 0; active_ && moved < rules_.pages_per_host_write;) {
    const bool has_room =
        free_.size() * frontiers_.pages() + frontiers_.room_for_relocated() >= reserve() * frontiers_.pages();
    if (victim_.superblock == kNone && (!has_room || !choose_victim())) return;
    moved += advance();
  }
}

bool ReferenceFtl::choose_victim() {
  auto chosen = victims_.choose({free_or_pending_erase() > 0, free_.size() > reserve(), counts_.erased, pages_appended_});
  if (chosen) victim_ = std::move(*chosen);
  return chosen.has_value();
}

std::uint32_t ReferenceFtl::advance() {
  if (victim_.to_move.empty()) {
    frontiers_.postpone_erase(victim_.superblock);
    victim_.superblock = kNone;
    erase_pending();
    ++counts_.collected;
    watch_free_space();
    return 0;
  }
  std::uint32_t moved = 0;
  const std::uint32_t stripe = victim_.to_move.front() / rules_.pages_per_stripe;
  while (!victim_.to_move.empty() && victim_.to_move.front() / rules_.pages_per_stripe == stripe) {
    const std::uint32_t position = victim_.to_move.front();
    victim_.to_move.pop_front();
    if (superblocks_[victim_.superblock].current.count(position) == 0) continue;
    move(position);
    ++moved;
  }
  return moved;
}

void ReferenceFtl::move(std::uint32_t position) {
  ReferenceSuperblock& victim = superblocks_[victim_.superblock];
  const ReferencePage page = victim.pages.at(position);
  Frontier& frontier = destination(frontiers_.of_relocation(victim.frontier));
  frontier.replaces.insert(victim_.superblock);
  victim.current.erase(position);
  stage(frontier, page, false);
  ++(victim_.for_wear ? counts_.relocated_for_wear : counts_.relocated);
}

ReferenceFtl::Frontier& ReferenceFtl::destination(Frontier& own) {
  if (frontiers_.room(own) > 0) return own;
  while (free_.empty() && frontiers_.postponed() > 0) {
    Frontier& oldest = frontiers_.oldest_staged();
    if (frontiers_.room(oldest) > 0 && frontiers_.may_mix(own, oldest)) return oldest;
    pad(oldest);
  }
  if (!free_.empty()) {
    open(own);
    return own;
  }
  for (Frontier& frontier : frontiers_.all())
    if (frontiers_.room(frontier) > 0 && frontiers_.may_mix(own, frontier)) return frontier;
  throw std::logic_error("the reference has no room for a relocated page");
}

}  // namespace ftlab::testing
