#include "validation/results/progress_line.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace ftlab {

ProgressLine::ProgressLine() : terminal_(::isatty(STDERR_FILENO) != 0) {}

void ProgressLine::wipe() {
  if (width_ > 0) std::fprintf(stderr, "\r%*s\r", static_cast<int>(width_), "");
  width_ = 0;
}

void ProgressLine::draw(const std::string& text) {
  if (!terminal_) return;
  width_ = std::max(width_, text.size());
  std::fprintf(stderr, "\r%-*s", static_cast<int>(width_), text.c_str());
}

}  // namespace ftlab
