#include "models/hdd/mechanism.h"

#include <algorithm>
#include <string>

#include "sim/core/check.h"

namespace ftlab {
namespace {

std::uint64_t short_seek(const SeekConfig& config, std::uint64_t distance) {
  const std::uint64_t root = config.short_root.count();
  return config.short_base.count() + integer_root(root * root * distance);
}

std::uint64_t long_seek(const SeekConfig& config, std::uint64_t distance) {
  return config.long_base.count() + config.long_per_1000.count() * distance / 1000;
}

}  // namespace

// Newton's iteration from above; it ends when a step no longer decreases.
std::uint64_t integer_root(std::uint64_t x) {
  if (x < 2) return x;
  std::uint64_t root = std::uint64_t{1} << ((65 - static_cast<unsigned>(__builtin_clzll(x))) / 2);
  for (;;) {
    const std::uint64_t next = (root + x / root) / 2;
    if (next >= root) return root;
    root = next;
  }
}

SeekConfig read_seek(Reader reader, std::uint32_t cylinders) {
  constexpr std::uint64_t kMost = 100'000'000;  // 0.1 s
  const auto time = [&reader](const char* key, std::uint64_t most) {
    return Nanoseconds{reader.sourced(key, 0, most).value};
  };
  SeekConfig config;
  config.long_from = static_cast<std::uint32_t>(reader.sourced("long_from_cylinders", 1, 1'000'000).value);
  config.short_base = time("short_base_ns", kMost);
  config.short_root = time("short_root_ns", 1'000'000);
  config.long_base = time("long_base_ns", kMost);
  config.long_per_1000 = time("long_per_1000_cylinders_ns", kMost);
  config.head_switch = time("head_switch_ns", kMost);
  config.write_settle = time("write_settle_ns", kMost);
  const std::uint64_t before = short_seek(config, config.long_from - 1), at = long_seek(config, config.long_from);
  if (config.long_from < cylinders && at < before) {
    reader.refuse("long_base_ns",
                  "makes a seek over " + std::to_string(config.long_from) + " cylinders take " + std::to_string(at) +
                      " ns, less than the short one before it, " + std::to_string(before),
                  "a curve that does not fall");
  }
  reader.finish();
  return config;
}

SeekCurve::SeekCurve(const SeekConfig& config, std::uint32_t cylinders)
    : head_switch_(config.head_switch), write_settle_(config.write_settle), times_(cylinders) {
  for (std::uint32_t d = 1; d < cylinders; ++d) {
    const std::uint64_t time = d < config.long_from ? short_seek(config, d) : long_seek(config, d);
    FTLAB_CHECK(time <= 0xffff'ffff, "a seek of " + std::to_string(time) + " ns");
    times_[d] = static_cast<std::uint32_t>(time);
  }
}

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
