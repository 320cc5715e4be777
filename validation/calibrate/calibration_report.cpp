#include "validation/calibrate/calibration_report.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include <spdlog/fmt/fmt.h>

namespace ftlab {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kHardToTellApart = 0.9;  // correlation of two keys

double rounded(double value, double to) { return std::floor(value / to + 0.5) * to; }

std::vector<std::string> figure_names(const Calibration& calibration) {
  std::vector<std::string> names;
  for (const Target& target : calibration.targets) {
    if (std::find(names.begin(), names.end(), target.kind) == names.end()) names.push_back(target.kind);
  }
  return names;
}

template <class Counts>
ErrorGroup group_of(const Calibration& calibration, bool held_back, const std::string& figure, std::optional<bool> saturated,
                    Counts&& counts) {
  std::vector<double> before, after;
  for (std::size_t t = 0; t < calibration.targets.size(); ++t) {
    const Target& target = calibration.targets[t];
    if (target.held_back != held_back || !counts(target)) continue;
    before.push_back(error_of(target, calibration.before[t]));
    after.push_back(error_of(target, calibration.after[t]));
  }
  return {held_back, figure, saturated, spread_of(std::move(before)), spread_of(std::move(after))};
}

bool has_saturated(const Calibration& calibration) {
  return std::any_of(calibration.targets.begin(), calibration.targets.end(),
                     [](const Target& target) { return target.saturated; });
}

// The median error after the fit of all figures, held back or not.
std::string saturation_line(const Calibration& calibration) {
  if (!has_saturated(calibration)) return "";
  std::vector<double> errors[2];
  for (std::size_t t = 0; t < calibration.targets.size(); ++t)
    errors[calibration.targets[t].saturated].push_back(error_of(calibration.targets[t], calibration.after[t]));
  const ErrorSpread below = spread_of(std::move(errors[0])), at = spread_of(std::move(errors[1]));
  const std::string saturated = fmt::format("{:.2f} % of {} of saturated points", 100 * at.median, at.count);
  if (below.count == 0) return fmt::format("median error: {}; none is below saturation\n", saturated);
  return fmt::format("median error: {:.2f} % of {} figures of points below saturation, {}\n", 100 * below.median,
                     below.count, saturated);
}

std::string verdict_of(const FittedKey& key) {
  if (key.kept) return "the data say nothing of it, kept";
  if (key.other_optimum)
    return fmt::format("contradicted: {} fits nearly as well{}", key.key.shown(static_cast<double>(*key.other_optimum)),
                       key.at_bound ? "; at its bound" : "");
  if (key.at_bound) return "at its bound";
  return key.determined ? "" : fmt::format("by itself hardly known: {:.0f} % of the prior's width left", 100 * key.reported);
}

std::string key_rows(const Calibration& calibration) {
  if (calibration.keys.empty()) return "Nothing was fitted: these are the errors of the drive as it is.\n";
  std::string text = fmt::format("{:<34} {:>14} {:>14} {:>12}  {}\n", "key", "before", "after", "+-", "");
  for (const FittedKey& key : calibration.keys) {
    const FitKey& own = key.key;
    text += fmt::format("{:<34} {:>14} {:>14} {:>12}  {}\n", own.path, own.shown(static_cast<double>(own.value)),
                        own.shown(static_cast<double>(key.value)), own.shown(key.deviation), verdict_of(key));
  }
  return text;
}

// What is wrong with a key must be read before its number is used.
std::string warnings(const Calibration& calibration) {
  std::string text;
  for (const FittedKey& fitted : calibration.keys) {
    const FitKey& key = fitted.key;
    const auto shown = [&key](std::uint64_t value) { return key.shown(static_cast<double>(value)); };
    if (fitted.at_bound)
      text += fmt::format("AT A BOUND: {} is {}, a bound of its search from {} to {}\n", key.path, shown(fitted.value),
                          shown(key.low), shown(key.high));
    if (fitted.other_optimum)
      text += fmt::format("CONTRADICTED: {} is {}, but a fit from another start ends at {} and agrees nearly as well; its "
                          "+- contains both\n",
                          key.path, shown(fitted.value), shown(*fitted.other_optimum));
  }
  return text;
}

std::string product_of(const KnownTogether& together, const Calibration& calibration) {
  std::string text;
  for (const auto& [key, weight] : together.weights)
    text += fmt::format("{}{}^{:.2f}", text.empty() ? "" : " * ", calibration.keys[key].key.path, weight);
  return text;
}

std::string together_rows(const Calibration& calibration) {
  std::string text;
  for (const KnownTogether& together : calibration.together)
    text += fmt::format("known together to {:.1f} %: {}\n", 100 * together.deviation, product_of(together, calibration));
  return text;
}

std::string correlation_rows(const Calibration& calibration) {
  const std::vector<FittedKey>& keys = calibration.keys;
  std::string text;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double both = calibration.correlation(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
      if (std::abs(both) < kHardToTellApart || !keys[i].determined || !keys[j].determined) continue;
      text += fmt::format("hard to tell apart: {} and {} (correlation {:.2f})\n", keys[j].key.path, keys[i].key.path, both);
    }
  }
  return text;
}

// --- misfits ---

double signed_error(const Calibration& calibration, std::size_t t) {
  return calibration.after[t] / calibration.targets[t].measured - 1;
}

// Worst first.
std::vector<std::size_t> misfits_of(const Calibration& calibration) {
  std::vector<std::size_t> all;
  for (std::size_t t = 0; t < calibration.targets.size(); ++t) {
    if (misfits(calibration.targets[t], calibration.after[t])) all.push_back(t);
  }
  std::stable_sort(all.begin(), all.end(), [&](std::size_t a, std::size_t b) {
    return std::abs(std::log(calibration.after[a] / calibration.targets[a].measured)) >
           std::abs(std::log(calibration.after[b] / calibration.targets[b].measured));
  });
  return all;
}

// Errors of one kind of figure in one group of points: shows where misfits are, and in which direction.
struct MisfitGroup {
  std::string group, figure;
  std::vector<double> errors;
  std::size_t off = 0;
};
std::vector<MisfitGroup> misfit_groups(const Calibration& calibration) {
  std::vector<MisfitGroup> groups;
  for (std::size_t t = 0; t < calibration.targets.size(); ++t) {
    const Target& target = calibration.targets[t];
    auto found = std::find_if(groups.begin(), groups.end(), [&](const MisfitGroup& group) {
      return group.group == target.group && group.figure == target.kind;
    });
    if (found == groups.end()) found = groups.insert(groups.end(), {target.group, target.kind, {}, 0});
    found->errors.push_back(signed_error(calibration, t));
    found->off += misfits(target, calibration.after[t]);
  }
  std::erase_if(groups, [](const MisfitGroup& group) { return group.off == 0; });
  for (MisfitGroup& group : groups) std::sort(group.errors.begin(), group.errors.end());
  std::stable_sort(groups.begin(), groups.end(),
                   [](const MisfitGroup& a, const MisfitGroup& b) { return a.group < b.group; });
  return groups;
}

std::string misfit_text(const Calibration& calibration, std::size_t t) {
  const Target& target = calibration.targets[t];
  return fmt::format("{}: {} {:+.1f} %{}", target.what, target.kind, 100 * signed_error(calibration, t),
                     target.held_back ? ", held back" : "");
}

std::string headline(const Calibration& calibration, const std::vector<std::size_t>& off) {
  const std::size_t all = calibration.targets.size();
  if (off.empty()) return fmt::format("all {} figures are within their limits\n", all);
  const auto held = std::count_if(off.begin(), off.end(), [&](std::size_t t) { return calibration.targets[t].held_back; });
  return fmt::format("MISFIT: {} of {} figures are off by more than their limits, {} of them held back; the worst is {}\n",
                     off.size(), all, held, misfit_text(calibration, off.front()));
}

std::string misfit_rows(const Calibration& calibration, const std::vector<std::size_t>& off) {
  if (off.empty()) return "";
  constexpr std::size_t kShown = 5;
  std::string text = fmt::format("\n{:<44} {:<8} {:>6} {:>6} {:>12} {:>12} {:>12}\n", "misfits by points", "figure", "count",
                                 "off", "lowest", "median", "highest");
  for (const MisfitGroup& group : misfit_groups(calibration)) {
    const std::vector<double>& errors = group.errors;
    text +=
        fmt::format("{:<44.44} {:<8} {:>6} {:>6} {:>+10.1f} % {:>+10.1f} % {:>+10.1f} %\n", group.group, group.figure,
                    errors.size(), group.off, 100 * errors.front(), 100 * errors[errors.size() / 2], 100 * errors.back());
  }
  text += "the worst:\n";
  for (std::size_t i = 0; i < std::min(off.size(), kShown); ++i) text += "  " + misfit_text(calibration, off[i]) + "\n";
  return text;
}

std::string name_of(const ErrorGroup& group) {
  if (!group.saturated) return group.figure;
  return *group.saturated ? "all, saturated" : "all, below saturation";
}

std::string error_rows(const Calibration& calibration) {
  std::string text = fmt::format("{:<12} {:<22} {:>6} {:>10} {:>10} {:>10} {:>10} {:>10}\n", "points", "figure", "count",
                                 "median", "95th perc.", "largest", "med. bef.", "95th bef.");
  for (const ErrorGroup& group : error_groups(calibration)) {
    text += fmt::format("{:<12} {:<22} {:>6} {:>8.2f} % {:>8.2f} % {:>8.2f} % {:>8.2f} % {:>8.2f} %\n",
                        group.held_back            ? "held back"
                        : calibration.keys.empty() ? "all"
                                                   : "fitted",
                        name_of(group), group.after.count, 100 * group.after.median, 100 * group.after.at_95,
                        100 * group.after.largest, 100 * group.before.median, 100 * group.before.at_95);
  }
  return text;
}

Json json_of(const ErrorSpread& summary) {
  return {{"count", summary.count},
          {"median", rounded(summary.median, 1e-6)},
          {"percentile_95", rounded(summary.at_95, 1e-6)},
          {"largest", rounded(summary.largest, 1e-6)}};
}

// Whole numbers, or shares.
Json value_of(const FitKey& key, std::uint64_t value) {
  if (key.parts_of_one == 1) return value;
  return static_cast<double>(value) / static_cast<double>(key.parts_of_one);
}

Json deviation_of(const FittedKey& key) {
  if (key.key.parts_of_one == 1) return rounded(key.deviation, 0.1);
  return rounded(key.deviation / static_cast<double>(key.key.parts_of_one), 1e-6);
}

Json json_of(const FittedKey& key) {
  return {{"key", key.key.path},
          {"before", value_of(key.key, key.key.value)},
          {"before_from", name_of(key.key.from)},
          {"before_source", key.key.source},
          {"low", value_of(key.key, key.key.low)},
          {"high", value_of(key.key, key.key.high)},
          {"scale", key.key.logarithmic ? "logarithmic" : "linear"},
          {"prior_deviation", rounded(key.key.deviation / static_cast<double>(key.key.parts_of_one), 1e-6)},
          {"after", value_of(key.key, key.value)},
          {"deviation", deviation_of(key)},
          {"deviation_after_to_before", rounded(key.reported, 1e-4)},
          {"determined", key.determined},
          {"kept", key.kept},
          {"at_bound", key.at_bound},
          {"other_optimum", key.other_optimum ? value_of(key.key, *key.other_optimum) : Json()}};
}

Json correlation_json(const Calibration& calibration) {
  Json matrix = Json::array();
  for (Eigen::Index i = 0; i < calibration.correlation.rows(); ++i) {
    Json row = Json::array();
    for (Eigen::Index j = 0; j < calibration.correlation.cols(); ++j)
      row.push_back(rounded(calibration.correlation(i, j), 1e-4));
    matrix.push_back(std::move(row));
  }
  Json names = Json::array();
  for (const FittedKey& key : calibration.keys) names.push_back(key.key.path);
  return {{"keys", std::move(names)}, {"matrix", std::move(matrix)}};
}

Json together_json(const Calibration& calibration) {
  Json all = Json::array();
  for (const KnownTogether& together : calibration.together) {
    Json weights = Json::object();
    for (const auto& [key, weight] : together.weights) weights[calibration.keys[key].key.path] = rounded(weight, 1e-4);
    all.push_back({{"weights", std::move(weights)}, {"deviation", rounded(together.deviation, 1e-6)}});
  }
  return all;
}

Json misfits_json(const Calibration& calibration) {
  Json all = Json::array();
  for (const std::size_t t : misfits_of(calibration)) {
    const Target& target = calibration.targets[t];
    all.push_back({{"what", target.what},
                   {"figure", target.kind},
                   {"held_back", target.held_back},
                   {"measured", target.measured},
                   {"simulated", calibration.after[t]},
                   {"error", rounded(signed_error(calibration, t), 1e-6)},
                   {"limit", rounded(target.limit(), 1e-6)}});
  }
  return all;
}

}  // namespace

std::string csv_text(const std::string& text) {
  std::string all = "\"";
  for (const char c : text) all += c == '"' ? std::string("\"\"") : std::string(1, c);
  return all + "\"";
}

std::vector<ErrorGroup> error_groups(const Calibration& calibration) {
  std::vector<ErrorGroup> groups;
  std::vector<std::string> names = figure_names(calibration);
  if (names.size() > 1) names.emplace_back("all");
  for (const bool held_back : {false, true}) {
    for (const std::string& figure : names)
      groups.push_back(group_of(calibration, held_back, figure, {}, [&figure](const Target& target) {
        return figure == "all" || target.kind == figure;
      }));
    for (const bool saturated : {false, true})
      groups.push_back(group_of(calibration, held_back, "all", saturated,
                                [saturated](const Target& target) { return target.saturated == saturated; }));
  }
  const bool apart = has_saturated(calibration);
  std::erase_if(groups, [apart](const ErrorGroup& group) {
    return group.after.count == 0 || (group.saturated && !apart);
  });
  return groups;
}

std::string calibration_headline(const Calibration& calibration) {
  return headline(calibration, misfits_of(calibration)) + saturation_line(calibration) + warnings(calibration);
}

std::string calibration_table(const Calibration& calibration) {
  const std::vector<std::size_t> off = misfits_of(calibration);
  std::string text = key_rows(calibration) + together_rows(calibration) + correlation_rows(calibration);
  if (!calibration.converged) text += "the fit had not settled when it was ended: look at the keys and their bounds\n";
  text += "\n" + error_rows(calibration) + misfit_rows(calibration, off);
  return text +
         fmt::format("noise of the simulation, from seed to seed: {:.2f} % (95th percentile of all figures); {} forecasts\n",
                     100 * calibration.noise, calibration.predictions);
}

bool has_misfits(const Calibration& calibration) { return !misfits_of(calibration).empty(); }

std::string calibration_json(const Calibration& calibration, const CalibrationOrigin& origin,
                             const std::vector<std::string>& notes) {
  Json json;
  json["ftlab"] = {{"version", FTLAB_VERSION}};
  json["drive"] = origin.base_path;
  json["settings"] = origin.settings;
  json["measured"] = origin.measurements;
  json["state"] = origin.state;
  std::set<std::size_t> points;
  for (const Target& target : calibration.targets) points.insert(target.together);
  json["points"] = points.size();
  json["notes"] = notes;
  json["keys"] = Json::array();
  for (const FittedKey& key : calibration.keys) json["keys"].push_back(json_of(key));
  json["known_together"] = together_json(calibration);
  json["correlation"] = correlation_json(calibration);
  json["singular_values"] = Json::array();
  for (const double value : calibration.singular_values) json["singular_values"].push_back(rounded(value, 1e-3));
  json["scatter_in_tolerances"] = {{"read", rounded(calibration.scatter[0], 1e-4)},
                                   {"write", rounded(calibration.scatter[1], 1e-4)}};
  json["misfits"] = misfits_json(calibration);
  json["simulation_noise"] = rounded(calibration.noise, 1e-6);
  json["forecasts"] = calibration.predictions;
  json["converged"] = calibration.converged;
  json["errors"] = Json::array();
  for (const ErrorGroup& group : error_groups(calibration)) {
    json["errors"].push_back({{"points", group.held_back ? "held back" : "fitted"},
                              {"figure", group.figure},
                              {"load", !group.saturated ? "any" : *group.saturated ? "saturated" : "below saturation"},
                              {"before", json_of(group.before)},
                              {"after", json_of(group.after)}});
  }
  return json.dump(2) + "\n";
}

std::string points_csv(const Calibration& calibration, const std::vector<MeasuredDrive>& drives) {
  std::string text =
      "file,rw,bs,depth,jobs,direction,figure,held_back,saturated,measured,before,after,error_before,error_after\n";
  std::size_t t = 0;
  for (const MeasuredDrive& drive : drives) {
    for (const Observation& observation : *drive.observations) {
      const Point& point = drive.prediction->points()[observation.point];
      text += fmt::format("{},{},{},{},{},{},{},{},{},{:.1f},{:.1f},{:.1f},{:.5f},{:.5f}\n", csv_text(point.file),
                          point.workload.rw, point.workload.block_bytes, point.workload.depth, point.workload.jobs,
                          name_of(point.direction), observation.figure.name(), observation.held_back ? 1 : 0,
                          calibration.targets[t].saturated ? 1 : 0, observation.measured, calibration.before[t],
                          calibration.after[t], calibration.before[t] / observation.measured - 1,
                          calibration.after[t] / observation.measured - 1);
      ++t;
    }
  }
  return text;
}

}  // namespace ftlab
