// Options for the host that fio runs on, not for the drive: accepted and checked, without effect here.
#pragma once

#include <vector>

#include "sim/workload/jobs/ini.h"
#include "sim/workload/jobs/job.h"

namespace ftlab {

// Adds a note with all such options and their lines, and a separate one for each figure that misses their effect.
void note_without_effect(const std::vector<Section>& sections, const std::vector<JobOverride>& overrides,
                         std::vector<Note>& notes);

}  // namespace ftlab
