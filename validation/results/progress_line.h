// How far long work has come: one line on a terminal that is drawn over and wiped away at the end; nothing in a pipe.
#pragma once

#include <cstddef>
#include <string>

namespace ftlab {

class ProgressLine {
 public:
  ProgressLine();  // of standard error
  ~ProgressLine() { wipe(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void draw(const std::string& text);
  void wipe();  // before anything else is printed

 private:
  bool terminal_;
  std::size_t width_ = 0;  // of the longest text so far
};

}  // namespace ftlab
