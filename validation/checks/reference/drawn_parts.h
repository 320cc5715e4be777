// Random parts of the drives in drawn_designs.h, and their sizes.
#pragma once

#include <initializer_list>

#include "ftl/testing/drives.h"
#include "sim/core/random.h"

namespace ftlab::testing {

using Mapping = MappingConfig::Scheme;
using Placing = PlacementConfig::Scheme;

// Draws the parts of a drive. drawn_design() redraws invalid combinations.
struct Draw {
  RandomStream& random;

  std::uint32_t of(std::initializer_list<std::uint32_t> values) { return values.begin()[random.below(values.size())]; }
  bool coin() { return random.chance(1, 2); }

  void shape(DriveConfig& drive);

  // Shapes of all proportions, up to about 10^5 pages.
  void wide_shape(DriveConfig& drive);

  void collection(FtlConfig& ftl);

  void placement(FtlConfig& ftl);

  // Uses slots of a half to a sixteenth of a mapping page. False if the page does not fit into a stripe.
  bool compression(DriveConfig& drive);

  // Uses a table for all contents, or for few. False if the placement excludes it.
  bool deduplication(FtlConfig& ftl);

  // One design in four reads ahead, after each request or only after sequential ones. Uses a random stream of its own, so
  // that the other designs stay the same.
  void read_ahead(DriveConfig& drive);

  void requests(FtlConfig& ftl);

  void mapping(MappingConfig& mapping, Mapping scheme);
};

// Sets the RAM of a map of `logical_pages` pages, less than the whole map needs, as ftl/mapping/config.cpp does.
void size_mapping(FtlConfig& ftl, std::uint64_t logical_pages, bool smallest);

// Divides the logical pages among the pools in proportion to their superblocks. False if a pool is too small.
bool size_pools(FtlConfig& ftl, const Layout& layout, std::uint64_t logical_pages);

bool fits(FtlConfig& ftl, const Layout& layout, std::uint64_t logical_pages, bool smallest_map);

std::uint64_t most_logical_pages(FtlConfig& ftl, const Layout& layout, bool smallest_map);

// Sets the lowest valid watermarks: no superblock is free beyond those that the design requires.
void set_water_marks(FtlConfig& ftl);

}  // namespace ftlab::testing
