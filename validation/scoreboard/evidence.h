// Results of a run of the scoreboard: figures of every measured step, rates over time of the steps that keep them, and SMART
// at the end.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/procedures/execute.h"
#include "validation/compare/reading/measurement.h"
#include "validation/scoreboard/measure.h"
#include "validation/scoreboard/review.h"

namespace ftlab {

// A number, or a curve: the figure at each value of its variable.
struct Reading {
  std::vector<std::pair<std::string, double>> points;  // (value of the variable, figure); a number: one with ""
};

class Evidence {
 public:
  // Executes the run on `drive`, a whole drive's document, with the run's settings applied. Throws ConfigError if the drive,
  // the procedure or their combination is refused; throws Interrupted.
  Evidence(const BoardRun& run, Node drive, std::uint64_t seed, const std::atomic<bool>* interrupted);
  Evidence(Evidence&&) noexcept;
  ~Evidence();

  // REQUIRES: a measure of a step or of SMART in this run. Throws ConfigError if it fits no step, or several.
  Reading read(const Measure& measure) const;
  double wall_s() const { return wall_s_; }
  std::uint64_t failed_requests() const { return record_.failed_requests; }

 private:
  struct Kept {
    std::size_t number = 0;  // step number
    TimeCurve bandwidth;
    nlohmann::ordered_json fio;  // the first job in fio's JSON output
  };
  double value(const StepRecord& step, const Measure& measure) const;
  // Data kept for a step. Throws ConfigError if the step keeps no files.
  const Kept& kept_data_of(const StepRecord& step, const Measure& measure) const;
  double smart(const Measure& measure) const;
  std::vector<const StepRecord*> steps_of(const Measure& measure) const;

  std::unique_ptr<Procedure> procedure_;  // record_ points into it
  ProcedureRecord record_;
  std::vector<Kept> kept_;
  std::map<std::string, double> smart_;  // raw values by attribute
  double wall_s_ = 0;
};

// Figure of a drive file, unscaled. Throws ConfigError.
double drive_figure(const Measure& measure);

}  // namespace ftlab
