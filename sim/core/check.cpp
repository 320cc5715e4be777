#include "sim/core/check.h"

namespace ftlab {

void check_failed(const char* expression, const char* file, int line, const std::string& facts) {
  throw CheckFailed("internal check failed: " + std::string(expression) + " (" + facts + ") at " + file + ":" +
                    std::to_string(line));
}

}  // namespace ftlab
