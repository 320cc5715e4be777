// A job whose next request depends on more than a full queue: rates, pauses, flushes, batches, targets, shares, a log. It
// returns its next step, and its job group executes it. The order of decisions is that of fio's own loop.
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
#include "sim/host/jobs/zoned_access.h"

namespace ftlab {

class RateControlledJob {
 public:
  // `zones`: null unless the job is one of zonemode=zbd. REQUIRES: they outlive it.
  RateControlledJob(const Job& job, std::uint64_t seed, HostZones* zones = nullptr);

  struct Step {
    enum class Kind {
      issue,    // issue `request` now
      wait,     // wait for one of its own requests to complete
      sleep,    // wait until `until`, or until one of its requests completes
      blocked,  // wait until another job of its flow takes a token, or until `until`
      over,     // the job has ended
    };
    Kind kind = Kind::over;
    Request request{};
    FlushKind flush = FlushKind::none;
    Nanoseconds until = kNever;
  };

  // Totals of all completed requests except flushes, including the ramp.
  struct Totals {
    std::uint64_t bytes = 0;
    std::uint64_t requests = 0;
    std::uint64_t latency_ns_sum = 0;
  };

  // Returns the start of the measured part.
  Nanoseconds start(Nanoseconds at, TokenShares& shares);
  // Called repeatedly until the step is not `issue`. A request that it returns counts as issued.
  Step next(Device& device, TokenShares& shares, Nanoseconds now);
  // Returns true once: the search for a latency target has found its depth, and records so far are to be discarded.
  bool completed(const Request& was, Nanoseconds at, bool succeeded);
  // Issues no more requests; outstanding ones are waited for.
  void stop(Nanoseconds at) { span_.stop(at); }
  void leave(TokenShares& shares) {
    shares.leave(job_.flow, tokens_);
    if (zoned_) zoned_->leave();
  }

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
  std::optional<Step> held_by_zones(Device& device, TokenShares& shares, Nanoseconds now);
  Step issue(TokenShares& shares, const Request& request);
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
  std::optional<ZonedAccess> zoned_;
  bool zone_command_ = false;  // one is in flight, and nothing else
  std::size_t in_flight_ = 0;
  std::uint64_t tokens_ = 0;
  Totals totals_;
};

}  // namespace ftlab
