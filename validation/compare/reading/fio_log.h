// Reads fio's logs as curves over time: PREFIX_bw.N.log, PREFIX_iops.N.log, PREFIX_clat.N.log, PREFIX_lat.N.log and
// PREFIX_clat_hist.N.log (N is optional).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "validation/compare/reading/measurement.h"

namespace ftlab {

struct FioLogName {
  enum class Kind : std::uint8_t { bandwidth, iops, latency, completion, submission, histogram };
  std::string prefix;
  Kind kind = Kind::bandwidth;
  std::string job;  // N as written; empty without N
};

// Empty if `file_name` is not the name of a fio log.
std::optional<FioLogName> fio_log_name(std::string_view file_name);

// One line of a log.
struct FioLogRow {
  double time_ms = 0;
  double value = 0;  // KiB/s, IOPS or ns
  Direction direction = Direction::read;
  double block_bytes = 0;  // 0 if the row is the mean of a window
  std::size_t line = 0;
};

// The lines of any log but a histogram, as they stand. Throws ConfigError with the line.
std::vector<FioLogRow> fio_log_rows(std::string_view text, const std::string& file, FioLogName::Kind kind);

// One curve for each direction in the log.
//   log_avg_msec=T   rows are means of windows that end at the row's time. fio omits windows without a request: they are
//                    intervals of 0 in a log of rates, gaps in one of latencies.
//   without it       one row per request; requests are gathered into seconds
// `text` is the content of the log `file`. Throws ConfigError with the line for a malformed row or a time that decreases.
std::vector<TimeCurve> read_fio_log(std::string_view text, const std::string& file, const FioLogName& name);

// Reads all fio logs of a folder as curves.

// Uses one latency log per job, in this order of preference: completion, total, histogram; ignores submission logs. `labels`
// are the points' labels by job number, clones counted, as fio numbers its logs. If every log has one, curves get these
// labels and clones are joined. Otherwise curves are named after their log, with `prefix` before. Throws ConfigError.
std::vector<TimeCurve> read_logs(const std::vector<std::filesystem::path>& files, const std::vector<std::string>& labels,
                                 const std::string& prefix);

// Joins the logs of a job's clones (numjobs), which fio writes as separate files: curves with the same label, quantity and
// direction become one, at the position of the first. Rates are added; latencies are averaged, all clones weighted equally.
// The result covers the times that all of them cover.
std::vector<TimeCurve> with_clones_joined(std::vector<TimeCurve> curves);

}  // namespace ftlab
