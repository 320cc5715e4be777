// Job files whose devices are drives of their own: which sections are for which device. Each drive is simulated by itself, so
// jobs of several drives must not depend on each other.
#pragma once

#include <string>
#include <vector>

#include "sim/workload/jobs/ini.h"
#include "sim/workload/options/settings.h"

namespace ftlab {

// The lines by which the command line overrides options of this section.
std::vector<Setting> overrides_of(const Section& section, const JobContext& context);

// Sets the device that a job uses. Without a filename, a section that is named after a device uses that device, as in fio.
// Some engines name the device by another option; a job with sprandom writes a whole drive.
void settle_device(Settings& settings, const Section& section);

// Devices, or files, that jobs name as their only one; each once, in the order of their first appearance.
std::vector<std::string> devices_of(const std::vector<Section>& sections, const JobContext& context);

// The global sections and those of the jobs on `context.device`. Throws ConfigError for a job of any section that names no
// device or several, or that makes jobs of different devices depend on each other. Sections with other errors are kept.
std::vector<Section> sections_of_device(const std::vector<Section>& sections, const JobContext& context);

}  // namespace ftlab
