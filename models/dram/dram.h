// The controller's DRAM as a bottleneck: every byte between host and flash is written to it and read again. One transfer at
// a time, at a mean rate that includes refresh and bus turnarounds. Data are stored completely before they move on (a
// mapping page or a stripe at a time), so each crossing adds to the latency of a read.
//
// Not modelled: data moved by garbage collection, and accesses to the mapping tables in the same memory.
#pragma once

#include <cstdint>

#include "sim/config/reader.h"
#include "sim/core/timeline.h"

namespace ftlab {

struct DramConfig {
  std::uint64_t bytes_per_s = 0;  // both directions together; 0: no limit
  bool reads_bypass = false;      // data from the flash go to the link without crossing the DRAM; cached data do cross it
};

// Reads the object `dram` of a drive file. Throws ConfigError.
DramConfig read_dram(Reader reader);

class Dram {
 public:
  explicit Dram(const DramConfig& config) : config_(config) {}

  // True if the DRAM costs time.
  bool limits() const { return config_.bytes_per_s > 0; }
  // Time when `bytes`, available at `ready`, have crossed the DRAM `times` times. REQUIRES: limits().
  Nanoseconds cross(Nanoseconds ready, std::uint64_t bytes, std::uint32_t times) {
    const Nanoseconds length = transfer_time(bytes * times, config_.bytes_per_s);
    return port_.reserve(ready, length) + length;
  }
  const DramConfig& config() const { return config_; }
  Nanoseconds idle_from() const { return port_.end(); }

  template <class A>
  void archive(A& archive) {
    archive.section("dram");
    port_.archive(archive);
  }

 private:
  DramConfig config_;
  Timeline port_;
};

}  // namespace ftlab
