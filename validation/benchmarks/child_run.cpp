#include "validation/benchmarks/bench_tools.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <vector>

#include "sim/core/check.h"
#include "validation/benchmarks/bench.h"

namespace ftlab {
namespace {

struct Child {
  pid_t process;
  int answer;  // read end of the pipe
};

Child start(const std::function<double()>& work) {
  int ends[2];
  FTLAB_CHECK(::pipe(ends) == 0, "a pipe");
  const pid_t process = ::fork();
  FTLAB_CHECK(process >= 0, "a process");
  if (process > 0) {
    ::close(ends[1]);
    return {process, ends[0]};
  }
  const double value = work();
  const bool reported = ::write(ends[1], &value, sizeof value) == sizeof value;
  ::_exit(reported ? 0 : 1);
}

ChildRun end(const Child& child) {
  ChildRun run;
  const bool reported = ::read(child.answer, &run.value, sizeof run.value) == sizeof run.value;
  ::close(child.answer);
  int status = 0;
  rusage usage{};
  ::wait4(child.process, &status, 0, &usage);
  FTLAB_CHECK(reported && WIFEXITED(status) && WEXITSTATUS(status) == 0, "a benchmark's process failed");
  run.peak_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
  return run;
}

}  // namespace

ChildRun run_in_child(const std::function<double()>& work) { return end(start(work)); }

double run_at_once(unsigned copies, const std::function<double()>& work) {
  const WallWatch watch;
  std::vector<Child> children;
  for (unsigned i = 0; i < copies; ++i) children.push_back(start(work));
  for (const Child& child : children) end(child);
  return watch.seconds();
}

}  // namespace ftlab
