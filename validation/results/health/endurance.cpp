#include "validation/results/health/endurance.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <spdlog/fmt/fmt.h>
#include <vector>

#include "ftl/drive/config/zone_gaps.h"
#include "ftl/drive/smart_log.h"
#include "validation/results/health/wear_forecast.h"

namespace ftlab {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kSecondsPerDay = 86'400, kDaysPerYear = 365;

struct LifeFigure {
  const char* name;
  std::optional<double> Life::*member;
};
constexpr LifeFigure kFigures[] = {{"percentage_used", &Life::used_percent},
                                   {"tbw_bytes", &Life::tbw_bytes},
                                   {"tbw_write_amplification", &Life::wa},
                                   {"dwpd", &Life::dwpd},
                                   {"host_write_bytes_per_s", &Life::bytes_per_s},
                                   {"years_left", &Life::years_left},
                                   {"years_left_at_one_drive_write_a_day", &Life::years_left_at_one_drive_write_a_day}};

std::optional<double> number_in(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number()) return std::nullopt;
  return found->get<double>();
}

std::string text_in(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

std::string line(const std::string& name, const std::string& value) { return fmt::format("  {:<24}{}\n", name, value); }
std::string terabytes(double bytes) { return fmt::format("{:.6g} TB", bytes / 1e12); }

std::string dwpd_text(const Life& life) {
  return life.dwpd ? fmt::format("{:.3g} drive writes a day", *life.dwpd)
                   : "drive writes a day unknown without endurance.warranty_days";
}

std::string used_text(const Life& life) {
  return fmt::format("{:.2f} %, {} written; ", *life.used_percent, terabytes(life.written_bytes));
}

std::string tbw_line(const Life& life) {
  if (!life.tbw_bytes) return line("life used", used_text(life) + "TBW not known: " + life.not_known);
  const std::string wa = life.wa ? fmt::format(" at write amplification {:.3f}", *life.wa) : "";
  const std::string pool = life.first_pool.empty() ? "" : fmt::format("; {} ends first", life.first_pool);
  return line("life used", used_text(life) + fmt::format("would end at {} (TBW{}, {}{})", terabytes(*life.tbw_bytes), wa,
                                                         dwpd_text(life), pool));
}

std::string years_line(const Life& life) {
  if (!life.tbw_bytes) return line("years left", "not known, as TBW");
  std::string text = fmt::format("{:.3g} at one drive write a day", *life.years_left_at_one_drive_write_a_day);
  text += life.years_left
              ? fmt::format(", {:.3g} at the {:.4g} MB/s written here", *life.years_left, *life.bytes_per_s / 1e6)
              : "; at the rate of a host unknown: no timed run with writes is looked at";
  return line("years left", text);
}

}  // namespace

void Life::add_years(double user_bytes, const LifeBasis& basis) {
  if (basis.time > Nanoseconds{0} && basis.host_bytes > 0)
    bytes_per_s = static_cast<double>(basis.host_bytes) * 1e9 / static_cast<double>(basis.time.count());
  if (!tbw_bytes) return;
  const double left = std::max(0.0, *tbw_bytes - written_bytes);
  years_left_at_one_drive_write_a_day = left / user_bytes / kDaysPerYear;
  if (bytes_per_s) years_left = left / *bytes_per_s / kSecondsPerDay / kDaysPerYear;
}

std::optional<Problem> problem_of(const Life& life) {
  if (!life.used_percent || life.not_known.empty()) return std::nullopt;
  return Problem{ProblemCode::not_written_over, "TBW, drive writes a day and years left are not known: " + life.not_known,
                 "write the drive over several times: a larger runtime or io_size"};
}

void add_life(Json& endurance, const Life& life) {
  for (const auto& [name, member] : kFigures) {
    endurance[name] = nullptr;
    if (life.*member) endurance[name] = *(life.*member);
  }
  endurance["life_not_known"] = life.not_known.empty() ? Json(nullptr) : Json(life.not_known);
  endurance["ends_first"] = life.first_pool.empty() ? Json(nullptr) : Json(life.first_pool);
  if (life.tbw_bytes) endurance["tbw_bytes"] = static_cast<std::uint64_t>(*life.tbw_bytes);  // whole bytes
}

std::optional<Life> life_of(const Json& endurance) {
  if (!endurance.is_object()) return std::nullopt;
  const std::optional<double> written = number_in(endurance, "host_bytes_written");
  if (!written || !endurance.contains(kFigures[0].name)) return std::nullopt;
  Life life;
  life.written_bytes = *written;
  life.read_only = endurance.contains("read_only") && endurance["read_only"] == true;
  for (const auto& [name, member] : kFigures) life.*member = number_in(endurance, name);
  if (!life.years_left_at_one_drive_write_a_day) life.tbw_bytes = std::nullopt;  // written by an older ftlab
  life.not_known = text_in(endurance, "life_not_known");
  if (!life.tbw_bytes && life.not_known.empty()) life.not_known = "the result does not say why";
  life.first_pool = text_in(endurance, "ends_first");
  return life;
}

std::string life_text(const std::optional<Life>& life) {
  if (!life) return line("life", "unknown: the result holds no ftlab.endurance");
  if (life->read_only)
    return line("end of life",
                fmt::format("read-only after {} of host writes (TBW, {}){}", terabytes(life->written_bytes),
                            dwpd_text(*life), life->wa ? fmt::format(", write amplification {:.3f}", *life->wa) : ""));
  if (!life->used_percent)
    return line("life",
                "TBW, drive writes a day and years left unknown: the drive file states no "
                "endurance.program_erase_limit");
  return tbw_line(*life) + years_line(*life);
}

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
  for (std::uint32_t c = 0; c < blocks.size(); ++c)
    classes.push_back({{"from", least + c * width}, {"below", least + (c + 1) * width}, {"blocks", blocks[c]}});
  return classes;
}

std::string terabytes(std::uint64_t bytes) { return fmt::format("{:.6g} TB", static_cast<double>(bytes) / 1e12); }

// Returns why the end of life cannot be forecast; empty if it can.
std::string why_not_known(const Drive& drive, const Counters& all, const Counters& window, const LifeBasis& basis) {
  const std::uint64_t user = without_zone_gaps(drive.config()).user_bytes;
  if (all.host_write_bytes < user)
    return "the host has not written the drive over (" + terabytes(all.host_write_bytes) + " of " + terabytes(user) + ")";
  const std::uint64_t before = all.host_write_bytes - (basis.half ? basis.half->host_write_bytes : 0);
  if (before < user)
    return "the first fill reaches into the second half of the run (" + terabytes(before) + " of " + terabytes(user) +
           " written before it)";
  if (window.host_write_bytes == 0) return "the host wrote nothing";
  return window.block_erases == 0 ? "nothing was erased" : "";
}

std::string name_of_pool(const FtlConfig& config, std::uint32_t pool) {
  if (config.is_slc_pool(pool)) return "the pSLC cache";
  if (config.slc.superblocks > 0) return "the flash behind the pSLC cache";
  return config.pool_count() > 1 ? "pool " + std::to_string(pool) : "";
}

void add_tbw(Life& life, const Drive& drive, const LifeBasis& basis) {
  const Counters all = drive.counters();
  const Counters window = basis.window.value_or(all);
  const Counters& base = life.read_only ? all : window;
  if (base.host_write_bytes > 0)
    life.wa = static_cast<double>(base.media_write_bytes()) / static_cast<double>(base.host_write_bytes);
  if (life.read_only) life.tbw_bytes = life.written_bytes;
  if (life.read_only || drive.config().endurance.program_erase_limit == 0) return;
  life.not_known = why_not_known(drive, all, window, basis);
  if (!life.not_known.empty()) return;
  const WearForecast forecast = forecast_wear(drive, window, basis.half.value_or(window));
  life.tbw_bytes = std::floor(life.written_bytes + forecast.host_bytes);
  life.first_pool = name_of_pool(drive.config().ftl, forecast.pool);
}

Life life_of(const Drive& drive, double mean_erases, const LifeBasis& basis) {
  const EnduranceConfig& config = drive.config().endurance;
  const auto user_bytes = static_cast<double>(drive.config().user_bytes);
  Life life;
  life.read_only = drive.ftl().read_only();
  life.written_bytes = static_cast<double>(drive.counters().host_write_bytes);
  if (config.program_erase_limit > 0) life.used_percent = 100 * mean_erases / config.program_erase_limit;
  add_tbw(life, drive, basis);
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
               {"bad_blocks_factory", !drive.flash().health ? 0 : drive.flash().health->defects().factory_bad()},
               {"spare_blocks", all.spare_blocks},
               {"program_failures", all.program_failures},
               {"erase_failures", all.erase_failures},
               {"superblocks_usable", blocks.count() - blocks.free().retired()},
               {"superblocks_needed", superblocks_needed(drive.config().ftl, drive.medium().layout(),
                                                         without_zone_gaps(drive.config()).logical_pages())},
               {"host_bytes_written", all.host_write_bytes},
               {"tbw_reached", drive.ftl().read_only()},
               {"read_only", drive.ftl().read_only()}};
  add_life(json, life_of(drive, mean_of(block_erases(drive)), basis));
  return json;
}

}  // namespace ftlab
