#include "validation/results/standard_output.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>

#include "sim/core/check.h"
#include "sim/core/error.h"
#include "validation/results/machine_memory.h"
#include "validation/results/output_file.h"

namespace ftlab {

int fail(int status, const std::string& message) {
  std::fprintf(stderr, "%s\n", message.c_str());
  return status;
}

int run_or_fail(const std::function<int()>& run, const std::string& unfinished) {
  try {
    return run();
  } catch (const ConfigError& error) {
    return fail(kRefused, error.what());
  } catch (const OutputError& error) {
    return fail(kResultFailed, std::string(error.what()) + "; " + unfinished);
  } catch (const CheckFailed& error) {
    return fail(kResultFailed, std::string(error.what()) + "\nThis is a defect of ftlab; " + unfinished + ".");
  } catch (const std::bad_alloc&) {
    return fail(kResultFailed, out_of_memory() + "; " + unfinished);
  }
}

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
