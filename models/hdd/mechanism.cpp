#include "models/hdd/mechanism.h"

#include <algorithm>
#include <string>

#include "sim/core/check.h"

namespace ftlab {

Mechanism::Mechanism(const PlattersConfig& platters, const SeekConfig& seek, const LostRevolutions& lost,
                     const ErrorRecovery& recovery, std::uint64_t seed)
    : platters_(platters),
      curve_(seek, platters_.cylinders()),
      lost_config_(lost),
      recovery_config_(recovery),
      random_(seed, "lost revolutions"),
      errors_(seed, "disk errors") {}

Mechanism::Access Mechanism::access(Sector first, Sector count, Nanoseconds now, bool write) {
  FTLAB_CHECK(count > 0 && first + count <= platters_.sectors(),
              std::to_string(count) + " sectors from " + std::to_string(first));
  Access times;
  bool may_lose = first != next_;
  for (next_ = first + count; first < next_; may_lose = false) {
    const Place place = platters_.place(first);
    const auto on_track =
        static_cast<std::uint32_t>(std::min<Sector>(next_ - first, place.sectors_per_track - place.sector));
    const Nanoseconds moving = move(arm_, place, write);
    Platters::Arrival arrival = platters_.arrival(place, now + moving);
    if (moving.count() > 0) ++moves_;
    if (moving.count() == 0) may_lose = false;
    for (; may_lose && loses(write); ++lost_) arrival = platters_.next_turn(arrival);
    for (std::uint32_t left = may_lose ? recovery_of(write) : 0; left > 0; --left) arrival = platters_.next_turn(arrival);
    times.seek += moving;
    times.rotation += arrival.at - (now + moving);
    now = platters_.after(arrival, platters_.length(place, on_track));
    times.media += now - arrival.at;
    arm_ = {place.cylinder, place.head};
    first += on_track;
  }
  times.done = now;
  return times;
}

Mechanism::Progress Mechanism::read_on(Sector first, Sector end, Nanoseconds from, Nanoseconds until) {
  for (next_ = first; next_ < end;) {
    const Place place = platters_.place(next_);
    const auto wanted = static_cast<std::uint32_t>(std::min<Sector>(end - next_, place.sectors_per_track - place.sector));
    const Platters::Arrival arrival = platters_.arrival(place, from + move(arm_, place, false));
    if (arrival.at >= until) break;
    arm_ = {place.cylinder, place.head};
    const Nanoseconds done = platters_.after(arrival, platters_.length(place, wanted));
    if (done > until) {
      const std::uint32_t read = std::min(wanted, platters_.sectors_within(place, platters_.turned(arrival, until)));
      if (read > 0) from = platters_.after(arrival, platters_.length(place, read));
      next_ += read;
      break;
    }
    from = done;
    next_ += wanted;
  }
  return {next_, from};
}

}  // namespace ftlab
