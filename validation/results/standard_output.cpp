#include "validation/results/standard_output.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>

namespace ftlab {

int checked_output(int status) {
  errno = 0;
  std::cout.flush();
  const bool failed = std::fflush(stdout) != 0 || std::ferror(stdout) != 0 || !std::cout;
  if (!failed) return status;
  if (errno == 0) {  // an earlier write failed: the next one fails for the same reason
    std::clearerr(stdout);
    std::fputc('\n', stdout);
    std::fflush(stdout);
  }
  std::fprintf(stderr, "cannot write to standard output: %s\n", errno != 0 ? std::strerror(errno) : "a write failed");
  return kOutputFailed;
}

}  // namespace ftlab
