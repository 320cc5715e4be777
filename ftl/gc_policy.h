// Which superblock garbage collection takes next. Asked once for each reclaimed superblock, so a virtual call costs
// nothing visible and clarity comes first.
#pragma once

#include <memory>
#include <vector>

#include "ftl/blocks.h"

namespace ftlab {

class GcPolicy {
 public:
  virtual ~GcPolicy() = default;
  // A superblock in state `closed`, or kNoBlock when there is none. The answer is checked by the caller.
  virtual BlockId choose(const Blocks& blocks) = 0;
};

// The policies by the names that drive files use. The one place that knows them all: gc_policies.cpp.
struct GcPolicyKind {
  const char* name;
  std::unique_ptr<GcPolicy> (*make)();
};
const std::vector<GcPolicyKind>& gc_policy_kinds();

}  // namespace ftlab
