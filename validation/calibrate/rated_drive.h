// Solves for the numbers of a drive that its data sheet does not state, from the ratings that it does: a simulation of each
// rating's workload must give the rating. Each rating determines one key:
//
//   seq_read        nand.bus_bytes_per_s            rand_read    controller.read_command_ns
//   seq_write       nand.program_ns; with a pSLC    rand_write   over-provisioning: the steady rate falls with write
//                   cache nand.program_slc_ns                    amplification; with a pSLC cache write_command_ns
//   read_latency    nand.read_ns                    write_latency  controller.write_latency_ns
//   tbw             endurance.program_erase_limit, by the write amplification of random writes
//
// Rates and latencies do not depend on how many pages a block has, so a drive with few of them is simulated.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/config/document.h"
#include "validation/calibrate/ratings.h"

namespace ftlab {

// A drive with this over-provisioning, in thousandths, and the numbers of its class.
using DesignOf = std::function<Node(std::uint32_t over_provisioning_permille)>;

struct SolvedRating {
  Rating rating;
  double rated = 0, simulated = 0;  // in the rating's unit; steady random writes: rated is what is expected, see kSteady
  std::string key;                  // that was solved for
  std::uint64_t value = 0;
};

struct RatedDrive {
  Node document;
  std::uint32_t over_provisioning_permille = 0;
  std::vector<SolvedRating> solved;
};

struct RatedOptions {
  std::uint32_t over_provisioning_permille = 0;  // where rand_write does not determine it
  std::uint64_t seed = 1;
  std::function<void(const std::string& text, double done)> progress;  // share done, 0 to 1
};

// Steady random writes are this much faster than sheets state, which are careful: the median of the drives that SSD-iq measured
// (Haas, Leis and others; see configs/scoreboard), 1.10, all within 13 %.
inline constexpr double kSteadyOverRating = 1.10;
// A key is searched for within this factor of its class's number.
inline constexpr std::uint64_t kMostOffClass = 16;

// Throws ConfigError if a rating is beyond the link, or the design cannot be simulated; throws Interrupted.
RatedDrive solve_ratings(const DesignOf& design, const Ratings& ratings, const RatedOptions& options);

// The same drive with two pages of each kind in a block, so that it is simulated quickly; see with_smaller_blocks().
Node with_small_blocks(const Node& drive);

}  // namespace ftlab
