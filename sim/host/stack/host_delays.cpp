#include "sim/host/stack/host_delays.h"

#include <algorithm>
#include <cmath>

#include "sim/core/exact_math.h"

namespace ftlab {
namespace {

constexpr std::uint32_t kMillion = 1'000'000;

// Normal distribution function, to 1e-7: Abramowitz and Stegun, "Handbook of Mathematical Functions", 26.2.17.
double share_below(double x) {
  const double t = 1 / (1 + 0.2316419 * std::abs(x));
  const double sum = t * (0.319381530 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const double beyond = 0.3989422804014327 * exact_exp(-x * x / 2) * sum;
  return x < 0 ? beyond : 1 - beyond;
}

}  // namespace

Nanoseconds HostDelays::draw(Nanoseconds now) {
  if (classes_.empty()) return Nanoseconds{0};
  if (together_.permille == 0) return draw_alone();
  wander(now);
  const double r = together_.permille / 1000.0;
  return at_rank(share_below(std::sqrt(r) * *host_ + std::sqrt(1 - r) * normal()) * kMillion);
}

Nanoseconds HostDelays::draw_alone() {
  std::uint64_t drawn = random_.below(kMillion);
  for (const HostDelay& delay : classes_) {
    if (drawn < delay.per_million) return delay.least + Nanoseconds{random_.below((delay.most - delay.least).count() + 1)};
    drawn -= delay.per_million;
  }
  return Nanoseconds{0};
}

void HostDelays::wander(Nanoseconds now) {
  if (!host_) {
    host_ = normal();
  } else if (now > host_at_) {
    const double passed = static_cast<double>((now - host_at_).count());
    const double left = exact_exp(-passed / static_cast<double>(together_.wander_over.count()));
    host_ = left * *host_ + std::sqrt(1 - left * left) * normal();
  }
  host_at_ = std::max(host_at_, now);
}

Nanoseconds HostDelays::at_rank(double of_million) const {
  double rank = of_million - kMillion;
  for (const HostDelay& delay : classes_) rank += delay.per_million;
  if (rank < 0) return Nanoseconds{0};
  for (const HostDelay& delay : classes_) {
    const double range = static_cast<double>((delay.most - delay.least).count());
    if (rank < delay.per_million)
      return delay.least + Nanoseconds{static_cast<std::uint64_t>(range * rank / delay.per_million)};
    rank -= delay.per_million;
  }
  return classes_.back().most;
}

// Marsaglia's polar method; the second number of each pair is not used.
double HostDelays::normal() {
  const auto uniform = [this] { return static_cast<double>(random_.bits() >> 11) * 0x1p-52 - 1; };
  for (;;) {
    const double u = uniform(), v = uniform(), square = u * u + v * v;
    if (square > 0 && square < 1) return u * std::sqrt(-2 * exact_log(square) / square);
  }
}

}  // namespace ftlab
