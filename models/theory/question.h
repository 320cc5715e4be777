// The setting that the theory of write amplification speaks about, asked of a formula (steady_state.h) and of the
// simulator (`ftlab wa`) alike: fixed-size logical pages, one plane of blocks, no write cache, collection only when no
// block beyond the reserve is free.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ftlab {

struct WaQuestion {
  // other: a policy of the user's; its formula, if it has one, comes with the question
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
  double window = 0.1;   // share of the blocks, the oldest ones (windowed_greedy); in (0, 1]

  struct OtherPolicy {
    std::string name;                        // as the simulator knows it
    std::vector<std::uint64_t> values = {};  // of its own parameters, in its order
    // Write amplification under uniform writes; NaN where the formula does not hold. Empty: there is none.
    std::function<double(double utilisation, int block_pages)> uniform_wa = nullptr;
    std::string source = {};  // of the formula
  };
  OtherPolicy other = {};

  double op = 0.07;  // (T - U) / U: T pages that can hold data when a victim is picked, U logical pages
  std::uint32_t pages_per_block = 64;
  std::uint64_t blocks = 1024;  // that hold data when a victim is picked; the reserve comes on top

  enum class Workload : std::uint8_t { uniform, sequential, hot_cold, zipf };
  Workload workload = Workload::uniform;
  double hot_writes = 0.8;  // R: share of the writes ...
  double hot_pages = 0.2;   // F: ... that go to this share of the pages, uniform within each
  double zipf = 1.0;        // P(rank i) ~ i^-s over all logical pages

  // one: all data behind one open block. host_gc: host writes and relocations apart. hot_cold: hot and cold pages apart (the
  // writer knows which is which). hot_cold_gc: both. pools: hot and cold in blocks of their own, `hot_spare` of the spare
  // pages in the hot pool, greedy or whatever the policy is within each.
  enum class Frontiers : std::uint8_t { one, host_gc, hot_cold, hot_cold_gc, pools };
  Frontiers frontiers = Frontiers::one;
  double hot_spare = 0.5;

  double trim = 0;        // Q: a request is a trim with this probability, else a write
  bool trim_any = false;  // trims pick any logical page (no effect on an unmapped one), not only mapped ones

  // Compression: an item takes a uniform whole number of units, stored_low to stored_high, of a page of `units` units;
  // items are packed inside a block and never cross its end. 1, 1, 1: no compression.
  std::uint32_t stored_low = 1;
  std::uint32_t stored_high = 1;
  std::uint32_t units = 1;

  std::uint64_t logical_pages() const {
    return static_cast<std::uint64_t>(static_cast<double>(blocks * pages_per_block) / (1 + op) + 0.5);
  }
  double stored_share() const { return (stored_low + stored_high) / (2.0 * units); }
};

}  // namespace ftlab
