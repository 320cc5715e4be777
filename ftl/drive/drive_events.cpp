// How time passes in a drive: event by event, of the flash and of what the commands wait for.
#include <algorithm>

#include "ftl/drive/drive.h"

namespace ftlab {

void Drive::schedule(Nanoseconds at, Due what, std::uint32_t id) {
  FTLAB_DCHECK(id < 1u << kDueBits, "too many commands or pieces");
  due_.push(at, due(what, id));
}

void Drive::happen(std::uint32_t what) {
  const std::uint32_t id = what & ((1u << kDueBits) - 1);
  switch (static_cast<Due>(what >> kDueBits)) {
    case Due::understood: understood(id); break;
    case Due::sent: page_sent(id); break;
    case Due::stored: page_stored(id); break;
    case Due::fingerprinted: page_known(id); break;
    case Due::crossed: piece_ready(id); break;
    case Due::deliver:
      commands_[id].waits_for_firmware = false;
      deliver(id);
      break;
    case Due::programmed: finish_flush(id); break;
    case Due::mapped: commands_[id].request.op == Op::trim ? finish_trim(id) : map_known(id); break;
    case Due::rebuilt: piece_rebuilt(id); break;
    case Due::trimmed: end_trim_barrier(); break;
    case Due::freed: start(id); break;
    case Due::allowed: break;  // now may_admit() says so
  }
}

// Whether the oldest change, which was held up, need be looked at again.
inline bool Drive::may_admit() const {
  switch (held_) {
    case Held::by_nothing: break;
    case Held::by_itself: return false;
    case Held::for_room: return room_ > held_room_;
    case Held::for_collection: return engine_->moved_pages_in_flight() < most_moved_pages_;
    case Held::for_life: return now_ >= held_until_;
  }
  return true;
}

// What the flash has done for commands. Handling one may bring more.
inline void Drive::collect() {
  do {
    if (engine_->reports()) {
      engine_->take_reports([this](const FlashEngine::HostRead& read) { piece_read(read); },
                            [this](std::uint32_t due) { happen(due); });
    }
    room_ += engine_->take_freed_places();
    if (!changes_.empty() && may_admit()) admit();
  } while (engine_->reports());
}

// Executes the next event and everything that it makes possible; flash events that concern nothing else are executed
// together, up to `until`. At the same time flash events come first, then due_, then commands that wait in the host.
// REQUIRES: an event is pending at or before `until`.
inline void Drive::next_event(Nanoseconds until) {
  const Nanoseconds own = std::min(due_.earliest(), next_place_);
  if (engine_->next() <= own) {
    engine_->run(std::min(until, own));
    now_ = engine_->now();
  } else if (due_.earliest() <= next_place_) {
    now_ = due_.earliest();
    happen(due_.pop());
  } else {  // a command that is complete makes room for one that waits in the host
    now_ = next_place_;
    queues_.free_place();
    begin_waiting();
  }
  collect();
}

void Drive::step(Nanoseconds until) { next_event(until); }

void Drive::submit(std::span<const Request> batch) {
  for (const Request& request : batch) {
    if (!timed_) {
      execute_untimed(request);
      continue;
    }
    pass_time_until(request.issued);
    if (queues_.limit()) [[unlikely]] {
      while (queues_.next_place() <= now_) queues_.free_place();
      queues_.add(request);
      begin_waiting();
    } else {
      begin(request);
    }
    collect();
  }
}

std::size_t Drive::wait(Nanoseconds until, std::span<Completion> out) {
  if (!timed_) return outstanding_.take_at_once(out);
  if (at_rest()) return 0;
  for (;;) {
    const Nanoseconds last = std::min(outstanding_.earliest(), until), next = next_moment();
    if (next > last || next == kNever) return outstanding_.wait(until, out);
    next_event(last);
  }
}

void Drive::run_until(Nanoseconds moment) {
  while (next_moment() <= moment && next_moment() != kNever) next_event(moment);
  if (moment != kNever) now_ = std::max(now_, moment);
}

// The host asks for something at `moment`. If it was silent before, the drive has used that.
void Drive::pass_time_until(Nanoseconds moment) {
  FTLAB_CHECK(moment >= now_ || next_moment() >= moment, "a request lies in the past");
  const bool may_be_silent = config_.ftl.gc.idle_after > Nanoseconds{0} || config_.ftl.refresh.on();
  while (may_be_silent && in_work_ == 0 && !ftl_->read_only()) {
    const Nanoseconds after = config_.ftl.gc.idle_after;
    const bool idles = after > Nanoseconds{0} && !used_idle_time_;
    const Nanoseconds idle = idles ? last_completion_ + after : kNever;
    if (config_.ftl.refresh.on() && scans_.is_due(moment)) skip_scans(moment);
    const bool scans = config_.ftl.refresh.on() && scans_.next() != kNever && scans_.next() >= last_completion_;
    const Nanoseconds scan_at = scans ? scans_.next() : kNever;
    const Nanoseconds next = std::min(idle, scan_at);
    if (next >= moment) break;
    run_until(std::max(next, last_completion_));
    if (next == idle) {
      used_idle_time_ = true;
      use_idle_time(moment);
    } else {
      scan(moment);
    }
  }
  run_until(moment);
}

Nanoseconds Drive::idle_from() {
  FTLAB_CHECK(at_rest(), "waited for the end of all work with requests outstanding");
  while (timed_ && next_moment() != kNever) next_event(kNever);
  return now_ = std::max(
             {now_, last_completion_, controller_.idle_from(), fingerprinting_.end(), dram_.idle_from(), link_.idle_from()});
}

}  // namespace ftlab
