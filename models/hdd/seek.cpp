#include "models/hdd/seek.h"

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

}  // namespace ftlab
