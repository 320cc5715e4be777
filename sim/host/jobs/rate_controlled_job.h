// One job whose next request depends on more than a full queue: rates, pauses, flushes, batches, targets, shares, a log.
// It says what it would do now; its job group does it. The order of decisions is that of fio's own loop.
#pragma once

#include <optional>

#include "sim/host/jobs/depth_search.h"
#include "sim/host/jobs/extents_in_flight.h"
#include "sim/host/jobs/flushes.h"
#include "sim/host/jobs/job_guard.h"
#include "sim/host/jobs/job_span.h"
#include "sim/host/jobs/pace.h"
#include "sim/host/jobs/queue_slots.h"
#include "sim/host/jobs/request_source.h"
#include "sim/host/jobs/token_shares.h"

namespace ftlab {

class RateControlledJob {
 public:
  RateControlledJob(const Job& job, std::uint64_t seed);

  struct Step {
    enum class Kind {
      issue,    // `request`, now
      wait,     // for one of its own requests to come back
      sleep,    // until `until`, or until one of its requests comes back
      blocked,  // until another job of its flow takes a token, or until `until`
      over,     // nothing is left to do or to wait for
    };
    Kind kind = Kind::over;
    Request request{};
    FlushKind flush = FlushKind::none;
    Nanoseconds until = kNever;
  };

  // Of all requests but flushes that have completed, the ramp included.
  struct Totals {
    std::uint64_t bytes = 0;
    std::uint64_t requests = 0;
    std::uint64_t latency_ns_sum = 0;
  };

  // Returns when the measured part begins.
  Nanoseconds start(Nanoseconds at, TokenShares& shares);
  // Asked again and again until it no longer issues. What it issues counts as issued.
  Step next(Device& device, TokenShares& shares, Nanoseconds now);
  // Returns true once: the search for a latency target has found its depth, and what was recorded until now does not count.
  bool completed(const Request& was, Nanoseconds at, bool succeeded);
  // No more requests; those outstanding are waited for.
  void stop(Nanoseconds at) { span_.stop(at); }
  void leave(TokenShares& shares) const { shares.leave(job_.flow, tokens_); }

  Nanoseconds ended() const { return span_.ended(); }  // see JobSpan
  const std::optional<JobFailure>& failure() const { return guard_.failure(); }
  const QueueSlots& slots() const { return slots_; }
  std::uint64_t depth() const { return search_ ? search_->depth() : job_.depth; }  // found by the search, or as given
  const Totals& totals() const { return totals_; }

 private:
  bool picks_direction() const { return job_.pattern.mixed() && job_.flow.rated(); }
  void leave_ramp(Nanoseconds now);
  Step closing(Nanoseconds now);
  Step sleep(Nanoseconds until) const;
  bool must_wait_for_queue(Nanoseconds now);
  Step issue_flush(FlushKind kind, Nanoseconds now);
  std::optional<Step> held_by_share(const TokenShares& shares, Nanoseconds now);
  std::optional<Step> held_by_rate(Nanoseconds now);
  std::optional<Step> held_by_log(Nanoseconds now);
  Step issue(TokenShares& shares);
  bool judge(const Request& was, Nanoseconds at, bool succeeded);

  const Job& job_;
  RequestSource source_;
  JobSpan span_;
  Rates rates_;
  Pauses pauses_;
  QueueSlots slots_;
  Flushes flushes_;
  JobGuard guard_;
  std::optional<DepthSearch> search_;
  ExtentsInFlight extents_;
  std::size_t in_flight_ = 0;
  std::uint64_t tokens_ = 0;
  Totals totals_;
};

}  // namespace ftlab
