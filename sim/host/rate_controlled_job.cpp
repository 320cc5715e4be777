#include "sim/host/rate_controlled_job.h"

#include <algorithm>

namespace ftlab {

RateControlledJob::RateControlledJob(const Job& job, std::uint64_t seed)
    : job_(job),
      source_(job, seed, picks_direction() ? 1 : RequestSource::kMostAhead),
      rates_(job, seed),
      thinking_(job.flow),
      slots_(job.flow, job.depth),
      flushes_(job.flow),
      guard_(job.flow) {
  if (job.flow.target.latency == Nanoseconds{0}) return;
  search_.emplace(job.flow.target, job.depth);
  slots_.set_depth(search_->depth());
}

Nanoseconds RateControlledJob::start(Nanoseconds at, TokenShares& shares) {
  started_ = at;
  measured_from_ = ended_ = at + job_.ramp;
  if (job_.runtime) end_ = measured_from_ + *job_.runtime;
  rates_.restart(at);
  thinking_.restart(at);
  if (job_.flow.weight != 0) shares.join(job_.flow.flow_id, job_.flow.weight);
  reach(at);
  return measured_from_;
}

// The ramp is over: all counts begin here.
void RateControlledJob::reach(Nanoseconds now) {
  if (measured_ || now < measured_from_) return;
  measured_ = true;
  rates_.restart(measured_from_);
  slots_.forget_batches();
  guard_.begin(measured_from_);
  if (search_) search_->begin(measured_from_);
}

RateControlledJob::Step RateControlledJob::next(Device& device, TokenShares& shares, Nanoseconds now) {
  reach(now);
  if (stopped_ || exhausted_ || now >= end_) return closing(now);
  if (must_wait_for_queue(now)) return {Step::Kind::wait, {}, FlushKind::none, kNever};
  if (now < asleep_until_) return sleep(asleep_until_);
  if (picks_direction()) source_.steer(rates_.turn(now));
  if (!source_.fill(device)) {
    exhausted_ = true;
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
  if (job_.flow.serialize_overlap && overlaps(source_.front())) return {Step::Kind::wait, {}, FlushKind::none, kNever};
  return issue(shares);
}

RateControlledJob::Step RateControlledJob::closing(Nanoseconds now) {
  slots_.submit();
  if (in_flight_ > 0) return {Step::Kind::wait, {}, FlushKind::none, kNever};
  slots_.take_all();
  if (failure_ || !flushes_.take_flush_at_end()) return {};
  ++in_flight_;
  return {Step::Kind::issue, {0, Op::flush, 0, 0, now}, FlushKind::unreported, kNever};
}

RateControlledJob::Step RateControlledJob::sleep(Nanoseconds until) const {
  return {Step::Kind::sleep, {}, FlushKind::none, std::min(until, end_)};
}

// A pause is looked for once after each request, when the queue has been seen to; then the queue must run empty first.
bool RateControlledJob::must_wait_for_queue(Nanoseconds now) {
  if (quiescing_ && in_flight_ > 0) {
    slots_.submit();
    return true;
  }
  if (quiescing_) finish_quiesce(now);
  if (flush_awaited_ || now < asleep_until_) return flush_awaited_;
  if (!slots_.has_room()) return true;
  if (!issued_since_pause_check_) return false;
  issued_since_pause_check_ = false;
  if (!thinking_.due(now, slots_.reaped())) return false;
  quiescing_ = true;
  pause_after_ = thinking_.length();
  return must_wait_for_queue(now);
}

void RateControlledJob::finish_quiesce(Nanoseconds now) {
  quiescing_ = false;
  slots_.take_all();
  if (pause_after_ == Nanoseconds{0}) return;
  asleep_until_ = now + pause_after_;
  thinking_.paused(asleep_until_);
  if (job_.flow.rate_ignores_thinking) rates_.forgive(last_direction_, pause_after_);
  pause_after_ = Nanoseconds{0};
}

RateControlledJob::Step RateControlledJob::issue_flush(FlushKind kind, Nanoseconds now) {
  flushes_.flushed(kind);
  slots_.issued();
  ++in_flight_;
  flush_awaited_ = !job_.flow.flush_keeps_queue || kind == FlushKind::unreported;
  return {Step::Kind::issue, {0, Op::flush, 0, 0, now}, kind, kNever};
}

std::optional<RateControlledJob::Step> RateControlledJob::held_by_share(const TokenShares& shares, Nanoseconds now) {
  const Flow& flow = job_.flow;
  if (flow.weight == 0 || !shares.ahead(flow.flow_id, flow.weight, tokens_)) return std::nullopt;
  if (flow.flow_sleep == Nanoseconds{0}) return Step{Step::Kind::blocked, {}, FlushKind::none, end_};
  if (in_flight_ > 0) {
    quiescing_ = true;
    return Step{Step::Kind::wait, {}, FlushKind::none, kNever};
  }
  asleep_until_ = now + flow.flow_sleep;
  return sleep(asleep_until_);
}

// As with fio, a job that is ahead of its rate lets its queue run empty before it sleeps, unless requests are offloaded.
std::optional<RateControlledJob::Step> RateControlledJob::held_by_rate(Nanoseconds now) {
  const Direction direction = direction_of(source_.front().op);
  if (!rates_.limits(direction) || rates_.due(direction) <= now) return std::nullopt;
  slots_.submit();
  if (job_.flow.offload || in_flight_ == 0) return sleep(rates_.due(direction));
  quiescing_ = true;
  return Step{Step::Kind::wait, {}, FlushKind::none, kNever};
}

// Unlike a rate, a log does not make the queue run empty.
std::optional<RateControlledJob::Step> RateControlledJob::held_by_log(Nanoseconds now) {
  if (!job_.replay || started_ + source_.due() <= now) return std::nullopt;
  slots_.submit();
  return sleep(started_ + source_.due());
}

bool RateControlledJob::overlaps(const Request& request) const {
  const std::uint64_t first = request.offset_bytes, end = first + request.length_bytes;
  return std::any_of(in_flight_extents_.begin(), in_flight_extents_.end(),
                     [&](const Extent& other) { return first < other.end && other.first < end; });
}

RateControlledJob::Step RateControlledJob::issue(TokenShares& shares) {
  Step step{Step::Kind::issue, source_.take(), FlushKind::none, kNever};
  last_direction_ = direction_of(step.request.op);
  if (step.request.op == Op::write)
    step.request.fua = flushes_.issued_write();
  else
    flushes_.issued_other();
  if (job_.flow.weight != 0) shares.take(job_.flow.flow_id);
  ++tokens_;
  if (job_.flow.serialize_overlap)
    in_flight_extents_.push_back({step.request.offset_bytes, step.request.offset_bytes + step.request.length_bytes});
  rates_.issued(last_direction_, step.request.length_bytes);
  thinking_.issued();
  slots_.issued();
  ++in_flight_;
  issued_since_pause_check_ = true;
  return step;
}

void RateControlledJob::completed(const Request& was, Nanoseconds at, bool succeeded) {
  reach(at);
  --in_flight_;
  ended_ = std::max(ended_, at);
  if (was.op == Op::flush) flush_awaited_ = false;
  const bool closing_flush = was.op == Op::flush && slots_.used() == 0;
  if (!closing_flush) slots_.completed();
  if (job_.flow.offload) slots_.take_all();  // whoever carried it out has seen its end
  if (was.op == Op::flush) return;
  forget_extent(was);
  bytes_ += was.length_bytes;
  ++requests_;
  latency_ns_sum_ += static_cast<std::uint64_t>((at - was.issued).count());
  if (measured_ && !stopped_) judge(was, at, succeeded);
}

void RateControlledJob::forget_extent(const Request& was) {
  const auto same = [&](const Extent& extent) { return extent.first == was.offset_bytes; };
  const auto found = std::find_if(in_flight_extents_.begin(), in_flight_extents_.end(), same);
  if (found != in_flight_extents_.end()) in_flight_extents_.erase(found);
}

void RateControlledJob::judge(const Request& was, Nanoseconds at, bool succeeded) {
  const Nanoseconds latency = at - was.issued;
  failure_ = guard_.completed(direction_of(was.op), was.length_bytes, at, latency);
  if (!failure_ && !succeeded && job_.flow.exit_all_on_error) failure_ = JobFailure{kIoError, "a request failed"};
  if (search_ && !failure_ && at < end_) {
    const DepthSearch::Verdict verdict = search_->completed(at, latency);
    slots_.set_depth(search_->depth());
    measure_anew_ = verdict == DepthSearch::Verdict::measure;
    if (verdict == DepthSearch::Verdict::done) stop(at);
    if (verdict == DepthSearch::Verdict::failed)
      failure_ = JobFailure{kTimedOut, "latency_target is not met at any queue depth that was tried"};
  }
  if (failure_) stop(at);
}

void RateControlledJob::stop(Nanoseconds at) {
  if (!stopped_) stopped_ = at;
}

void RateControlledJob::leave(TokenShares& shares) const {
  if (job_.flow.weight != 0) shares.leave(job_.flow.flow_id, job_.flow.weight, tokens_);
}

bool RateControlledJob::take_measure_anew() {
  const bool anew = measure_anew_;
  measure_anew_ = false;
  return anew;
}

Nanoseconds RateControlledJob::ended() const {
  if (exhausted_) return ended_;
  if (stopped_) return std::max(ended_, std::min(*stopped_, end_));
  return end_ == kNever ? ended_ : std::max(ended_, end_);
}

std::uint64_t RateControlledJob::depth() const { return search_ ? search_->depth() : job_.depth; }

Direction RateControlledJob::direction_of(Op op) {
  return op == Op::read ? Direction::read : op == Op::write ? Direction::write : Direction::trim;
}

}  // namespace ftlab
