#include "ftl/blocks/bad_block_table.h"

#include <algorithm>
#include <utility>

namespace ftlab {

BadBlockTable::BadBlockTable(const EnduranceConfig& config, const Geometry& geometry, SuperblockShape shape)
    : shape_(shape),
      worn_cycles_(config.worn_cycles),
      defects_(geometry, shape),
      endurance_(config, defects_.block_count(), RandomStream(config.specimen, "endurance")),
      erases_(defects_.block_count(), config.worn_cycles),
      failing_(defects_.block_count()),
      charged_(defects_.superblocks(), kNoPool) {
  defects_.start([this](std::uint32_t block) { return endurance_.factory_bad(block); });
}

bool BadBlockTable::program_fails(SuperblockId superblock, Die die) {
  FTLAB_DCHECK(!defects_.retired(superblock),
               "superblock " + std::to_string(number(superblock)) + " is programmed, but retired");
  bool any = false;
  const std::uint32_t first_lane = number(die) % shape_.dies * shape_.planes;
  for (std::uint32_t lane = first_lane; lane < first_lane + shape_.planes; ++lane) {
    if (!endurance_.program_fails()) continue;
    failing_[defects_.physical_block(superblock, lane)] = 1;
    ++program_failures_;
    any = true;
  }
  return any;
}

bool BadBlockTable::erase_block(std::uint32_t block) {
  if (failing_[block]) {
    ++spared_erases_;
    return false;
  }
  if (endurance_.erase_fails(block, erases_[block])) {
    ++erase_failures_;
    return false;
  }
  FTLAB_DCHECK(erases_[block] >= worn_cycles_, "block " + std::to_string(block) + " lost erases of its past");
  squared_block_erases_ += 2 * std::uint64_t{erases_[block] - worn_cycles_} + 1;
  ++erases_[block];
  ++block_erases_;
  return true;
}

bool BadBlockTable::survives(SuperblockId superblock, std::uint32_t times) const {
  for (std::uint32_t lane = 0; lane < defects_.lanes_per_superblock(); ++lane) {
    const std::uint32_t block = defects_.physical_block(superblock, lane);
    if (failing_[block] || std::uint64_t{erases_[block]} + times > endurance_.limit(block)) return false;
  }
  return true;
}

void BadBlockTable::count_erases(SuperblockId superblock, std::uint32_t times) {
  FTLAB_DCHECK(survives(superblock, times), "superblock " + std::to_string(number(superblock)) + " wears out uncounted");
  for (std::uint32_t lane = 0; lane < defects_.lanes_per_superblock(); ++lane) {
    std::uint32_t& erases = erases_[defects_.physical_block(superblock, lane)];
    const std::uint64_t before = erases - worn_cycles_;
    erases += times;
    block_erases_ += times;
    squared_block_erases_ += (2 * before + times) * times;
  }
}

bool BadBlockTable::erase(SuperblockId superblock) {
  FTLAB_DCHECK(!defects_.retired(superblock),
               "superblock " + std::to_string(number(superblock)) + " is erased, but retired");
  replaced_.clear();
  std::vector<std::uint32_t> failed;
  for (std::uint32_t lane = 0; lane < defects_.lanes_per_superblock(); ++lane) {
    if (!erase_block(defects_.physical_block(superblock, lane))) failed.push_back(lane);
  }
  return failed.empty() || replace(superblock, std::move(failed));
}

// Erases the spares that take over. Those that fail are replaced in turn, until all are good or a lane has no spare left.
bool BadBlockTable::replace(SuperblockId superblock, std::vector<std::uint32_t> failed) {
  while (!failed.empty()) {
    if (defects_.fail(superblock, failed) == Defects::Outcome::retired) return false;
    spare_erases_ += failed.size();
    replaced_.insert(replaced_.end(), failed.begin(), failed.end());
    std::erase_if(failed, [&](std::uint32_t lane) { return erase_block(defects_.physical_block(superblock, lane)); });
  }
  return true;
}

std::uint64_t BadBlockTable::sum_of_squares() const {
  std::uint64_t sum = 0;
  for (const std::uint32_t erases : erases_.view()) sum += std::uint64_t{erases - worn_cycles_} * (erases - worn_cycles_);
  return sum;
}

void BadBlockTable::charge(SuperblockId superblock, std::uint32_t pool) {
  FTLAB_CHECK(pool < kNoPool, "a superblock is charged to no pool");
  FTLAB_CHECK(defects_.retired(superblock), "superblock " + std::to_string(number(superblock)) + " is not retired");
  FTLAB_CHECK(charged_[number(superblock)] == kNoPool,
              "superblock " + std::to_string(number(superblock)) + " is given up twice");
  charged_[number(superblock)] = static_cast<std::uint8_t>(pool);
}

void BadBlockTable::inspect() const {
  defects_.inspect();
  std::uint64_t erases = 0;
  for (std::uint32_t block = 0; block < defects_.block_count(); ++block) {
    erases += erases_[block] - worn_cycles_;
    FTLAB_CHECK(erases_[block] <= std::max(endurance_.limit(block), worn_cycles_),
                "block " + std::to_string(block) + " outlived its limit");
    FTLAB_CHECK(!failing_[block] || defects_.use(block) == BlockUse::serving || defects_.use(block) == BlockUse::grown_bad,
                "block " + std::to_string(block) + " failed a program but is marked good");
  }
  FTLAB_CHECK(erases == block_erases_, "the erases of the blocks do not sum to those counted");
  FTLAB_CHECK(sum_of_squares() == squared_block_erases_, "the squared erases of the blocks do not sum to those counted");
}

}  // namespace ftlab
