// The options of one section after inheritance, as numbers, not yet checked against each other or against the drive.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/workload/jobs/flow.h"
#include "sim/workload/jobs/ini.h"
#include "sim/workload/jobs/job.h"
#include "sim/workload/jobs/replay_rules.h"
#include "sim/workload/jobs/requested.h"
#include "sim/workload/jobs/units.h"
#include "sim/workload/options/engine.h"

namespace ftlab {

struct Settings {
  std::uint64_t kilo = 1024;  // kb_base: value of the suffix k

  Pattern pattern{false, true, false, false, false, 1, 0};
  PerDirection<std::uint64_t> block_bytes{4096, 4096, 4096};  // bs; after settle_block_sizes(), the smallest of `sizes`
  PerDirection<std::optional<std::pair<std::uint64_t, std::uint64_t>>> block_range;
  PerDirection<std::vector<SizeShare>> block_shares;
  PerDirection<BlockSizes> sizes;  // the three above combined
  PerDirection<std::uint64_t> alignment{0, 0, 0};
  bool any_size = false;
  bool sizes_by_order = false;
  std::uint32_t read_percent = 50;
  std::optional<Amount> size;
  std::optional<Amount> io_size;
  std::optional<std::uint64_t> file_bytes;
  Amount offset;
  Amount offset_increment;  // between consecutive clones
  std::uint64_t offset_align = 0;
  std::uint64_t most_file_bytes = 0;  // upper end of a range of file sizes, else 0
  bool fill_device = false;
  std::uint64_t loops = 1;
  std::optional<std::uint64_t> request_limit;

  bool time_based = false;
  std::optional<Nanoseconds> runtime;
  Nanoseconds ramp{0};
  Nanoseconds start_delay{0};

  std::string filename;  // the first of `filenames`
  std::vector<std::string> filenames;
  std::uint64_t file_count = 1;
  FileService file_service;
  EngineTraits engine = kDefaultEngine;
  bool engine_names_device = false;  // uri, libblkio_path: no filename is needed
  std::uint64_t depth = 1;
  std::uint64_t clones = 1;
  bool stonewall = false;
  bool direct = false;  // set by direct=1 or buffered=0; see is_buffered()

  bool random_map = true;
  bool repeat_order = true;
  bool seed_given = false;
  RandomKind random_kind = RandomKind::tausworthe;
  std::uint64_t seed = 0;
  Spread spread;
  PerDirection<std::uint32_t> random_percent{100, 100, 100};
  bool repeat_offset = false;
  ContentRules content;
  std::uint8_t stream = 0;  // write_hint
  PlacementHandles placement;
  bool placed = false;            // fdp, dataplacement
  bool by_stream_ids = false;     // dataplacement=streams
  bool placed_by_scheme = false;  // plid_select=scheme
  bool zoned = false;             // zonemode=strided
  StridedZones zones;
  ZbdRules zbd;
  SteadyFillRules steady_fill;
  std::uint64_t ranges_of_trim = 1;                                                              // num_range
  enum class ScsiWrites : std::uint8_t { plain, same, verify } scsi_writes = ScsiWrites::plain;  // sg_write_mode
  VerifyRules verify;

  std::string name;
  bool group_reporting = false;
  std::vector<double> percentiles{1, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99, 99.5, 99.9, 99.95, 99.99};
  bool completion_percentiles = true;
  bool total_percentiles = false;
  bool submission_percentiles = false;
  std::optional<std::string> bandwidth_log;  // empty: the job's name
  std::optional<std::string> iops_log;
  std::optional<std::string> latency_log;
  Nanoseconds log_interval{0};

  Flow flow;
  bool new_group = false;
  bool end_flush = false, close_flush = false;
  bool writes_to_flash = false;  // writefua
  ReportOptions choices;
  ReplayRequest replay;

  std::map<std::string, Setting> written;  // last line of each option, by its main name; used in messages
  std::vector<std::pair<std::string, std::string>> options, global_options;  // for the report, in order
};

}  // namespace ftlab
