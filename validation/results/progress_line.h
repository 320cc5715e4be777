// Progress of long work. On a terminal: one line, redrawn in place and wiped at the end. In a file or pipe: a line per
// minute, so that work of less than a minute prints nothing.
#pragma once

#include <cstddef>
#include <cstdio>
#include <functional>
#include <optional>
#include <string>

namespace ftlab {

// Share of the work that is done, 0 to 1. `at_most`: the work may end long before all of it is done.
struct ProgressShare {
  double done = 0;
  bool at_most = false;
};

// "42 %, 3:10 left; TEXT". The time left is extrapolated from the elapsed time, and omitted before 1 % is done. Without a
// share: the text alone.
std::string progress_text(const std::string& text, const std::optional<ProgressShare>& share, double elapsed_s);

class ProgressLine {
 public:
  ProgressLine();  // prints to standard error
  // `seconds`: a clock with any origin.
  ProgressLine(std::FILE* out, bool terminal, std::function<double()> seconds);
  ~ProgressLine() { wipe(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void draw(const std::string& text, const std::optional<ProgressShare>& share = std::nullopt);
  void wipe();  // before anything else is printed

 private:
  std::FILE* out_;
  bool terminal_;
  std::function<double()> seconds_;
  double began_s_;
  double next_s_;          // when the next line is due
  std::size_t width_ = 0;  // length of the longest text so far
};

}  // namespace ftlab
