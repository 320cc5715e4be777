#include "models/theory/trim.h"

#include "models/theory/numerics/roots.h"

namespace ftlab {

namespace {

// Mapped share of all logical pages, by class: a page becomes mapped when it is written and unmapped when it is trimmed.
Eigen::ArrayXd mapped_by_class(const PageClasses& logical, double trims, double trims_per_page) {
  const Eigen::ArrayXd written = (1 - trims) * logical.writes / logical.pages;
  return logical.pages * written / (written + trims_per_page);
}

// Mapped share at equilibrium, if each trim picks one of the mapped pages.
double balanced_share(const PageClasses& logical, double trims) {
  return root_between(1e-12, 1.0,
                      [&](double share) { return mapped_by_class(logical, trims, trims / share).sum() / share - 1; });
}

}  // namespace

MappedPages mapped_pages(const PageClasses& logical, double trims, bool any) {
  if (trims <= 0) return {1, logical};
  if (!any && trims >= 0.5) return {0, logical};
  const double trims_per_page = any ? trims : trims / balanced_share(logical, trims);
  const Eigen::ArrayXd mapped = mapped_by_class(logical, trims, trims_per_page);
  const double share = mapped.sum();
  return {share, {logical.writes, mapped / share}};
}

}  // namespace ftlab
