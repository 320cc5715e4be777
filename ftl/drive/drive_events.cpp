// The event loop of a drive: events of the flash and of commands, and background work in idle time.
#include <algorithm>

#include "ftl/drive/drive.h"

namespace ftlab {

using Due = Agenda::Due;

void Drive::handle(Agenda::Entry entry) {
  const std::uint32_t id = entry.id;
  switch (entry.what) {
    case Due::understood: commands_[id].request.op == Op::read ? reads_.understood(id) : writes_.understood(id); break;
    case Due::sent: writes_.pages_sent(); break;
    case Due::stored: writes_.pages_stored(id); break;
    case Due::fingerprinted: writes_.pages_known(id); break;
    case Due::crossed: reads_.piece_ready(id); break;
    case Due::deliver: reads_.firmware_done(id); break;
    case Due::programmed: writes_.finish_flush(id); break;
    case Due::mapped: commands_[id].request.op == Op::trim ? writes_.finish_trim(id) : reads_.map_known(id); break;
    case Due::rebuilt: reads_.piece_rebuilt(id); break;
    case Due::trimmed: commands_.end_trim_barrier(); break;
    case Due::freed: commands_.start(id); break;
    case Due::allowed: break;  // the write path checks the time
  }
}

// Handles the reports of the flash engine. Handling one may cause others.
[[gnu::always_inline]] inline void Drive::take_reports() {
  FlashEngine& engine = *parts_.back.engine;
  do {
    writes_.flash_advanced(engine.take_reports([this](const HostRead& read) { reads_.take(read); },
                                               [this](std::uint32_t tag) { handle(Agenda::entry(tag)); }));
  } while (engine.reports());
}

// Executes the next event at or before `until` and everything that it triggers; flash events that affect nothing else are
// executed together. At equal times flash events come first, then the agenda, then commands that wait in the host. False if
// no event is pending by then.
[[gnu::always_inline]] inline bool Drive::next_event(Nanoseconds until) {
  FlashEngine& engine = *parts_.back.engine;
  Agenda& agenda = parts_.agenda;
  const Nanoseconds flash = engine.next(), due = agenda.earliest(), place = commands_.next_place();
  const Nanoseconds own = std::min(due, place), next = std::min(flash, own);
  if (next > until || next == kNever) return false;
  if (flash <= own) {
    agenda.set_now(engine.run(std::min(until, own), &reads_));
  } else if (due <= place) {
    handle(agenda.next());
  } else {  // a completed command makes room for one that waits in the host
    agenda.set_now(place);
    parts_.front.queues.free_place();
    begin_waiting();
  }
  take_reports();
  return true;
}

// Starts commands that wait in the host as places become free, in order of time.
void Drive::begin_waiting() {
  Request request;
  while (parts_.front.queues.next(request)) begin(request);
  commands_.set_next_place();
}

// Starts a command for which the drive has a place.
void Drive::begin(const Request& request) {
  const std::uint32_t id = commands_.add(request);
  if (id == Commands::kNoCommand) return;
  writes_.catch_up(parts_.agenda.now());
  if (parts_.config.ftl.refresh.on()) scrub_cells();
  commands_.hold_back_or_start(id);
  if (parts_.config.ftl.refresh.on() || parts_.front.read_ahead) writes_.gather();
}

[[gnu::always_inline]] inline void Drive::advance(Nanoseconds until) {
  while (next_event(until)) {
  }
  if (until != kNever) parts_.agenda.advance_to(until);
  writes_.catch_up(until);
}

void Drive::run_until(Nanoseconds moment) { advance(moment); }

// Advances to the host's next request at `moment`; the drive uses the idle time before it.
inline void Drive::pass_time_until(Nanoseconds moment) {
  FTLAB_CHECK(moment >= parts_.agenda.now() || next_moment() >= moment, "a request lies in the past");
  if (parts_.config.ftl.gc.idle_after > Nanoseconds{0} || parts_.config.ftl.refresh.on()) use_silence(moment);
  advance(moment);
}

void Drive::submit(std::span<const Request> batch) {
  HostQueues& queues = parts_.front.queues;
  for (const Request& request : batch) {
    if (!parts_.agenda.timed()) {
      execute_untimed(request);
      continue;
    }
    pass_time_until(request.issued);
    if (queues.limit())
      while (queues.next_place() <= parts_.agenda.now()) queues.free_place();
    if (!queues.limit() || queues.begins(request)) {
      begin(request);
    } else {
      queues.add(request);
      begin_waiting();
    }
    take_reports();
  }
}

// Untimed: executes the layer's part only, at once.
void Drive::execute_untimed(Request request) {
  Completion& done = commands_.begin_untimed(request);
  if (done.status != Status::ok) return;
  if (parts_.config.ftl.refresh.on()) scrub_cells();
  request.op == Op::read ? reads_.execute_untimed(request, done) : writes_.execute_untimed(request, done);
  commands_.finish_untimed(request, done);
}

std::size_t Drive::wait(Nanoseconds until, std::span<Completion> out) {
  if (!parts_.agenda.timed()) return commands_.take_untimed(out);
  if (commands_.at_rest()) return 0;
  while (next_event(std::min(commands_.earliest_completion(), until))) {
  }
  writes_.catch_up(std::min(commands_.earliest_completion(), until));
  return commands_.take(until, out);
}

Nanoseconds Drive::idle_from() {
  FTLAB_CHECK(commands_.at_rest(), "waited for the end of all work with requests outstanding");
  if (parts_.agenda.timed()) run_until(kNever);
  parts_.agenda.advance_to(std::max(idle_time_.since(), parts_.front.idle_from()));
  return parts_.agenda.now();
}

// --- idle time ---

// Uses the idle time before `moment` for collection and for scans of the cells.
void Drive::use_silence(Nanoseconds moment) {
  const bool refreshes = parts_.config.ftl.refresh.on();
  const Nanoseconds after = parts_.config.ftl.gc.idle_after;
  while (commands_.in_work() == 0 && !parts_.layer->read_only()) {
    const Nanoseconds idle = after > Nanoseconds{0} && !idle_time_.used() ? idle_time_.since() + after : kNever;
    if (refreshes && parts_.scans.is_due(moment)) skip_scans(moment);
    const Nanoseconds next_scan = refreshes ? parts_.scans.next() : kNever;
    const Nanoseconds next = std::min(idle, next_scan >= idle_time_.since() ? next_scan : kNever);
    if (next >= moment) break;
    run_until(std::max(next, idle_time_.since()));
    if (next == idle) {
      idle_time_.use();
      use_idle_time(moment);
    } else {
      scan(moment);
    }
  }
}

// Runs steps up to one program per die ahead of the flash, until the time is over or no work is left.
template <class NextStep>
void Drive::run_idle_steps(Nanoseconds until, NextStep&& next_step) {
  FlashEngine& engine = *parts_.back.engine;
  const std::uint32_t most = parts_.back.medium.layout().dies_per_superblock();
  const bool timed = parts_.agenda.timed();
  while (parts_.agenda.now() < until) {
    engine.watch(InFlight::kPrograms, most);
    while (timed && engine.in_flight().programs() >= most && next_event(until - Nanoseconds{1})) {
    }
    engine.watch(InFlight::kPrograms, 0);
    if (timed && engine.in_flight().programs() >= most) return;
    parts_.set_date();
    const Relocation::Step done = next_step();
    parts_.hand_over();
    if (!done.worked) return;
  }
}

void Drive::use_idle_time(Nanoseconds until) {
  Ftl& layer = *parts_.layer;
  parts_.set_date();
  layer.begin_idle_time();
  parts_.hand_over();
  for (std::uint32_t pool = 0; pool < layer.collection().pools(); ++pool)
    run_idle_steps(until, [&layer, pool] { return layer.idle_step(IdleWork::collection, pool); });
  run_idle_steps(until, [&layer] { return layer.idle_step(IdleWork::mapping); });
}

void Drive::skip_scans(Nanoseconds until) {
  parts_.scans.skip(until, [this](Nanoseconds scan) {
    parts_.back.errors->set_date(scan);
    return !parts_.layer->collection().scan_would_find();
  });
  parts_.set_date();
}

// Executes the scan that is due. In idle time, the data that need refresh are rewritten at once.
void Drive::scan(Nanoseconds until) {
  Ftl& layer = *parts_.layer;
  parts_.set_date();
  parts_.back.errors->set_date(std::max(parts_.agenda.now(), parts_.scans.next()));
  layer.scan_cells();
  parts_.hand_over();
  const bool silent = parts_.scans.next() >= idle_time_.since();
  parts_.scans.scanned();
  for (std::uint32_t pool = 0; silent && pool < layer.collection().pools(); ++pool) {
    if (layer.collection().waits_for_refresh(pool))
      run_idle_steps(until, [&layer, pool] { return layer.idle_step(IdleWork::refresh, pool); });
  }
}

// Call with each request: executes scans that are due and refreshes a few pages that they found.
void Drive::scrub_cells() {
  if (parts_.layer->read_only()) return;
  const Nanoseconds now = parts_.agenda.now();
  while (parts_.scans.is_due(now)) {
    skip_scans(now);
    if (!parts_.scans.is_due(now)) break;
    scan(now);
  }
  parts_.set_date();
  parts_.layer->refresh_some();
  parts_.hand_over();
}

}  // namespace ftlab
