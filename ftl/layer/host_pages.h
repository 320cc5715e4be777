// What the layer has of the host's pages: in RAM, while they wait for the rest of their bytes or to be overwritten, or
// behind a frontier; trims that are not carried out.
#pragma once

#include <algorithm>

#include "ftl/mapping/contents.h"
#include "ftl/read/page_reader.h"
#include "ftl/write/coalescing_buffer.h"
#include "ftl/write/page_store.h"
#include "ftl/write/trims.h"

namespace ftlab {

class HostPages {
 public:
  // REQUIRES: all outlive it.
  HostPages(const FtlConfig& config, const PageStore& store, const PageReader& reader, const Contents& contents,
            const CoalescingBuffer& held, const Trims& trims, Version newest)
      : config_(config), store_(store), reader_(reader), contents_(contents), held_(held), trims_(trims), newest_(newest) {}

  // Where the content of a page is. `ram`: in the controller's RAM; `unmapped`: nowhere, reads as zeros.
  struct Found {
    enum class Where : std::uint8_t { unmapped, ram, flash } where;
    Ppn ppn = kNoPpn;
  };
  Found find(Lpn lpn) const {
    const Ppn ppn = ppn_of(lpn);
    if (!held_.empty() || !trims_.empty()) [[unlikely]] {
      if (trimmed(lpn)) return {Found::Where::unmapped};
      const CoalescedPage* const held = held_.find(lpn);
      if (held != nullptr && (ppn == kNoPpn || held->whole(config_.mapping_bytes))) return {Found::Where::ram, ppn};
    }
    if (ppn == kNoPpn) return {Found::Where::unmapped};
    return {store_.pages().staged(ppn) ? Found::Where::ram : Found::Where::flash, ppn};
  }
  // Where the flash has the page, or its stripe waits; kNoPpn: nowhere.
  Ppn ppn_of(Lpn lpn) const {
    const Lpn content = contents_.of(lpn);
    return content == kNoLpn ? kNoPpn : store_.pages().map().find(content);
  }
  // Stripes and bytes in them of the page whose last slot is `ppn`: part(stripe, bytes).
  template <class Part>
  void each_part(Ppn ppn, Part&& part) const {
    reader_.each_part(ppn, part);
  }
  // What is in RAM of the page was made of a lost copy.
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
  // Of the host write whose data the flash has for the page, or a stripe in RAM: of several writes with one content the
  // first. Version{0}: of none.
  Version stored_version(Lpn lpn) const {
    const Ppn ppn = ppn_of(lpn);
    return ppn == kNoPpn ? Version{0} : store_.pages().at(ppn).version;
  }
  // Of all host writes; they are numbered one by one. Falls when the numbers run out and are given anew.
  Version newest_version() const { return newest_; }

  // Whether no data of the host wait in RAM.
  bool all_in_flash() const {
    return held_.empty() && std::ranges::none_of(store_.stages(), [](const Stage& stage) { return stage.host_pages() > 0; });
  }
  const Deduplication* deduplication() const { return contents_.shared(); }
  const CoalescingBuffer& coalescing() const { return held_; }

  // Prefetch hints of what a write or read of the page will touch; no semantic effect. Two steps, to be taken some requests
  // apart, because the second needs the result of the first.
  void prefetch_map(Lpn lpn) const { contents_.prefetch(lpn, store_.pages().map()); }
  void prefetch_blocks(Lpn lpn) const {
    const Ppn ppn = ppn_of(lpn);
    if (ppn != kNoPpn)
      store_.pages().current().prefetch(store_.medium().layout().block_of(ppn), store_.medium().layout().position(ppn));
  }

 private:
  bool trimmed(Lpn lpn) const { return trims_.pending(lpn) && !config_.trim.reads_old_data; }

  const FtlConfig& config_;
  const PageStore& store_;
  const PageReader& reader_;
  const Contents& contents_;
  const CoalescingBuffer& held_;
  const Trims& trims_;
  Version newest_;
};

}  // namespace ftlab
