#include "validation/results/health/endurance_result.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "ftl/drive/smart_log.h"

namespace ftlab {
namespace {

using Json = nlohmann::ordered_json;

double mean_of(const std::vector<std::uint32_t>& values) {
  double sum = 0;
  for (const std::uint32_t value : values) sum += value;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

double deviation_of(const std::vector<std::uint32_t>& values, double mean) {
  double squares = 0;
  for (const std::uint32_t value : values) squares += (value - mean) * (value - mean);
  return values.empty() ? 0 : std::sqrt(squares / static_cast<double>(values.size()));
}

Json histogram_of(const std::vector<std::uint32_t>& values, std::uint32_t least, std::uint32_t most) {
  constexpr std::uint32_t kClasses = 16;
  const std::uint32_t width = (most - least) / kClasses + 1;
  std::vector<std::uint64_t> blocks((most - least) / width + 1);
  for (const std::uint32_t value : values) ++blocks[(value - least) / width];
  Json classes = Json::array();
  for (std::uint32_t c = 0; c < blocks.size(); ++c) {
    classes.push_back({{"from", least + c * width}, {"below", least + (c + 1) * width}, {"blocks", blocks[c]}});
  }
  return classes;
}

// Until the end of life, which the drive goes on towards at the write amplification `wa`; 0: at that of its life so far.
void add_tbw(Life& life, const Drive& drive, double mean_erases, double wa) {
  const EnduranceConfig& config = drive.config().endurance;
  if (wa > 0) life.wa = wa;
  if (life.read_only) {
    life.tbw_bytes = life.written_bytes;
    life.wa = static_cast<double>(drive.counters().media_write_bytes()) / std::max(life.written_bytes, 1.0);
    return;
  }
  if (config.program_erase_limit == 0) return;
  const double left = config.program_erase_limit - mean_erases;
  const double lived = mean_erases - config.worn_cycles;
  if (wa > 0 && left > 0) {
    const Layout& layout = drive.medium().layout();
    const double bytes = static_cast<double>(layout.page_count()) * layout.slot_bytes();
    life.tbw_bytes = std::floor(life.written_bytes + left * bytes / wa);
  } else if (lived > 0) {
    life.wa = std::nullopt;
    life.tbw_bytes = std::floor(life.written_bytes * ((config.program_erase_limit - config.worn_cycles) / lived));
  }
}

Life life_of(const Drive& drive, double mean_erases, const LifeBasis& basis) {
  const EnduranceConfig& config = drive.config().endurance;
  const auto user_bytes = static_cast<double>(drive.config().user_bytes);
  Life life;
  life.read_only = drive.ftl().read_only();
  life.written_bytes = static_cast<double>(drive.counters().host_write_bytes);
  if (config.program_erase_limit > 0) life.used_percent = 100 * mean_erases / config.program_erase_limit;
  add_tbw(life, drive, mean_erases, basis.wa);
  if (life.tbw_bytes && config.warranty_days > 0) life.dwpd = *life.tbw_bytes / (user_bytes * config.warranty_days);
  life.add_years(user_bytes, basis);
  return life;
}

}  // namespace

Json erase_counts(const Drive& drive, const Counters& run) {
  const std::vector<std::uint32_t> erases = block_erases(drive);
  const std::uint32_t least = erases.empty() ? 0 : *std::min_element(erases.begin(), erases.end());
  const std::uint32_t most = erases.empty() ? 0 : *std::max_element(erases.begin(), erases.end());
  const double mean = mean_of(erases);
  return {{"blocks_erased", run.block_erases},
          {"per_block_min", least},
          {"per_block_mean", mean},
          {"per_block_max", most},
          {"per_block_stddev", deviation_of(erases, mean)},
          {"blocks", erases.size()},
          {"histogram", histogram_of(erases, least, most)}};
}

Json endurance(const Drive& drive, const LifeBasis& basis) {
  const Counters all = drive.counters();
  const Blocks& blocks = drive.ftl().store().blocks();
  Json json = {{"bad_blocks", all.bad_blocks},
               {"bad_blocks_factory", drive.health() == nullptr ? 0 : drive.health()->defects().factory_bad()},
               {"spare_blocks", all.spare_blocks},
               {"program_failures", all.program_failures},
               {"erase_failures", all.erase_failures},
               {"superblocks_usable", blocks.count() - blocks.retired_count()},
               {"superblocks_needed",
                superblocks_needed(drive.config().ftl, drive.medium().layout(), drive.config().logical_pages())},
               {"host_bytes_written", all.host_write_bytes},
               {"tbw_reached", drive.ftl().read_only()},
               {"read_only", drive.ftl().read_only()}};
  add_life(json, life_of(drive, mean_of(block_erases(drive)), basis));
  return json;
}

}  // namespace ftlab
