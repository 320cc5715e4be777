// Reads fio's JSON (json or json+), as written by fio 3 and by ftlab.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "validation/compare/reading/job_words.h"
#include "validation/compare/reading/json_field.h"
#include "validation/compare/reading/measurement.h"

namespace ftlab {

// The jobs of fio's JSON (json or json+), as written by fio 3 and by ftlab: entry by entry, as they stand.
struct FioLatency {
  double mean_ns = 0;
  std::optional<double> max_ns;
  std::vector<Percentile> percentiles;  // ascending
  std::map<double, double> bins;        // json+ only: latency in ns -> requests
};

// One direction of a job.
struct FioFigures {
  JsonField field;
  double requests = 0;
  double iops = 0, bytes_per_s = 0, duration_s = 0;
  std::optional<FioLatency> completion{};  // from the end of the submission; total latency if that was not measured
  std::optional<double> total_mean_ns{};   // from the start of the submission; completion latency if that was not measured
};

struct FioJob {
  JsonField field;
  std::string name;
  std::vector<Setting> options;  // its own, as listed
  JobWords words;                // its own and the global ones
  double error = 0;

  // `direction`: read, write, trim or mixed. Nothing if the job has no such entry. Throws ConfigError.
  std::optional<FioFigures> figures(const char* direction) const;
};

struct FioJobs {
  std::vector<Setting> global_options;  // as listed
  std::vector<FioJob> jobs;
};

// `root` must outlive the result. Throws ConfigError.
FioJobs read_fio_jobs(const JsonField& root);

bool is_fio_result(const JsonField& root);

// Adds a point for each direction of each job, with `prefix` before its label. The clones of a job, listed separately
// without group_reporting, are added up; their percentiles are known only with the bins of json+. Jobs that ended with an
// error and directions without a request are noted. Returns the labels by job number, clones counted, as fio numbers its
// logs. Throws ConfigError.
std::vector<std::string> add_fio_points(const JsonField& root, const std::string& prefix, Measurement& measurement);

}  // namespace ftlab
