// Rules of the reference FTL (reference_ftl.h), and types shared by its parts.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

namespace ftlab::testing {

inline constexpr std::uint32_t kNone = ~std::uint32_t{0};

struct ReferenceRules {
  enum class Policy { greedy, drawn, fifo, cost_benefit, cost_benefit_kawaguchi };
  enum class Ties {
    latest,
    first,
    drawn
  };  // order of superblocks with equally many valid pages, by when they reached that number
  enum class Trim { at_once, later, never };

  std::uint32_t page_bytes = 0;
  std::uint32_t superblocks = 0, stripes = 0, pages_per_stripe = 0;  // stripes per superblock
  std::uint32_t parity_every = 0;                                    // every n-th stripe is parity; 0: none
  std::uint32_t host_frontiers = 1;                                  // one per stream
  bool handles = false;              // streams are separate, and an erase waits only for pages that replace its own
  bool separate_relocation = false;  // else relocated pages go to the host's frontiers
  Policy policy = Policy::greedy;
  Ties ties = Ties::latest;
  std::uint32_t drawn = 1;   // superblocks per random choice
  std::uint32_t window = 0;  // greedy among the oldest ones only; 0: all
  bool shuffle = false;
  std::uint32_t start_free = 1, stop_free = 2, pages_per_host_write = 0;
  bool least_worn_first = false;
  std::uint32_t static_spread = 0, check_every_erases = 1;
  std::uint32_t coalescing_pages = 0;
  bool coalesce = false, power_loss_protected = false;
  Trim trim = Trim::at_once;
  std::uint32_t trims_per_host_write = 0;
  std::uint64_t seed = 0;

  // Data positions in a superblock, ascending.
  std::vector<std::uint32_t> data_positions() const {
    std::vector<std::uint32_t> positions;
    for (std::uint32_t stripe = 0; stripe < stripes; ++stripe) {
      if (parity_every > 0 && stripe % parity_every == parity_every - 1) continue;
      for (std::uint32_t p = 0; p < pages_per_stripe; ++p) positions.push_back(stripe * pages_per_stripe + p);
    }
    return positions;
  }
};

struct ReferencePlace {
  std::uint32_t superblock, position;
  auto operator<=>(const ReferencePlace&) const = default;
};

struct ReferencePage {
  std::uint32_t lpn, version;
};

struct ReferenceSuperblock {
  std::vector<ReferencePage> pages;  // by position
  std::set<std::uint32_t> current;   // positions of valid pages
  std::uint64_t erases = 0;
  std::uint32_t frontier = 0;
};

}  // namespace ftlab::testing
