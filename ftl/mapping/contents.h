// Under which number the map of the flash knows the content of a host's page: its own, or on a drive that deduplicates the
// number of a content that pages share.
#pragma once

#include "ftl/mapping/deduplication.h"
#include "ftl/mapping/page_map.h"

namespace ftlab {

class Contents {
 public:
  // Null: each page has its own content. REQUIRES: it outlives this.
  explicit Contents(Deduplication* shared) : shared_(shared) {}

  const Deduplication* shared() const { return shared_; }
  // kNoLpn: the page has no content.
  Lpn of(Lpn lpn) const {
    if (shared_ == nullptr) [[likely]]
      return lpn;
    return shared_->content_of(lpn);
  }
  // A stored content with this fingerprint that the page may share; kNoLpn: none is known.
  Lpn find(const Fingerprint& fingerprint) const { return shared_ == nullptr ? kNoLpn : shared_->find(fingerprint); }
  // Of a page whose stored copy has the version `stored`: of its own write, as far as the copy is of the content it shares.
  Version version(Lpn lpn, Version stored) const {
    const bool own = shared_ == nullptr || stored != shared_->stored_version(shared_->content_of(lpn));
    return own ? stored : shared_->version(lpn);
  }
  Version newest_version() const { return shared_ == nullptr ? Version{0} : shared_->newest_version(); }

  // As the verbs of Deduplication. REQUIRES: find() gave the content.
  Lpn share(Lpn lpn, Lpn content, Version version) { return shared_->share(lpn, content, version); }
  void forget(Lpn content) { shared_->forget(content); }
  // The number under which a new content is to be stored.
  Lpn store(Lpn lpn, const Fingerprint& fingerprint, Version version) {
    return shared_ == nullptr ? lpn : shared_->store(lpn, fingerprint, version);
  }
  // The number that no page has any more; kNoLpn: there is none.
  Lpn drop(Lpn lpn) { return shared_ == nullptr ? lpn : shared_->drop(lpn); }
  // At the end of life data in RAM may find no slot, and are lost with the power. Their pages are as if they were trimmed.
  template <class Stored>
  void drop_unless(Stored&& stored) {
    for (std::uint32_t l = 0; shared_ != nullptr && l < shared_->pages(); ++l) {
      const Lpn content = shared_->content_of(Lpn{l});
      if (content != kNoLpn && !stored(content)) shared_->drop(Lpn{l});
    }
  }

  void prefetch(Lpn lpn, const PageMap& map) const { shared_ == nullptr ? map.prefetch(lpn) : shared_->prefetch(lpn); }
  template <class NumberOf>
  void renumber(NumberOf&& number_of) {
    if (shared_ != nullptr) shared_->renumber(number_of);
  }

 private:
  Deduplication* shared_;
};

}  // namespace ftlab
