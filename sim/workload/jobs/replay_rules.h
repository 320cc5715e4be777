// What a job replays, and what it keeps: fio's read_iolog with its replay options, and write_iolog.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ftlab {

// As written.
struct ReplayRequest {
  std::vector<std::string> logs;  // one for each clone of the job, as in fio; empty: nothing is replayed
  bool no_stall = false;          // as fast as the queue depth allows
  std::uint64_t time_percent = 100;
  std::uint64_t scale = 1;
  std::uint64_t align = 0;
  std::string redirect;
  std::array<bool, 4> skips{};  // by Op
  std::optional<std::string> sequence_log;
};

// One file of the log, as part of the drive.
struct ReplayFile {
  std::string name;
  std::uint64_t first_bytes = 0;
  std::uint64_t end_bytes = 0;
};

// Of one job: which log, and where its requests go.
struct ReplayRules {
  std::string path;
  std::uint64_t version = 3;         // of the log's format; 2 has no times but what its waits say
  bool at_recorded_times = true;     // no request before its time, but only as many at once as the queue holds
  std::uint64_t time_percent = 100;  // 200: at twice the recorded speed; waits of version 2 are as they are, as in fio
  std::uint64_t scale = 1;           // offsets are divided by it,
  std::uint64_t align = 0;           // then rounded down to it; a power of two, 0: not
  std::array<bool, 4> skips{};       // by Op: left out
  bool one_device = false;           // whatever file a request names (replay_redirect)
  std::uint64_t drive_bytes = 0;     // of the drive that stands for the log's only file;
  std::vector<ReplayFile> files;     // or the files that it may name
};

// The sequence that the job issues, as a log of fio's version 3 in the result folder.
struct SequenceLog {
  std::string prefix;
  std::vector<std::string> files;  // names, in the order of the job's files
};

}  // namespace ftlab
