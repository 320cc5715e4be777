// Equal pages of the host stored once. Between the host's pages and the map of the flash stands one more map: each page of
// the host has a content, each content a number of its own, by which the map, collection, placement and the flash know it as
// if it were a page of the host. How many pages have a content is counted; its place is given free with the last of them.
//
// There are as many numbers as pages of the host, so a full drive of contents that are all different always fits. A page
// that is the only one of its content and gets a new one keeps the number: a drive without repeated data does exactly what a
// drive without deduplication does.
//
// What is here outlives a power cut, as a drive keeps it that writes it, like its own health record, with the energy of its
// power-loss protection. So it is never behind the flash; and what is in RAM then reaches the flash, too, so that it is
// never ahead of it, but at the end of life, when there may be no place for it: the layer then drops such pages at its
// start. Neither the writing nor the space is charged.
//
// Memory of the simulator: 20 bytes for each page of the host, and that of the fingerprints. A real drive needs the
// content's number for each page and the count for each content, about 8 bytes together, beside its map.
#pragma once

#include <cstdint>
#include <span>

#include "ftl/mapping/fingerprints.h"
#include "models/compression/deduplication.h"
#include "models/nand/array/medium.h"
#include "sim/core/column.h"
#include "sim/core/prefetch.h"
#include "sim/core/rule.h"

namespace ftlab {

class Deduplication {
 public:
  Deduplication(const DeduplicationConfig& config, std::uint32_t logical_pages);

  // --- looking ---
  // The content of a page; kNoLpn: never written, or trimmed.
  Lpn content_of(Lpn lpn) const { return Lpn{content_[number(lpn)]}; }
  // Of the page's last write; Version{0}: never written, or trimmed.
  Version version(Lpn lpn) const { return version_[number(lpn)]; }
  // The write that the content was stored with: what the flash says of it. Version{0}: no content has the number.
  Version stored_version(Lpn content) const { return stored_version_[number(content)]; }
  // Pages that have the content.
  std::uint32_t references(Lpn content) const { return references_[number(content)]; }
  // A stored content with this fingerprint; kNoLpn: none is known.
  Lpn find(const Fingerprint& fingerprint) const { return fingerprints_.find(fingerprint); }
  const Fingerprints& fingerprints() const { return fingerprints_; }
  Version newest_version() const { return newest_version_; }  // of all writes that came here

  // --- changing ---
  // Of share() and drop(): the content that no page has any more, to be given free below; kNoLpn: there is none.
  // The page has the stored content from now on.
  Lpn share(Lpn lpn, Lpn content, Version version);
  // The page is trimmed.
  Lpn drop(Lpn lpn);
  // The page has a new content from now on, to be stored under the number that is returned. REQUIRES: find(fingerprint) is
  // kNoLpn.
  Lpn store(Lpn lpn, const Fingerprint& fingerprint, Version version);
  // The content stays with its pages, but is not found any more: its data are lost.
  void forget(Lpn content) { fingerprints_.remove(content); }

  // Whether the numbers that are not in use are each among those once. A pass over all of them.
  bool free_are_unused() const;

  std::uint32_t pages() const { return static_cast<std::uint32_t>(content_.size()); }
  std::uint32_t mapped_pages() const { return mapped_pages_; }
  std::uint32_t contents() const { return pages() - free_count_; }  // that are stored
  std::uint64_t shared_writes() const { return shared_writes_; }    // pages written that were not stored again

  void prefetch(Lpn lpn) const { prefetch_to_write(content_.data() + number(lpn)); }
  // As Medium::renumber().
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
    archive.require(rules(), *this);
  }

 private:
  friend struct LoadedStates;
  static std::span<const Rule<Deduplication>> rules() {
    static constexpr Rule<Deduplication> kRules[] = {
        {"a page has a content that does not exist.",
         [](const Deduplication& shared) { return each_below(shared.content_, shared.pages(), number(kNoLpn)); }},
        {"a content that is free does not exist.",
         [](const Deduplication& shared) { return each_below(shared.free_, shared.pages()); }},
        {"it counts more pages than there are.",
         [](const Deduplication& shared) {
           return shared.free_count_ <= shared.pages() && shared.mapped_pages_ <= shared.pages();
         }},
    };
    return kRules;
  }

  Lpn release(Lpn content);

  Column<std::uint32_t> content_;     // by page of the host
  Column<Version> version_;           // by page of the host
  Column<std::uint32_t> references_;  // by content
  Column<Version> stored_version_;    // by content
  Column<std::uint32_t> free_;        // numbers of contents that are not in use; the last one is taken first
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
