// Content of each physical page: LPN and version. Columns of equal length, by page.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "models/nand/array/layout.h"
#include "sim/core/check.h"
#include "sim/core/column.h"

namespace ftlab {

enum class Lpn : std::uint32_t {};
inline constexpr Lpn kNoLpn{0xffff'ffff};    // padding: programmed, but holds no data
inline constexpr Lpn kTornLpn{0xffff'fffe};  // a power cut interrupted its program or erase: unreadable

// Numbers the host's writes, one for each mapping page. Relocated copies keep the version of their data, so the copy of a
// logical page with the largest version is the newest. 0 is never written.
enum class Version : std::uint32_t {};

class PageRecords {
 public:
  // `keeps_slots`: the drive compresses, so pages take several slots.
  PageRecords(std::uint64_t pages, bool keeps_slots)
      : lpn_(pages, kNoLpn), version_(pages), slots_(keeps_slots ? pages : 0) {}

  Lpn lpn(Ppn ppn) const { return lpn_[index(ppn)]; }
  // Prefetch hint for lpn().
  void prefetch(Ppn ppn) const { __builtin_prefetch(&lpn_[number(ppn)]); }
  const Lpn* lpns(Ppn first) const { return &lpn_[index(first)]; }
  bool keeps_versions() const { return version_.size() > 0; }
  Version version(Ppn ppn) const { return keeps_versions() ? version_[index(ppn)] : Version{0}; }
  bool keeps_slots() const { return slots_.size() > 0; }
  // Number of slots of the page whose last slot is `ppn`.
  std::uint32_t slots(Ppn ppn) const { return keeps_slots() ? slots_[index(ppn)] : 1; }
  // Pages programmed since the beginning. Counted independently of the translation layer; the two counts must agree.
  std::uint64_t programmed() const { return programmed_; }

  // Programs consecutive pages from `first` on. REQUIRES: `slots` is empty or, if slots are kept, as long as the others.
  void program(std::uint32_t first, std::span<const Lpn> lpns, std::span<const Version> versions,
               std::span<const std::uint8_t> slots) {
    FTLAB_DCHECK(lpns.size() == versions.size(), "pages without versions, or versions without pages");
    FTLAB_DCHECK(slots.empty() || slots.size() == lpns.size(), "slots of other pages than are programmed");
    FTLAB_DCHECK(first + lpns.size() <= lpn_.size(), "pages are programmed behind the end of the flash");
    for (std::uint32_t i = 0; i < lpns.size(); ++i) lpn_[first + i] = lpns[i];  // at most one stripe
    if (keeps_versions()) {
      for (std::uint32_t i = 0; i < lpns.size(); ++i) version_[first + i] = versions[i];
    }
    if (keeps_slots()) {
      for (std::uint32_t i = 0; i < lpns.size(); ++i) slots_[first + i] = slots.empty() ? 1 : slots[i];
    }
    programmed_ += lpns.size();
  }
  // Programs copies of the pages `lpns` at the slots `from` + positions[i]. REQUIRES: slots are not kept.
  void program_copies(std::uint32_t first, std::span<const Lpn> lpns, Ppn from, std::span<const std::uint32_t> positions) {
    FTLAB_DCHECK(lpns.size() == positions.size(), "copies without numbers, or numbers without copies");
    FTLAB_DCHECK(!keeps_slots(), "copies of pages that take several slots");
    FTLAB_DCHECK(number(from) + positions.back() < lpn_.size(), "copies of pages that are not in the flash");
    FTLAB_DCHECK(first + lpns.size() <= lpn_.size(), "copies are programmed behind the end of the flash");
    std::copy(lpns.begin(), lpns.end(), lpn_.data() + first);
    if (keeps_versions()) {
      Version* const versions = version_.data();
      for (std::uint32_t i = 0; i < positions.size(); ++i) versions[first + i] = versions[number(from) + positions[i]];
    }
    programmed_ += positions.size();
  }
  void set_programmed(std::uint64_t pages) { programmed_ = pages; }
  void discard_versions() { version_ = {}; }
  template <class NumberOf>
  void renumber(std::uint32_t first, std::uint32_t count, NumberOf&& number_of) {
    FTLAB_DCHECK(first + std::uint64_t{count} <= version_.size(), "versions are renumbered that are not kept");
    for (std::uint32_t p = first; p < first + count; ++p) version_[p] = number_of(lpn_[p], version_[p]);
  }

  // --- undo for power cuts ---
  struct Contents {
    std::vector<Lpn> lpns;
    std::vector<Version> versions;
    std::vector<std::uint8_t> slots;
  };
  Contents contents(Ppn first, std::uint32_t count) const {
    FTLAB_DCHECK(number(first) + std::uint64_t{count} <= lpn_.size(), "the contents of pages that are not in the flash");
    const auto copy = [&](const auto& column) {
      return column.size() == 0 ? std::vector(column.data(), column.data())
                                : std::vector(column.data() + number(first), column.data() + number(first) + count);
    };
    return {copy(lpn_), copy(version_), copy(slots_)};
  }
  void put_back(std::uint32_t first, const Contents& before) {
    FTLAB_DCHECK(first + before.lpns.size() <= lpn_.size(), "pages are put back behind the end of the flash");
    FTLAB_DCHECK(before.versions.empty() || before.versions.size() == before.lpns.size(), "versions of other pages");
    std::copy(before.lpns.begin(), before.lpns.end(), lpn_.data() + first);
    std::copy(before.versions.begin(), before.versions.end(), version_.data() + first);
    std::copy(before.slots.begin(), before.slots.end(), slots_.data() + first);
  }
  void undo_programs(std::uint32_t count) {
    FTLAB_CHECK(count <= programmed_, "more programs are undone than there were");
    programmed_ -= count;
  }
  void tear(std::uint32_t first, std::uint32_t count) {
    FTLAB_DCHECK(first + std::uint64_t{count} <= lpn_.size(), "pages are torn that are not in the flash");
    for (std::uint32_t p = first; p < first + count; ++p) {
      lpn_[p] = kTornLpn;
      if (keeps_versions()) version_[p] = Version{0};
      if (keeps_slots()) slots_[p] = 0;
    }
  }

  template <class A>
  void archive(A& archive) {
    archive.column(lpn_);
    archive.column(version_);
    archive.column(slots_);
  }
  template <class A>
  void archive_count(A& archive) {
    archive.value(programmed_);
  }

 private:
  friend struct BrokenDrive;
  std::uint32_t index(Ppn ppn) const {
    FTLAB_DCHECK(number(ppn) < lpn_.size(), "page " + std::to_string(number(ppn)) + " is not in the flash");
    return number(ppn);
  }

  Column<Lpn> lpn_;
  Column<Version> version_;
  Column<std::uint8_t> slots_;  // empty unless slots are kept
  std::uint64_t programmed_ = 0;
};

}  // namespace ftlab
