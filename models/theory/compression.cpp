#include "models/theory/compression.h"

namespace ftlab {

Packing packing(const WaQuestion& question) {
  const std::uint64_t units = static_cast<std::uint64_t>(question.pages_per_block) * question.units;
  if (question.stored_low == question.stored_high) return {static_cast<double>(units / question.stored_low), true};
  const double low = question.stored_low, high = question.stored_high;
  const double mean = 0.5 * (low + high), sizes = high - low + 1;
  const double square = mean * mean + (sizes * sizes - 1) / 12;
  const double waste = (square - mean) / (2 * mean);
  return {(static_cast<double>(units) - waste) / mean, false};
}

}  // namespace ftlab
