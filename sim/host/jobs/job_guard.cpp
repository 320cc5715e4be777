#include "sim/host/jobs/job_guard.h"

#include "sim/stats/rate.h"

namespace ftlab {

namespace {

constexpr Nanoseconds kSettling{2'000'000'000};

std::string rate_text(const char* option, std::uint64_t least, std::uint64_t reached) {
  return std::string(option) + "=" + std::to_string(least) + " not met, only " + std::to_string(reached);
}

}  // namespace

void JobGuard::completed(Direction direction, std::uint64_t bytes, Nanoseconds now, Nanoseconds latency) {
  const auto d = static_cast<std::size_t>(direction);
  if (flow_.longest[d] != Nanoseconds{0} && latency > flow_.longest[d])
    return fail(kTimedOut, "a request took " + std::to_string(latency.count()) + " ns, max_latency is " +
                               std::to_string(flow_.longest[d].count()) + " ns");
  bytes_[d] += bytes;
  ++requests_[d];
  if (now - begin_ < kSettling) return;
  for (std::size_t each = 0; each < kDirectionCount && !failure_; ++each) check_rate(each, now);
}

void JobGuard::check_rate(std::size_t d, Nanoseconds now) {
  if ((flow_.least_bytes_per_s[d] == 0 && flow_.least_iops[d] == 0) || requests_[d] == 0) return;
  Cycle& cycle = cycles_[d];
  const Nanoseconds length = now - cycle.start;
  if (cycle.begun && length < flow_.rate_cycle) return;
  const std::uint64_t rate = per_s(bytes_[d] - cycle.bytes, length);
  const std::uint64_t iops = per_s(requests_[d] - cycle.requests, length);
  const bool complete = cycle.begun;
  cycle = {true, now, bytes_[d], requests_[d]};
  if (complete && rate < flow_.least_bytes_per_s[d]) fail(kIoError, rate_text("rate_min", flow_.least_bytes_per_s[d], rate));
  if (complete && iops < flow_.least_iops[d]) fail(kIoError, rate_text("rate_iops_min", flow_.least_iops[d], iops));
}

}  // namespace ftlab
