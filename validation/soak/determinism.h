// Jobs whose hashes must be equal on every machine and in every run: over the stream of completions (time, tag, status) and
// over the final state.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "validation/soak/swarm/figures.h"

namespace ftlab::soak {

// Runs a job. Returns one line: number of the job, hash of the completions, hash of the state.
std::string hashes_of_job(std::uint64_t seed, std::uint64_t job);

struct DeterminismAsked {
  std::uint64_t seed = 1;
  std::uint64_t jobs = 200;
  std::vector<std::string> programs;  // other builds of ftlab-soak, which must give the same hashes
};

// Runs each job twice in this process, with another job in between; once in a second process of this program, which must be
// ftlab-soak; and once in each of the other programs.
std::vector<Figure> compare_runs(const DeterminismAsked& asked);

}  // namespace ftlab::soak
