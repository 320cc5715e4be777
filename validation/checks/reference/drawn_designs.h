// Designs of the translation layer drawn at random, on drives of random shapes with little spare: mapping schemes,
// collection policies, placement, parity, pSLC, held pages, trims, wear levelling, reading ahead in random combinations.
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
// The weight of trims among the requests for it.
unsigned trims(const DriveConfig& drive);
// How many contents the host's data have: few, so that most are shared, or so many that few are.
std::uint64_t contents(RandomStream& random, Special special);

// Designs that compress have a map of single pages, so have those with a fast mode here: extents fit, but rewrite themselves
// for minutes on so small drives.
DriveConfig next_design(RandomStream& random, int i, Special special);
// Pages err soon after they were written and often while they are read. The last step corrects everything, so that nothing
// may be lost, but most reads are retried, and superblocks wait for refresh all the time.
void make_err(DriveConfig& drive, RandomStream& random);

}  // namespace ftlab::testing
