#include "sim/stats/fio/fio_report.h"

namespace ftlab {

namespace {

using Rows = std::vector<LogRow>;

std::string line(const LogRow& row, std::uint64_t value, const ReportOptions& choices) {
  std::string text = std::to_string(row.time_ms) + ", " + std::to_string(value) + ", " +
                     std::to_string(static_cast<int>(row.direction)) + ", " + std::to_string(row.block_bytes);
  if (choices.log_offset) text += ", " + std::to_string(row.offset_bytes);
  return text + (choices.log_priority ? ", 0x0000\n" : ", 0\n");
}

std::string text_of(const Rows& rows, const ReportOptions& choices) {
  std::string text;
  for (const LogRow& row : rows) text += line(row, row.value, choices);
  return text;
}

std::string zeros(const Rows& rows, const ReportOptions& choices) {
  std::string text;
  for (const LogRow& row : rows) text += line(row, 0, choices);
  return text;
}

// "time, direction, block, " and one count per 2^coarseness bins.
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
  for (const HistogramRow& row : stats.histogram_log) text += histogram_line(row, stats.job->choices.histogram_coarseness);
  return text;
}

std::string name(const std::string& prefix, const char* kind, const Job& job) {
  const std::string number = job.choices.logs_by_job ? "." + std::to_string(job.number + 1) : std::string();
  return prefix + "_" + kind + number + ".log";
}

// Without per_job_logs several jobs share one file, to which their text is appended.
void add_file(std::vector<LogFile>& files, std::string name, std::string text) {
  for (LogFile& file : files)
    if (file.name == name) return void(file.text += text);
  files.push_back({std::move(name), std::move(text)});
}

// Index of the job's file that contains the request; 0 if the job has only one.
std::size_t file_of(const Job& job, const SentRequest& request) {
  for (std::size_t i = 0; i < job.files.size(); ++i)
    if (request.offset_bytes >= job.files[i].file_first_bytes && request.offset_bytes < job.files[i].file_end_bytes)
      return i;
  return 0;
}

std::uint64_t first_byte_of(const Job& job, std::size_t file) {
  return job.files.empty() ? job.file_first_bytes : job.files[file].file_first_bytes;
}

std::string sequence_line(const Job& job, const SentRequest& request) {
  constexpr const char* kNames[] = {" read ", " write ", " trim ", " sync "};
  const bool flush = request.op == Op::flush;
  const std::size_t file = flush ? 0 : file_of(job, request);
  const std::uint64_t first = flush ? 0 : first_byte_of(job, file);
  return std::to_string(request.at.count() / 1000) + " " + job.sequence_log->files[file] +
         (request.data_only ? " datasync " : kNames[static_cast<std::size_t>(request.op)]) +
         std::to_string(request.offset_bytes - first) + " " + std::to_string(request.length_bytes) + "\n";
}

// fio's iolog version 3: microseconds from the start, as read_iolog expects them.
std::string sequence_text(const JobStats& stats) {
  const std::vector<SentRequest>& sent = stats.sequence;
  const std::string begin = sent.empty() ? "0" : std::to_string(sent.front().at.count() / 1000);
  const std::string end = sent.empty() ? "0" : std::to_string(sent.back().at.count() / 1000);
  std::string text = "fio version 3 iolog\n";
  for (const char* action : {" add\n", " open\n"})
    for (const std::string& file : stats.job->sequence_log->files) text += begin + " " + file + action;
  for (const SentRequest& request : sent) text += sequence_line(*stats.job, request);
  for (const std::string& file : stats.job->sequence_log->files) text += end + " " + file + " close\n";
  return text;
}

void add_logs(const JobStats& stats, std::vector<LogFile>& files) {
  const Job& job = *stats.job;
  const ReportOptions& choices = job.choices;
  if (job.bandwidth_log) add_file(files, name(*job.bandwidth_log, "bw", job), text_of(stats.bandwidth_log, choices));
  if (job.iops_log) add_file(files, name(*job.iops_log, "iops", job), text_of(stats.iops_log, choices));
  if (choices.histogram_log) add_file(files, name(*choices.histogram_log, "clat_hist", job), histograms(stats));
  if (job.sequence_log)
    files.push_back({job.sequence_log->prefix + "_iolog." + std::to_string(job.number + 1) + ".log", sequence_text(stats)});
  if (!job.latency_log) return;
  const std::string latency = text_of(stats.latency_log, choices);
  add_file(files, name(*job.latency_log, "lat", job), latency);
  add_file(files, name(*job.latency_log, "slat", job), zeros(stats.latency_log, choices));
  add_file(files, name(*job.latency_log, "clat", job), latency);
}

}  // namespace

std::vector<LogFile> fio_logs(const RunStats& run) {
  std::vector<LogFile> files;
  for (const JobStats& stats : run.jobs) add_logs(stats, files);
  return files;
}

}  // namespace ftlab
