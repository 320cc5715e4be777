// Solves for the numbers of a drive that its data sheet does not state, from the ratings that it does: a simulation of each
// rating's workload must give the rating. Each rating determines one key (kTrials in rated_drive.cpp):
//
//   seq_read      nand.bus_bytes_per_s         read_latency   nand.read_ns
//   rand_read     controller.read_command_ns   write_latency  controller.write_latency_ns
//   seq_write     nand.program_ns; into a pSLC cache nand.program_slc_ns
//   rand_write    over-provisioning in the steady state, as the rate falls with write amplification; of an empty drive
//                 controller.write_command_ns
//   tbw           endurance.program_erase_limit, by a formula: write amplification of random writes in the steady state
//   slc_cache     ftl.pslc_mode.free_space_permille, by a formula: data in it take all bits of their cells from the free space
//
// Rates and latencies do not depend on how many pages a block has, so a drive with few of them is simulated.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/document.h"

namespace ftlab {

// Ratings of a data sheet, as `ftlab init --rated` takes them.

// How a maker's figures are measured. Sheets state rates at a deep queue, latencies with one request outstanding.
enum class Rating : std::uint8_t {
  sequential_read,   // bytes/s, 128 KiB
  sequential_write,  // bytes/s, 128 KiB; with a pSLC cache: into it
  random_read,       // 4 KiB per second
  random_write,      // 4 KiB per second; in the steady state, with a pSLC cache: into it
  read_latency,      // ns, 4 KiB at random, one outstanding
  write_latency,     // ns, 4 KiB, one outstanding
  written_bytes,     // bytes that the host may write (TBW)
  slc_cache          // bytes that fill the pSLC cache of an empty drive
};
inline constexpr std::size_t kRatings = 8;

const char* name_of(Rating rating);                       // as in --rated: "seq_read"
std::string rating_text(Rating rating, double value);  // "6.8 GB/s", "85.0 k/s", "80 us"

class Ratings {
 public:
  // Parses "seq_read=6.8GB/s,rand_write=85k,read_latency=80us,tbw=1700TB". Throws ConfigError, naming --rated.
  explicit Ratings(std::string_view text);

  // In the unit of the rating; nullopt if the sheet does not state it.
  const std::optional<double>& of(Rating rating) const { return values_[static_cast<std::size_t>(rating)]; }
  bool has(Rating rating) const { return of(rating).has_value(); }

 private:
  std::array<std::optional<double>, kRatings> values_;
};

// A drive with this over-provisioning, in thousandths, and the numbers of its class.
using DesignOf = std::function<Node(std::uint32_t over_provisioning_permille)>;

// A key is searched for within this factor of its class's number.
inline constexpr std::uint64_t kMostOffClass = 16;
// A rating of steady random writes determines the over-provisioning, in thousandths. Drive files have no such key.
inline constexpr char kOverProvisioning[] = "over-provisioning";

struct SolvedRating {
  Rating rating{};
  double rated = 0, expected = 0, simulated = 0;  // in the rating's unit; expected: what the simulation should have
  std::string key;                                // the key that it determines, or kOverProvisioning
  std::uint64_t value = 0;

  bool met() const;     // within 3 % of what is expected
  bool better() const;  // a higher rate or a shorter latency than expected
};

struct RatedDrive {
  Node document;
  std::uint32_t over_provisioning_permille = 0;
  std::vector<SolvedRating> solved;
};

struct RatedOptions {
  std::uint32_t over_provisioning_permille = 0;  // unless rand_write determines it
  // Ratings of writes are those of the steady state, as sheets of enterprise drives state them. Otherwise those of an empty
  // drive, as sheets of client drives do.
  bool steady = false;
  std::function<void(const std::string& text, double done)> progress;  // share done, 0 to 1
};

// A key that a rating determines, or that would change what it determines.
struct DeterminedKey {
  std::string key;
  Rating rating;
};

// All such keys of a design, so that nothing else sets them.
std::vector<DeterminedKey> determined_keys(const Node& design, const Ratings& ratings, bool steady);

// Throws ConfigError if a rating is beyond the link, if tbw has no formula for the design, if there is no pSLC cache to rate,
// or if the design cannot be simulated.
RatedDrive solve_ratings(const DesignOf& design, const Ratings& ratings, const RatedOptions& options);

// The same drive with at least two pages of each kind in a block, as few as a divisor of its pages allows, so that it is
// simulated quickly; see with_smaller_blocks().
Node with_small_blocks(const Node& drive);

}  // namespace ftlab
