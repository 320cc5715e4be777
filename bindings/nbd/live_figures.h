// Live statistics of a served drive: JSON over its socket, text in a terminal (`ftlab top`).
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "sim/request.h"

namespace ftlab {

struct LiveFigures {
  std::string drive;
  double simulated_s = 0;
  double wall_s = 0;
  std::uint64_t clients = 0;      // connected now
  std::uint64_t outstanding = 0;  // requests in flight
  std::array<std::uint64_t, kOpCount> requests{};
  std::array<std::uint64_t, kOpCount> bytes{};
  double write_amplification = 0;  // since the start; 0 if nothing was written
  std::uint64_t free_superblocks = 0;
  std::uint64_t block_erases = 0;
  std::uint64_t power_cuts = 0;
  std::uint64_t late = 0;  // answers more than 100 us late by the clock
  // The last complete second of simulated time.
  struct Second {
    double read_mb = 0, write_mb = 0;
    std::uint64_t reads = 0, writes = 0;
    double read_p99_us = 0, write_p99_us = 0;
  } last;
};

std::string figures_json(const LiveFigures& figures);
// Throws ConfigError, naming `where`, if `json` is not the output of figures_json().
LiveFigures figures_of(const std::string& json, const std::string& where);
// Six lines.
std::string figures_text(const LiveFigures& figures);

}  // namespace ftlab
