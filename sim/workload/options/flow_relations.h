// Checks the rates, targets and ends of jobs: contradictions are refused, surprising combinations are noted.
#pragma once

#include <vector>

#include "sim/workload/options/region.h"

namespace ftlab {

// `before`: jobs of the earlier sections, one of which wait_for names. Throws ConfigError.
void check_flow(const Settings& settings, const Section& section, const std::vector<Job>& before);

// The flow as fio applies the settings: no batch exceeds the queue depth, a steady state without a duration is ignored.
Flow effective_flow(const Settings& settings);

void note_flow(const Settings& settings, const Section& section, const Region& region, std::vector<Note>& notes);

// As in fio, exitall in one section applies to the whole file.
void share_exit(std::vector<Job>& jobs);

}  // namespace ftlab
