// What a run of the scoreboard has shown: every measured step with its figures, rates over time of the steps that keep them,
// SMART at the end.
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

// One number, or a curve: the values of its variable with what was measured there.
struct Reading {
  std::vector<std::pair<std::string, double>> points;  // a number: one, without a name
};

class Evidence {
 public:
  // Carries the run out on `drive`, a whole drive's document, over which the run's settings are laid. Throws ConfigError:
  // drive, procedure or their combination are refused; Interrupted.
  Evidence(const BoardRun& run, Node drive, std::uint64_t seed, const std::atomic<bool>* interrupted);
  Evidence(Evidence&&) noexcept;
  ~Evidence();

  // REQUIRES: a measure of this run, of a step or of SMART. Throws ConfigError when it fits no step, or several.
  Reading read(const Measure& measure) const;
  double wall_s() const { return wall_s_; }
  std::uint64_t failed_requests() const { return record_.failed_requests; }

 private:
  struct Kept {
    std::size_t number = 0;  // of the step
    TimeCurve bandwidth;
    nlohmann::ordered_json fio;  // the first job, as fio reports it
  };
  double value(const StepRecord& step, const Measure& measure) const;
  // The files that a step keeps. Throws ConfigError when it keeps none.
  const Kept& kept_of(const StepRecord& step, const Measure& measure) const;
  double smart(const Measure& measure) const;
  std::vector<const StepRecord*> steps_of(const Measure& measure) const;

  std::unique_ptr<Procedure> procedure_;  // the record points into it
  ProcedureRecord record_;
  std::vector<Kept> kept_;
  std::map<std::string, double> smart_;  // raw values by attribute
  double wall_s_ = 0;
};

// Of a drive file, unscaled. Throws ConfigError.
double drive_figure(const Measure& measure);

}  // namespace ftlab
