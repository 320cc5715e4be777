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

// The closed superblock of a pool with the fewest valid pages; kNoBlock without a closed one.
SuperblockId emptiest(const Blocks& blocks, std::uint32_t pool);

// A policy may choose victims without a stale page this many times in a row, per closed superblock; then the emptiest is
// taken.
inline constexpr std::uint64_t kMostFutile = 64;

class GcPolicy {
 public:
  virtual ~GcPolicy() = default;
  // A superblock in state `closed` of the pool, or kNoBlock when there is none. The caller checks the answer; one that comes
  // without a stale page again and again, while others have some, is overruled. Chance comes from `random` alone.
  virtual SuperblockId choose(const GcView& view, RandomStream& random) = 0;
};

// Makes a policy that is no part of the program: a drive file cannot name it, and its state is not saved with the drive.
// Asked for each pool of superblocks, and again after a power cut.
using GcPolicyMaker = std::function<std::unique_ptr<GcPolicy>(std::uint32_t pool)>;

// A number that a policy has in the drive file, beside ftl.gc.policy.
struct GcParameter {
  const char* key;
  std::uint64_t low, high;
};

// Which of the lists by valid pages (Bins) a policy looks at. Keeping them costs time, so each says what it needs.
enum class GcNeeds : std::uint8_t {
  nothing,
  fewest,  // Bins::fewest(); the drive file's `ties` decides among equals
  sorted,  // Bins::at()
};

struct GcPolicyKind {
  std::string name;
  GcNeeds needs = GcNeeds::nothing;
  // It looks at nothing but numbers of valid pages and the order and times of closing.
  bool by_counts = false;
  // The bins hold the oldest closed superblocks alone, as many as the first parameter says.
  bool windowed = false;
  std::vector<GcParameter> parameters = {};
  // By the values of the parameters, in order.
  std::function<std::unique_ptr<GcPolicy>(const std::vector<std::uint64_t>& values)> make;
  // Theory, of a user's policy (that of the others is in models/theory): write amplification in steady state under uniform
  // random writes to many blocks of so many pages. `utilisation`: mapped pages over those that can hold data. NaN where the
  // formula does not hold; empty: there is none. `ftlab wa` prints it beside the simulation, with its source.
  std::function<double(const std::vector<std::uint64_t>& values, double utilisation, int block_pages)> uniform_wa = nullptr;
  std::string uniform_wa_source = {};
};

// The policies by the names that drive files use, the users' own behind the field's. The one place that knows them all:
// gc_policies.cpp.
const std::vector<GcPolicyKind>& gc_policy_kinds();

// Those of ftl/gc/policies and of the files that FTLAB_POLICIES named when the program was built.
std::vector<GcPolicyKind> user_policy_kinds();

}  // namespace ftlab
