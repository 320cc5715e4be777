#include "sim/stats/fio_report.h"

namespace ftlab {

namespace {

using Rows = std::vector<LogRow>;

// fio writes the offset only for jobs that say log_offset=1.
bool wants_offsets(const Job& job) {
  bool wanted = false;
  for (const auto* options : {&job.global_options, &job.options}) {
    for (const auto& [name, value] : *options) {
      if (name == "log_offset") wanted = value != "0";
    }
  }
  return wanted;
}

std::string line(const LogRow& row, std::uint64_t value, bool offsets) {
  std::string text = std::to_string(row.time_ms) + ", " + std::to_string(value) + ", " +
                     std::to_string(static_cast<int>(row.direction)) + ", " + std::to_string(row.block_bytes);
  if (offsets) text += ", " + std::to_string(row.offset_bytes);
  return text + ", 0\n";  // the priority
}

std::string text_of(const Rows& rows, bool offsets) {
  std::string text;
  for (const LogRow& row : rows) text += line(row, row.value, offsets);
  return text;
}

std::string zeros(const Rows& rows, bool offsets) {
  std::string text;
  for (const LogRow& row : rows) text += line(row, 0, offsets);
  return text;
}

std::string name(const std::string& prefix, const char* kind, const Job& job) {
  return prefix + "_" + kind + "." + std::to_string(job.number + 1) + ".log";
}

void add_logs(const JobStats& stats, std::vector<LogFile>& files) {
  const Job& job = *stats.job;
  const bool offsets = wants_offsets(job);
  if (job.bandwidth_log) {
    files.push_back({name(*job.bandwidth_log, "bw", job), text_of(stats.bandwidth_log, offsets)});
  }
  if (job.iops_log) files.push_back({name(*job.iops_log, "iops", job), text_of(stats.iops_log, offsets)});
  if (!job.latency_log) return;
  const std::string latency = text_of(stats.latency_log, offsets);
  files.push_back({name(*job.latency_log, "lat", job), latency});
  files.push_back({name(*job.latency_log, "slat", job), zeros(stats.latency_log, offsets)});
  files.push_back({name(*job.latency_log, "clat", job), latency});
}

}  // namespace

std::vector<LogFile> fio_logs(const RunStats& run) {
  std::vector<LogFile> files;
  for (const JobStats& stats : run.jobs) add_logs(stats, files);
  return files;
}

}  // namespace ftlab
