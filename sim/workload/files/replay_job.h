// The job that replays a log: which of its options count, and what the log comes to.
#pragma once

#include <string>
#include <vector>

#include "sim/traces/iolog.h"
#include "sim/workload/options/region.h"

namespace ftlab {

inline bool replays(const Settings& settings) { return !settings.replay.logs.empty(); }

// Options that would change what a log says are refused. Throws ConfigError.
void check_replay_options(const Settings& settings, const Section& section);

// Makes `job` replay the log of its clone. `files`: those that the log may name, when the job has several. Reads the whole
// log and returns what it comes to; throws ConfigError for the first fault in it.
IologSummary set_replay(Job& job, const Settings& settings, const std::vector<ReplayFile>& files, const std::string& folder,
                        std::uint64_t drive_bytes);

// What is replayed how, for one job, and what counts for nothing.
void note_replay(const Settings& settings, const Section& section, const Job& job, const IologSummary& log,
                 std::vector<Note>& notes);

// The files that write_iolog names. Throws ConfigError for a name that such a log cannot hold.
SequenceLog sequence_log(const Settings& settings, const Section& section, const Job& job);

}  // namespace ftlab
