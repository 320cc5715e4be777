#include "sim/stats/fio_report.h"

namespace ftlab {

namespace {

using Rows = std::vector<LogRow>;

std::string line(const LogRow& row, std::uint64_t value, const ReportWishes& wishes) {
  std::string text = std::to_string(row.time_ms) + ", " + std::to_string(value) + ", " +
                     std::to_string(static_cast<int>(row.direction)) + ", " + std::to_string(row.block_bytes);
  if (wishes.log_offset) text += ", " + std::to_string(row.offset_bytes);
  return text + (wishes.log_priority ? ", 0x0000\n" : ", 0\n");
}

std::string text_of(const Rows& rows, const ReportWishes& wishes) {
  std::string text;
  for (const LogRow& row : rows) text += line(row, row.value, wishes);
  return text;
}

std::string zeros(const Rows& rows, const ReportWishes& wishes) {
  std::string text;
  for (const LogRow& row : rows) text += line(row, 0, wishes);
  return text;
}

// "time, direction, block, " and a count for each 2^coarseness bins.
std::string histogram_line(const HistogramRow& row, std::uint32_t coarseness) {
  std::vector<std::uint64_t> columns(Histogram::kBinCount >> coarseness);
  for (const auto& [bin, count] : row.bins) columns[bin >> coarseness] += count;
  std::string text = std::to_string(row.time_ms) + ", " + std::to_string(static_cast<int>(row.direction)) + ", " +
                     std::to_string(row.block_bytes);
  for (const std::uint64_t count : columns) text += ", " + std::to_string(count);
  return text + "\n";
}

std::string histograms(const JobStats& stats) {
  std::string text;
  for (const HistogramRow& row : stats.histogram_log) text += histogram_line(row, stats.job->wishes.histogram_coarseness);
  return text;
}

std::string name(const std::string& prefix, const char* kind, const Job& job) {
  const std::string number = job.wishes.logs_by_job ? "." + std::to_string(job.number + 1) : std::string();
  return prefix + "_" + kind + number + ".log";
}

// Without per_job_logs several jobs share one file, one behind the other.
void add_file(std::vector<LogFile>& files, std::string name, std::string text) {
  for (LogFile& file : files)
    if (file.name == name) return void(file.text += text);
  files.push_back({std::move(name), std::move(text)});
}

void add_logs(const JobStats& stats, std::vector<LogFile>& files) {
  const Job& job = *stats.job;
  const ReportWishes& wishes = job.wishes;
  if (job.bandwidth_log) add_file(files, name(*job.bandwidth_log, "bw", job), text_of(stats.bandwidth_log, wishes));
  if (job.iops_log) add_file(files, name(*job.iops_log, "iops", job), text_of(stats.iops_log, wishes));
  if (wishes.histogram_log) add_file(files, name(*wishes.histogram_log, "clat_hist", job), histograms(stats));
  if (!job.latency_log) return;
  const std::string latency = text_of(stats.latency_log, wishes);
  add_file(files, name(*job.latency_log, "lat", job), latency);
  add_file(files, name(*job.latency_log, "slat", job), zeros(stats.latency_log, wishes));
  add_file(files, name(*job.latency_log, "clat", job), latency);
}

}  // namespace

std::vector<LogFile> fio_logs(const RunStats& run) {
  std::vector<LogFile> files;
  for (const JobStats& stats : run.jobs) add_logs(stats, files);
  return files;
}

}  // namespace ftlab
