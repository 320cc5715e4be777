// One job of a fio job file after parsing, inheritance, cloning and checking: all values are resolved, nothing is looked up
// by name later.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/core/problem.h"
#include "sim/workload/jobs/access_rules.h"
#include "sim/workload/jobs/flow.h"
#include "sim/workload/jobs/replay_rules.h"

namespace ftlab {

// unified_rw_reporting: directions separate, summed, or both.
enum class Unified : std::uint8_t { apart, mixed, both };

// Options for the report of a job, in addition to what every job reports.
struct ReportOptions {
  bool reported = true;                      // stats; false: the job runs, but is left out of the report
  std::optional<std::string> histogram_log;  // file prefix
  Nanoseconds histogram_interval{0};         // log_hist_msec; 0: no rows, as with fio
  std::uint32_t histogram_coarseness = 0;    // each column is the sum of 2^this bins
  bool log_largest = false;                  // log_max_value: the largest value of a window, not the mean
  bool log_offset = false;
  bool log_priority = false;                  // log_prio: as four hexadecimal digits; requests have no priorities here
  bool logs_by_job = true;                    // per_job_logs; false: one file for all jobs
  Nanoseconds bandwidth_window{500'000'000};  // bwavgtime
  Nanoseconds iops_window{500'000'000};
  Unified unified = Unified::apart;
};

struct Job {
  std::string name;              // name of the section; clones of numjobs share it
  std::size_t number = 0;        // 0-based over the file, including clones
  std::size_t clone = 0;         // 0-based among the clones of one section
  std::size_t line = 0;          // line of the section header in the job file
  std::size_t job_group = 0;     // jobs of one wave run together; a stonewall starts the next wave when the last has ended
  std::size_t group = 0;         // fio's groupid: a stonewall or new_group starts the next group
  std::size_t report_group = 0;  // jobs with the same number are reported as one (group_reporting)
  std::vector<std::pair<std::string, std::string>> options;  // as written and in order; shown in the report
  std::vector<std::pair<std::string, std::string>> global_options;

  Pattern pattern;
  std::string rw;                                             // as written; shown in the report
  PerDirection<std::uint64_t> block_bytes{4096, 4096, 4096};  // smallest of `sizes`, the unit in which blocks are counted
  PerDirection<BlockSizes> sizes;
  PerDirection<std::uint64_t> alignment_bytes{0, 0, 0};  // alignment of random offsets (ba); 0: block_bytes
  bool any_size = false;                                 // bs_unaligned: bsrange in steps of a sector
  bool as_pages = false;               // each write is widened to whole 4 KiB pages, but not beyond its file
  bool sizes_by_order = false;         // bs_is_seq_rand: sizes of `read` for sequential requests, of `write` for random ones
  std::uint64_t file_first_bytes = 0;  // the device, or the job's own file on it, that contains the region;
  std::uint64_t file_end_bytes = 0;    // both 0: the region itself
  std::uint64_t region_first_bytes = 0;  // offsets lie in [first, end)
  std::uint64_t region_end_bytes = 0;
  std::vector<FileRegion> files;  // if there are several; the region then spans them all
  FileService file_service;
  std::uint64_t amount_bytes = 0;              // per loop: io_size, or the region's size
  bool amount_given = true;                    // by io_size: as many passes over the region as the amount needs
  std::uint64_t loops = 1;                     // passes
  std::optional<std::uint64_t> request_limit;  // number_ios, per loop; not in a time-based job
  bool time_based = false;
  std::optional<Nanoseconds> runtime;  // measured after the ramp
  Nanoseconds ramp{0};
  Nanoseconds start_delay{0};
  std::size_t depth = 1;            // 1 for synchronous engines, regardless of iodepth
  std::uint32_t read_percent = 50;  // rwmixread
  bool random_map = true;           // off with norandommap: blocks may repeat within a pass
  bool repeat_order = true;         // randrepeat without randseed: further passes (loops, io_size) repeat the order; a
                                    // time-based map is refilled in a new order
  bool repeat_lfsr = true;          // randrepeat: the same for random_generator=lfsr, with or without randseed
  RandomKind random_kind = RandomKind::tausworthe;
  Spread spread;                                              // distribution of random offsets; only uniform has a map
  PerDirection<std::uint32_t> random_percent{100, 100, 100};  // percentage_random: the other requests follow the last one
  bool repeat_offset = false;  // rw_sequencer=identical: rw=randread:8 repeats each offset 8 times
  ContentRules content;
  std::uint8_t stream = 0;  // write_hint: expected lifetime of the written data; 0: not given
  PlacementHandles placement;
  StridedZones zones;
  ZbdRules zbd;
  SteadyFillRules steady_fill;
  VerifyRules verify;
  std::uint64_t seed = 0;  // from randseed; the run's --seed is mixed in by the generator

  std::vector<double> percentiles;      // ascending, for each kind of latency selected here:
  bool completion_percentiles = true;   // clat_percentiles
  bool total_percentiles = false;       // lat_percentiles
  bool submission_percentiles = false;  // slat_percentiles
  bool group_reporting = false;
  std::optional<std::string> bandwidth_log;  // file prefix, if requested
  std::optional<std::string> iops_log;
  std::optional<std::string> latency_log;  // writes _lat, _slat and _clat as fio does
  Nanoseconds log_interval{0};             // log_avg_msec; 0: one row per request
  ReportOptions choices;
  Flow flow;
  std::optional<ReplayRules> replay;  // replaces the generated sequence; amount_bytes is then the log's total
  std::optional<SequenceLog> sequence_log;

  // True if its writes carry placement identifiers or write hints (fdp, dataplacement, write_hint).
  bool names_placement() const { return pattern.writes && (stream != 0 || placement.any()); }
};

// Information for the user that is not an error; printed once and kept in the result. A note with a problem code is also
// listed among the problems of the result.
struct Note {
  std::string file;
  std::size_t line = 0;  // 0: the whole file
  std::string text;
  std::optional<ProblemCode> problem{};
  std::string remedy{};  // empty without a problem
  std::string shown() const { return file + (line > 0 ? ":" + std::to_string(line) : "") + ": note: " + text; }
};

struct JobFile {
  std::vector<Job> jobs;
  std::vector<Note> notes;
};

}  // namespace ftlab
