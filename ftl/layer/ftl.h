// The translation layer as seen by the drive's controller: logical pages in, slots out. It holds no durable state:
// destroying it and making a new one on the same medium is a power cut.
//
// It decides where data go and is independent of time. Its flash operations go into a work list, which the flash engine
// executes in timed runs and nothing executes in untimed ones. Placement and counters are the same in both, except for
// idle-time collection, which untimed runs lack.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ftl/gc/collection.h"
#include "ftl/layer/host_pages.h"
#include "ftl/layer/version_numbers.h"
#include "ftl/schemes/mapping_scheme.h"
#include "ftl/write/trim_records.h"

namespace ftlab {

// Properties of the data of a host write.
struct WriteHints {
  std::uint8_t stream = 0;      // stream id, placement handle
  std::uint16_t stored = 1000;  // size to which an ideal compressor shrinks the data, in thousandths
  Fingerprint fingerprint{};    // pages written whole, with deduplication only
};

class Ftl {
 public:
  // Continues from the content of the medium. `seed` determines all random choices. `health`: wear and failures of blocks,
  // null if none. `errors`: bit errors, null if none. `shared`: which host pages share a content, null if none do. REQUIRES:
  // medium, work, health, errors and shared outlive the layer.
  Ftl(const FtlConfig& config, std::uint32_t logical_pages, Medium& medium, WorkList& work, std::uint64_t seed,
      BadBlockTable* health = nullptr, MediaErrors* errors = nullptr, Deduplication* shared = nullptr);

  // Writes bytes [first_byte, end_byte) of a page from RAM. If that is the whole page, also whole pages behind it, up to
  // `pages` in all, as far as nothing has to be decided for each of them. Returns the number of pages written: 0 if the
  // drive is read-only, and nothing is changed then.
  std::uint32_t write(Lpn lpn, std::uint32_t first_byte, std::uint32_t end_byte, const WriteHints& hints = {},
                      std::uint32_t pages = 1) {
    const bool whole_page = first_byte == 0 && end_byte == config_.mapping_bytes;
    if (direct_ && whole_page && held_.empty() && trims_.empty() && !read_only()) [[likely]]
      return append_directly(lpn, hints.stream, pages);
    return write_buffered(lpn, first_byte, end_byte, hints);
  }

  // Whole pages of the stream, at least 1, of which only the last one may cause a flash operation, or work other than storing
  // it, when they are written one after another.
  std::uint32_t pages_to_next_work(std::uint8_t stream) const {
    const bool stores_only = direct_ && held_.empty() && trims_.empty() && !read_only();
    return stores_only ? collection_.pages_to_next_work(stream) : 1;
  }

  // Unmaps whole logical pages. Returns the signal of mapping entries that must be loaded first.
  Signal trim(Lpn first, std::uint32_t pages);

  // Programs all data that wait in RAM. At the end of life there may be too few slots for them.
  void flush();
  // Like flush(), on the energy of power-loss protection: makes data in RAM durable. Waiting trims are executed unless they
  // are recorded elsewhere.
  void save();

  // Idle time: executes deferred trims, then each pool moves one stripe at a time as long as its steps find work, then the
  // map is brought up to date, as long as that finds room.
  void begin_idle_time() { execute_trims(~std::uint32_t{0}); }
  Relocation::Step idle_step(IdleWork work, std::uint32_t pool = 0) {
    if (work != IdleWork::mapping) return collection_.idle_step(work, pool);
    const std::uint32_t written = scheme_->settle();
    return {written > 0, written};
  }
  // Queues for refresh the superblocks whose error rate exceeds the limit, as of the date set in the error model.
  void scan_cells() { collection_.scan_cells(); }
  // Call before each request: refreshes a few pages of queued superblocks.
  void refresh_some() {
    collection_.refresh_some();
    scheme_->settle();
  }

  // Reads pages of one stripe for the host, see PageReader.
  [[gnu::always_inline]] FlashRead read(SuperblockId block, std::uint32_t stripe, std::span<const std::uint32_t> positions,
                                        std::uint32_t bytes, std::uint32_t tag) {
    return reader_.read_for_host(block, stripe, positions, bytes, tag);
  }
  // Raises the signal when the mapping entry of a page is in RAM (always, unless the map is loaded on demand).
  void look_up(Lpn lpn, Signal& known) { scheme_->look_up(lpn, !read_only(), known); }
  HostMapCache::Traffic take_host_traffic() { return scheme_->take_host_traffic(); }

  // True if too few superblocks are left to guarantee progress. Writes are refused from then on, reads still work.
  bool read_only() const { return read_only_ || store_.supply().worn_out(); }
  void set_past(std::span<const std::uint64_t> closed_at, std::uint64_t pages, std::uint64_t erased_superblocks) {
    store_.set_past(closed_at, pages, erased_superblocks);
  }

  // Its LPNs are those of the host, or of contents with deduplication.
  const PageStore& store() const { return store_; }
  const HostPages& pages() const { return host_pages_; }
  const MappingScheme& scheme() const { return *scheme_; }
  const Collection& collection() const { return collection_; }

  struct Counts {
    std::uint64_t host_pages = 0;       // appended at the host's frontiers
    std::uint64_t host_slots = 0;       // slots of these pages
    std::uint64_t filled_bytes = 0;     // part of these pages that was filled with old content; for compressed pages the
                                        // same share of their size
    std::uint64_t coalesced_pages = 0;  // overwritten in RAM, never programmed
    std::uint64_t read_modify_writes = 0;
    std::uint64_t trimmed_pages = 0;
    std::uint64_t trim_record_slots = 0;
  };
  const Counts& counts() const { return counts_; }

  template <class A>
  void archive(A& archive) {
    archive.section("ftl");
    store_.archive(archive);
    collection_.archive(archive);
    scheme_->archive(archive);
    held_.archive(archive);
    trims_.archive(archive);
    versions_.archive(archive);
    archive.value(read_only_);
    archive.value(counts_);
    trim_records_.archive(archive);
  }

 private:
  friend struct BrokenDrive;
  std::uint32_t logical_pages() const { return store_.pages().map().lpns() - config_.mapping.translation_pages; }
  Ppn ppn_of(Lpn lpn) const { return host_pages_.ppn_of(lpn); }
  Version next_version() {
    if (versions_.used_up()) [[unlikely]]
      renumber_versions();  // after 2^32 page writes: 16 TiB of 4 KiB pages
    return versions_.next();
  }
  void renumber_versions();

  std::uint32_t append_directly(Lpn lpn, std::uint8_t stream, std::uint32_t pages);
  bool write_buffered(Lpn lpn, std::uint32_t first_byte, std::uint32_t end_byte, const WriteHints& hints);
  bool buffer_or_append(const CoalescedPage& page);
  bool append_coalesced(const CoalescedPage& page);
  bool append_whole(const CoalescedPage& page, Signal data = kNoSignal, bool lost = false);
  bool share(const CoalescedPage& page);
  void put(const Frontier& frontier, const CoalescedPage& page, Signal data, bool lost);
  // A partly written page, completed from its old content.
  struct Completed {
    CoalescedPage page;
    Signal data = kNoSignal;
    bool lost = false;  // the old content cannot be read
  };
  Completed complete(const CoalescedPage& page);
  void count_completed(const Completed& completed);
  void save_coalesced();
  void execute_trims(std::uint32_t pages);
  void write_trim_record();
  void trim_now(Lpn lpn, Signal& known);
  void unmap(Lpn lpn);
  void release(Lpn content);

  FtlConfig config_;
  Refresh refresh_;
  PageStore store_;
  PageReader reader_;
  Collection collection_;
  std::unique_ptr<MappingScheme> scheme_;
  Contents contents_;
  CoalescingBuffer held_;
  Trims trims_;
  TrimRecords trim_records_;
  VersionNumbers versions_;
  HostPages host_pages_{config_, store_, reader_, contents_, held_, trims_, versions_};
  bool read_only_ = false;
  bool direct_;  // whole pages are appended without buffering
  Counts counts_;
};

// Checks the whole state and returns a sentence for each violated invariant, nothing if all hold. Visits every page. See
// ftl/recovery/inspect.cpp for the list.
std::vector<std::string> inspect(const Ftl& ftl);

}  // namespace ftlab
