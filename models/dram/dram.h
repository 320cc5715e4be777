// The controller's memory as a bottleneck: every byte on its way between host and flash is written to it and read again.
// One thing at a time, at a mean rate that includes refresh and the turning of the bus. What is written is stored before it
// goes on (a mapping page or a stripe at a time), so each crossing adds to the latency of a read.
//
// Not modelled: data moved by garbage collection, and the mapping tables, which live in the same memory.
#pragma once

#include <cstdint>

#include "sim/config/reader.h"
#include "sim/core/timeline.h"

namespace ftlab {

struct DramConfig {
  std::uint64_t bytes_per_s = 0;  // both directions together; 0: costs nothing
  bool reads_bypass = false;      // data from the flash go to the link without crossing it; what is cached in it does cross
};

// Reads the object `dram` of a drive file. Throws ConfigError.
DramConfig read_dram(Reader reader);

class Dram {
 public:
  explicit Dram(const DramConfig& config) : config_(config) {}

  // Whether it costs anything.
  bool limits() const { return config_.bytes_per_s > 0; }
  // When `bytes`, at hand at `ready`, have crossed so many times one after the other. REQUIRES: limits().
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
