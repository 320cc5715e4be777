// What a drive does when its host is silent: collection ahead of need, and looking after its cells.
#include <algorithm>

#include "ftl/drive/drive.h"

namespace ftlab {

// Step after step, as far ahead of the flash as one program on each die, until the time is over or nothing is left.
template <class NextStep>
void Drive::work_ahead(Nanoseconds until, NextStep&& next_step) {
  const std::uint32_t most = medium_.layout().dies_per_superblock();
  while (now_ < until) {
    engine_->watch_programs(most);
    while (timed_ && engine_->programs_in_flight() >= most && next_moment() < until) step(until - Nanoseconds{1});
    engine_->watch_programs(0);
    if (timed_ && engine_->programs_in_flight() >= most) return;
    set_date();
    const Relocation::Step done = next_step();
    hand_over();
    if (!done.worked) return;
  }
}

void Drive::use_idle_time(Nanoseconds until) {
  set_date();
  ftl_->begin_idle_time();
  hand_over();
  for (std::uint32_t pool = 0; pool < ftl_->pools(); ++pool)
    work_ahead(until, [this, pool] { return ftl_->idle_step(pool); });
  ftl_->end_idle_time();
  hand_over();
}

void Drive::skip_scans(Nanoseconds until) {
  scans_.skip(until, [this](Nanoseconds scan) {
    errors_->set_date(scan);
    return !ftl_->scan_would_find();
  });
  set_date();
}

// The scan that is due; what it finds is written anew at once while the host is silent.
void Drive::scan(Nanoseconds until) {
  errors_->set_date(std::max(now_, scans_.next()));
  ftl_->scan_cells();
  hand_over();
  const bool silent = scans_.next() >= last_completion_;
  scans_.scanned();
  for (std::uint32_t pool = 0; silent && pool < ftl_->pools(); ++pool) {
    if (ftl_->waits_for_refresh(pool)) work_ahead(until, [this, pool] { return ftl_->refresh_step(pool); });
  }
}

// With each request: scans that are due, and a few pages of what they found.
void Drive::scrub_cells() {
  if (ftl_->read_only()) return;
  while (scans_.is_due(now_)) {
    skip_scans(now_);
    if (!scans_.is_due(now_)) break;
    scan(now_);
  }
  set_date();
  ftl_->refresh_some();
  hand_over();
}

}  // namespace ftlab
