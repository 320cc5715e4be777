#include "models/nand/array/medium.h"

namespace ftlab {

std::string Medium::location(SuperblockId block, std::uint32_t page) {
  return "superblock " + std::to_string(number(block)) + ", page " + std::to_string(page);
}

Medium::Medium(const Layout& layout, bool keeps_slots)
    : layout_(layout), pages_(layout.page_count(), keeps_slots), superblocks_(layout.superblocks()) {}

void Medium::close(SuperblockId block) {
  FTLAB_CHECK(superblocks_.programmed(block) > 0, "closed without data: " + location(block, 0));
  FTLAB_CHECK(superblocks_.closed(block) == SuperblockRecords::kOpen, "closed twice: " + location(block, 0));
  superblocks_.close(block);
}

void Medium::erase(SuperblockId block) {
  FTLAB_CHECK(superblocks_.programmed(block) > 0, "erased twice: " + location(block, 0));
  FTLAB_DCHECK(superblocks_.opened(block) != 0, "erased, but never opened: " + location(block, 0));
  if (journal_ != nullptr) journal_->erasing(*this, block);
  superblocks_.erase(block);
}

// Runs without versions have no power cuts, so they need no record of trims.
void Medium::trim(Lpn lpn, Version version) {
  if (!pages_.keeps_versions()) return;
  if (journal_ != nullptr) journal_->trimming(lpn, trims_.version(lpn));
  trims_.set(lpn, version, layout_.page_count());
}

void Medium::undo_programs(SuperblockId block, std::uint32_t programmed) {
  const std::uint32_t before = superblocks_.programmed(block);
  FTLAB_CHECK(programmed <= before, "undone beyond what was programmed: " + location(block, programmed));
  pages_.undo_programs(before - programmed);
  superblocks_.undo_programs(block, programmed);
}

void Medium::tear(SuperblockId block, std::uint32_t first, std::uint32_t count) {
  FTLAB_CHECK(first + count <= superblocks_.programmed(block), "torn beyond what was programmed: " + location(block, first));
  pages_.tear(number(layout_.first_page(block)) + first, count);
}

void Medium::undo_erase(SuperblockId block, const Contents& before) {
  FTLAB_CHECK(superblocks_.erases(block) > 0 && superblocks_.erased() > 0,
              "an erase is undone that never was: " + location(block, 0));
  FTLAB_CHECK(before.pages.lpns.size() <= layout_.pages_per_superblock(),
              "more is put back than fits in: " + location(block, 0));
  pages_.undo_programs(superblocks_.programmed(block));
  pages_.put_back(number(layout_.first_page(block)), before.pages);
  superblocks_.undo_erase(block, static_cast<std::uint32_t>(before.pages.lpns.size()), before.superblock);
}

// Works on a copy, which stays in registers.
void add_to(SignaturePair& signatures, const Medium& medium, bool versions) {
  SignaturePair pair = signatures;
  const PageRecords& pages = medium.pages();
  FTLAB_CHECK(!versions || pages.keeps_versions(), "a signature of versions that are not kept");
  for (std::uint32_t b = 0; b < medium.layout().superblocks(); ++b) {
    const std::uint32_t start = number(medium.layout().first_page(SuperblockId{b}));
    const std::uint32_t programmed = medium.superblocks().programmed(SuperblockId{b});
    pair.add(programmed);
    pair.add(medium.superblocks().erases(SuperblockId{b}));
    for (std::uint32_t p = start; p < start + programmed; ++p) {
      pair.add(std::uint64_t{number(pages.lpn(Ppn{p}))} << 32 | (versions ? number(pages.version(Ppn{p})) : 0));
      if (pages.keeps_slots()) pair.add(pages.slots(Ppn{p}));
    }
  }
  signatures = pair;
}

}  // namespace ftlab
