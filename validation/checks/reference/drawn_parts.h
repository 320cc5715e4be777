// The parts of which drawn_designs.h makes drives, and their sizes.
#pragma once

#include <initializer_list>

#include "ftl/testing/drives.h"
#include "sim/core/random.h"

namespace ftlab::testing {

using Mapping = MappingConfig::Scheme;
using Placing = PlacementConfig::Scheme;

// Draws the parts of a drive. What does not fit together is drawn again by drawn_design().
struct Draw {
  RandomStream& random;

  std::uint32_t of(std::initializer_list<std::uint32_t> values) { return values.begin()[random.below(values.size())]; }
  bool coin() { return random.chance(1, 2); }

  void shape(DriveConfig& drive);

  // Shapes of all proportions, up to some 10^5 places.
  void wide_shape(DriveConfig& drive);

  void collection(FtlConfig& ftl);

  void placement(FtlConfig& ftl);

  // In slots of a half to a sixteenth of a mapping page. False: the page does not fit into a stripe.
  bool compression(DriveConfig& drive);

  // With a table for all contents, or for few. False: the placement is not possible with it.
  bool deduplication(FtlConfig& ftl);

  // One design in four, after each request or each that goes on where one ended. Of a stream of its own: designs without it
  // are drawn as they would be if there was none.
  void read_ahead(DriveConfig& drive);

  void requests(FtlConfig& ftl);

  void mapping(MappingConfig& mapping, Mapping scheme);
};

// The RAM of a map that cannot hold all of it, for so many logical pages; as ftl/mapping/config.cpp does it.
void size_mapping(FtlConfig& ftl, std::uint64_t logical_pages, bool smallest);

// Divides the logical pages among the pools in proportion to their superblocks. False: a pool is too small.
bool size_pools(FtlConfig& ftl, const Layout& layout, std::uint64_t logical_pages);

bool fits(FtlConfig& ftl, const Layout& layout, std::uint64_t logical_pages, bool smallest_map);

std::uint64_t most_logical_pages(FtlConfig& ftl, const Layout& layout, bool smallest_map);

// The lowest water marks that are allowed: every free superblock that a design promises to do without is missing.
void set_water_marks(FtlConfig& ftl);

}  // namespace ftlab::testing
