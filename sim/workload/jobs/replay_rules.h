// Replay and recording: fio's read_iolog with its replay options, and write_iolog.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ftlab {

// One file of the log, as a part of the drive.
struct ReplayFile {
  std::string name;
  std::uint64_t first_bytes = 0;
  std::uint64_t end_bytes = 0;
};

// Replay by one job: which log, and where its requests go.
struct ReplayRules {
  std::string path;
  std::uint64_t version = 3;         // format of the log; version 2 has no times except its waits
  bool at_recorded_times = true;     // no request before its time; the queue limits how many are in flight
  std::uint64_t time_percent = 100;  // 200: twice the recorded speed; waits of version 2 are not scaled, as in fio
  std::uint64_t scale = 1;           // divisor of offsets
  std::uint64_t align = 0;           // offsets are then rounded down to a multiple of it, a power of two; 0: not rounded
  std::array<bool, 4> skips{};       // by Op: true if left out
  bool one_device = false;           // replay_redirect: ignores the file that a request names
  std::uint64_t drive_bytes = 0;     // capacity of the drive, which is the log's only file
  std::vector<ReplayFile> files;     // the files that the log may name, if there are several
};

// Log of the sequence that the job issues, in fio's format version 3, in the result folder.
struct SequenceLog {
  std::string prefix;
  std::vector<std::string> files;  // names, in the order of the job's files
};

}  // namespace ftlab
