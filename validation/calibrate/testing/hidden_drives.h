// Drives whose numbers are hidden from a fit: a drive is simulated with them and measured through result files.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "ftl/drive/drive.h"
#include "sim/config/document.h"
#include "sim/config/reader.h"
#include "sim/host/host.h"
#include "sim/host/stack/host_software.h"
#include "sim/workload/files/job_file.h"
#include "validation/results/result.h"

namespace ftlab {

// 960 MiB of flash on 8 dies, which program faster than the link delivers data.
inline constexpr char kHiddenDriveBase[] = R"({
  "name": "a drive to calibrate",
  "user_sectors": {"value": 1310720, "from": "assumed", "source": "a size for a test"},
  "geometry": {"channels": 4, "chips_per_channel": 1, "dies_per_chip": 2, "planes_per_die": 1, "blocks_per_plane": 480,
               "pages_per_block": 64, "page_bytes": 4096, "page_spare_bytes": 128, "codeword_bytes": 1024},
  "nand": {"cell": "slc",
           "read_ns": {"value": 60000, "from": "assumed", "source": "a start"},
           "program_ns": {"value": 100000, "from": "assumed", "source": "a start"},
           "erase_ns": {"value": 2000000, "from": "assumed", "source": "a start"},
           "bus_bytes_per_s": {"value": 400000000, "from": "assumed", "source": "a start"},
           "bus_command_ns": {"value": 300, "from": "assumed", "source": "a start"}, "cache_program": true},
  "link": {"kind": "sata-3", "queue_depth": {"value": 32, "from": "datasheet", "source": "NCQ"},
           "read_command_ns": {"value": 6000, "from": "assumed", "source": "a start"},
           "write_command_ns": {"value": 6000, "from": "assumed", "source": "a start"}},
  "controller": {"read_command_ns": {"value": 3000, "from": "assumed", "source": "a start"},
                 "write_command_ns": {"value": 3000, "from": "assumed", "source": "a start"},
                 "write_latency_ns": {"value": 12000, "from": "assumed", "source": "a start"}},
  "host": {"submit_ns": {"value": 5000, "from": "assumed", "source": "a start"},
           "complete_ns": {"value": 3000, "from": "assumed", "source": "a start"}},
  "ftl": {"mapping": {"scheme": "page", "page_bytes": {"value": 4096, "from": "assumed", "source": "usual"}},
          "frontiers": "host+gc",
          "gc": {"policy": "greedy", "start_free_superblocks": 2, "stop_free_superblocks": 3, "pages_per_host_write": 4},
          "write_buffer": {"bytes": {"value": 262144, "from": "assumed", "source": "a start"},
                           "partial_pages": {"value": 4, "from": "assumed", "source": "a start"}}}
})";

// A folder for the results of one test.
class CalibrationFolder {
 public:
  CalibrationFolder() : path_(std::filesystem::temp_directory_path() / ("ftlab-calibration-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(path_);
  }
  ~CalibrationFolder() { std::filesystem::remove_all(path_); }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

// Numbers without a source count as set on the command line. Reading the drive marks them, so that its echo states this.
inline Node hidden_drive_base() {
  Node drive = parse_document(kHiddenDriveBase, kCommandLineFile);
  read_drive(drive);
  return drive;
}

// Writes the result folder of `ftlab run`. Returns the simulated seconds until the last completion.
inline double measure_simulated(const Node& document, std::uint64_t seed, const std::string& folder, const std::string& text) {
  const DriveConfig config = read_drive(document);
  Drive drive(config, Clock::timed, seed);
  JobContext context;
  context.capacity_bytes = config.user_bytes;
  const JobFile jobs = parse_job_file(text, "measuring.fio", context);
  HostSoftware software(drive, config.host);
  HostOptions host;
  host.seed = seed;
  const RunStats stats = run_jobs(software, jobs.jobs, host);
  std::filesystem::create_directories(folder);
  for (const ResultFile& file : make_result(drive, document, jobs, stats, {seed, 0, 0}).files)
    std::ofstream(folder + "/" + file.name) << file.text;
  Nanoseconds ended{0};
  for (const JobStats& job : stats.jobs) ended = std::max(ended, job.ended);
  return static_cast<double>(ended.count()) / 1e9;
}

}  // namespace ftlab
