#include "validation/compare/error_summary.h"

#include <algorithm>
#include <cmath>

#include "sim/core/check.h"

namespace ftlab {

double relative_error(double a, double b) { return a == b ? 0 : a / b - 1; }

double quantile(std::vector<double> values, double share) {
  FTLAB_CHECK(!values.empty() && share >= 0 && share <= 1, "a quantile of nothing, or none");
  std::sort(values.begin(), values.end());
  const double position = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  const double part = position - static_cast<double>(below);
  if (part == 0 || values[above] == values[below]) return values[below];
  return values[below] + part * (values[above] - values[below]);
}

ErrorSummary summarize(const std::vector<double>& errors) {
  ErrorSummary summary;
  summary.count = errors.size();
  std::vector<double> sizes;
  for (const double error : errors) {
    sizes.push_back(std::abs(error));
    summary.mean += error / static_cast<double>(errors.size());
  }
  summary.median = quantile(sizes, 0.5);
  summary.p95 = quantile(sizes, 0.95);
  summary.worst = static_cast<std::size_t>(std::max_element(sizes.begin(), sizes.end()) - sizes.begin());
  return summary;
}

}  // namespace ftlab
