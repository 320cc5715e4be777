// Turns a job into the replay of a log: which of its options apply, and the totals of the log.
#pragma once

#include <string>
#include <vector>

#include "sim/traces/iolog.h"
#include "sim/workload/options/draft.h"

namespace ftlab {

inline bool replays(const Draft& draft) { return !draft.logs.empty(); }

// Refuses options that would change the log. Throws ConfigError.
void check_replay_options(const Draft& draft);

// Makes `job` replay the log of its clone. `files` are those that the log may name, if the job has several. Reads the whole
// log and returns its totals; throws ConfigError for the first error in it.
IologSummary set_replay(Job& job, const Draft& draft, const std::vector<ReplayFile>& files, const std::string& folder,
                        std::uint64_t drive_bytes);

// Notes how one job replays its log, and which options have no effect.
void note_replay(const Draft& draft, const Job& job, const IologSummary& log, Notes& notes);

// Names the files of the write_iolog log. Throws ConfigError for a name that such a log cannot hold.
void name_files(Job& job, const Draft& draft);

}  // namespace ftlab
