// The translation layer as the drive's controller sees it: logical pages in, slots out. It holds no durable state:
// destroying it and making a new one on the same medium is a power cut.
//
// It decides where data go and knows no time: what it asks of the flash it writes into a work list, which somebody else
// executes, or nobody in an untimed run. So placement and counters are identical in both (but for collection in idle time,
// which an untimed run has none of).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ftl/blocks/placement.h"
#include "ftl/config.h"
#include "ftl/gc/relocate.h"
#include "ftl/mapping/deduplication.h"
#include "ftl/read/cell_scan.h"
#include "ftl/read/page_reader.h"
#include "ftl/schemes/demand_map.h"
#include "ftl/schemes/extents.h"
#include "ftl/schemes/log_blocks.h"
#include "ftl/write/coalescing_buffer.h"
#include "ftl/write/page_store.h"
#include "ftl/write/trim_records.h"
#include "ftl/write/trims.h"

namespace ftlab {

// What a host write says of its data.
struct WriteHints {
  std::uint8_t stream = 0;      // stream id, placement handle
  std::uint16_t stored = 1000;  // thousandths of it that an ideal compressor would leave
  Fingerprint fingerprint{};    // of a page written whole, for a drive that deduplicates
};

class Ftl {
 public:
  // Takes up what the medium holds. `seed`: of all chance in the layer. `health`: of a flash that wears out and fails; null:
  // it does neither. `errors`: of a flash whose pages have bit errors; null: they have none. `shared`: which pages of the
  // host have one content together; null: each has its own. REQUIRES: medium, work, health, errors and shared outlive the
  // layer.
  Ftl(const FtlConfig& config, std::uint32_t logical_pages, Medium& medium, WorkList& work, std::uint64_t seed,
      BadBlockTable* health = nullptr, MediaErrors* errors = nullptr, Deduplication* shared = nullptr);
  Ftl(const Ftl&) = delete;  // its parts know one another
  Ftl& operator=(const Ftl&) = delete;

  // Places of the write buffer that a page takes.
  std::uint32_t slots_of(const WriteHints& hints) const { return slots_of(hints.stored); }

  // Bytes [first, end) of a logical page, which are in RAM. False: the drive is read-only, the page is as it was.
  bool write(Lpn lpn, std::uint32_t first_byte, std::uint32_t end_byte, const WriteHints& hints = {}) {
    const bool whole_page = first_byte == 0 && end_byte == config_.mapping_bytes;
    if (direct_ && whole_page && held_.empty() && trims_.empty() && !read_only()) [[likely]]
      return append_directly(lpn, hints.stream);
    return write_buffered(lpn, first_byte, end_byte, hints);
  }

  // Whole logical pages are no longer needed. Returns the signal of the mapping entries, if they are not at hand.
  Signal trim(Lpn first, std::uint32_t pages);

  // Programs all that waits in RAM. At the end of life some may find no slot any more.
  void flush();
  // As flush(), with the energy of power-loss protection: what is only in RAM outlives it. Trims that wait are carried out
  // where nothing else has them on record.
  void save();
  // Whether no data of the host wait in RAM.
  bool all_in_flash() const;

  // The host is silent: first deferred trims are carried out, then each pool moves a stripe at a time for as long as its
  // steps find work, then the map is brought up to date.
  void begin_idle_time();
  Relocation::Step idle_step(std::uint32_t pool) { return relocations_[pool].idle_step(); }
  void end_idle_time();
  std::uint32_t pools() const { return static_cast<std::uint32_t>(relocations_.size()); }

  // Pages of one stripe, for the host; as PageReader::read().
  FlashRead read(SuperblockId block, std::uint32_t stripe, std::span<const std::uint32_t> positions, std::uint32_t bytes) {
    return reader_.read(block, stripe, positions, bytes);
  }
  // What is in RAM of the page was made of a lost copy.
  bool lost(Lpn lpn) const;
  // Puts forward the superblocks whose cells want it, as of the date of the errors.
  void scan_cells() { scan_.run(); }
  bool scan_would_find() const { return scan_.would_find(); }
  // To be called before each request: a few pages of what waits are written anew.
  void refresh_some();
  Relocation::Step refresh_step(std::uint32_t pool) { return relocations_[pool].refresh_step(); }
  bool waits_for_refresh(std::uint32_t pool) const { return refresh_.waits(pool); }

  // Raises the signal when the mapping entry of a page is in RAM (it is, unless the map is loaded on demand).
  void look_up(Lpn lpn, Signal& known) {
    if (demand_) read_only() ? demand_->look_up_uncached(lpn, known) : demand_->access(lpn, false, known);
  }

  // Where the content of a page is. `ram`: in the controller's RAM; `unmapped`: nowhere, reads as zeros.
  struct Found {
    enum class Where : std::uint8_t { unmapped, ram, flash } where;
    Ppn ppn = kNoPpn;
  };
  Found find(Lpn lpn) const {
    if (!held_.empty() || !trims_.empty()) [[unlikely]]
      return find_in_buffer(lpn);
    const Ppn ppn = ppn_of(lpn);
    if (ppn == kNoPpn) return {Found::Where::unmapped};
    return {store_.staged(ppn) ? Found::Where::ram : Found::Where::flash, ppn};
  }
  // Version of the content that a read of the page returns now; Version{0}: never written, or trimmed.
  Version version(Lpn lpn) const;
  // Of the host write whose data the flash has for the page, or a stripe in RAM: of several writes with one content the
  // first. Version{0}: of none.
  Version stored_version(Lpn lpn) const;
  // Of all host writes; they are numbered one by one. Falls when the numbers run out and are given anew.
  Version newest_version() const { return Version{newest_version_}; }

  // Brings what a write or read of the page will touch nearer to the CPU; changes nothing. Two steps, to be taken some
  // requests apart, because the second needs the result of the first.
  void prefetch_map(Lpn lpn) const { shared_ != nullptr ? shared_->prefetch(lpn) : store_.map().prefetch(lpn); }
  void prefetch_blocks(Lpn lpn) const;

  // No longer enough superblocks to promise progress; writes are refused from now on, reads go on.
  bool read_only() const { return read_only_ || store_.worn_out(); }

  // Its logical pages are those of the host; with deduplication the contents of those.
  const PageStore& store() const { return store_; }
  const PageReader& reader() const { return reader_; }
  const Deduplication* deduplication() const { return shared_; }
  const CoalescingBuffer& coalescing_pages() const { return held_; }
  const DemandMap* demand() const { return demand_.get(); }
  HostMapCache::Traffic take_host_traffic() { return demand_ ? demand_->take_host_traffic() : HostMapCache::Traffic{}; }
  const Extents* extents() const { return extents_.get(); }
  const LogBlocks* log_blocks() const { return logs_.get(); }
  std::uint32_t logical_pages() const { return logical_pages_; }
  void set_closing_times(std::span<const std::uint64_t> times) { store_.set_closing_times(times); }

  struct Counts {
    std::uint64_t host_pages = 0;       // put behind the host's frontiers
    std::uint64_t host_slots = 0;       // that they took
    std::uint64_t filled_bytes = 0;     // of them, bytes that the host did not write just then; of what a compressed page
                                        // takes, the same share
    std::uint64_t coalesced_pages = 0;  // overwritten in RAM, never programmed
    std::uint64_t read_modify_writes = 0;
    std::uint64_t trimmed_pages = 0;
  };
  const Counts& counts() const { return counts_; }
  std::uint64_t relocated_pages(RelocationCause cause) const;
  std::uint64_t relocated_slots(RelocationCause cause) const;
  std::uint64_t copyback_pages() const;
  std::uint64_t unknown_handle_pages() const { return placement_.unknown_handles(); }
  std::uint64_t collected() const;
  std::uint64_t collected(std::uint32_t pool) const { return relocations_[pool].collected(); }  // without merges of logs
  std::uint64_t mapping_slots() const;  // written for the mapping's sake, records of trims among them
  std::uint64_t trim_record_slots() const { return trim_records_.slots_written(); }

  template <class A>
  void archive(A& archive);

 private:
  friend struct LoadedStates;
  Found find_in_buffer(Lpn lpn) const;
  bool write_buffered(Lpn lpn, std::uint32_t first_byte, std::uint32_t end_byte, const WriteHints& hints);
  bool take_in(const CoalescedPage& page);
  bool append_directly(Lpn lpn, std::uint8_t stream);
  bool writes_directly() const;
  bool append_whole(const CoalescedPage& page, Signal data = kNoSignal);
  bool overwrite_coalesced(const CoalescedPage& page);
  bool append_or_coalesce(const CoalescedPage& page);
  bool append_coalesced(const CoalescedPage& page);
  const Frontier* host_frontier(const CoalescedPage& page);
  void execute_trims(std::uint32_t pages);
  void keep_on_record(Lpn first, std::uint32_t pages);
  void write_trim_record();
  void trim_now(Lpn lpn, Signal& known);
  // Where the flash has the page, or its stripe waits; kNoPpn: nowhere.
  Ppn ppn_of(Lpn lpn) const;
  bool share(const CoalescedPage& page);
  void drop_unsaved_contents();
  void release(Lpn content);
  void unmap(Lpn lpn);
  Version shared_version(Lpn lpn, Version stored) const;
  std::uint32_t slots_of(std::uint32_t stored) const {
    return config_.compression.on() ? config_.compression.slots(stored, config_.mapping_bytes) : 1;
  }
  void put(const Frontier& frontier, const CoalescedPage& page, Signal data);
  void complete(CoalescedPage& page, Signal& data);
  void count_filled(const CoalescedPage& page);
  std::uint16_t stored_when_complete(const CoalescedPage& page) const;
  bool rest_is_lost(const CoalescedPage& page) const;
  void save_coalesced();
  Version next_version();
  void renumber_versions();
  void make_parts(std::uint64_t seed, WorkList& work);

  FtlConfig config_;
  std::uint32_t logical_pages_;
  Deduplication* shared_;
  Refresh refresh_;
  PageStore store_;
  PageReader reader_;
  CellScan scan_;
  Placement placement_;
  std::vector<Relocation> relocations_;  // by pool
  std::unique_ptr<DemandMap> demand_;
  std::unique_ptr<Extents> extents_;
  std::unique_ptr<LogBlocks> logs_;
  CoalescingBuffer held_;
  Trims trims_;
  TrimRecords trim_records_;
  std::uint32_t newest_version_;
  bool read_only_ = false;
  bool direct_ = false;  // whole pages go straight behind a frontier; see writes_directly()
  Counts counts_;
};

// Looks at the whole state and returns every violation of an invariant that it finds, as sentences; empty when all hold.
// Costs a pass over all pages. See ftl/recovery/inspect.cpp for the list.
std::vector<std::string> inspect(const Ftl& ftl);

inline Ppn Ftl::ppn_of(Lpn lpn) const {
  if (shared_ == nullptr) [[likely]]
    return store_.map().find(lpn);
  const Lpn content = shared_->content_of(lpn);
  return content == kNoLpn ? kNoPpn : store_.map().find(content);
}

inline void Ftl::prefetch_blocks(Lpn lpn) const {
  const Ppn ppn = ppn_of(lpn);
  if (ppn != kNoPpn) store_.current().prefetch(store_.layout().block_of(ppn), store_.layout().position(ppn));
}

template <class A>
void Ftl::archive(A& archive) {
  archive.section("ftl");
  store_.archive(archive);
  if (refresh_.config().on()) refresh_.archive(archive);
  placement_.archive(archive);
  for (Relocation& relocation : relocations_) relocation.archive(archive);
  if (demand_) demand_->archive(archive);
  if (extents_) extents_->archive(archive);
  if (logs_) logs_->archive(archive);
  held_.archive(archive, logical_pages_, config_.mapping_bytes);
  trims_.archive(archive);
  archive.value(newest_version_);
  archive.value(read_only_);
  archive.value(counts_);
  trim_records_.archive(archive);
}

}  // namespace ftlab
