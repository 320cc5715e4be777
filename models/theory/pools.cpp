#include "models/theory/pools.h"

#include <limits>

#include "models/theory/uniform.h"

namespace ftlab {

namespace {

double pool_wa(const WaSetting& setting, Eigen::Index kind, double blocks) {
  WaSetting pool = setting;
  pool.utilisation = setting.utilisation * setting.classes.pages(kind) / blocks;
  return pool.utilisation < 1 ? uniform_wa(pool) : std::numeric_limits<double>::infinity();
}

}  // namespace

double pools_wa(const WaSetting& setting) {
  const double hot_writes = setting.classes.writes(0);
  return hot_writes * pool_wa(setting, 0, setting.hot_blocks) +
         (1 - hot_writes) * pool_wa(setting, 1, 1 - setting.hot_blocks);
}

}  // namespace ftlab
