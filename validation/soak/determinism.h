// Jobs whose hashes must be equal wherever and however often they are carried out: over the stream of completions (time,
// tag, status) and over the final state.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "validation/soak/swarm/figures.h"

namespace ftlab::soak {

// One line: number of the job, hash of the completions, hash of the state. Carries it out.
std::string hashes_of_job(std::uint64_t seed, std::uint64_t job);

struct DeterminismAsked {
  std::uint64_t seed = 1;
  std::uint64_t jobs = 200;
  std::vector<std::string> programs;  // other builds of ftlab-soak, to be asked for the same hashes as this one
};

// Each job twice in this process, with another one in between; in a second process of this program, which is ftlab-soak; and
// in one of each other.
std::vector<Figure> compare_runs(const DeterminismAsked& asked);

}  // namespace ftlab::soak
