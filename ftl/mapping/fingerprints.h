// RAM table of a deduplicating drive: which contents are known to be stored, and where. A full table forgets the content
// that was stored first; it stays stored, but its next copy is stored again.
//
// A content is identified by the number that the host gives to the bytes of a request (sim/request.h) and the page's
// position in the request. So pages of two requests are equal if the requests have the same number and both pages begin at
// the same distance from the request's first byte, whatever the request lengths. Repetition inside a request is not known,
// nor is the content of a page merged from several requests.
//
// Memory of the simulator: 24 bytes per page and 8 to 16 per entry. (The drive file states the size of a real table, as
// bytes per entry.)
#pragma once

#include <cstdint>

#include "models/nand/array/medium.h"
#include "sim/core/column.h"

namespace ftlab {

struct Fingerprint {
  std::uint64_t content = 0;  // 0: unknown, equal to no other
  std::uint64_t sector = 0;   // sector of the request at which the page begins
  bool known() const { return content != 0; }
  friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
};

class Fingerprints {
 public:
  // For contents in places 0 to `places` - 1; knows at most `capacity` of them. REQUIRES: capacity > 0.
  Fingerprints(std::uint32_t places, std::uint64_t capacity);

  // Place of the content; kNoLpn if it is not known.
  Lpn find(const Fingerprint& fingerprint) const;
  bool knows(Lpn place) const { return entries_[number(place)].fingerprint.content != kAbsent; }
  // Enters a content stored at `place`. Unknown content also takes an entry, as its hash would, but is never found. A full
  // table forgets its oldest content. REQUIRES: !knows(place), find(fingerprint) == kNoLpn.
  void enter(Lpn place, const Fingerprint& fingerprint);
  // The content at `place` is no longer stored. No-op if it was forgotten before.
  void remove(Lpn place);

  std::uint32_t count() const { return count_; }
  std::uint64_t forgotten() const { return forgotten_; }
  // True if each entry is found by its fingerprint and the table holds nothing else. A pass over the table.
  bool consistent() const;

  template <class A>
  void archive(A& archive) {
    archive.section("fingerprints");
    archive.column(entries_);
    archive.column(slots_);
    archive.value(oldest_);
    archive.value(youngest_);
    archive.value(count_);
    archive.value(forgotten_);
  }

 private:
  friend struct BrokenDrive;
  static constexpr std::uint32_t kNone = 0xffff'ffff;
  static constexpr std::uint64_t kAbsent = ~std::uint64_t{0};
  struct Entry {
    Fingerprint fingerprint{kAbsent, 0};  // unknown content: {0, place}
    std::uint32_t older = kNone, younger = kNone;
  };

  std::size_t first_slot(const Fingerprint& fingerprint) const;
  std::size_t next(std::size_t slot) const { return (slot + 1) & (slots_.size() - 1); }
  std::size_t slot_of(Lpn place) const;
  void leave_slot(std::size_t slot);
  void append(Lpn place);
  void unlink(Lpn place);

  Column<Entry> entries_;        // by place
  Column<std::uint32_t> slots_;  // open addressing, linear probing, at most half full: place numbers, or kNone
  std::uint32_t capacity_;
  std::uint32_t oldest_ = kNone, youngest_ = kNone;
  std::uint32_t count_ = 0;
  std::uint64_t forgotten_ = 0;
};

}  // namespace ftlab
