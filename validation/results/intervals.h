// Intervals in which a real drive's figures lie in 80 % of cases, by how far the library's drives missed figures that they were
// not fitted to: configs/intervals.json, written by validation/scoreboard/intervals.py.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "sim/stats/run_stats.h"

namespace ftlab {

class Intervals {
 public:
  // `known`: what the drive file is based on: measurements in this computer (this-port) or another (other-port), or data sheets
  // and reviews (sheet). Throws ConfigError, naming --interval.
  explicit Intervals(std::string_view known);

  const std::string& known() const { return known_; }
  double level() const { return level_; }
  // The real figure lies between figure / factor and figure * factor. `figure`: rate, mean, p50, p95, p99 or wa; `load`: any,
  // below, saturated or contended. nullopt if too few such figures were measured.
  std::optional<double> factor(std::string_view figure, std::string_view load) const;

 private:
  struct Class {
    std::string figure, load;
    double factor;
  };
  std::string known_;
  double level_ = 0;
  std::vector<Class> classes_;
};

// Adds `intervals` to `ftlab` of a result: for each job and direction the bounds of its figures. Extremes have none. A job's
// load is `saturated` if its requests wait longer than they are served, where latency rises at least as fast as throughput
// (Lazowska and others, "Quantitative System Performance", 1984, asymptotic bounds). It is `contended` if other jobs run
// then, too: computers give the places of a full queue to their jobs unevenly, which keeps the mean, but spreads latencies.
void add_intervals(nlohmann::ordered_json& ftlab, const RunStats& stats, const Intervals& intervals);
// The same as a table. REQUIRES: `ftlab` has them.
std::string interval_table(const nlohmann::ordered_json& ftlab);

}  // namespace ftlab
