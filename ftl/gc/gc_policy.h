// Which superblock garbage collection takes next. Asked once for each reclaimed superblock, so a virtual call costs
// nothing visible and clarity comes first. The field's policies stand in gc_policies.cpp, a user's own in ftl/gc/policies.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "ftl/blocks/blocks.h"
#include "sim/core/random.h"

namespace ftlab {

// What a policy may look at.
struct GcView {
  const Blocks& blocks;
  std::uint32_t pool;                   // the victim must belong to it
  std::uint64_t pages_appended;         // so far; blocks.closed_at() counts in the same way
  const Column<std::uint32_t>& erases;  // by superblock
};

class GcPolicy {
 public:
  virtual ~GcPolicy() = default;
  // A superblock in state `closed` of the pool, or kNoBlock when there is none. The caller checks the answer; one that comes
  // without a stale page again and again, while others have some, is overruled. Chance comes from `random` alone.
  virtual SuperblockId choose(const GcView& view, RandomStream& random) = 0;
};

// What a drive file says to its policy.
struct GcPolicyArguments {
  std::uint32_t d = 0;  // d-choices: superblocks drawn
};

// Makes a policy that is no part of the program: a drive file cannot name it, and its state is not saved with the drive.
// Asked for each pool of superblocks, and again after a power cut.
using GcPolicyMaker = std::function<std::unique_ptr<GcPolicy>(std::uint32_t pool)>;

struct GcPolicyKind {
  std::string name;
  bool needs_sorted_bins;  // draws from Bins::at()
  bool needs_bins;         // asks Bins::fewest(); the drive file's `ties` decides how they are kept
  std::unique_ptr<GcPolicy> (*make)(const GcPolicyArguments&);
  bool by_counts = false;  // looks at nothing but numbers of current pages and the order and times of closing
};

// The policies by the names that drive files use, the users' own behind the field's. The one place that knows them all:
// gc_policies.cpp.
const std::vector<GcPolicyKind>& gc_policy_kinds();

// Those of ftl/gc/policies and of the files that FTLAB_POLICIES named when the program was built.
std::vector<GcPolicyKind> user_policy_kinds();

}  // namespace ftlab
