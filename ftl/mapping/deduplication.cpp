#include "ftl/mapping/deduplication.h"

#include <algorithm>
#include <string>
#include <vector>

#include "sim/core/check.h"

namespace ftlab {

Deduplication::Deduplication(const DeduplicationConfig& config, std::uint32_t logical_pages)
    : content_(logical_pages, number(kNoLpn)),
      version_(logical_pages, Version{0}),
      references_(logical_pages, 0),
      stored_version_(logical_pages, Version{0}),
      free_(logical_pages),
      fingerprints_(logical_pages, config.entries()),
      free_count_(logical_pages) {
  for (std::uint32_t i = 0; i < logical_pages; ++i) free_[i] = logical_pages - 1 - i;
}

bool Deduplication::free_are_unused() const {
  std::vector<bool> seen(pages());
  for (std::uint32_t i = 0; i < free_count_; ++i) {
    if (references_[free_[i]] > 0 || seen[free_[i]]) return false;
    seen[free_[i]] = true;
  }
  return true;
}

Lpn Deduplication::share(Lpn lpn, Lpn content, Version version) {
  FTLAB_CHECK(references(content) > 0, "content " + std::to_string(number(content)) + " is shared, but no page has it");
  FTLAB_DCHECK(number(lpn) < pages(), "page " + std::to_string(number(lpn)) + " of " + std::to_string(pages()));
  ++shared_writes_;
  newest_version_ = std::max(newest_version_, version);
  version_[number(lpn)] = version;
  const Lpn old = content_of(lpn);
  if (old == content) return kNoLpn;
  ++references_[number(content)];
  content_[number(lpn)] = number(content);
  mapped_pages_ += old == kNoLpn;
  return old == kNoLpn ? kNoLpn : release(old);
}

Lpn Deduplication::drop(Lpn lpn) {
  const Lpn old = content_of(lpn);
  if (old == kNoLpn) return kNoLpn;
  FTLAB_CHECK(mapped_pages_ > 0, "a page has a content, but none is mapped");
  content_[number(lpn)] = number(kNoLpn);
  version_[number(lpn)] = Version{0};
  --mapped_pages_;
  return release(old);
}

// Removes one reference. Returns the content if that was the last one, else kNoLpn.
Lpn Deduplication::release(Lpn content) {
  FTLAB_CHECK(references(content) > 0, "content " + std::to_string(number(content)) + " is released once too often");
  if (--references_[number(content)] > 0) return kNoLpn;
  fingerprints_.remove(content);
  FTLAB_CHECK(free_count_ < pages(), "more contents are free than there are pages");
  free_[free_count_++] = number(content);
  stored_version_[number(content)] = Version{0};
  return content;
}

Lpn Deduplication::store(Lpn lpn, const Fingerprint& fingerprint, Version version) {
  FTLAB_DCHECK(fingerprints_.find(fingerprint) == kNoLpn, "a content is stored a second time");
  newest_version_ = std::max(newest_version_, version);
  if (content_of(lpn) != kNoLpn) drop(lpn);  // if it was the only page with its content, it gets the same number again
  FTLAB_CHECK(free_count_ > 0, "no number is free for a content");
  FTLAB_DCHECK(references(Lpn{free_[free_count_ - 1]}) == 0, "a number is free whose content has pages");
  const Lpn content{free_[--free_count_]};
  content_[number(lpn)] = number(content);
  version_[number(lpn)] = version;
  references_[number(content)] = 1;
  stored_version_[number(content)] = version;
  fingerprints_.enter(content, fingerprint);
  ++mapped_pages_;
  return content;
}

}  // namespace ftlab
