#include "validation/results/health/life.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include <spdlog/fmt/fmt.h>

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

}  // namespace ftlab
