// When the power of a served drive fails, from `--inject power-cut@WHEN`:
//   requests:N       after N requests were submitted, before the last of them is answered
//   time:SECONDS     at this simulated time
//   random:SEED:N    repeatedly, after 1 to 2 N - 1 writes and up to 2 ms of simulated time more
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/random.h"
#include "sim/request.h"

namespace ftlab {

class PowerCutPlan {
 public:
  // `words`: the values of --inject. `seed`: for draw_fates(). Throws ConfigError.
  explicit PowerCutPlan(const std::vector<std::string>& words, std::uint64_t seed = 1);

  bool empty() const { return empty_; }  // no cut was ever planned
  // To be called for each request when it is submitted.
  void submitted(Op op, Nanoseconds at);
  // Time of the next cut, or kNever if not known yet.
  Nanoseconds next() const;
  // True if a cut may come with one of the next `requests` requests or before `until`.
  bool near(std::uint64_t requests, Nanoseconds until) const;
  // True if a cut may come with one of the next 256 requests or within 20 ms, so the flash has to be watched.
  bool near(Nanoseconds now) const { return near(256, now + Nanoseconds{20'000'000}); }
  // Draws new fates for the flash operations in flight at the next cut: PowerEvent::fates.
  std::uint64_t draw_fates() { return fates_.bits(); }
  // The power failed at next(). Drops every cut that was planned until `now`.
  void passed(Nanoseconds now);

 private:
  void read(const std::string& word);
  void draw();

  bool empty_;
  RandomStream fates_;
  std::vector<std::uint64_t> requests_;  // descending
  std::vector<Nanoseconds> times_;       // descending
  std::optional<RandomStream> random_;
  std::uint64_t mean_writes_ = 0;
  std::uint64_t drawn_ = 0;  // index of the write after which the next random cut comes
  std::uint64_t submitted_ = 0, writes_ = 0;
  Nanoseconds known_ = kNever;  // next cut that follows a submitted request
};

}  // namespace ftlab
