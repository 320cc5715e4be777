// Steady-state mean of a run and its confidence interval, from the means of batches of equal length (one per second, or per
// drive write). Neighbouring batches of a drive are correlated, because garbage collection comes in waves. An interval that
// assumes independence would be too narrow, so correlated batches are first merged pairwise, as long as Fishman's test finds
// correlation and ten are left ("Grouping observations in digital simulation", Management Science 24(5), 1978; ten:
// Schmeiser, "Batch size effects in the analysis of simulation output", Operations Research 30(3), 1982). See Law,
// "Simulation Modeling and Analysis", chapter 9.
//
// Sums, quotients and square roots only: the same bits on every machine.
#pragma once

#include <cstddef>
#include <vector>

namespace ftlab {

class BatchMeans {
 public:
  // Adds the mean of the next batch. REQUIRES: finite.
  void add(double batch_mean);

  std::size_t count() const { return batches_.size(); }
  // Mean of all batches; 0 without batches.
  double mean() const;

  // The mean lies within mean() +- half_width() with a probability of 95 %; infinite for fewer than two batches. Each of the
  // following calls walks all batches.
  double half_width() const;

  // Correlation of neighbouring batches as they were added, between -1 and 1; 0 for fewer than three batches or if all are
  // equal. Von Neumann's estimate, which counts the two end batches once instead of twice.
  double autocorrelation() const;

  // True if neighbours are correlated even after merging: the interval is a guess, and the run should be longer.
  bool correlated() const;

  // Number of batches after merging, from which the interval is computed.
  std::size_t independent_count() const { return merged().size(); }

  // True if the first half has another mean than the second, by a t-test at 1 % after merging: the warm-up was too short.
  // Uses the variance of the second half alone, because a first half that is still settling has its drift in its variance.
  // False for fewer than four batches.
  bool drifting() const;

 private:
  std::vector<double> merged() const;

  std::vector<double> batches_;
};

// Student's t: the value that |t| stays below with a probability of 95 or 99 % for this many degrees of freedom. The
// probability is accurate to 3e-6. REQUIRES: freedom > 0.
double student_95(std::size_t freedom);
double student_99(std::size_t freedom);

}  // namespace ftlab
