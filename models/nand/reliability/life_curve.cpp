#include "models/nand/reliability/life_curve.h"

#include "sim/config/keys.h"
#include "sim/core/check.h"
#include "sim/core/uint128.h"

namespace ftlab {
namespace {

constexpr std::uint64_t kDayNs = 86'400'000'000'000;

}  // namespace

LifeCurveConfig read_life_curve(Reader reader) {
  LifeCurveConfig config;
  read_sourced(reader, "days", config.days, 1, 36'500, "writes wait so that the flash's erases last so long");
  read_sourced(reader, "credit_permille", config.credit_permille, 0, 1000, "share of all erases that is allowed at once");
  read_sourced_or(reader, "powered_days", config.powered_days, 0, 36'500, "days with power before the run");
  reader.finish();
  return config;
}

LifeCurve::LifeCurve(const LifeCurveConfig& config, std::uint64_t pages, std::uint32_t limit, std::uint32_t worn)
    : budget_(pages * limit),
      past_(pages * worn),
      days_(config.days * kDayNs),
      behind_(config.powered_days * kDayNs + config.days * (kDayNs / 1000) * config.credit_permille) {
  FTLAB_CHECK(config.on() && pages > 0 && limit > 0, "a life curve of no days, or of a flash that does not wear");
}

// The used share of the budget is the share of the days that must have passed.
Nanoseconds LifeCurve::earliest(std::uint64_t programmed) const {
  const Uint128 used = Uint128{past_ + programmed} * days_.count();
  const auto due = static_cast<std::uint64_t>((used + budget_ - 1) / budget_);
  return due <= behind_.count() ? Nanoseconds{0} : Nanoseconds{due} - behind_;
}

}  // namespace ftlab
