// Setting for the theory of write amplification, used with a formula (steady_state.h) or the simulator (`ftlab wa`):
// fixed-size logical pages, one plane of blocks, no write cache, GC only when no block beyond the reserve is free.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ftlab {

struct WaQuestion {
  // other: a user policy; its formula, if known, comes with the question
  enum class Policy : std::uint8_t {
    greedy,
    random,
    d_choices,
    fifo,
    windowed_greedy,
    cost_benefit,
    cost_benefit_kawaguchi,
    other
  };
  Policy policy = Policy::greedy;
  std::uint32_t d = 10;  // blocks drawn with replacement (d_choices)
  double window = 0.1;   // share of the blocks, oldest first (windowed_greedy); in (0, 1]

  struct OtherPolicy {
    std::string name;                        // its name in the simulator
    std::vector<std::uint64_t> values = {};  // parameter values, in order
    // Write amplification under uniform writes; NaN where the formula does not hold. Empty if unknown.
    std::function<double(double utilisation, int block_pages)> uniform_wa = nullptr;
    std::string source = {};  // citation for the formula
  };
  OtherPolicy other = {};

  double op = 0.07;  // (T - U) / U: T pages that can hold data when a victim is picked, U logical pages
  std::uint32_t pages_per_block = 64;
  std::uint64_t blocks = 1024;  // blocks with data when a victim is picked; the reserve is extra

  enum class Workload : std::uint8_t { uniform, sequential, hot_cold, zipf };
  Workload workload = Workload::uniform;
  double hot_writes = 0.8;  // R: this share of the writes
  double hot_pages = 0.2;   // F: goes to this share of the pages, uniform within each
  double zipf = 1.0;        // P(rank i) ~ i^-s over all logical pages

  // one: all data in one open block. host_gc: separate blocks for host writes and relocations. hot_cold: separate blocks for
  // hot and cold pages (the writer knows which is which). hot_cold_gc: both. pools: hot and cold pages in separate pools,
  // with `hot_spare` of the spare pages in the hot pool; the policy chooses within each.
  enum class Frontiers : std::uint8_t { one, host_gc, hot_cold, hot_cold_gc, pools };
  Frontiers frontiers = Frontiers::one;
  double hot_spare = 0.5;

  double trim = 0;        // Q: probability that a request is a trim, else a write
  bool trim_any = false;  // trims pick any logical page (no effect if unmapped), not only mapped ones

  // Compression: an item takes a uniform whole number of units, stored_low to stored_high, of a page of `units` units. Items
  // are packed inside a block and never cross its end. 1, 1, 1: no compression.
  std::uint32_t stored_low = 1;
  std::uint32_t stored_high = 1;
  std::uint32_t units = 1;

  std::uint64_t logical_pages() const {
    return static_cast<std::uint64_t>(static_cast<double>(blocks * pages_per_block) / (1 + op) + 0.5);
  }
  double stored_share() const { return (stored_low + stored_high) / (2.0 * units); }
};

}  // namespace ftlab
