// Finds the data of a read and cuts them into pieces: adjacent pages in one stripe of the flash are read by one operation,
// while a page in RAM or an unmapped one is its own piece. With compression a read takes whole pages, and a stripe holds
// parts of several.
//
// The pieces go to a sink:
//   new_piece(ReadFor, whole)                       returns the tag of the next operation; `whole`: it brings all data
//   flash(tag, FlashRead, bytes for the host, ReadFor)   a flash operation
//   ram(RamPart, ReadFor)                           data without a flash operation; not called when reading ahead
//   new_fetch()                                     returns the number of a fetch; 0 if fetches are not counted
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "ftl/drive/path/drive_parts.h"
#include "ftl/read/page_walk.h"

namespace ftlab {

// The purpose of a read: a command, or read-ahead.
struct ReadFor {
  std::uint32_t command = 0;
  bool ahead = false;       // read-ahead, without a command
  std::uint32_t fetch = 0;  // first of the fetches that it belongs to
  std::uint32_t fetches = 0;
};

// A page that is not read from the flash.
struct RamPart {
  bool unmapped = false;  // not mapped, reads as zeros
  bool lost = false;      // in RAM, but made of a copy that could not be read
  std::uint64_t host_bytes = 0;
  const std::uint32_t* ahead = nullptr;  // fetch that brings it, if the page was read ahead
};

class PieceFinder {
 public:
  // REQUIRES: `drive` outlives this object.
  explicit PieceFinder(DriveParts& drive) : drive_(drive) {}

  template <class Sink>
  [[gnu::always_inline]] void find(const Request& request, ReadFor whom, Sink&& sink) {
    if (drive_.config.ftl.compression.on()) [[unlikely]]
      return find_packed(request, whom, sink);
    find_pages(request, whom, sink);
  }

 private:
  using Where = HostPages::Found::Where;
  // Adjacent pages in one stripe of the flash.
  struct Run {
    SuperblockId block;
    std::uint32_t first;  // position in the superblock
    std::uint32_t first_page, pages;
    std::uint64_t bytes;
  };
  struct PackedPage {
    std::uint32_t lpn;
    Ppn ppn;
    bool from_flash;  // neither in RAM nor read ahead
  };
  // Slots of one stripe, the pages with a part in them, and the bytes of the pages that they complete. Or one page that is
  // not read from the flash.
  struct PackedPart {
    SuperblockId block = kNoBlock;
    std::uint32_t stripe = 0;
    std::uint32_t first_page = 0, end_page = 0;  // indices of the pages of the read
    std::uint32_t flash_bytes = 0;
    RamPart ram;  // host_bytes is also valid for parts in the flash
  };

  RamPart ram_part(Lpn lpn, Where where, const std::uint32_t* ahead) const {
    return {where == Where::unmapped, drive_.back.errors && where == Where::ram && drive_.layer->pages().lost(lpn), 0,
            ahead};
  }
  const std::uint32_t* ahead_of(Lpn lpn) const {
    return drive_.front.read_ahead ? drive_.front.read_ahead->find(number(lpn)) : nullptr;
  }
  Run take_run(PageWalk& walk, Ppn ppn, const HostPages& pages) const;
  [[gnu::noinline]] std::span<const std::uint32_t> positions(std::uint32_t first, std::uint32_t pages);
  template <class Sink>
  void find_pages(const Request& request, ReadFor asked, Sink&& sink);
  template <class Sink>
  void read_run(const Run& run, bool whole, ReadFor asked, Sink&& sink);
  template <class Sink>
  void find_packed(const Request& request, ReadFor asked, Sink&& sink);
  void gather_parts(const Request& request);
  void gather_flash_parts(Ppn ppn);
  FlashRead read_part(const PackedPart& part, std::uint32_t tag);

  DriveParts& drive_;
  std::vector<PackedPage> packed_pages_;  // pages of one request; a member to reuse its memory
  std::vector<PackedPart> packed_parts_;
  std::vector<std::uint32_t> positions_;  // positions of the pages of one piece
};

template <class Sink>
[[gnu::always_inline]] inline void PieceFinder::find_pages(const Request& request, ReadFor asked, Sink&& sink) {
  const HostPages& pages = drive_.layer->pages();
  bool begins = true;  // nothing has been found yet
  for (PageWalk walk(request, drive_.config.ftl.mapping_bytes); walk.more(); begins = false) {
    const Lpn lpn = walk.lpn();
    const HostPages::Found found = pages.find(lpn);
    const std::uint32_t* const ahead = found.where == Where::flash ? ahead_of(lpn) : nullptr;
    if (found.where == Where::flash && ahead == nullptr) [[likely]] {
      const Run run = take_run(walk, found.ppn, pages);
      if (!asked.ahead) drive_.contents.add_read(*drive_.layer, request.tag, run.first_page, run.pages);
      read_run(run, begins && !walk.more(), asked, sink);
      continue;
    }
    RamPart part = ram_part(lpn, found.where, ahead);
    part.host_bytes = walk.bytes();
    walk.step();
    if (asked.ahead) continue;
    drive_.host.unmapped_read_pages += part.unmapped;
    drive_.contents.add_read(*drive_.layer, request.tag, number(lpn), 1);
    if (ahead != nullptr) drive_.front.read_ahead->use(number(lpn));
    sink.ram(part, asked);
  }
}

// Starts with the page at `ppn`, the current one of the walk.
[[gnu::always_inline]] inline PieceFinder::Run PieceFinder::take_run(PageWalk& walk, Ppn ppn, const HostPages& pages) const {
  const Layout& layout = drive_.back.medium.layout();
  const std::uint32_t position = layout.position(ppn);
  Run run{layout.block_of(ppn), position, number(walk.lpn()), 1, walk.bytes()};
  for (walk.step(); walk.more(); walk.step()) {
    const Ppn next{number(ppn) + run.pages};
    if (run.first + run.pages == layout.next_stripe(position)) return run;
    const HostPages::Found found = pages.find(walk.lpn());
    if (found.where != Where::flash || found.ppn != next || ahead_of(walk.lpn()) != nullptr) return run;
    ++run.pages;
    run.bytes += walk.bytes();
  }
  return run;
}

template <class Sink>
[[gnu::always_inline]] inline void PieceFinder::read_run(const Run& run, bool whole, ReadFor asked, Sink&& sink) {
  const Layout& layout = drive_.back.medium.layout();
  const ReadFor whom = asked.ahead ? ReadFor{0, true, sink.new_fetch(), 1} : asked;
  const std::array first{run.first};
  const std::span<const std::uint32_t> all = run.pages > 1 ? positions(run.first, run.pages) : first;
  const std::uint32_t stripe = layout.stripe_of(run.first);
  bool lost = false;
  const auto read_piece = [&](std::uint32_t from, std::uint64_t bytes) __attribute__((always_inline)) {
    const std::uint32_t tag = sink.new_piece(whom, whole && bytes == run.bytes);
    const FlashRead read = drive_.layer->read(run.block, from, all, static_cast<std::uint32_t>(bytes), tag);
    lost = lost || read.lost;
    sink.flash(tag, read, bytes, whom);
  };
  if (layout.stripes_per_page() == 1) [[likely]] {
    read_piece(stripe, run.bytes);
  } else {  // a mapping page larger than a stripe comes from several dies
    const std::uint64_t most = drive_.config.ftl.mapping_bytes / layout.stripes_per_page();
    for (std::uint32_t i = 0; i * most < run.bytes; ++i) read_piece(stripe + i, std::min(run.bytes - i * most, most));
  }
  if (!asked.ahead || lost) return;  // the host finds out that a page is lost when it reads it from the flash
  for (std::uint32_t l = run.first_page; l < run.first_page + run.pages; ++l)
    drive_.front.read_ahead->fetched(l, whom.fetch);
}

// When reading ahead, each page is a fetch, which is complete with the last of its parts.
template <class Sink>
[[gnu::noinline]] void PieceFinder::find_packed(const Request& request, ReadFor asked, Sink&& sink) {
  gather_parts(request);
  std::uint32_t first_fetch = 0;
  for (std::size_t page = 0; asked.ahead && page < packed_pages_.size(); ++page) {
    const std::uint32_t fetch = sink.new_fetch();
    if (page == 0) first_fetch = fetch;
  }
  if (!asked.ahead) {
    for (const PackedPart& part : packed_parts_) drive_.host.unmapped_read_pages += part.ram.unmapped;
    for (const PackedPage& page : packed_pages_) drive_.contents.add_read(*drive_.layer, request.tag, page.lpn, 1);
  }
  for (const PackedPart& part : packed_parts_) {
    if (part.block == kNoBlock) {
      if (!asked.ahead) sink.ram(part.ram, asked);
      continue;
    }
    ReadFor whom = asked;
    if (asked.ahead) whom = {0, true, first_fetch + part.first_page, part.end_page - part.first_page};
    const std::uint32_t tag = sink.new_piece(whom, false);
    sink.flash(tag, read_part(part, tag), part.ram.host_bytes, whom);
  }
  for (std::uint32_t i = 0; i < packed_pages_.size(); ++i) {
    const PackedPage& page = packed_pages_[i];
    if (asked.ahead) {
      if (page.from_flash && !drive_.layer->store().pages().lost(page.ppn))
        drive_.front.read_ahead->fetched(page.lpn, first_fetch + i);
    } else if (!page.from_flash && ahead_of(Lpn{page.lpn}) != nullptr) {
      drive_.front.read_ahead->use(page.lpn);
    }
  }
}

}  // namespace ftlab
