// What the paces, targets and ends of jobs mean together: refused where they contradict each other, noted where they
// surprise.
#pragma once

#include <vector>

#include "sim/workload/options/region.h"

namespace ftlab {

// `before`: the jobs of the sections before this one, of which wait_for names one. Throws ConfigError.
void check_flow(const Settings& settings, const Section& section, const std::vector<Job>& before);

// What fio makes of the settings: no batch is larger than the queue, a steady state without a duration counts for nothing.
Flow effective_flow(const Settings& settings);

void note_flow(const Settings& settings, const Section& section, const Region& region, std::vector<Note>& notes);

// As in fio, exitall in one section counts for the whole file.
void share_exit(std::vector<Job>& jobs);

}  // namespace ftlab
