// Greedy D-optimal selection: which of many possible measurements determine a drive's keys best, together. Each step takes
// the one that raises the logarithm of the information's determinant most, that is, shrinks the volume in which the keys
// are expected. The gain of a measurement falls with those already chosen, so the greedy choice reaches at least 63 % of
// the best possible gain (Nemhauser, Wolsey, Fisher, Math. Programming 14, 1978; for experiments: Krause, Singh, Guestrin,
// JMLR 9, 2008).
//
// Keys are counted in deviations of their priors, so the priors' information is the identity.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <vector>

namespace ftlab {

struct SelectedPoint {
  std::size_t candidate = 0;
  double gain = 0;                 // in log det
  Eigen::VectorXd before, after;  // by key: expected deviation, as a share of the prior's
};

// At most `count` candidates, each at most once, best first; the first of equals. `sensitivities`: by candidate, derivatives
// of its figures by each key, in tolerances per deviation of the prior. REQUIRES: all have as many columns.
std::vector<SelectedPoint> select_points(const std::vector<Eigen::MatrixXd>& sensitivities, std::size_t count);

// By key: expected deviation, as a share of the prior's, after all of these measurements. REQUIRES: one or more.
Eigen::VectorXd deviations_after(const std::vector<Eigen::MatrixXd>& sensitivities);

// Derivatives that several noisy estimates agree on: the smallest of each, or 0 where their signs differ. So noise does not
// count as information. REQUIRES: one or more, of equal size.
Eigen::MatrixXd agreed(const std::vector<Eigen::MatrixXd>& estimates);

}  // namespace ftlab
