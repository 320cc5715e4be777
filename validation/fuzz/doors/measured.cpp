#include "validation/fuzz/doors/measured.h"

#include "sim/core/error.h"
#include "validation/compare/comparison.h"
#include "validation/compare/comparison_report.h"
#include "validation/fuzz/seeds.h"

namespace ftlab::fuzz {

void read_and_compare(std::string_view input) {
  try {
    const Measurement measurement = measurement_in(std::string(input), kInputName);
    const Comparison comparison = compare(measurement, measurement, {});
    comparison_text(comparison);
    curves_csv(comparison);
  } catch (const ConfigError&) {
  }
}

}  // namespace ftlab::fuzz
