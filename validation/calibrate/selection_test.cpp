#include "validation/calibrate/selection.h"

#include <cmath>

#include "sim/testing/test.h"

using namespace ftlab;
using Eigen::MatrixXd;

namespace {

// Rows of two keys.
MatrixXd rows(std::initializer_list<std::pair<double, double>> values) {
  MatrixXd all(static_cast<Eigen::Index>(values.size()), 2);
  Eigen::Index row = 0;
  for (const auto& [a, b] : values) {
    all(row, 0) = a;
    all(row++, 1) = b;
  }
  return all;
}

}  // namespace

TEST_CASE("the first selected measurement has the largest determinant, the next ones add what is missing") {
  // det(I + J'J): 1 + 9 + 1 = 11; (1 + 4)(1 + 4) = 25; 1 + 16 = 17; 1.25.
  const std::vector<MatrixXd> candidates = {rows({{3, 1}}), rows({{2, 0}, {0, 2}}), rows({{4, 0}}), rows({{0, 0.5}})};
  const std::vector<SelectedPoint> selected = select_points(candidates, 3);
  REQUIRE(selected.size() == 3);
  CHECK(selected[0].candidate == 1);
  CHECK(selected[0].gain == Approx(std::log(25.0)));
  // Then diag(5, 5): candidate 0 makes 14 * 6 - 9 = 75, candidate 2 21 * 5 = 105, candidate 3 5 * 5.25.
  CHECK(selected[1].candidate == 2);
  CHECK(selected[1].gain == Approx(std::log(105.0 / 25)));
  // Then diag(21, 5): candidate 0 makes 30 * 6 - 9 = 171.
  CHECK(selected[2].candidate == 0);
  CHECK(selected[2].gain == Approx(std::log(171.0 / 105)));
}

TEST_CASE("expected deviations begin at the priors' and follow from the information") {
  const std::vector<SelectedPoint> selected = select_points({rows({{3, 0}})}, 5);
  REQUIRE(selected.size() == 1);
  CHECK(selected[0].before[0] == Approx(1));
  CHECK(selected[0].after[0] == Approx(1 / std::sqrt(10.0)));
  CHECK(selected[0].after[1] == Approx(1));
  // Only the sum of both is measured: information {{5, 4}, {4, 5}}, inverse {{5, -4}, {-4, 5}} / 9.
  CHECK(deviations_after({rows({{2, 2}})})[0] == Approx(std::sqrt(5.0 / 9)));
}

TEST_CASE("of equal measurements the first is selected, and each only once") {
  const MatrixXd same = rows({{1, 1}});
  const std::vector<SelectedPoint> selected = select_points({same, same}, 3);
  REQUIRE(selected.size() == 2);
  CHECK(selected[0].candidate == 0);
  CHECK(selected[1].candidate == 1);
  CHECK(selected[1].gain < selected[0].gain);
}

TEST_CASE("derivatives on which estimates disagree are no information") {
  const MatrixXd all = agreed({rows({{2, -3}, {0.1, 1}}), rows({{1.5, -4}, {-0.1, 2}}), rows({{1.8, -3.5}, {0.2, 0}})});
  CHECK(all(0, 0) == 1.5);
  CHECK(all(0, 1) == -3);
  CHECK(all(1, 0) == 0);
  CHECK(all(1, 1) == 0);
}
