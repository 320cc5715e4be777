// Content of the flash: what each physical page holds, how far each superblock is programmed, and which pages the host has
// trimmed. It has no clock. It is the only state that survives a power cut: a crash is "destroy the translation layer, keep
// the medium".
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "models/nand/array/layout.h"
#include "models/nand/array/page_records.h"
#include "models/nand/array/superblock_records.h"
#include "models/nand/array/trimmed_pages.h"
#include "sim/core/check.h"
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
  // `keeps_slots`: the drive compresses, so pages take several slots.
  explicit Medium(const Layout& layout, bool keeps_slots = false);

  const Layout& layout() const { return layout_; }
  const PageRecords& pages() const { return pages_; }
  const SuperblockRecords& superblocks() const { return superblocks_; }
  const TrimmedPages& trims() const { return trims_; }

  // Programs the next lpns.size() pages of `block`. If a page takes several slots, its last slot carries its LPN, its
  // version and, in `slots`, its number of slots; its other slots carry kNoLpn. REQUIRES: `first` is the block's next page,
  // and all pages fit; `slots` is empty or, if slots are kept, as long as the other lists.
  void program(SuperblockId block, std::uint32_t first, std::span<const Lpn> lpns, std::span<const Version> versions,
               std::span<const std::uint8_t> slots = {}) {
    pages_.program(start_program(block, first, lpns.size()), lpns, versions, slots);
  }
  // Programs copies of stored pages as the next pages of `block`: copy i is of page lpns[i] at slot `from` + positions[i].
  // REQUIRES: as for program(); slots are not kept.
  void program_copies(SuperblockId block, std::uint32_t first, std::span<const Lpn> lpns, Ppn from,
                      std::span<const std::uint32_t> positions) {
    pages_.program_copies(start_program(block, first, positions.size()), lpns, from, positions);
  }
  // Opens the block for frontier `frontier`; `pslc`: it is written with one bit per cell. REQUIRES: erased.
  void open(SuperblockId block, std::uint8_t frontier, bool pslc = false) {
    FTLAB_CHECK(superblocks_.programmed(block) == 0, "only an erased superblock can be opened: " + location(block, 0));
    FTLAB_DCHECK(superblocks_.closed(block) == SuperblockRecords::kOpen, "opened behind its end: " + location(block, 0));
    superblocks_.open(block, frontier, pslc);
  }
  // Ends programming until the next erase, of a full superblock or of a partly used one (pSLC).
  void close(SuperblockId block);
  // REQUIRES: at least one page is programmed.
  void erase(SuperblockId block);
  // Records a trim of the page at a time when its newest write was `version`: copies up to that version are stale. Trims are
  // durable at once, whatever `ftl.trim.record_bytes` writes for them; this is a simplification.
  void trim(Lpn lpn, Version version);

  // Wear before the run: erases of one superblock, and page programs of all superblocks together.
  void set_initial_erases(SuperblockId block, std::uint32_t erases) {
    FTLAB_CHECK(erases >= superblocks_.erases(block), "erased more often than its past: " + location(block, 0));
    superblocks_.set_erases(block, erases);
  }
  void set_initial_programs(std::uint64_t pages) { pages_.set_programmed(pages); }
  // Replaces the versions of all programmed pages and trims by number_of(Lpn, Version). Real flash cannot do this; it has
  // more than 32 bits for a version. REQUIRES: the order among the copies of each logical page is kept.
  template <class NumberOf>
  void renumber(NumberOf&& number_of) {
    if (!pages_.keeps_versions()) return;
    trims_.renumber(number_of);
    for (std::uint32_t b = 0; b < layout_.superblocks(); ++b)
      pages_.renumber(number(layout_.first_page(SuperblockId{b})), superblocks_.programmed(SuperblockId{b}), number_of);
  }
  // Stops keeping versions, which frees a third of the memory: for runs without power cuts that do not check the data read.
  void discard_versions() { pages_.discard_versions(); }

  // --- undo for power cuts, see models/nand/schedule/flash_journal.h ---
  // Reports erases and trims to `journal` from now on; null: no journal. Copies of the medium report to the same journal.
  void keep_journal(MediumJournal* journal) { journal_ = journal; }
  // Content of a superblock just before an erase.
  struct Contents {
    PageRecords::Contents pages;
    SuperblockRecords::Record superblock;
  };
  // Keeps only the first `programmed` pages and reopens the superblock.
  void undo_programs(SuperblockId block, std::uint32_t programmed);
  // Makes these slots unreadable; they still count as programmed.
  void tear(SuperblockId block, std::uint32_t first, std::uint32_t count);
  // Undoes the last erase of the superblock and all programs after it.
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
  }

 private:
  friend struct BrokenDrive;
  static std::string location(SuperblockId block, std::uint32_t page);
  std::uint32_t start_program(SuperblockId block, std::uint32_t first, std::size_t pages);

  Layout layout_;
  PageRecords pages_;
  SuperblockRecords superblocks_;
  TrimmedPages trims_;
  MediumJournal* journal_ = nullptr;
};

// Adds the content to the signature. Without `versions`, the result does not depend on whether versions are kept.
void add_to(SignaturePair& signatures, const Medium& medium, bool versions);
inline void add_to(Signature& signature, const Medium& medium, bool versions) {
  SignaturePair pair{signature, {}};
  add_to(pair, medium, versions);
  signature = pair.first;
}

// Returns the PPN of the first page as a number.
inline std::uint32_t Medium::start_program(SuperblockId block, std::uint32_t first, std::size_t pages) {
  FTLAB_CHECK(first == superblocks_.programmed(block), "pages are programmed once and in order: " + location(block, first));
  FTLAB_CHECK(first + pages <= layout_.pages_per_superblock(), "past the end: " + location(block, first));
  FTLAB_CHECK(superblocks_.opened(block) != 0, "not open: " + location(block, first));
  FTLAB_DCHECK(superblocks_.closed(block) == SuperblockRecords::kOpen, "closed already: " + location(block, first));
  superblocks_.program(block, first + static_cast<std::uint32_t>(pages));
  return number(layout_.first_page(block)) + first;
}

}  // namespace ftlab
