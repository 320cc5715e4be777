// Options that concern the computer that fio runs on, not the drive: accepted and checked, of no effect here.
#pragma once

#include <vector>

#include "sim/workload/jobs/ini.h"
#include "sim/workload/jobs/job.h"

namespace ftlab {

// Adds one note that names every such option of the job file with its lines; none when there is no such option.
void note_without_effect(const std::vector<Section>& sections, const std::vector<JobOverride>& overrides,
                         std::vector<Note>& notes);

}  // namespace ftlab
