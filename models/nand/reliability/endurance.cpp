#include "models/nand/reliability/endurance.h"

#include <algorithm>
#include <utility>

#include "models/nand/timing/normal.h"

namespace ftlab {
namespace {

std::uint32_t draw_limit(const EnduranceConfig& config, RandomStream& random) {
  const std::int64_t mean = config.program_erase_limit;
  const std::int64_t least = std::max<std::int64_t>(mean / 10, 1);
  for (;;) {
    const std::int64_t z = normal(random);
    const std::int64_t limit = mean + deviation(mean, config.limit_spread_permille, z);
    if (z >= -4 * kSigma && z <= 4 * kSigma && limit >= least) return static_cast<std::uint32_t>(limit);
  }
}

std::uint32_t optional(Reader& reader, const char* key, std::uint64_t high) {
  return reader.has(key) ? static_cast<std::uint32_t>(reader.sourced(key, 0, high).value) : 0;
}

void check_life_curve(const Reader& reader, const EnduranceConfig& config) {
  const std::uint64_t limit = config.program_erase_limit;
  if (limit == 0)
    reader.refuse("life_curve", "limits erases per day, but the drive has no erase limit", "with program_erase_limit");
  const LifeCurveConfig& curve = config.life_curve;
  const std::uint64_t due = (std::uint64_t{config.worn_cycles} * curve.days + limit - 1) / limit;  // day they are allowed
  const std::uint64_t credit = std::uint64_t{curve.days} * curve.credit_permille / 1000;
  if (due <= credit + curve.powered_days) return;
  reader.refuse("life_curve.powered_days",
                "lies before the day from which worn_cycles are allowed: the first write would wait for years",
                "at least " + std::to_string(due - credit));
}

}  // namespace

EnduranceConfig read_endurance(Reader reader) {
  EnduranceConfig config;
  config.program_erase_limit = optional(reader, "program_erase_limit", 100'000'000);
  config.limit_spread_permille = optional(reader, "limit_spread_permille", 300);  // -3 sigma: a tenth of the mean
  config.factory_bad_per_million = optional(reader, "factory_bad_per_million", 1'000'000);
  config.program_failures_per_billion = optional(reader, "program_failures_per_billion", 1'000'000'000);
  config.erase_failures_per_billion = optional(reader, "erase_failures_per_billion", 1'000'000'000);
  config.specimen = reader.integer_or("specimen", 0, 0xffff'ffff, 1);
  config.worn_cycles = optional(reader, "worn_cycles", 1'000'000);
  if (config.program_erase_limit > 0 && config.worn_cycles >= config.program_erase_limit) {
    reader.refuse("worn_cycles", "leaves nothing of program_erase_limit",
                  "at most " + std::to_string(config.program_erase_limit - 1));
  }
  if (reader.has("warranty_days")) {
    config.warranty_days = static_cast<std::uint32_t>(reader.sourced("warranty_days", 1, 36'500).value);
  }
  if (config.limit_spread_permille > 0 && config.program_erase_limit == 0) {
    reader.refuse("limit_spread_permille", "has no effect without program_erase_limit, the mean of the limits",
                  "0, or a program_erase_limit");
  }
  if (auto curve = reader.object_if_present("life_curve")) {
    config.life_curve = read_life_curve(std::move(*curve));
    check_life_curve(reader, config);
  }
  reader.finish();
  return config;
}

Endurance::Endurance(const EnduranceConfig& config, std::uint32_t block_count, RandomStream random)
    : config_(config),
      limit_(block_count, kUnlimited),
      factory_bad_(block_count),
      program_random_(random.bits(), "endurance.program_failures"),
      erase_random_(random.bits(), "endurance.erase_failures") {
  FTLAB_CHECK(config.limit_spread_permille <= 300, "a spread of limits this wide leaves too little above a tenth");
  FTLAB_CHECK(config.program_erase_limit <= 100'000'000, "the limit of program/erase cycles is beyond fixed point");
  FTLAB_CHECK(config.factory_bad_per_million <= 1'000'000, "more factory bad blocks than blocks");
  FTLAB_CHECK(config.program_failures_per_billion <= 1'000'000'000 && config.erase_failures_per_billion <= 1'000'000'000,
              "operations fail more often than they are done");
  draw_factory_bad(RandomStream(random.bits(), "endurance.factory_bad"));
  draw_limits(RandomStream(random.bits(), "endurance.limits"));
}

void Endurance::draw_factory_bad(RandomStream random) {
  for (std::uint32_t b = 0; b < block_count(); ++b) {
    factory_bad_[b] = random.chance(config_.factory_bad_per_million, 1'000'000);
  }
}

void Endurance::draw_limits(RandomStream random) {
  if (config_.program_erase_limit == 0) return;
  for (std::uint32_t b = 0; b < block_count(); ++b) limit_[b] = draw_limit(config_, random);
}

}  // namespace ftlab
