#include "sim/host/jobs/rate_controlled_job.h"

#include <algorithm>
#include <utility>

namespace ftlab {

RateControlledJob::RateControlledJob(const Job& job, std::uint64_t seed, HostZones* zones)
    : job_(job),
      source_(job, seed, picks_direction() ? 1 : RequestSource::kMostAhead),
      rates_(job, seed),
      pauses_(job.flow),
      slots_(job.flow, job.depth),
      flushes_(job.flow),
      guard_(job.flow),
      extents_(job.flow.serialize_overlap) {
  if (zones != nullptr) zoned_.emplace(job, *zones);
  if (job.flow.target.latency == Nanoseconds{0}) return;
  search_.emplace(job.flow.target, job.depth);
  slots_.set_depth(search_->depth());
}

Nanoseconds RateControlledJob::start(Nanoseconds at, TokenShares& shares) {
  span_.start(job_, at);
  rates_.restart(at);
  pauses_.restart(at);
  shares.join(job_.flow);
  leave_ramp(at);
  return span_.measured_from();
}

// Restarts rates, batches, guard and search after the ramp.
void RateControlledJob::leave_ramp(Nanoseconds now) {
  if (!span_.leaves_ramp(now)) return;
  const Nanoseconds from = span_.measured_from();
  rates_.restart(from);
  slots_.forget_batches();
  guard_.begin(from);
  if (search_) search_->begin(from);
}

RateControlledJob::Step RateControlledJob::next(Device& device, TokenShares& shares, Nanoseconds now) {
  leave_ramp(now);
  if (span_.issues_no_more(now)) return closing(now);
  if (zone_command_ || must_wait_for_queue(now)) return {.kind = Step::Kind::wait};
  if (now < pauses_.asleep_until()) return sleep(pauses_.asleep_until());
  if (picks_direction()) source_.steer(rates_.turn(now));
  if (!source_.fill(device)) {
    span_.exhaust();
    return closing(now);
  }
  if (const auto held = held_by_log(now)) return *held;
  if (source_.front().op == Op::flush) {
    source_.take();
    return issue_flush(FlushKind::full, now);
  }
  if (const FlushKind flush = flushes_.due(); flush != FlushKind::none) return issue_flush(flush, now);
  if (const auto held = held_by_share(shares, now)) return *held;
  if (const auto held = held_by_rate(now)) return *held;
  if (extents_.overlap(source_.front())) return {.kind = Step::Kind::wait};
  if (const auto held = held_by_zones(device, shares, now)) return *held;
  return issue(shares, source_.take());
}

RateControlledJob::Step RateControlledJob::closing(Nanoseconds now) {
  slots_.submit();
  if (in_flight_ > 0) return {.kind = Step::Kind::wait};
  slots_.take_all();
  if (failure() || !flushes_.take_flush_at_end()) return {};
  ++in_flight_;
  return {.kind = Step::Kind::issue, .request = {0, Op::flush, 0, 0, now}, .flush = FlushKind::unreported};
}

RateControlledJob::Step RateControlledJob::sleep(Nanoseconds until) const {
  return {.kind = Step::Kind::sleep, .until = std::min(until, span_.end())};
}

// True if the job must wait for its queue. Checks for a pause once after each request; the queue must drain before it.
bool RateControlledJob::must_wait_for_queue(Nanoseconds now) {
  if (pauses_.draining()) {
    if (in_flight_ > 0) {
      slots_.submit();
      return true;
    }
    slots_.take_all();
    const Nanoseconds pause = pauses_.queue_empty(now);
    if (job_.flow.rate_ignores_thinking) rates_.forgive(pause);
  }
  if (flushes_.awaited() || now < pauses_.asleep_until()) return flushes_.awaited();
  if (!slots_.has_room()) return true;
  return pauses_.due(now, slots_.reaped()) && must_wait_for_queue(now);
}

RateControlledJob::Step RateControlledJob::issue_flush(FlushKind kind, Nanoseconds now) {
  flushes_.issued_flush(kind);
  slots_.issued();
  ++in_flight_;
  return {.kind = Step::Kind::issue, .request = {0, Op::flush, 0, 0, now}, .flush = kind};
}

std::optional<RateControlledJob::Step> RateControlledJob::held_by_share(const TokenShares& shares, Nanoseconds now) {
  const Nanoseconds pause = job_.flow.flow_sleep;
  if (!shares.ahead(job_.flow, tokens_)) return std::nullopt;
  if (pause == Nanoseconds{0}) return Step{.kind = Step::Kind::blocked, .until = span_.end()};
  if (in_flight_ > 0) {
    pauses_.drain_queue();
    return Step{.kind = Step::Kind::wait};
  }
  pauses_.sleep(now + pause);
  return sleep(now + pause);
}

// As in fio, a job that is ahead of its rate drains its queue before it sleeps, unless requests are offloaded.
std::optional<RateControlledJob::Step> RateControlledJob::held_by_rate(Nanoseconds now) {
  const Direction direction = direction_of(source_.front().op);
  if (!rates_.limits(direction) || rates_.due(direction) <= now) return std::nullopt;
  slots_.submit();
  if (job_.flow.offload || in_flight_ == 0) return sleep(rates_.due(direction));
  pauses_.drain_queue();
  return Step{.kind = Step::Kind::wait};
}

// Unlike a rate, a log does not drain the queue.
std::optional<RateControlledJob::Step> RateControlledJob::held_by_log(Nanoseconds now) {
  if (!job_.replay || span_.started() + source_.due() <= now) return std::nullopt;
  slots_.submit();
  return sleep(span_.started() + source_.due());
}

// Gives the next request its place in a zone, or returns the step that must come first.
std::optional<RateControlledJob::Step> RateControlledJob::held_by_zones(Device& device, TokenShares& shares,
                                                                           Nanoseconds now) {
  using Next = ZonedAccess::Next;
  if (!zoned_) return std::nullopt;
  Next next = zoned_->place(source_.front());
  while (next == Next::skip) {
    source_.take();
    next = source_.fill(device) ? zoned_->place(source_.front()) : Next::over;
  }
  if (next == Next::issue) return std::nullopt;
  if (next == Next::over) {
    span_.exhaust();
    return closing(now);
  }
  slots_.submit();
  if (next == Next::wait) return Step{.kind = Step::Kind::blocked, .until = span_.end()};
  if (next == Next::read && (zoned_->reading() || in_flight_ == 0)) return issue(shares, zoned_->take_read());
  if (in_flight_ > 0) return Step{.kind = Step::Kind::wait};
  zone_command_ = true;
  ++in_flight_;
  return Step{.kind = Step::Kind::issue, .request = zoned_->take_command(), .flush = FlushKind::unreported};
}

RateControlledJob::Step RateControlledJob::issue(TokenShares& shares, const Request& request) {
  Step step{.kind = Step::Kind::issue, .request = request};
  if (step.request.op == Op::write)
    step.request.fua = flushes_.issued_write();
  else
    flushes_.issued_other();
  shares.take(job_.flow);
  ++tokens_;
  extents_.add(step.request);
  rates_.issued(direction_of(step.request.op), step.request.length_bytes);
  pauses_.issued();
  slots_.issued();
  ++in_flight_;
  return step;
}

bool RateControlledJob::completed(const Request& was, Nanoseconds at, bool succeeded) {
  leave_ramp(at);
  --in_flight_;
  span_.completed(at);
  if (zoned_) zoned_->completed(was);
  if (std::exchange(zone_command_, false)) return false;
  const bool is_flush = was.op == Op::flush, is_closing_flush = is_flush && slots_.used() == 0;
  if (!is_closing_flush) slots_.completed();
  if (job_.flow.offload) slots_.take_all();  // the offload thread has reaped it
  if (is_flush) {
    flushes_.completed_flush();
    return false;
  }
  extents_.remove(was);
  totals_.bytes += was.length_bytes;
  ++totals_.requests;
  totals_.latency_ns_sum += static_cast<std::uint64_t>((at - was.issued).count());
  return span_.measured() && !span_.stopped() && judge(was, at, succeeded);
}

bool RateControlledJob::judge(const Request& was, Nanoseconds at, bool succeeded) {
  using Verdict = DepthSearch::Verdict;
  const Nanoseconds latency = at - was.issued;
  guard_.completed(direction_of(was.op), was.length_bytes, at, latency);
  if (!succeeded && job_.flow.exit_all_on_error) guard_.fail(kIoError, "a request failed");
  Verdict verdict = Verdict::go_on;
  if (search_ && !failure() && at < span_.end()) {
    verdict = search_->completed(at, latency);
    slots_.set_depth(search_->depth());
    if (verdict == Verdict::failed) guard_.fail(kTimedOut, "latency_target is not met at any queue depth that was tried");
  }
  if (failure() || verdict == Verdict::done) stop(at);
  return verdict == Verdict::measure;
}

}  // namespace ftlab
