// What is written in the flash: what every physical page holds, how far every superblock is programmed, and which pages the
// host has trimmed. It knows no time. It alone outlives a power cut: a crash is "destroy the translation layer, keep the
// medium".
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "models/nand/array/layout.h"
#include "models/nand/array/page_records.h"
#include "models/nand/array/superblock_records.h"
#include "models/nand/array/trimmed_pages.h"
#include "sim/core/check.h"
#include "sim/core/rule.h"
#include "sim/core/signature.h"

namespace ftlab {

class Medium;

// Observer of what a power cut can undo.
class MediumJournal {
 public:
  // Called before the superblock is erased.
  virtual void erasing(const Medium& medium, SuperblockId block) = 0;
  // Called before the page is trimmed; `before` is the version on record.
  virtual void trimming(Lpn lpn, Version before) = 0;

 protected:
  ~MediumJournal() = default;
};

class Medium {
 public:
  // `keeps_slots`: of a drive that compresses; pages then take several slots.
  explicit Medium(const Layout& layout, bool keeps_slots = false);

  const Layout& layout() const { return layout_; }
  const PageRecords& pages() const { return pages_; }
  const SuperblockRecords& superblocks() const { return superblocks_; }
  const TrimmedPages& trims() const { return trims_; }

  // Programs the next lpns.size() pages of `block`. Of a page that takes several slots the last one carries its number and
  // version, and in `slots` how many they are; the others carry kNoLpn. REQUIRES: first is the block's next page, all fit
  // in; slots is empty, or as long as the others when slots are kept.
  void program(SuperblockId block, std::uint32_t first, std::span<const Lpn> lpns, std::span<const Version> versions,
               std::span<const std::uint8_t> slots = {}) {
    pages_.program(start_program(block, first, lpns.size()), lpns, versions, slots);
  }
  // Programs copies of pages that it holds, those of `lpns` at the slots `from` + positions[i], as the next ones of
  // `block`. REQUIRES: as above; no slots are kept.
  void program_copies(SuperblockId block, std::uint32_t first, std::span<const Lpn> lpns, Ppn from,
                      std::span<const std::uint32_t> positions) {
    pages_.program_copies(start_program(block, first, positions.size()), lpns, from, positions);
  }
  // Marks the block as opened by frontier `frontier`; `pslc`: written with one bit a cell. REQUIRES: erased.
  void open(SuperblockId block, std::uint8_t frontier, bool pslc = false) {
    FTLAB_CHECK(superblocks_.programmed(block) == 0, "only an erased superblock can be opened: " + location(block, 0));
    superblocks_.open(block, frontier, pslc);
  }
  // No more pages will be programmed before the next erase: full, or only partly used (pSLC).
  void close(SuperblockId block);
  // REQUIRES: at least one page is programmed.
  void erase(SuperblockId block);
  // On record: the host has trimmed the page when `version` was its newest write, so that no copy up to that version is its
  // content. That they are durable at once is a simplification, whatever `ftl.trim.record_bytes` writes for them.
  void trim(Lpn lpn, Version version);

  // It has a past: this superblock was erased so often, and of all of them together so many pages were programmed.
  void set_past_erases(SuperblockId block, std::uint32_t erases) {
    FTLAB_CHECK(erases >= superblocks_.erases(block), "erased more often than its past: " + location(block, 0));
    superblocks_.set_erases(block, erases);
  }
  void set_past_programs(std::uint64_t pages) { pages_.set_programmed(pages); }
  // A simulator's fiction: gives the versions of all programmed pages other numbers, number_of(Lpn, Version). Flash cannot
  // do that; it has more than 32 bits for them. REQUIRES: the order among the copies of each logical page stays.
  template <class NumberOf>
  void renumber(NumberOf&& number_of) {
    if (!pages_.keeps_versions()) return;
    trims_.renumber(number_of);
    for (std::uint32_t b = 0; b < layout_.superblocks(); ++b)
      pages_.renumber(number(layout_.first_page(SuperblockId{b})), superblocks_.programmed(SuperblockId{b}), number_of);
  }
  // Keeps no versions from now on, a third of the memory: for a run that nobody asks whose data a page has, and that no
  // power cut ends.
  void forget_versions() { pages_.forget_versions(); }

  // --- what a power cut undoes, for models/nand/schedule/flash_journal.h ---
  // Erases and trims are reported to `journal` from now on; null: to nobody. A copy of the medium reports to it, too.
  void keep_journal(MediumJournal* journal) { journal_ = journal; }
  // A superblock as an erase found it.
  struct Contents {
    PageRecords::Contents pages;
    SuperblockRecords::Record superblock;
  };
  // Only the first `programmed` pages were, and the superblock is still open.
  void undo_programs(SuperblockId block, std::uint32_t programmed);
  // These slots are programmed, but cannot be read.
  void tear(SuperblockId block, std::uint32_t first, std::uint32_t count);
  // The superblock was not erased, and what came after did not happen.
  void undo_erase(SuperblockId block, const Contents& before);
  void undo_trim(Lpn lpn, Version before) { trims_.set(lpn, before, layout_.page_count()); }

  template <class A>
  void archive(A& archive) {
    archive.section("medium");
    pages_.archive(archive);
    superblocks_.archive(archive);
    trims_.archive(archive, layout_.page_count());
    superblocks_.archive_order(archive);
    pages_.archive_count(archive);
    superblocks_.archive_count(archive);
    archive.require(rules(), *this);
  }

 private:
  friend struct LoadedStates;
  static std::span<const Rule<Medium>> rules();
  static std::string location(SuperblockId block, std::uint32_t page);
  bool pages_lie_within() const;  // of pages that take several slots: they begin in the superblock where they end
  std::uint32_t start_program(SuperblockId block, std::uint32_t first, std::size_t pages);

  Layout layout_;
  PageRecords pages_;
  SuperblockRecords superblocks_;
  TrimmedPages trims_;
  MediumJournal* journal_ = nullptr;
};

// With the versions, or all but these, so that it does not matter whether they are kept.
void add_to(Signature& signature, const Medium& medium, bool versions);

// Returns the number of the first page.
inline std::uint32_t Medium::start_program(SuperblockId block, std::uint32_t first, std::size_t pages) {
  FTLAB_CHECK(first == superblocks_.programmed(block), "pages are programmed once and in order: " + location(block, first));
  FTLAB_CHECK(first + pages <= layout_.pages_per_superblock(), "past the end: " + location(block, first));
  FTLAB_CHECK(superblocks_.opened(block) != 0, "not open: " + location(block, first));
  superblocks_.program(block, first + static_cast<std::uint32_t>(pages));
  return number(layout_.first_page(block)) + first;
}

}  // namespace ftlab
