// What options mean together: combinations that cannot be carried out are refused, those that surprise are noted.
#pragma once

#include <vector>

#include "sim/workload/options/region.h"

namespace ftlab {

// Throws ConfigError.
void check_relations(const Settings& settings, const Section& section, const Region& region);

// One note at most for each surprise.
void note_surprises(const Settings& settings, const Section& section, const Region& region, std::vector<Note>& notes);

}  // namespace ftlab
