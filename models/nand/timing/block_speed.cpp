#include "models/nand/timing/block_speed.h"

#include <algorithm>

#include "models/nand/timing/normal.h"

namespace ftlab {
namespace {

// Draws a factor with mean 1000.
std::uint16_t draw_factor(std::uint32_t permille, RandomStream& random) {
  for (;;) {
    const std::int64_t z = normal(random);
    if (z >= -3 * kSigma && z <= 3 * kSigma) return static_cast<std::uint16_t>(1000 + deviation(1000, permille, z));
  }
}

// One factor per block, or the largest of each `together` blocks. Empty if permille is 0.
Column<std::uint16_t> draw_factors(std::uint64_t blocks, std::uint32_t together, std::uint32_t permille,
                                   RandomStream random) {
  if (permille == 0) return {};
  FTLAB_CHECK(blocks % together == 0, "a block has no neighbours that are programmed with it");
  Column<std::uint16_t> factors(blocks / together);
  for (std::uint64_t b = 0; b < blocks; ++b) {
    std::uint16_t& factor = factors[b / together];
    factor = std::max(factor, draw_factor(permille, random));
  }
  return factors;
}

}  // namespace

BlockSpeed::BlockSpeed(const NandTiming& timing, const Layout& layout, std::uint64_t specimen, std::uint32_t worn_cycles)
    : wear_(timing.wear),
      worn_cycles_(worn_cycles),
      dies_(layout.dies_per_superblock()),
      planes_(layout.planes()) {
  const BlockVariation& variation = timing.variation;
  const std::uint64_t blocks = std::uint64_t{layout.superblocks()} * layout.blocks_per_superblock();
  read_ = draw_factors(blocks, 1, variation.read_permille, RandomStream(specimen, "nand.variation.read"));
  program_ = draw_factors(blocks, planes_, variation.program_permille, RandomStream(specimen, "nand.variation.program"));
  erase_ = draw_factors(blocks, planes_, variation.erase_permille, RandomStream(specimen, "nand.variation.erase"));
  if (wear_.program_faster_permille > 0) program_wear_ = Column<Permille>(layout.superblocks(), 1000);
  if (wear_.erase_slower_permille > 0) erase_wear_ = Column<Permille>(layout.superblocks(), 1000);
  if (!wear_.any() || worn_cycles_ == 0) return;
  for (std::uint32_t b = 0; b < layout.superblocks(); ++b) set_erases(SuperblockId{b}, 0);
}

void BlockSpeed::set_erases(SuperblockId block, std::uint32_t erases) {
  const std::uint64_t counted = std::min(erases + worn_cycles_, wear_.until_erases);
  const auto change = [counted](std::uint32_t permille) { return static_cast<Permille>((permille * counted + 500) / 1000); };
  if (program_wear_.size() > 0) {
    FTLAB_DCHECK(change(wear_.program_faster_permille) < 1000, "programs of a worn block take no time");
    program_wear_[number(block)] = static_cast<Permille>(1000 - change(wear_.program_faster_permille));
  }
  if (erase_wear_.size() > 0) {
    erase_wear_[number(block)] = static_cast<Permille>(1000 + change(wear_.erase_slower_permille));
  }
}

void BlockSpeed::set_erases(std::span<const std::uint32_t> by_superblock) {
  if (!wear_.any()) return;
  for (std::uint32_t b = 0; b < by_superblock.size(); ++b) set_erases(SuperblockId{b}, by_superblock[b]);
}

Nanoseconds BlockSpeed::read(Nanoseconds time, Die die, const FlashPage& page) const {
  if (page.block == kNoBlock || !reads_vary()) return time;
  const std::size_t first = index_of(die, page.block) * planes_;
  const std::uint32_t plane = page.first_plane % planes_;
  const std::uint32_t end = page.planes == 0 ? planes_ : plane + page.planes;
  FTLAB_DCHECK(end <= planes_, "a read across superblocks of one die");
  std::uint64_t slowest = 0;
  for (std::uint32_t p = page.planes == 0 ? 0 : plane; p < end; ++p)
    slowest = std::max<std::uint64_t>(slowest, read_[first + p]);
  return Nanoseconds{(time.count() * slowest + 500) / 1000};
}

}  // namespace ftlab
