// Number under which the flash map stores the content of a host page: the page's LPN, or on deduplicating drives the number
// of a content that pages share.
#pragma once

#include "ftl/mapping/deduplication.h"
#include "ftl/mapping/page_map.h"
#include "sim/core/check.h"

namespace ftlab {

class Contents {
 public:
  // Null if each page has its own content. REQUIRES: it outlives this.
  explicit Contents(Deduplication* shared) : shared_(shared) {}

  const Deduplication* shared() const { return shared_; }
  // kNoLpn if the page has no content.
  Lpn of(Lpn lpn) const {
    if (shared_ == nullptr) [[likely]]
      return lpn;
    return shared_->content_of(lpn);
  }
  // A stored content with this fingerprint that the page may share; kNoLpn if none is known.
  Lpn find(const Fingerprint& fingerprint) const { return shared_ == nullptr ? kNoLpn : shared_->find(fingerprint); }
  // Version of the page's own last write. `stored`: version of the stored copy, which may be that of its shared content.
  Version version(Lpn lpn, Version stored) const {
    const bool own = shared_ == nullptr || stored != shared_->stored_version(shared_->content_of(lpn));
    return own ? stored : shared_->version(lpn);
  }
  Version newest_version() const { return shared_ == nullptr ? Version{0} : shared_->newest_version(); }

  // Like the functions of Deduplication. REQUIRES: find() returned the content.
  Lpn share(Lpn lpn, Lpn content, Version version) {
    FTLAB_DCHECK(shared_ != nullptr && content != kNoLpn, "a page shares no content, or on a drive that shares none");
    return shared_->share(lpn, content, version);
  }
  void forget(Lpn content) {
    FTLAB_DCHECK(shared_ != nullptr && content != kNoLpn, "a content is forgotten that was not known");
    shared_->forget(content);
  }
  // Number under which a new content is to be stored.
  Lpn store(Lpn lpn, const Fingerprint& fingerprint, Version version) {
    return shared_ == nullptr ? lpn : shared_->store(lpn, fingerprint, version);
  }
  // Removes the page's content. Returns its number if no other page uses it, else kNoLpn.
  Lpn drop(Lpn lpn) { return shared_ == nullptr ? lpn : shared_->drop(lpn); }
  // Unmaps pages, as if trimmed, whose data were in RAM at the end of life, found no slot and were lost with the power.
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
