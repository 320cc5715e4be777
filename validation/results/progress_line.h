// How far long work has come. On a terminal one line that is drawn over and wiped away at the end; in a file or pipe a line
// a minute, so that work of less than a minute prints nothing there.
#pragma once

#include <cstddef>
#include <cstdio>
#include <functional>
#include <optional>
#include <string>

namespace ftlab {

// The share of the work that is done, 0 to 1. `at_most`: the work may end long before all of it is done.
struct ProgressShare {
  double done = 0;
  bool at_most = false;
};

// "42 %, 3:10 left; TEXT". Time left: as the time so far tells, none before a hundredth is done. Without a share the text
// alone.
std::string progress_text(const std::string& text, const std::optional<ProgressShare>& share, double elapsed_s);

class ProgressLine {
 public:
  ProgressLine();  // of standard error
  // `seconds`: the clock, from any moment on.
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
  std::size_t width_ = 0;  // of the longest text so far
};

}  // namespace ftlab
