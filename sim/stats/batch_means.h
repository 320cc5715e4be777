// The mean of a run in its steady state, and how well it is known, from the means of batches of equal length (one for
// each second, or each drive write). Neighbouring batches of a drive remember each other: garbage collection comes in
// waves. An interval that took them for independent would be too narrow, so correlated batches are first merged
// pairwise, as long as Fishman's test finds correlation and ten are left ("Grouping observations in digital
// simulation", Management Science 24(5), 1978; ten: Schmeiser, "Batch size effects in the analysis of simulation
// output", Operations Research 30(3), 1982). Law, "Simulation Modeling and Analysis", chapter 9, tells the whole story.
//
// Sums, quotients and square roots only: the same bits on every machine.
#pragma once

#include <cstddef>
#include <vector>

namespace ftlab {

class BatchMeans {
 public:
  // The mean of the next batch. REQUIRES: finite.
  void add(double batch_mean);

  std::size_t count() const { return batches_.size(); }
  // Of all batches; 0 when there are none.
  double mean() const;

  // The mean lies within mean() +- half_width() with a probability of 95 %; infinite for fewer than two batches. Each of
  // these walks all batches.
  double half_width() const;

  // Correlation of neighbouring batches as they were added, between -1 and 1; 0 for fewer than three batches or when all
  // are equal. It is von Neumann's estimate, which counts the two ends once and not twice.
  double autocorrelation() const;

  // Neighbours are correlated even after merging: the interval is a guess, run longer.
  bool correlated() const;

  // How many batches the interval stands on after merging.
  std::size_t independent_count() const { return merged().size(); }

  // The first half lies elsewhere than the second one, by a t-test at 1 %, after merging: the warm-up was too short.
  // The scatter is that of the second half alone, because a first half that still settles scatters by its drift. False
  // for fewer than four batches.
  bool drifting() const;

 private:
  std::vector<double> merged() const;

  std::vector<double> batches_;
};

// Student's t: the value that |t| stays below with a probability of 95 or 99 % for this many degrees of freedom.
// That probability is met within 3e-6. REQUIRES: freedom > 0.
double student_95(std::size_t freedom);
double student_99(std::size_t freedom);

}  // namespace ftlab
