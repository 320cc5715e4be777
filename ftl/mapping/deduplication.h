// Stores equal host pages once. A second map lies between the host pages and the flash map: each host page has a content,
// and each content a number, which the flash map, GC, placement and the flash use as if it were the LPN of a host page. A
// content has a reference count; its slot is freed with the last reference.
//
// There are as many numbers as host pages, so a full drive of contents that are all different always fits. A page that is
// the only one with its content keeps the number when it gets new content: without repeated data the drive behaves exactly
// like one without deduplication.
//
// This state outlives a power cut: a real drive would write it, like its health record, with the energy of its power-loss
// protection. So it is never behind the flash. Data in RAM then also reach the flash, so it is never ahead of it either,
// except at the end of life, when there may be no slot for them: the layer then drops such pages at power-on. Neither the
// writing nor the space is charged.
//
// Memory of the simulator: 20 bytes per host page, plus the fingerprints. A real drive needs the content number of each page
// and the reference count of each content, about 8 bytes together, in addition to its map.
#pragma once

#include <cstdint>

#include "ftl/mapping/fingerprints.h"
#include "models/compression/deduplication.h"
#include "models/nand/array/medium.h"
#include "sim/core/check.h"
#include "sim/core/column.h"
#include "sim/core/prefetch.h"

namespace ftlab {

class Deduplication {
 public:
  Deduplication(const DeduplicationConfig& config, std::uint32_t logical_pages);

  // --- queries ---
  // Content of a page; kNoLpn if never written, or trimmed.
  Lpn content_of(Lpn lpn) const {
    FTLAB_DCHECK(number(lpn) < pages(), "the content of page " + std::to_string(number(lpn)) + ", which there is not");
    return Lpn{content_[number(lpn)]};
  }
  // Version of the page's last write; Version{0} if never written, or trimmed.
  Version version(Lpn lpn) const { return version_[number(lpn)]; }
  // Version of the write that stored the content, as recorded in the flash; Version{0} if no content has this number.
  Version stored_version(Lpn content) const { return stored_version_[number(content)]; }
  // Number of pages with this content.
  std::uint32_t references(Lpn content) const { return references_[number(content)]; }
  // A stored content with this fingerprint; kNoLpn if none is known.
  Lpn find(const Fingerprint& fingerprint) const { return fingerprints_.find(fingerprint); }
  const Fingerprints& fingerprints() const { return fingerprints_; }
  Version newest_version() const { return newest_version_; }  // newest write recorded here

  // --- changes ---
  // share() and drop() return the content that no page uses afterwards, so that the caller can free it; kNoLpn if none.
  // Gives the page a stored content.
  Lpn share(Lpn lpn, Lpn content, Version version);
  // Removes the content of a trimmed page.
  Lpn drop(Lpn lpn);
  // Gives the page a new content, and returns the number under which to store it. REQUIRES: find(fingerprint) is kNoLpn.
  Lpn store(Lpn lpn, const Fingerprint& fingerprint, Version version);
  // The content stays with its pages but is no longer found, because its data are lost.
  void forget(Lpn content) { fingerprints_.remove(content); }

  // True if each free number is unused and listed once. A pass over all of them.
  bool free_are_unused() const;

  std::uint32_t pages() const { return static_cast<std::uint32_t>(content_.size()); }
  std::uint32_t mapped_pages() const { return mapped_pages_; }
  std::uint32_t contents() const { return pages() - free_count_; }  // stored contents
  std::uint64_t shared_writes() const { return shared_writes_; }    // pages written that shared a stored content

  void prefetch(Lpn lpn) const { prefetch_to_write(content_.data() + number(lpn)); }
  // Like Medium::renumber().
  template <class NumberOf>
  void renumber(NumberOf&& number_of);

  template <class A>
  void archive(A& archive) {
    archive.section("deduplication");
    for (auto* column : {&content_, &references_, &free_}) archive.column(*column);
    for (auto* column : {&version_, &stored_version_}) archive.column(*column);
    fingerprints_.archive(archive);
    archive.value(free_count_);
    archive.value(mapped_pages_);
    archive.value(shared_writes_);
    archive.value(newest_version_);
  }

 private:
  friend struct BrokenDrive;
  Lpn release(Lpn content);

  Column<std::uint32_t> content_;     // by host page
  Column<Version> version_;           // by host page
  Column<std::uint32_t> references_;  // by content
  Column<Version> stored_version_;    // by content
  Column<std::uint32_t> free_;        // content numbers not in use; the last one is taken first
  Fingerprints fingerprints_;
  std::uint32_t free_count_;
  std::uint32_t mapped_pages_ = 0;
  std::uint64_t shared_writes_ = 0;
  Version newest_version_{0};
};

template <class NumberOf>
void Deduplication::renumber(NumberOf&& number_of) {
  for (std::uint32_t p = 0; p < pages(); ++p) {
    version_[p] = number_of(Lpn{p}, version_[p]);
    stored_version_[p] = number_of(Lpn{p}, stored_version_[p]);
  }
  newest_version_ = number_of(Lpn{0}, newest_version_);
}

}  // namespace ftlab
