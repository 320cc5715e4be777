#include "models/nand/schedule/early_reads.h"

namespace ftlab {

// Searches from the newest program on, because most older ones have ended.
EarlyReads::Programmed EarlyReads::program_of(const WorkRecord& read, const Frontiers& frontiers) const {
  FTLAB_DCHECK(has_programs(read.superblock), "a program is looked for in a superblock that has none in flight");
  const OfSuperblock& of = programs_of_[read.superblock];
  const FrontierPrograms& all = frontiers[of.frontier];
  std::uint32_t left = of.open;
  for (std::uint32_t number = of.end; left > 0 && number != of.first && all.open(number - 1); --number) {
    const FlashProgram& program = all.at(number - 1);
    if ((program.flags & FlashProgram::kKnown) == 0 || program.superblock != read.superblock) continue;
    if (program.die == read.die && program.nand_page == read.nand_page) return {of.frontier, number};
    --left;
  }
  return {};
}

std::vector<EarlyReads::Programmed> EarlyReads::take_arriving(std::uint32_t die, const Frontiers& frontiers) {
  std::vector<Programmed> here;
  std::erase_if(arriving_, [&](const Programmed& program) {
    const bool is_here = frontiers[program.frontier].at(program.number - 1).die == die;
    if (is_here) here.push_back(program);
    return is_here;
  });
  return here;
}

}  // namespace ftlab
