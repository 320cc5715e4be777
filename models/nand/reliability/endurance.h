// Lifetime of blocks and random failures: factory bad blocks, a program/erase limit for each block, failed programs and
// erases. Decides what fails; the translation layer handles the failure.
//
// Limits are normally distributed about the mean that the drive file states. The normal variable is a sum of twelve uniform
// integers, so limits are the same on every compiler; 2.3 instead of 2.7 in 1,000 blocks lie beyond 3 sigma. Limits beyond 4
// sigma or below a tenth of the mean are drawn again.
// Not modelled: failures that become more frequent near the limit; neighbouring blocks that fail together.
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
  std::uint32_t limit_spread_permille = 0;         // standard deviation / mean; no effect without a limit
  std::uint32_t factory_bad_per_million = 0;       // blocks
  std::uint32_t program_failures_per_billion = 0;  // programs of one NAND page
  std::uint32_t erase_failures_per_billion = 0;    // erases of one block
  std::uint64_t specimen = 1;                      // which of many identical drives: seed of limits and failures
  std::uint32_t failing_program = 0;               // for tests: every n-th program of a page fails; 0: none
  std::uint32_t failing_erase = 0;                 // for tests: every n-th erase of a block fails; 0: none
  std::uint32_t worn_cycles = 0;                   // erases of every block before the run
  std::uint32_t warranty_days = 0;                 // period that drive writes per day refer to; 0: not stated
  LifeCurveConfig life_curve = {};
  PlannedFailures planned_programs = {};  // for tests: these programs of a page fail
  PlannedFailures planned_erases = {};    // for tests: these erases of a block fail

  bool operator==(const EnduranceConfig&) const = default;

  // True if programs or erases can fail before their block has reached its limit.
  bool fails_early() const { return programs_fail() || erases_fail_early(); }
  bool programs_fail() const { return program_failures_per_billion != 0 || failing_program != 0 || planned_programs.any(); }
  bool erases_fail_early() const { return erase_failures_per_billion != 0 || failing_erase != 0 || planned_erases.any(); }
  // True if anything can fail.
  bool ends() const { return program_erase_limit != 0 || factory_bad_per_million != 0 || fails_early(); }
};

// Reads the object `endurance` of a drive file; every key is optional. Throws ConfigError.
EnduranceConfig read_endurance(Reader reader);

class Endurance {
 public:
  static constexpr std::uint32_t kUnlimited = 0xffff'ffff;

  // `random` seeds a stream for each purpose, so changing one rate does not change what another hits. Operations with a
  // failure rate of 0 draw nothing. Memory: 5 bytes per block.
  Endurance(const EnduranceConfig& config, std::uint32_t block_count, RandomStream random);

  std::uint32_t block_count() const { return static_cast<std::uint32_t>(limit_.size()); }
  // Erases that the block survives; the next one fails.
  std::uint32_t limit(std::uint32_t block) const {
    FTLAB_DCHECK(block < block_count(), "the limit of block " + std::to_string(block) + ", which the flash does not have");
    return limit_[block];
  }
  bool factory_bad(std::uint32_t block) const {
    FTLAB_DCHECK(block < block_count(), "block " + std::to_string(block) + " came from no factory");
    return factory_bad_[block] != 0;
  }

  bool programs_fail() const { return config_.programs_fail(); }
  bool erases_fail_early() const { return config_.erases_fail_early(); }
  // True if erasing `block`, erased `erases` times before, fails. At most one draw, 2 ns.
  bool erase_fails(std::uint32_t block, std::uint32_t erases) {
    FTLAB_CHECK(block < block_count(), "erase of block " + std::to_string(block) + ", which the flash does not have");
    return due(config_.failing_erase, config_.planned_erases, erases_) || erases >= limit_[block] ||
           happens(config_.erase_failures_per_billion, erase_random_);
  }
  // True if programming one page of one block fails. At most one draw, 2 ns.
  bool program_fails() {
    return due(config_.failing_program, config_.planned_programs, programs_) ||
           happens(config_.program_failures_per_billion, program_random_);
  }

  // The configuration is not saved.
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
  std::uint64_t programs_ = 0;  // counted only if tests plan failures
  std::uint64_t erases_ = 0;
};

}  // namespace ftlab
