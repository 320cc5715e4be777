// Chooses the next superblock that garbage collection takes. Called once for each reclaimed superblock, so the cost of a
// virtual call is negligible. Published policies are in gc_policies.cpp, a user's own in ftl/gc/policies.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "ftl/blocks/blocks.h"
#include "sim/core/random.h"

namespace ftlab {

// State that a policy may read.
struct GcView {
  const Blocks& blocks;
  std::uint32_t pool;                   // the victim must belong to it
  std::uint64_t pages_appended;         // so far; the same clock as blocks.columns().closed_at
  const Column<std::uint32_t>& erases;  // by superblock
};

// The closed superblock of a pool with the fewest valid pages; kNoBlock if none is closed.
SuperblockId emptiest(const Blocks& blocks, std::uint32_t pool);

// After this many victims in a row without a stale page, per closed superblock, the policy is overruled and the emptiest
// superblock is taken.
inline constexpr std::uint64_t kMostFutile = 64;

class GcPolicy {
 public:
  virtual ~GcPolicy() = default;
  // Returns a superblock of the pool in state `closed`, or kNoBlock. The caller checks the answer. A policy that keeps
  // choosing victims without stale pages is overruled (kMostFutile). All randomness must come from `random`.
  virtual SuperblockId choose(const GcView& view, RandomStream& random) = 0;
};

// Makes a policy that is not compiled in: drive files cannot name it, and its state is not saved with the drive. Called for
// each pool of superblocks, and again after a power cut.
using GcPolicyMaker = std::function<std::unique_ptr<GcPolicy>(std::uint32_t pool)>;

// A numeric parameter of a policy, next to ftl.gc.policy in the drive file.
struct GcParameter {
  const char* key;
  std::uint64_t low, high;
  const char* meaning = "";  // in docs/drive_file_keys.md
};

// Which bins (lists by valid pages) a policy uses. Maintaining them costs time, so each policy declares what it needs.
enum class GcNeeds : std::uint8_t {
  nothing,
  fewest,  // Bins::fewest(); `ties` in the drive file decides among equals
  sorted,  // Bins::at()
};

struct GcPolicyKind {
  std::string name;
  GcNeeds needs = GcNeeds::nothing;
  // Uses only valid-page counts and the order and times of closing.
  bool by_counts = false;
  // The bins hold only the oldest closed superblocks, as many as the first parameter.
  bool windowed = false;
  std::vector<GcParameter> parameters = {};
  // Takes the values of the parameters, in order.
  std::function<std::unique_ptr<GcPolicy>(const std::vector<std::uint64_t>& values)> make;
  // User policies only (models/theory has the others): theoretical write amplification in steady state under uniform random
  // writes to many blocks of `block_pages` pages. `utilisation`: mapped pages / pages that can hold data. NaN where the
  // formula does not hold; empty if unknown. `ftlab wa` prints it next to the simulation, with its source.
  std::function<double(const std::vector<std::uint64_t>& values, double utilisation, int block_pages)> uniform_wa = nullptr;
  std::string uniform_wa_source = {};
};

// All policies by their name in drive files, the users' own last.
const std::vector<GcPolicyKind>& gc_policy_kinds();

// Policies in ftl/gc/policies and in the files that FTLAB_POLICIES named at build time.
std::vector<GcPolicyKind> user_policy_kinds();

}  // namespace ftlab
