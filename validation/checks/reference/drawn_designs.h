// Random designs of the FTL, on drives of random shapes with little spare space: random combinations of mapping scheme, GC
// policy, placement, parity, pSLC, held pages, trims, wear levelling and read-ahead.
#pragma once

#include <string>

#include "validation/checks/reference/drawn_parts.h"

namespace ftlab::testing {

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
