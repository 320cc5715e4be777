#include "ftl/ftl.h"

#include <algorithm>

namespace ftlab {

Ftl::Ftl(const FtlConfig& config, std::uint32_t logical_pages, Medium& medium, Backend& backend)
    : config_(config),
      backend_(backend),
      buffer_(config.buffer_pages),
      store_(config, logical_pages, medium, backend, buffer_),
      relocation_(config.gc, store_),
      partial_(config.partial_pages),
      newest_version_(number(store_.newest_version())) {}

Version Ftl::next_version() {
  // 2^32 page writes: 16 TiB of 4 KiB pages.
  FTLAB_CHECK(newest_version_ < 0xffff'ffff, "the 32-bit version numbers of the medium are used up");
  return Version{++newest_version_};
}

void Ftl::write(Lpn lpn, std::uint32_t first_byte, std::uint32_t end_byte, Nanoseconds now, Nanoseconds ready) {
  const Version version = next_version();
  if (end_byte - first_byte == config_.mapping_bytes) {
    if (!partial_.empty()) partial_.take(lpn);
    put_whole(lpn, version, now, ready);
    return;
  }
  const PartialPage& page = partial_.merge(lpn, version, first_byte, end_byte);
  if (page.whole(config_.mapping_bytes)) {
    partial_.take(lpn);
    put_whole(lpn, version, now, ready);
  } else if (partial_.over_capacity()) {
    put_partial(partial_.take_oldest(), now, ready);
  }
}

void Ftl::put_whole(Lpn lpn, Version version, Nanoseconds now, Nanoseconds ready) {
  relocation_.step(now);
  relocation_.make_room(store_.host_frontier(), now);
  store_.invalidate(lpn);
  buffer_.take();
  ++host_pages_;
  store_.put(store_.host_frontier(), lpn, version, ready, true);
}

// What the host did not write of the page comes from its old content, if there is any.
void Ftl::put_partial(const PartialPage& page, Nanoseconds now, Nanoseconds ready) {
  const Found old = find(page.lpn);
  if (old.where == Found::Where::flash) {
    ++read_modify_writes_;
    const Layout& layout = store_.layout();
    const std::uint32_t stripe = layout.stripe_of(layout.position(old.ppn));
    for (std::uint32_t s = stripe; s < stripe + layout.stripes_per_page(); ++s) {
      const Die die = layout.die_of(layout.block_of(old.ppn), s);
      ready = std::max(ready, backend_.read(now, die, config_.mapping_bytes / layout.stripes_per_page()).done);
    }
  }
  filled_bytes_ += config_.mapping_bytes - (page.end_byte - page.first_byte);
  put_whole(page.lpn, page.version, now, ready);
}

void Ftl::trim(Lpn lpn) {
  if (!partial_.empty()) partial_.take(lpn);
  store_.unmap(lpn);
}

Nanoseconds Ftl::flush(Nanoseconds now) {
  while (!partial_.empty()) put_partial(partial_.take_oldest(), now, now);
  relocation_.prepare_padding(store_.host_frontier(), now);
  store_.pad(store_.host_frontier(), now);
  return std::max(now, buffer_.all_programmed());
}

Ftl::Found Ftl::find(Lpn lpn) const {
  const Ppn ppn = store_.map().find(lpn);
  if (ppn == kNoPpn) {
    const bool partial = !partial_.empty() && partial_.find(lpn) != nullptr;
    return {partial ? Found::Where::ram : Found::Where::unmapped};
  }
  return {store_.staged(ppn) ? Found::Where::ram : Found::Where::flash, ppn};
}

Version Ftl::version(Lpn lpn) const {
  const PartialPage* partial = partial_.empty() ? nullptr : partial_.find(lpn);
  if (partial != nullptr) return partial->version;
  const Found found = find(lpn);
  return found.ppn == kNoPpn ? Version{0} : store_.version_at(found.ppn);
}

}  // namespace ftlab
