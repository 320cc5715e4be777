// When the power of a served drive fails, from `--inject power-cut@WHEN`:
//   requests:N       once N requests were submitted, before the last of them is answered
//   time:SECONDS     at this moment of simulated time
//   random:SEED:N    again and again, after 1 to 2 N - 1 writes and up to 2 ms of simulated time more
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
  // The words behind --inject; `seed`: of the fates. Throws ConfigError.
  explicit PowerCutPlan(const std::vector<std::string>& words, std::uint64_t seed = 1);

  bool empty() const { return empty_; }  // no cut was ever to come
  // Told of each request when it is submitted.
  void submitted(Op op, Nanoseconds at);
  // The next cut, as far as it is known; kNever.
  Nanoseconds next() const;
  // Whether it may come with one of the next `requests` requests, or before `until`.
  bool near(std::uint64_t requests, Nanoseconds until) const;
  // The next cut comes with one of the next 256 requests, or within 20 ms: time to watch the flash.
  bool near(Nanoseconds now) const { return near(256, now + Nanoseconds{20'000'000}); }
  // What becomes of the flash's operations at the next cut, drawn anew: PowerEvent::fates.
  std::uint64_t draw_fates() { return fates_.bits(); }
  // The power has failed at next(); all cuts until then were this one.
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
  std::uint64_t drawn_ = 0;  // the write behind which the next random cut comes
  std::uint64_t submitted_ = 0, writes_ = 0;
  Nanoseconds known_ = kNever;  // of a request that has been submitted
};

}  // namespace ftlab
