#include "sim/stats/steady_state.h"

#include <algorithm>
#include <cmath>

#include "sim/stats/rate.h"

namespace ftlab {

namespace {

double mean_of(const std::vector<std::uint64_t>& samples) {
  double sum = 0;
  for (const std::uint64_t sample : samples) sum += static_cast<double>(sample);
  return sum / static_cast<double>(samples.size());
}

double farthest_from(double mean, const std::vector<std::uint64_t>& samples) {
  double farthest = 0;
  for (const std::uint64_t sample : samples) farthest = std::max(farthest, std::abs(static_cast<double>(sample) - mean));
  return farthest;
}

}  // namespace

namespace {

const std::vector<std::uint64_t>& samples_of(const SteadyResult& result) {
  using Figure = SteadyCriterion::Figure;
  if (result.wanted.figure == Figure::latency) return result.latency_ns;
  return result.wanted.figure == Figure::bandwidth ? result.bytes_per_s : result.iops;
}

}  // namespace

bool SteadyState::sample(std::uint64_t bytes, std::uint64_t requests, std::uint64_t latency_ns_sum) {
  if (begun_) {
    const std::uint64_t came_back = requests - requests_;
    keep(result_.latency_ns, came_back == 0 ? 0 : (latency_ns_sum - latency_ns_sum_) / came_back);
    keep(result_.bytes_per_s, per_s(bytes - bytes_, result_.wanted.interval));
    keep(result_.iops, per_s(requests - requests_, result_.wanted.interval));
  }
  begun_ = true;
  bytes_ = bytes;
  requests_ = requests;
  latency_ns_sum_ = latency_ns_sum;
  const std::vector<std::uint64_t>& samples = samples_of(result_);
  if (samples.size() < wanted_count()) return false;
  const double mean = mean_of(samples);
  result_.slope = result_.wanted.slope ? slope_of(samples) : 0;
  result_.max_deviation = result_.wanted.slope ? 0 : farthest_from(mean, samples);
  const double measure = result_.wanted.slope ? std::abs(result_.slope) : result_.max_deviation;
  if (mean == 0) return false;  // a job that does nothing is not steady
  result_.criterion = result_.wanted.percent ? measure / mean * 100 : measure;
  result_.attained = result_.criterion < result_.wanted.limit;
  return result_.attained;
}

std::size_t SteadyState::wanted_count() const {
  return static_cast<std::size_t>(result_.wanted.duration.count() / result_.wanted.interval.count());
}

void SteadyState::keep(std::vector<std::uint64_t>& samples, std::uint64_t value) {
  if (samples.size() == wanted_count()) samples.erase(samples.begin());
  samples.push_back(value);
}

// Least-squares slope over the numbers of the samples.
double SteadyState::slope_of(const std::vector<std::uint64_t>& samples) const {
  const auto n = static_cast<double>(samples.size());
  if (samples.size() < 2) return 0;
  const double middle = (n - 1) / 2, mean = mean_of(samples);
  double products = 0, squares = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double x = static_cast<double>(i) - middle;
    products += x * (static_cast<double>(samples[i]) - mean);
    squares += x * x;
  }
  return products / squares;
}

}  // namespace ftlab
