#include "validation/results/health/wear_forecast.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "sim/core/check.h"

namespace ftlab {
namespace {

constexpr double kEndless = std::numeric_limits<double>::infinity();
constexpr std::size_t kMostSteps = 64;

// A block that is not bad, and the forecast of its end.
struct Lasting {
  double erases;
  double limit;  // last good erase plus 0.5: on average a block is halfway to its next erase
  double ends;   // mean erases of all blocks when this one fails
};

std::vector<double> erases_of(const std::vector<Lasting>& blocks) {
  std::vector<double> erases;
  for (const Lasting& block : blocks) erases.push_back(block.erases);
  return erases;
}

std::uint32_t groups_of(const Defects& defects) { return defects.group_of(SuperblockId{defects.superblocks() - 1}) + 1; }

bool is_bad(BlockUse use) { return use == BlockUse::factory_bad || use == BlockUse::grown_bad; }

std::vector<Lasting> lasting_blocks(const Drive& drive) {
  const BadBlockTable& health = *drive.flash().health;
  const double before = drive.config().endurance.worn_cycles;
  std::vector<Lasting> blocks;
  for (std::uint32_t b = 0; b < health.defects().block_count(); ++b) {
    if (is_bad(health.defects().use(b))) continue;
    blocks.push_back({health.erases(b) - before, health.endurance().limit(b) - before + 0.5, kEndless});
  }
  return blocks;
}

std::vector<std::vector<double>> ends_of_lanes(const Defects& defects, const std::vector<Lasting>& blocks) {
  std::vector<std::vector<double>> ends(groups_of(defects) * defects.lanes_per_superblock());
  auto block = blocks.begin();
  for (std::uint32_t b = 0; b < defects.block_count(); ++b) {
    if (!is_bad(defects.use(b))) ends[defects.group_lane(b)].push_back((block++)->ends);
  }
  for (std::vector<double>& of_lane : ends) std::sort(of_lane.begin(), of_lane.end());
  return ends;
}

// Mean erases at which superblocks retire, in ascending order.
std::vector<double> retirements(const Drive& drive, const std::vector<Lasting>& blocks) {
  const Defects& defects = drive.flash().health->defects();
  const std::vector<std::vector<double>> ends = ends_of_lanes(defects, blocks);
  const std::uint32_t lanes = defects.lanes_per_superblock();
  std::vector<double> means;
  for (std::uint32_t group = 0; group < groups_of(defects); ++group) {
    std::vector<double> of_group;
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      const std::vector<double>& of_lane = ends[group * lanes + lane];
      const std::size_t spares = defects.spares(group, lane);
      of_group.resize(of_lane.size() - spares, kEndless);
      for (std::size_t i = spares; i < of_lane.size(); ++i)
        of_group[i - spares] = std::min(of_group[i - spares], of_lane[i]);
    }
    means.insert(means.end(), of_group.begin(), of_group.end());
  }
  std::sort(means.begin(), means.end());
  return means;
}

// How many superblocks a pool can lose, and its share of the failures.
struct Pool {
  double losable;  // superblocks; one more ends the pool
  bool needed;
  double share;  // erases in it / all erases
};

std::vector<Pool> pools_of(const Drive& drive) {
  const Blocks& blocks = drive.ftl().store().blocks();
  std::vector<Pool> pools;
  double collected = 0;
  for (std::uint32_t pool = 0; pool < blocks.free().pools(); ++pool) {
    const auto needed = static_cast<double>(
        superblocks_needed_of(drive.config().ftl, drive.medium().layout(), pool, drive.config().logical_pages()));
    const double left = blocks.free().quota(pool);
    pools.push_back({std::max(0.0, left - needed), needed > 0,
                     left > 0 ? static_cast<double>(drive.ftl().collection().collected(pool)) : 0});
    collected += pools.back().share;
  }
  for (Pool& pool : pools) pool.share = collected > 0 ? pool.share / collected : 1;  // 0: log blocks are merged, in one pool
  return pools;
}

struct PoolEnd {
  std::uint32_t pool;
  double retired;  // retired superblocks of all pools when it ends
};

PoolEnd first_to_end(const std::vector<Pool>& pools) {
  double losable = 1;
  for (const Pool& pool : pools) losable += pool.losable;
  PoolEnd first{0, kEndless};
  for (std::uint32_t pool = 0; pool < pools.size(); ++pool) {
    if (!pools[pool].needed) continue;
    const double retired = std::min((pools[pool].losable + 1) / pools[pool].share, losable);
    if (retired < first.retired) first = {pool, std::ceil(retired)};
  }
  return first;
}

// Host bytes that erases are worth, given the number of retired superblocks.
class WorthOfErases {
 public:
  WorthOfErases(const Drive& drive, const std::vector<Pool>& pools, const Counters& window)
      : host_bytes_(static_cast<double>(window.host_write_bytes) / static_cast<double>(window.block_erases)),
        relocation_(static_cast<double>(window.media_relocation_bytes) /
                    static_cast<double>(std::max<std::uint64_t>(window.media_write_bytes(), 1))) {
    const Blocks& blocks = drive.ftl().store().blocks();
    const std::span<const std::uint32_t> counts = blocks.columns().valid.view();
    const auto valid = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
    const double data = static_cast<double>(valid) / drive.medium().layout().data_pages();
    usable_ = blocks.count() - blocks.free().retired();
    stale_ = std::max(usable_ - data, 1.0);
    for (const Pool& pool : pools) {
      if (pool.needed || pool.share == 0) continue;
      cache_lost_ = pool.losable / pool.share;
      cache_share_ = pool.share;
    }
  }

  // Once lost, the pSLC cache takes no erases.
  double host_bytes(double erases, double retired) const {
    const double now = stale_ / usable_;
    const double then = std::max(stale_ - retired, 1.0) / std::max(usable_ - retired, 1.0);
    const double more = 1 + relocation_ * (now / then - 1);
    return erases * host_bytes_ / more / (retired > cache_lost_ ? 1 - cache_share_ : 1);
  }

 private:
  double host_bytes_, relocation_;
  double usable_, stale_;  // superblocks, and how many would be empty if the data were packed
  double cache_lost_ = kEndless, cache_share_ = 0;
};

double erases_until(const WearGrowth& growth, const std::vector<Lasting>& blocks, double mean) {
  double sum = 0;
  for (const Lasting& block : blocks)
    sum += std::max(0.0, std::min(growth.erases(block.erases, mean), block.limit) - block.erases);
  return sum;
}

// The smallest variance that integers with this mean can have.
double least_variance(double mean) {
  const double part = mean - std::floor(mean);
  return part * (1 - part);
}

constexpr double kMostPower = 4;  // limit, e.g. if the variance was 0 before

double power_of(double growth, double mean_growth) {
  return std::clamp(std::log(growth) / std::log(mean_growth), 0.0, kMostPower);
}

}  // namespace

WearGrowth::WearGrowth(const std::vector<double>& erases, double erased, double squares) {
  const auto count = static_cast<double>(erases.size());
  double sum = 0, sum_of_squares = 0;
  for (const double of_block : erases) {
    sum += of_block;
    sum_of_squares += of_block * of_block;
  }
  mean_ = sum / count;
  variance_ = std::max(0.0, sum_of_squares / count - mean_ * mean_);
  excess_ = std::max(0.0, variance_ - least_variance(mean_));
  const double mean_before = std::max(0.0, sum - erased) / count;
  const double before = std::max(0.0, sum_of_squares - squares) / count - mean_before * mean_before;
  if (excess_ == 0 || mean_ <= mean_before) return;
  const double excess_before = std::max(before - least_variance(mean_before), 1e-9);
  power_ = mean_before == 0 ? 1 : power_of(excess_ / excess_before, mean_ / mean_before);
}

double WearGrowth::spread(double mean) const {
  const double times = mean / std::max(mean_, 1e-9);
  double growth = 0;
  if (power_ <= 1) {
    growth = std::pow(times, power_);
  } else if (power_ <= 2) {
    growth = times * ((power_ - 1) * times + 2 - power_);
  } else {
    growth = std::pow(1 + power_ / 2 * (times - 1), 2);
  }
  return std::sqrt(variance_ + excess_ * (growth - 1));
}

double WearGrowth::erases(double now, double mean) const {
  if (variance_ == 0) return now + mean - mean_;
  return std::max(now, mean + (now - mean_) * spread(mean) / std::sqrt(variance_));
}

double WearGrowth::mean_when(double now, double wanted) const {
  if (erases(now, mean_) >= wanted) return mean_;
  double low = mean_, high = 2 * std::max(mean_, wanted);
  while (erases(now, high) < wanted) {
    low = high;
    high *= 2;
    if (high > 1e3 * std::max(mean_, wanted)) return kEndless;
  }
  for (int i = 0; i < 40; ++i) (erases(now, (low + high) / 2) < wanted ? low : high) = (low + high) / 2;
  return high;
}

WearForecast forecast_wear(const Drive& drive, const Counters& window, const Counters& half) {
  FTLAB_CHECK(drive.flash().health.has_value() && window.host_write_bytes > 0 && window.block_erases > 0,
              "a forecast of wear needs writes and erases");
  std::vector<Lasting> blocks = lasting_blocks(drive);
  const WearGrowth growth(erases_of(blocks), static_cast<double>(half.block_erases),
                          static_cast<double>(half.squared_block_erases));
  for (Lasting& block : blocks) block.ends = growth.mean_when(block.erases, block.limit);
  std::vector<double> means = retirements(drive, blocks);
  const std::vector<Pool> pools = pools_of(drive);
  const PoolEnd end = first_to_end(pools);
  means.resize(std::min(means.size(), static_cast<std::size_t>(end.retired)));
  means.erase(std::find(means.begin(), means.end(), kEndless), means.end());
  const WorthOfErases worth(drive, pools, window);
  WearForecast forecast{0, end.pool};
  double erases = 0;
  const std::size_t step = means.size() / kMostSteps + 1;
  for (std::size_t retired = 0; retired < means.size(); retired += step) {
    const std::size_t last = std::min(retired + step, means.size()) - 1;
    const double until = erases_until(growth, blocks, means[last]);
    forecast.host_bytes += worth.host_bytes(until - erases, static_cast<double>(retired + last) / 2);
    erases = until;
  }
  return forecast;
}

}  // namespace ftlab
