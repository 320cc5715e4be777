// Checks options against each other: combinations that cannot run are refused, surprising ones are noted.
#pragma once

#include <vector>

#include "sim/workload/options/region.h"

namespace ftlab {

// Throws ConfigError.
void check_relations(const Settings& settings, const Section& section, const Region& region);

// Adds at most one note per surprise.
void note_surprises(const Settings& settings, const Section& section, const Region& region, std::vector<Note>& notes);

}  // namespace ftlab
