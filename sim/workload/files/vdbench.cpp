#include "sim/workload/files/vdbench.h"

#include <algorithm>

#include "sim/workload/jobs/ini.h"

namespace ftlab {

// True if a workload line is followed by a run line, before any section.
bool is_vdbench_file(std::string_view text) {
  bool has_workload = false;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.starts_with('[')) return false;
    has_workload = has_workload || line.starts_with("wd=") || line.starts_with("fwd=");
    if (has_workload && line.starts_with("rd=")) return true;
  }
  return false;
}

void refuse_vdbench(const std::string& file) {
  throw ConfigError(
      {file, 0}, {}, "is a parameter file of vdbench; the workloads read here are those of fio", {},
      "a job file with filename for lun, bs for xfersize, rw=randrw (seekpct=0: rw=rw) and rwmixread for rdpct, "
      "iodepth for threads, rate_iops for iorate, runtime with time_based for elapsed");
}

}  // namespace ftlab
