#include "models/nand/reliability/endurance.h"

#include <algorithm>
#include <utility>

#include "models/nand/timing/normal.h"
#include "sim/config/keys.h"

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

constexpr std::uint32_t kMostSpread = 300;  // permille; -3 sigma: a tenth of the mean
constexpr std::uint64_t kBillion = 1'000'000'000;

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
  EnduranceConfig c;
  read_sourced_or(reader, "program_erase_limit", c.program_erase_limit, 0, 100'000'000,
                  "mean erases that a block survives; 0: any number");
  read_sourced_or(reader, "limit_spread_permille", c.limit_spread_permille, 0, kMostSpread,
                  "standard deviation of the limit between blocks");
  read_sourced_or(reader, "factory_bad_per_million", c.factory_bad_per_million, 0, 1'000'000, "blocks bad from the start");
  read_sourced_or(reader, "program_failures_per_billion", c.program_failures_per_billion, 0, kBillion,
                  "programs of a page that fail by chance");
  read_sourced_or(reader, "erase_failures_per_billion", c.erase_failures_per_billion, 0, kBillion,
                  "erases of a block that fail by chance");
  read_integer_or(reader, "specimen", c.specimen, 0, 0xffff'ffff, "seed of limits, bad blocks and failures");
  read_sourced_or(reader, "worn_cycles", c.worn_cycles, 0, 1'000'000, "erases of each block before the run");
  if (c.program_erase_limit > 0 && c.worn_cycles >= c.program_erase_limit) {
    reader.refuse("worn_cycles", "leaves nothing of program_erase_limit",
                  "at most " + std::to_string(c.program_erase_limit - 1));
  }
  read_sourced_or(reader, "warranty_days", c.warranty_days, 1, 36'500, "period over which DWPD is stated");
  if (c.limit_spread_permille > 0 && c.program_erase_limit == 0) {
    reader.refuse("limit_spread_permille", "has no effect without program_erase_limit, the mean of the limits",
                  "0, or a program_erase_limit");
  }
  if (auto curve = reader.object_if_present("life_curve")) {
    c.life_curve = read_life_curve(std::move(*curve));
    check_life_curve(reader, c);
  }
  reader.finish();
  return c;
}

Endurance::Endurance(const EnduranceConfig& config, std::uint32_t block_count, RandomStream random)
    : config_(config),
      limit_(block_count, kUnlimited),
      factory_bad_(block_count),
      program_random_(random.bits(), "endurance.program_failures"),
      erase_random_(random.bits(), "endurance.erase_failures") {
  FTLAB_CHECK(config.limit_spread_permille <= kMostSpread, "a spread of limits this wide leaves too little above a tenth");
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
