#include "bindings/nbd/serving_clock.h"

#include <cmath>
#include <cstdlib>

#include "sim/core/error.h"

namespace ftlab {
namespace {

constexpr double kSlowest = 0.001, kFastest = 1000;

Nanoseconds times(Nanoseconds length, double factor) {
  return Nanoseconds{static_cast<std::uint64_t>(std::llround(static_cast<double>(length.count()) * factor))};
}

}  // namespace

ServingClock::ServingClock(const std::string& word) : word_(word) {
  const std::string scaled = "scaled:";
  if (word == "free") {
    free_ = true;
  } else if (word.starts_with(scaled)) {
    const char* const text = word.c_str() + scaled.size();
    char* end = nullptr;
    speed_ = std::strtod(text, &end);
    if (end == text || *end != '\0' || !(speed_ >= kSlowest && speed_ <= kFastest))
      throw ConfigError({"--time", 0}, "", "is not a speed", word, "scaled:0.001 to scaled:1000");
  } else if (word != "real") {
    throw ConfigError({"--time", 0}, "", "is not known", word, "free, real, scaled:N",
                      nearest_name(word, {"free", "real", "scaled:N"}));
  }
}

Nanoseconds ServingClock::at(Nanoseconds wall) const {
  return wall <= wall_ ? simulated_ : simulated_ + (speed_ == 1 ? wall - wall_ : times(wall - wall_, speed_));
}

Nanoseconds ServingClock::wall_at(Nanoseconds simulated) const {
  return simulated <= simulated_ ? wall_ : wall_ + times(simulated - simulated_, 1 / speed_);
}

void ServingClock::anchor(Nanoseconds simulated, Nanoseconds wall) {
  begun_ = true;
  simulated_ = simulated;
  wall_ = wall;
}

}  // namespace ftlab
