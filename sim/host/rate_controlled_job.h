// One job whose next request depends on more than a full queue: rates, pauses, flushes, batches, targets, shares, a log.
// It says what it would do now; the wave of jobs that it belongs to does it. The order of decisions is that of fio's own
// loop.
#pragma once

#include <optional>
#include <vector>

#include "sim/host/depth_search.h"
#include "sim/host/flushes.h"
#include "sim/host/job_guard.h"
#include "sim/host/pace.h"
#include "sim/host/queue_slots.h"
#include "sim/host/request_source.h"
#include "sim/host/token_shares.h"

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
    Request request;
    FlushKind flush = FlushKind::none;
    Nanoseconds until = kNever;
  };

  // Returns when the measured part begins.
  Nanoseconds start(Nanoseconds at, TokenShares& shares);
  // Asked again and again until it no longer issues. What it issues counts as issued.
  Step next(Device& device, TokenShares& shares, Nanoseconds now);
  void completed(const Request& was, Nanoseconds at, bool succeeded);
  // No more requests; those outstanding are waited for.
  void stop(Nanoseconds at);
  void leave(TokenShares& shares) const;

  // Once: the search for a latency target has found its depth, and what was recorded until now must be forgotten.
  bool take_measure_anew();
  // With its last completion, or with its runtime when it would have gone on until then.
  Nanoseconds ended() const;
  const std::optional<JobFailure>& failure() const { return failure_; }
  const QueueSlots& slots() const { return slots_; }
  std::uint64_t depth() const;                    // found by the search, or as given
  std::uint64_t bytes() const { return bytes_; }  // completed, the ramp included
  std::uint64_t requests() const { return requests_; }
  std::uint64_t latency_ns_sum() const { return latency_ns_sum_; }

 private:
  struct Extent {
    std::uint64_t first, end;
  };

  static Direction direction_of(Op op);
  bool picks_direction() const { return job_.pattern.mixed() && job_.flow.rated(); }
  void reach(Nanoseconds now);
  Step closing(Nanoseconds now);
  Step sleep(Nanoseconds until) const;
  bool must_wait_for_queue(Nanoseconds now);
  void finish_quiesce(Nanoseconds now);
  Step issue_flush(FlushKind kind, Nanoseconds now);
  std::optional<Step> held_by_share(const TokenShares& shares, Nanoseconds now);
  std::optional<Step> held_by_rate(Nanoseconds now);
  std::optional<Step> held_by_log(Nanoseconds now);
  bool overlaps(const Request& request) const;
  Step issue(TokenShares& shares);
  void judge(const Request& was, Nanoseconds at, bool succeeded);
  void forget_extent(const Request& was);

  const Job& job_;
  RequestSource source_;
  Rates rates_;
  Thinking thinking_;
  QueueSlots slots_;
  Flushes flushes_;
  JobGuard guard_;
  std::optional<DepthSearch> search_;
  std::vector<Extent> in_flight_extents_;  // for serialize_overlap only

  Nanoseconds started_{0};
  Nanoseconds measured_from_ = kNever;
  bool measured_ = false;
  Nanoseconds end_ = kNever;
  Nanoseconds ended_{0};
  std::optional<Nanoseconds> stopped_;
  bool exhausted_ = false;
  bool quiescing_ = false;      // waits for all that is outstanding,
  Nanoseconds pause_after_{0};  // then sleeps for so long
  Nanoseconds asleep_until_{0};
  bool issued_since_pause_check_ = false;
  bool flush_awaited_ = false;
  bool measure_anew_ = false;
  std::size_t in_flight_ = 0;
  Direction last_direction_ = Direction::read;
  std::uint64_t tokens_ = 0;
  std::uint64_t bytes_ = 0;
  std::uint64_t requests_ = 0;
  std::uint64_t latency_ns_sum_ = 0;
  std::optional<JobFailure> failure_;
};

}  // namespace ftlab
