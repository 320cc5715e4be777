// Random designs of the FTL, on drives of random shapes with little spare space: random combinations of mapping scheme, GC
// policy, placement, parity, pSLC, held pages, trims, wear levelling and read-ahead.
#pragma once

#include <initializer_list>
#include <string>

#include "ftl/testing/drives.h"
#include "sim/core/random.h"

namespace ftlab::testing {

// Random parts of the drives in drawn_designs.h, and their sizes.
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

inline constexpr Mapping kSchemes[] = {Mapping::page,  Mapping::demand, Mapping::extent,
                                       Mapping::block, Mapping::bast,   Mapping::fast};

enum class Special { none, compression, pslc_mode, deduplication };

enum class Breadth { narrow, wide };

DriveConfig drawn_design(RandomStream& random, Mapping scheme, Special special = Special::none,
                         Breadth breadth = Breadth::narrow);
std::string words(const DriveConfig& drive);

// The same design with a little more flash, which wears out and fails.
DriveConfig mortal(DriveConfig drive, const EnduranceConfig& endurance);
// Weight of trims in a request mix for the drive.
unsigned trims(const DriveConfig& drive);
// Number of distinct contents of host data: few, so that most are shared, or many, so that few are.
std::uint64_t contents(RandomStream& random, Special special);

// Designs with compression require a page map. Those with a pSLC mode also get one: extent maps are possible, but would
// spend minutes rewriting themselves on such small drives.
DriveConfig next_design(RandomStream& random, int i, Special special);
// Adds frequent bit errors, soon after writing and on reads. The last retry step corrects everything, so no data may be
// lost, but most reads are retried, and superblocks constantly wait for refresh.
void make_err(DriveConfig& drive, RandomStream& random);

}  // namespace ftlab::testing
