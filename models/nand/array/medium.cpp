#include "models/nand/array/medium.h"

#include "models/nand/schedule/flash_journal.h"

namespace ftlab {

std::string Medium::location(SuperblockId block, std::uint32_t page) {
  return "superblock " + std::to_string(number(block)) + ", page " + std::to_string(page);
}

Medium::Medium(const Layout& layout, bool keeps_slots)
    : layout_(layout),
      lpn_(layout.page_count(), kNoLpn),
      version_(layout.page_count()),
      slots_(keeps_slots ? layout.page_count() : 0),
      programmed_(layout.superblocks()),
      erases_(layout.superblocks()),
      opened_(layout.superblocks()),
      closed_(layout.superblocks(), kOpen),
      frontier_(layout.superblocks()),
      pslc_(layout.superblocks()) {}

void Medium::open(SuperblockId block, std::uint8_t frontier, bool pslc) {
  FTLAB_CHECK(programmed_[number(block)] == 0, "only an erased superblock can be opened: " + location(block, 0));
  opened_[number(block)] = ++openings_;
  frontier_[number(block)] = frontier;
  pslc_[number(block)] = pslc;
}

std::span<const Rule<Medium>> Medium::rules() {
  static constexpr Rule<Medium> kRules[] = {
      {"a superblock has too many pages.",
       [](const Medium& medium) {
         return each_below(medium.programmed_, medium.layout_.pages_per_superblock() + std::uint64_t{1});
       }},
      {"a page begins before its superblock.",
       [](const Medium& medium) { return medium.slots_.size() == 0 || medium.pages_lie_within(); }},
  };
  return kRules;
}

bool Medium::pages_lie_within() const {
  for (std::uint32_t b = 0; b < layout_.superblocks(); ++b) {
    const std::uint32_t first = number(layout_.first_page(SuperblockId{b}));
    std::uint32_t slots = 0;  // for data, up to this one
    for (std::uint32_t p = 0; p < programmed_[b]; ++p) {
      slots += !layout_.is_parity(layout_.stripe_of(p));
      if (slots_[first + p] > slots) return false;
    }
  }
  return true;
}

void Medium::close(SuperblockId block) {
  FTLAB_CHECK(programmed_[number(block)] > 0, "closed without data: " + location(block, 0));
  FTLAB_CHECK(closed_[number(block)] == kOpen, "closed twice: " + location(block, 0));
  closed_[number(block)] = ++closings_;
}

void Medium::erase(SuperblockId block) {
  FTLAB_CHECK(programmed_[number(block)] > 0, "erased twice: " + location(block, 0));
  if (journal_ != nullptr) journal_->erasing(*this, block);
  programmed_[number(block)] = 0;
  opened_[number(block)] = 0;
  closed_[number(block)] = kOpen;
  ++erases_[number(block)];
  ++superblocks_erased_;
}

// Without versions there is no power cut, hence nothing that could bring the page back.
void Medium::trim(Lpn lpn, Version version) {
  if (!keeps_versions()) return;
  FTLAB_CHECK(number(lpn) < layout_.page_count(), "page " + std::to_string(number(lpn)) + " is trimmed, which is none");
  if (!has_trims()) trimmed_ = Column<Version>(layout_.page_count());
  if (journal_ != nullptr) journal_->trimming(lpn, trimmed_[number(lpn)]);
  trimmed_[number(lpn)] = version;
}

Medium::Contents Medium::contents(SuperblockId block) const {
  const std::uint32_t first = number(layout_.first_page(block)), pages = programmed(block);
  const auto copy = [first, pages](const auto& column) {
    return column.size() == 0 ? std::vector(column.data(), column.data())
                              : std::vector(column.data() + first, column.data() + first + pages);
  };
  return {copy(lpn_), copy(version_), copy(slots_), opened(block), closed(block), frontier(block), pslc_[number(block)]};
}

void Medium::undo_programs(SuperblockId block, std::uint32_t programmed) {
  FTLAB_CHECK(programmed <= programmed_[number(block)], "undone beyond what was programmed: " + location(block, programmed));
  pages_programmed_ -= programmed_[number(block)] - programmed;
  programmed_[number(block)] = programmed;
  closed_[number(block)] = kOpen;
  if (programmed == 0) opened_[number(block)] = 0;
}

void Medium::tear(SuperblockId block, std::uint32_t first, std::uint32_t count) {
  FTLAB_CHECK(first + count <= programmed_[number(block)], "torn beyond what was programmed: " + location(block, first));
  const std::uint32_t start = number(layout_.first_page(block)) + first;
  for (std::uint32_t p = start; p < start + count; ++p) {
    lpn_[p] = kTornLpn;
    if (keeps_versions()) version_[p] = Version{0};
    if (slots_.size() > 0) slots_[p] = 0;
  }
}

void Medium::undo_erase(SuperblockId block, const Contents& before) {
  FTLAB_CHECK(erases_[number(block)] > 0 && superblocks_erased_ > 0,
              "an erase is undone that never was: " + location(block, 0));
  FTLAB_CHECK(before.lpns.size() <= layout_.pages_per_superblock(), "more is put back than fits in: " + location(block, 0));
  pages_programmed_ -= programmed_[number(block)];
  const std::uint32_t first = number(layout_.first_page(block));
  std::copy(before.lpns.begin(), before.lpns.end(), lpn_.data() + first);
  std::copy(before.versions.begin(), before.versions.end(), version_.data() + first);
  std::copy(before.slots.begin(), before.slots.end(), slots_.data() + first);
  programmed_[number(block)] = static_cast<std::uint32_t>(before.lpns.size());
  opened_[number(block)] = before.opened;
  closed_[number(block)] = before.closed;
  frontier_[number(block)] = before.frontier;
  pslc_[number(block)] = before.pslc;
  --erases_[number(block)];
  --superblocks_erased_;
}

void Medium::forget_versions() { version_ = {}; }

void Medium::add_to(Signature& signature, bool versions) const {
  FTLAB_CHECK(!versions || keeps_versions(), "a signature of versions that are not kept");
  for (std::uint32_t b = 0; b < layout_.superblocks(); ++b) {
    signature.add(programmed_[b]);
    signature.add(erases_[b]);
    const std::uint32_t start = number(layout_.first_page(SuperblockId{b}));
    for (std::uint32_t p = start; p < start + programmed_[b]; ++p) {
      signature.add(std::uint64_t{number(lpn_[p])} << 32 | (versions ? number(version_[p]) : 0));
      if (slots_.size() > 0) signature.add(slots_[p]);
    }
  }
}

}  // namespace ftlab
