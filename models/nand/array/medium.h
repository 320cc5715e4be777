// What is written in the flash: for every physical page the logical page and the version of its content, for every
// superblock how far it is programmed, how often it was erased and in which order it was opened; and which pages the host
// has trimmed. It knows no time. It alone outlives a power cut: a crash is "destroy the translation layer, keep the medium".
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "models/nand/array/layout.h"
#include "sim/core/check.h"
#include "sim/core/column.h"
#include "sim/core/rule.h"
#include "sim/core/signature.h"

namespace ftlab {

class FlashJournal;

enum class Lpn : std::uint32_t {};
inline constexpr Lpn kNoLpn{0xffff'ffff};    // of padding: programmed, but nobody's data
inline constexpr Lpn kTornLpn{0xffff'fffe};  // a power cut ended its program or erase: no data can be read there

// Numbers the writes of the host, one for each mapping page; a relocated copy keeps the number of its data, so that of
// two copies of one logical page the larger number is the newer content. 0 is never written.
enum class Version : std::uint32_t {};

class Medium {
 public:
  // `keeps_slots`: of a drive that compresses; pages then take several slots.
  explicit Medium(const Layout& layout, bool keeps_slots = false);

  // Programs the next lpns.size() pages of `block`. Of a page that takes several slots the last one carries its number and
  // version, and in `slots` how many they are; the others carry kNoLpn. REQUIRES: first is the block's next page, all fit
  // in; slots is empty, or as long as the others when slots are kept.
  void program(SuperblockId block, std::uint32_t first, std::span<const Lpn> lpns, std::span<const Version> versions,
               std::span<const std::uint8_t> slots = {});
  // Programs copies of pages that it holds, those of `lpns` at the slots `from` + positions[i], as the next ones of
  // `block`. REQUIRES: as above; no slots are kept.
  void program_copies(SuperblockId block, std::uint32_t first, std::span<const Lpn> lpns, Ppn from,
                      std::span<const std::uint32_t> positions);
  // Marks the block as opened by frontier `frontier`; `fast`: written with one bit a cell. REQUIRES: erased.
  void open(SuperblockId block, std::uint8_t frontier, bool pslc = false);
  // It has a past: this superblock was erased so often, and of all of them together so many pages were programmed.
  void set_past_erases(SuperblockId block, std::uint32_t erases) {
    FTLAB_CHECK(erases >= erases_[number(block)], "erased more often than its past: " + location(block, 0));
    superblocks_erased_ += erases - erases_[number(block)];
    erases_[number(block)] = erases;
  }
  void set_past_programs(std::uint64_t pages) { pages_programmed_ = pages; }
  // No more pages will be programmed before the next erase: full, or only partly used (pSLC).
  void close(SuperblockId block);
  // REQUIRES: at least one page is programmed.
  void erase(SuperblockId block);
  // On record: the host has trimmed the page when `version` was its newest write, so that no copy up to that version is its
  // content. That they are durable at once is a simplification, whatever `ftl.trim.record_bytes` writes for them. They take
  // 4 bytes a page from the first trim on.
  void trim(Lpn lpn, Version version);
  // The latest trim of the page; Version{0}: there was none.
  Version trimmed(Lpn lpn) const {
    FTLAB_DCHECK(trimmed_.size() == 0 || number(lpn) < trimmed_.size(), "page " + std::to_string(number(lpn)) + " is none");
    return trimmed_.size() == 0 ? Version{0} : trimmed_[number(lpn)];
  }
  bool has_trims() const { return trimmed_.size() > 0; }
  // A simulator's fiction: gives the versions of all programmed pages other numbers, number_of(Lpn, Version). Flash cannot
  // do that; it has more than 32 bits for them. REQUIRES: the order among the copies of each logical page stays.
  template <class NumberOf>
  void renumber(NumberOf&& number_of) {
    if (!keeps_versions()) return;
    for (std::uint32_t l = 0; l < trimmed_.size(); ++l) trimmed_[l] = number_of(Lpn{l}, trimmed_[l]);
    for (std::uint32_t b = 0; b < layout_.superblocks(); ++b) {
      const std::uint32_t start = number(layout_.first_page(SuperblockId{b}));
      for (std::uint32_t p = start; p < start + programmed_[b]; ++p) version_[p] = number_of(lpn_[p], version_[p]);
    }
  }

  Lpn lpn(Ppn ppn) const {
    FTLAB_DCHECK(number(ppn) < lpn_.size(), "page " + std::to_string(number(ppn)) + " is not in the flash");
    return lpn_[number(ppn)];
  }
  // Hint that lpn() will be asked for.
  void prefetch(Ppn ppn) const { __builtin_prefetch(&lpn_[number(ppn)]); }
  const Lpn* lpns(SuperblockId block) const { return &lpn_[number(layout_.first_page(block))]; }  // of all its pages
  Version version(Ppn ppn) const {
    FTLAB_DCHECK(number(ppn) < lpn_.size(), "page " + std::to_string(number(ppn)) + " is not in the flash");
    return keeps_versions() ? version_[number(ppn)] : Version{0};
  }
  // Keeps no versions from now on, a third of the memory: for a run that nobody asks whose data a page has, and that no
  // power cut ends.
  void forget_versions();
  bool keeps_versions() const { return version_.size() > 0; }

  // Places that the page takes whose last one is `ppn`.
  std::uint32_t slots(Ppn ppn) const {
    FTLAB_DCHECK(slots_.size() == 0 || number(ppn) < slots_.size(),
                 "page " + std::to_string(number(ppn)) + " is not in the flash");
    return slots_.size() == 0 ? 1 : slots_[number(ppn)];
  }

  std::uint32_t programmed(SuperblockId block) const {  // pages, from the first
    FTLAB_DCHECK(number(block) < programmed_.size(), "superblock " + std::to_string(number(block)) + " is not in the flash");
    return programmed_[number(block)];
  }
  std::uint32_t erases(SuperblockId block) const { return erases_[number(block)]; }
  std::uint64_t opened(SuperblockId block) const { return opened_[number(block)]; }  // order of opening; 0: never
  std::uint64_t closed(SuperblockId block) const { return closed_[number(block)]; }  // order of closing; kOpen: not closed
  static constexpr std::uint64_t kOpen = ~std::uint64_t{0};
  std::uint8_t frontier(SuperblockId block) const { return frontier_[number(block)]; }
  bool pslc(SuperblockId block) const { return pslc_[number(block)] != 0; }  // also of an erased one: as it was last written
  std::span<const std::uint32_t> erase_counts() const { return erases_.view(); }
  const Column<std::uint32_t>& erase_column() const { return erases_; }

  // --- what a power cut undoes, for models/nand/schedule/flash_journal.h ---
  // Erases and trims are told to `journal` from now on; null: to nobody. A copy of the medium tells it, too.
  void keep_journal(FlashJournal* journal) { journal_ = journal; }
  // A superblock as an erase found it.
  struct Contents {
    std::vector<Lpn> lpns;
    std::vector<Version> versions;
    std::vector<std::uint8_t> slots;
    std::uint64_t opened, closed;
    std::uint8_t frontier, pslc;
  };
  Contents contents(SuperblockId block) const;
  // Only the first `programmed` pages were, and the superblock is still open.
  void undo_programs(SuperblockId block, std::uint32_t programmed);
  // These slots are programmed, but cannot be read.
  void tear(SuperblockId block, std::uint32_t first, std::uint32_t count);
  // The superblock was not erased, and what came after did not happen.
  void undo_erase(SuperblockId block, const Contents& before);
  void undo_trim(Lpn lpn, Version before) {
    FTLAB_CHECK(number(lpn) < trimmed_.size(), "page " + std::to_string(number(lpn)) + " was never trimmed");
    trimmed_[number(lpn)] = before;
  }

  // Kept here independently of the translation layer's own counters; the two must agree.
  std::uint64_t pages_programmed() const { return pages_programmed_; }
  std::uint64_t superblocks_erased() const { return superblocks_erased_; }

  const Layout& layout() const { return layout_; }
  void add_to(Signature& signature) const { add_to(signature, true); }
  // The same but for the versions, so that it does not matter whether they are kept.
  void add_slots_to(Signature& signature) const { add_to(signature, false); }

  template <class A>
  void archive(A& archive) {
    archive.section("medium");
    archive.column(lpn_);
    archive.column(version_);
    archive.column(slots_);
    for (auto* column : {&programmed_, &erases_}) archive.column(*column);
    for (auto* column : {&opened_, &closed_}) archive.column(*column);
    archive.column(frontier_);
    archive.column(pslc_);
    bool trims = has_trims();
    archive.value(trims);
    if (archive.loading()) trimmed_ = trims ? Column<Version>(layout_.page_count()) : Column<Version>();
    archive.column(trimmed_);
    for (auto* count : {&openings_, &closings_, &pages_programmed_, &superblocks_erased_}) archive.value(*count);
    archive.require(rules(), *this);
  }

 private:
  friend struct LoadedStates;
  static std::span<const Rule<Medium>> rules();
  static std::string location(SuperblockId block, std::uint32_t page);
  bool pages_lie_within() const;  // of pages that take several slots: they begin in the superblock where they end
  void add_to(Signature& signature, bool versions) const;
  void check_program(SuperblockId block, std::uint32_t first, std::size_t pages) const;

  Layout layout_;
  Column<Lpn> lpn_;
  Column<Version> version_;
  Column<std::uint8_t> slots_;  // only where they are kept
  Column<std::uint32_t> programmed_;
  Column<std::uint32_t> erases_;
  Column<std::uint64_t> opened_;
  Column<std::uint64_t> closed_;
  Column<std::uint8_t> frontier_;
  Column<std::uint8_t> pslc_;
  Column<Version> trimmed_;  // by logical page, of which there are fewer than slots; empty: nothing was trimmed
  FlashJournal* journal_ = nullptr;
  std::uint64_t openings_ = 0;
  std::uint64_t closings_ = 0;
  std::uint64_t pages_programmed_ = 0;
  std::uint64_t superblocks_erased_ = 0;
};

inline void Medium::program_copies(SuperblockId block, std::uint32_t first, std::span<const Lpn> lpns, Ppn from,
                                   std::span<const std::uint32_t> positions) {
  check_program(block, first, positions.size());
  FTLAB_DCHECK(lpns.size() == positions.size(), "copies without numbers, or numbers without copies");
  FTLAB_DCHECK(slots_.size() == 0, "copies of pages that take several slots");
  FTLAB_DCHECK(number(from) + positions.back() < lpn_.size(), "copies of pages that are not in the flash");
  const std::uint32_t start = number(layout_.first_page(block)) + first;
  std::copy(lpns.begin(), lpns.end(), lpn_.data() + start);
  if (keeps_versions()) {
    Version* const versions = version_.data();
    for (std::uint32_t i = 0; i < positions.size(); ++i) versions[start + i] = versions[number(from) + positions[i]];
  }
  programmed_[number(block)] = first + static_cast<std::uint32_t>(positions.size());
  pages_programmed_ += positions.size();
}

inline void Medium::check_program(SuperblockId block, std::uint32_t first, std::size_t pages) const {
  FTLAB_CHECK(first == programmed_[number(block)], "pages are programmed once and in order: " + location(block, first));
  FTLAB_CHECK(first + pages <= layout_.pages_per_superblock(), "past the end: " + location(block, first));
  FTLAB_CHECK(opened_[number(block)] != 0, "not open: " + location(block, first));
}

inline void Medium::program(SuperblockId block, std::uint32_t first, std::span<const Lpn> lpns,
                            std::span<const Version> versions, std::span<const std::uint8_t> slots) {
  check_program(block, first, lpns.size());
  FTLAB_DCHECK(lpns.size() == versions.size(), "pages without versions, or versions without pages");
  FTLAB_DCHECK(slots.empty() || slots.size() == lpns.size(), "slots of other pages than are programmed");
  const std::uint32_t start = number(layout_.first_page(block)) + first;
  for (std::uint32_t i = 0; i < lpns.size(); ++i) lpn_[start + i] = lpns[i];  // a handful: one stripe
  if (keeps_versions()) {
    for (std::uint32_t i = 0; i < lpns.size(); ++i) version_[start + i] = versions[i];
  }
  if (slots_.size() > 0) {
    for (std::uint32_t i = 0; i < lpns.size(); ++i) slots_[start + i] = slots.empty() ? 1 : slots[i];
  }
  programmed_[number(block)] = first + static_cast<std::uint32_t>(lpns.size());
  pages_programmed_ += lpns.size();
}

}  // namespace ftlab
