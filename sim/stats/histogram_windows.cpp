#include "sim/stats/histogram_windows.h"

#include <utility>

namespace ftlab {

void HistogramWindows::add(Nanoseconds at, Direction direction, std::uint64_t bytes, Nanoseconds latency) {
  if (at > window_end_) {
    close_window();
    window_end_ += interval_ * (((at - window_end_).count() + interval_.count() - 1) / interval_.count());
  }
  Window& window = windows_[static_cast<std::size_t>(direction)];
  window.latency.add(latency);
  window.block_bytes = bytes;
}

void HistogramWindows::close_window() {
  for (std::size_t d = 0; d < kDirectionCount; ++d) {
    Window& window = windows_[d];
    if (window.latency.count() == 0) continue;
    HistogramRow row{window_end_.count() / 1'000'000, static_cast<Direction>(d), window.block_bytes, {}};
    for (std::size_t bin = 0; bin < Histogram::kBinCount; ++bin)
      if (window.latency.bin(bin) != 0) row.bins.emplace_back(bin, window.latency.bin(bin));
    rows_.push_back(std::move(row));
    window = {};
  }
}

std::vector<HistogramRow> HistogramWindows::take(Nanoseconds end) {
  if (end >= window_end_) close_window();
  return std::move(rows_);
}

}  // namespace ftlab
