#include "ftl/mapping/fingerprints.h"

#include <algorithm>
#include <bit>

#include "sim/core/check.h"
#include "sim/core/signature.h"

namespace ftlab {

Fingerprints::Fingerprints(std::uint32_t places, std::uint64_t capacity)
    : entries_(places),
      slots_(std::bit_ceil(std::size_t{2} * std::min<std::uint64_t>(capacity, places)), kNone),
      capacity_(static_cast<std::uint32_t>(std::min<std::uint64_t>(capacity, places))) {
  FTLAB_CHECK(capacity_ > 0, "a table without entries");
}

std::size_t Fingerprints::first_slot(const Fingerprint& fingerprint) const {
  Signature hash;
  hash.add(fingerprint.content);
  hash.add(fingerprint.sector);
  return hash.value() & (slots_.size() - 1);
}

Lpn Fingerprints::find(const Fingerprint& fingerprint) const {
  if (!fingerprint.known()) return kNoLpn;
  for (std::size_t slot = first_slot(fingerprint); slots_[slot] != kNone; slot = next(slot)) {
    if (entries_[slots_[slot]].fingerprint == fingerprint) return Lpn{slots_[slot]};
  }
  return kNoLpn;
}

std::size_t Fingerprints::slot_of(Lpn place) const {
  std::size_t slot = first_slot(entries_[number(place)].fingerprint);
  while (slots_[slot] != number(place)) {
    FTLAB_CHECK(slots_[slot] != kNone, "content " + std::to_string(number(place)) + " is not in the table");
    slot = next(slot);
  }
  return slot;
}

void Fingerprints::enter(Lpn place, const Fingerprint& fingerprint) {
  FTLAB_CHECK(!knows(place), "content " + std::to_string(number(place)) + " is in the table already");
  FTLAB_DCHECK(find(fingerprint) == kNoLpn,
               "content " + std::to_string(number(place)) + " is in the table under another place");
  FTLAB_DCHECK(number(place) < entries_.size(), "content " + std::to_string(number(place)) + " has no place in the table");
  if (count_ == capacity_) {
    remove(Lpn{oldest_});
    ++forgotten_;
  }
  FTLAB_DCHECK(count_ < capacity_, "a full table gets another content");
  entries_[number(place)].fingerprint = fingerprint.known() ? fingerprint : Fingerprint{0, number(place)};
  std::size_t slot = first_slot(entries_[number(place)].fingerprint);
  while (slots_[slot] != kNone) slot = next(slot);
  slots_[slot] = number(place);
  append(place);
  ++count_;
}

void Fingerprints::remove(Lpn place) {
  if (!knows(place)) return;
  FTLAB_DCHECK(count_ > 0, "a content leaves a table that is empty");
  leave_slot(slot_of(place));
  unlink(place);
  entries_[number(place)] = {};
  --count_;
}

// Moves later entries of the probe sequence up, unless that would place them before their first slot.
void Fingerprints::leave_slot(std::size_t slot) {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t behind = next(slot); slots_[behind] != kNone; behind = next(behind)) {
    const std::size_t first = first_slot(entries_[slots_[behind]].fingerprint);
    if (((behind - first) & mask) < ((behind - slot) & mask)) continue;
    slots_[slot] = slots_[behind];
    slot = behind;
  }
  slots_[slot] = kNone;
}

void Fingerprints::append(Lpn place) {
  entries_[number(place)].older = youngest_;
  (youngest_ == kNone ? oldest_ : entries_[youngest_].younger) = number(place);
  youngest_ = number(place);
}

void Fingerprints::unlink(Lpn place) {
  const Entry gone = entries_[number(place)];
  (gone.older == kNone ? oldest_ : entries_[gone.older].younger) = gone.younger;
  (gone.younger == kNone ? youngest_ : entries_[gone.younger].older) = gone.older;
}

bool Fingerprints::consistent() const {
  std::uint32_t known = 0, taken = 0, listed = 0;
  for (std::uint32_t place = 0; place < entries_.size(); ++place) {
    const Fingerprint& fingerprint = entries_[place].fingerprint;
    if (fingerprint.content == kAbsent) continue;
    ++known;
    if (fingerprint.known() && find(fingerprint) != Lpn{place}) return false;
  }
  for (std::size_t slot = 0; slot < slots_.size(); ++slot) taken += slots_[slot] != kNone;
  std::uint32_t before = kNone;
  for (std::uint32_t place = oldest_; place != kNone && listed <= known; place = entries_[place].younger, ++listed) {
    if (entries_[place].older != before || !knows(Lpn{place})) return false;
    before = place;
  }
  return youngest_ == before && known == count_ && taken == count_ && listed == count_ && count_ <= capacity_;
}

}  // namespace ftlab
