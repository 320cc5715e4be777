#include "validation/calibrate/calibration_report.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include <spdlog/fmt/fmt.h>

namespace ftlab {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kHardToTellApart = 0.9;  // of the correlation of two keys

double rounded(double value, double to) { return std::floor(value / to + 0.5) * to; }

std::vector<std::string> figure_names(const Calibration& calibration) {
  std::vector<std::string> names;
  for (const Target& target : calibration.targets) {
    if (std::find(names.begin(), names.end(), target.kind) == names.end()) names.push_back(target.kind);
  }
  return names;
}

ErrorGroup group_of(const Calibration& calibration, bool held_back, const std::string& figure) {
  std::vector<double> before, after;
  for (std::size_t t = 0; t < calibration.targets.size(); ++t) {
    const Target& target = calibration.targets[t];
    if (target.held_back != held_back || (figure != "all" && target.kind != figure)) continue;
    before.push_back(error_of(target, calibration.before[t]));
    after.push_back(error_of(target, calibration.after[t]));
  }
  return {held_back, figure, spread_of(std::move(before)), spread_of(std::move(after))};
}

// Keys that are determined, in the order of the correlation matrix.
std::vector<const FittedKey*> determined_keys(const Calibration& calibration) {
  std::vector<const FittedKey*> keys;
  for (const FittedKey& key : calibration.keys) {
    if (key.determined) keys.push_back(&key);
  }
  return keys;
}

std::string verdict_of(const FittedKey& key) {
  if (!key.determined) return "not determined by the data, kept";
  return key.at_bound ? "at its bound" : "";
}

std::string key_rows(const Calibration& calibration) {
  if (calibration.keys.empty()) return "Nothing was fitted: these are the errors of the drive as it is.\n";
  std::string text = fmt::format("{:<34} {:>14} {:>14} {:>12}  {}\n", "key", "before", "after", "+-", "");
  for (const FittedKey& key : calibration.keys) {
    text += fmt::format("{:<34} {:>14} {:>14} {:>12.0f}  {}\n", key.key.path, key.key.value, key.value, key.deviation,
                        verdict_of(key));
  }
  return text;
}

std::string correlation_rows(const Calibration& calibration) {
  const std::vector<const FittedKey*> keys = determined_keys(calibration);
  std::string text;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double both = calibration.correlation(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
      if (std::abs(both) >= kHardToTellApart) {
        text +=
            fmt::format("hard to tell apart: {} and {} (correlation {:.2f})\n", keys[j]->key.path, keys[i]->key.path, both);
      }
    }
  }
  return text;
}

std::string error_rows(const Calibration& calibration) {
  std::string text = fmt::format("{:<12} {:<8} {:>6} {:>10} {:>10} {:>10} {:>10} {:>10}\n", "points", "figure", "count",
                                 "median", "95th perc.", "largest", "med. bef.", "95th bef.");
  for (const ErrorGroup& group : error_groups(calibration)) {
    text += fmt::format("{:<12} {:<8} {:>6} {:>8.2f} % {:>8.2f} % {:>8.2f} % {:>8.2f} % {:>8.2f} %\n",
                        group.held_back            ? "held back"
                        : calibration.keys.empty() ? "all"
                                                   : "fitted",
                        group.figure, group.after.count, 100 * group.after.median, 100 * group.after.at_95,
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

Json json_of(const FittedKey& key) {
  return {{"key", key.key.path},
          {"before", key.key.value},
          {"before_from", name_of(key.key.from)},
          {"before_source", key.key.source},
          {"low", key.key.low},
          {"high", key.key.high},
          {"scale", key.key.logarithmic ? "logarithmic" : "linear"},
          {"prior_deviation", rounded(key.key.deviation, 1e-6)},
          {"after", key.value},
          {"deviation", rounded(key.deviation, 0.1)},
          {"deviation_after_to_before", rounded(key.reported, 1e-4)},
          {"determined", key.determined},
          {"at_bound", key.at_bound}};
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
  for (const FittedKey* const key : determined_keys(calibration)) names.push_back(key->key.path);
  return {{"keys", std::move(names)}, {"matrix", std::move(matrix)}};
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
    for (const std::string& figure : names) {
      ErrorGroup group = group_of(calibration, held_back, figure);
      if (group.after.count > 0) groups.push_back(std::move(group));
    }
  }
  return groups;
}

std::string calibration_table(const Calibration& calibration) {
  std::string text = key_rows(calibration) + correlation_rows(calibration);
  if (!calibration.converged) text += "the fit had not settled when it was ended: look at the keys and their bounds\n";
  text += "\n" + error_rows(calibration);
  return text +
         fmt::format("noise of the simulation, from seed to seed: {:.2f} % (95th percentile of all figures); {} forecasts\n",
                     100 * calibration.noise, calibration.predictions);
}

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
  json["correlation"] = correlation_json(calibration);
  json["singular_values"] = Json::array();
  for (const double value : calibration.singular_values) json["singular_values"].push_back(rounded(value, 1e-3));
  json["tolerances_times"] = {{"read", rounded(calibration.scatter[0], 1e-4)},
                              {"write", rounded(calibration.scatter[1], 1e-4)}};
  json["simulation_noise"] = rounded(calibration.noise, 1e-6);
  json["forecasts"] = calibration.predictions;
  json["converged"] = calibration.converged;
  json["errors"] = Json::array();
  for (const ErrorGroup& group : error_groups(calibration)) {
    json["errors"].push_back({{"points", group.held_back ? "held back" : "fitted"},
                              {"figure", group.figure},
                              {"before", json_of(group.before)},
                              {"after", json_of(group.after)}});
  }
  return json.dump(2) + "\n";
}

std::string points_csv(const Calibration& calibration, const std::vector<Observation>& observations,
                       const std::vector<Point>& points) {
  std::string text = "file,rw,bs,depth,jobs,direction,figure,held_back,measured,before,after,error_before,error_after\n";
  for (std::size_t o = 0; o < observations.size(); ++o) {
    const Observation& observation = observations[o];
    const Point& point = points[observation.point];
    text += fmt::format("{},{},{},{},{},{},{},{},{:.1f},{:.1f},{:.1f},{:.5f},{:.5f}\n", csv_text(point.file),
                        point.workload.rw, point.workload.block_bytes, point.workload.depth, point.workload.jobs,
                        name_of(point.direction), observation.figure.name(), observation.held_back ? 1 : 0,
                        observation.measured, calibration.before[o], calibration.after[o],
                        calibration.before[o] / observation.measured - 1, calibration.after[o] / observation.measured - 1);
  }
  return text;
}

}  // namespace ftlab
