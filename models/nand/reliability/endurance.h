// How long blocks last and how often an operation fails by chance: bad blocks from the factory, a limit of program/erase
// cycles of each block's own, failed programs and erases. It decides; what is done about it is the translation layer's.
//
// Limits are normally distributed about the mean that the drive file states. The normal variable is the sum of twelve
// uniform ones, integers only: the same limits on every compiler; beyond 3 sigma lie 2.3 in 1,000 blocks instead of 2.7.
// It is truncated by drawing again beyond 4 sigma and below a tenth of the mean.
// Not modelled: failures that become more frequent as the limit comes near; neighbours that fail together.
#pragma once

#include <cstdint>

#include "models/nand/array/planned_failures.h"
#include "models/nand/reliability/life_curve.h"
#include "sim/config/reader.h"
#include "sim/core/check.h"
#include "sim/core/column.h"
#include "sim/core/random.h"

namespace ftlab {

struct EnduranceConfig {
  std::uint32_t program_erase_limit = 0;           // mean of the blocks' limits; 0: unlimited
  std::uint32_t limit_spread_permille = 0;         // their standard deviation by their mean; of no effect without a limit
  std::uint32_t factory_bad_per_million = 0;       // blocks
  std::uint32_t program_failures_per_billion = 0;  // programs of one NAND page
  std::uint32_t erase_failures_per_billion = 0;    // erases of one block
  std::uint64_t specimen = 1;                      // seeds the limits and all failures: which of many equal drives it is
  std::uint32_t failing_program = 0;               // for tests: every so many programs of a page fail; 0: none
  std::uint32_t failing_erase = 0;                 // as above, of erases
  std::uint32_t worn_cycles = 0;                   // erases that every block has behind it when the run begins
  std::uint32_t warranty_days = 0;                 // over which drive writes per day are stated; 0: not stated
  LifeCurveConfig life_curve = {};
  PlannedFailures planned_programs = {};  // for tests: these programs of a page fail ...
  PlannedFailures planned_erases = {};    // ... and these erases of a block

  bool operator==(const EnduranceConfig&) const = default;

  // Whether anything of it can happen at all.
  bool ends() const {
    return program_erase_limit != 0 || factory_bad_per_million != 0 || program_failures_per_billion != 0 ||
           erase_failures_per_billion != 0 || failing_program != 0 || failing_erase != 0 || planned_programs.any() ||
           planned_erases.any();
  }
};

// Reads the object `endurance` of a drive file; every key is optional. Throws ConfigError.
EnduranceConfig read_endurance(Reader reader);

class Endurance {
 public:
  static constexpr std::uint32_t kUnlimited = 0xffff'ffff;

  // `random` seeds a stream for each purpose, so that no rate changes what another one hits. Without a rate there are no
  // draws. Memory: 5 bytes a block.
  Endurance(const EnduranceConfig& config, std::uint32_t block_count, RandomStream random);

  std::uint32_t block_count() const { return static_cast<std::uint32_t>(limit_.size()); }
  // Erases that the block survives; the next one fails.
  std::uint32_t limit(std::uint32_t block) const { return limit_[block]; }
  bool factory_bad(std::uint32_t block) const { return factory_bad_[block] != 0; }

  // Whether erasing `block` fails, which was erased `erases` times. One draw at most, 2 ns.
  bool erase_fails(std::uint32_t block, std::uint32_t erases) {
    FTLAB_CHECK(block < block_count(), "erase of block " + std::to_string(block) + ", which the flash does not have");
    return due(config_.failing_erase, config_.planned_erases, erases_) || erases >= limit_[block] ||
           happens(config_.erase_failures_per_billion, erase_random_);
  }
  // Whether programming one page of one block fails. One draw at most, 2 ns.
  bool program_fails() {
    return due(config_.failing_program, config_.planned_programs, programs_) ||
           happens(config_.program_failures_per_billion, program_random_);
  }

  // The configuration is no part of the state.
  template <class A>
  void archive(A& archive) {
    archive.section("endurance");
    archive.column(limit_);
    archive.column(factory_bad_);
    archive.value(program_random_);
    archive.value(erase_random_);
    archive.value(programs_);
    archive.value(erases_);
  }

 private:
  static bool happens(std::uint32_t per_billion, RandomStream& random) {
    return per_billion != 0 && random.chance(per_billion, 1'000'000'000);
  }
  static bool due(std::uint32_t every, const PlannedFailures& planned, std::uint64_t& count) {
    if (every == 0 && !planned.any()) return false;
    ++count;
    return (every != 0 && count % every == 0) || planned.hit(count);
  }
  void draw_factory_bad(RandomStream random);
  void draw_limits(RandomStream random);

  EnduranceConfig config_;
  Column<std::uint32_t> limit_;
  Column<std::uint8_t> factory_bad_;
  RandomStream program_random_;
  RandomStream erase_random_;
  std::uint64_t programs_ = 0;  // counted where tests say which ones fail
  std::uint64_t erases_ = 0;
};

}  // namespace ftlab
