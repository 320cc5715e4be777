// The layer's view of host pages: held in RAM until they are complete or overwritten, appended at a frontier, or covered by
// a trim that has not been executed.
#pragma once

#include <algorithm>

#include "ftl/layer/version_numbers.h"
#include "ftl/mapping/contents.h"
#include "ftl/read/page_reader.h"
#include "ftl/write/coalescing_buffer.h"
#include "ftl/write/page_store.h"
#include "ftl/write/trims.h"

namespace ftlab {

class HostPages {
 public:
  // REQUIRES: all arguments outlive it.
  HostPages(const FtlConfig& config, const PageStore& store, const PageReader& reader, const Contents& contents,
            const CoalescingBuffer& held, const Trims& trims, const VersionNumbers& versions)
      : config_(config), store_(store), reader_(reader), contents_(contents), held_(held), trims_(trims), versions_(versions) {}
  HostPages(const HostPages&) = delete;  // its references are to the layer that owns it
  HostPages& operator=(const HostPages&) = delete;

  // Where the content of a page is. `ram`: in the controller's RAM; `unmapped`: nowhere, reads as zeros.
  struct Found {
    enum class Where : std::uint8_t { unmapped, ram, flash } where;
    Ppn ppn = kNoPpn;
  };
  [[gnu::always_inline]] Found find(Lpn lpn) const {
    if (!held_.empty() || !trims_.empty()) [[unlikely]]
      return find_beside_held(lpn);
    return find_stored(ppn_of(lpn));
  }
  // PPN of the page in the flash or in a stripe that waits in RAM; kNoPpn if neither.
  Ppn ppn_of(Lpn lpn) const {
    const Lpn content = contents_.of(lpn);
    return content == kNoLpn ? kNoPpn : store_.pages().map().find(content);
  }
  // Calls part(stripe, bytes) for each stripe that holds a part of the page whose last slot is `ppn`.
  template <class Part>
  void each_part(Ppn ppn, Part&& part) const {
    reader_.each_part(ppn, part);
  }
  // True if the page's data in RAM were made of a copy that cannot be read.
  bool lost(Lpn lpn) const {
    const CoalescedPage* const held = held_.find(lpn);
    const Ppn ppn = held != nullptr && held->whole(config_.mapping_bytes) ? kNoPpn : ppn_of(lpn);
    return ppn != kNoPpn && store_.pages().lost(ppn);
  }

  // Version of the content that a read of the page returns now; Version{0}: never written, or trimmed.
  Version version(Lpn lpn) const {
    if (trimmed(lpn)) return Version{0};
    const CoalescedPage* const held = held_.find(lpn);
    if (held != nullptr) return held->version;
    const Version stored = stored_version(lpn);
    return stored == Version{0} ? stored : contents_.version(lpn, stored);
  }
  // Version of the host write whose data are stored for the page, in the flash or in a stripe in RAM. With deduplication it
  // is the first write of that content. Version{0} if none.
  Version stored_version(Lpn lpn) const {
    const Ppn ppn = ppn_of(lpn);
    return ppn == kNoPpn ? Version{0} : store_.pages().at(ppn).version;
  }
  // Version of the latest host write; versions count up by one. Decreases when versions run out and are renumbered.
  Version newest_version() const { return versions_.newest(); }

  // True if no host data wait in RAM.
  bool all_in_flash() const {
    return held_.empty() && std::ranges::none_of(store_.stages(), [](const Stage& stage) { return stage.host_pages() > 0; });
  }
  const Deduplication* deduplication() const { return contents_.shared(); }
  const CoalescingBuffer& coalescing() const { return held_; }

  // Prefetch hints for a write or read of the page; no semantic effect. Call the two steps some requests apart, because the
  // second needs the result of the first.
  void prefetch_map(Lpn lpn) const { contents_.prefetch(lpn, store_.pages().map()); }
  void prefetch_blocks(Lpn lpn) const {
    const Ppn ppn = ppn_of(lpn);
    if (ppn != kNoPpn)
      store_.pages().current().prefetch(store_.medium().layout().block_of(ppn), store_.medium().layout().position(ppn));
  }

 private:
  [[gnu::always_inline]] Found find_stored(Ppn ppn) const {
    if (ppn == kNoPpn) return {Found::Where::unmapped};
    return {store_.pages().staged(ppn) ? Found::Where::ram : Found::Where::flash, ppn};
  }
  [[gnu::noinline]] Found find_beside_held(Lpn lpn) const {
    if (trimmed(lpn)) return {Found::Where::unmapped};
    const Ppn ppn = ppn_of(lpn);
    const CoalescedPage* const held = held_.find(lpn);
    if (held != nullptr && (ppn == kNoPpn || held->whole(config_.mapping_bytes))) return {Found::Where::ram, ppn};
    return find_stored(ppn);
  }
  bool trimmed(Lpn lpn) const { return trims_.pending(lpn) && !config_.trim.reads_old_data; }

  const FtlConfig& config_;
  const PageStore& store_;
  const PageReader& reader_;
  const Contents& contents_;
  const CoalescingBuffer& held_;
  const Trims& trims_;
  const VersionNumbers& versions_;
};

}  // namespace ftlab
