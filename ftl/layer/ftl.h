// The translation layer as the drive's controller sees it: logical pages in, slots out. It holds no durable state:
// destroying it and making a new one on the same medium is a power cut.
//
// It decides where data go and knows no time: what it asks of the flash it writes into a work list, which somebody else
// executes, or nobody in an untimed run. So placement and counters are identical in both (but for collection in idle time,
// which an untimed run has none of).
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

// What a host write says of its data.
struct WriteHints {
  std::uint8_t stream = 0;      // stream id, placement handle
  std::uint16_t stored = 1000;  // thousandths of it that an ideal compressor would leave
  Fingerprint fingerprint{};    // of a page written whole, for a drive that deduplicates
};

// What a layer does for its superblocks while the host is silent.
enum class IdleWork : std::uint8_t { collection, refresh };

class Ftl {
 public:
  // Takes up what the medium holds. `seed`: of all chance in the layer. `health`: of a flash that wears out and fails; null:
  // it does neither. `errors`: of a flash whose pages have bit errors; null: they have none. `shared`: which pages of the
  // host have one content together; null: each has its own. REQUIRES: medium, work, health, errors and shared outlive the
  // layer.
  Ftl(const FtlConfig& config, std::uint32_t logical_pages, Medium& medium, WorkList& work, std::uint64_t seed,
      BadBlockTable* health = nullptr, MediaErrors* errors = nullptr, Deduplication* shared = nullptr);

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

  // The host is silent: first deferred trims are carried out, then each pool moves a stripe at a time for as long as its
  // steps find work, then the map is brought up to date.
  void begin_idle_time() { execute_trims(~std::uint32_t{0}); }
  Relocation::Step idle_step(std::uint32_t pool, IdleWork work) {
    return work == IdleWork::collection ? collection_.idle_step(pool) : collection_.refresh_step(pool);
  }
  void end_idle_time() { scheme_->settle(); }
  // Puts forward the superblocks whose cells want it, as of the date of the errors.
  void scan_cells() { collection_.scan_cells(); }
  // To be called before each request: a few pages of what waits are written anew.
  void refresh_some() {
    collection_.refresh_some();
    scheme_->settle();
  }

  // Pages of one stripe, for the host; as PageReader::read().
  FlashRead read(SuperblockId block, std::uint32_t stripe, std::span<const std::uint32_t> positions, std::uint32_t bytes,
                 std::uint32_t tag) {
    return reader_.read(block, stripe, positions, bytes, tag);
  }
  // Raises the signal when the mapping entry of a page is in RAM (it is, unless the map is loaded on demand).
  void look_up(Lpn lpn, Signal& known) { scheme_->look_up(lpn, !read_only(), known); }
  HostMapCache::Traffic take_host_traffic() { return scheme_->take_host_traffic(); }

  // No longer enough superblocks to promise progress; writes are refused from now on, reads go on.
  bool read_only() const { return read_only_ || store_.supply().worn_out(); }
  void set_closing_times(std::span<const std::uint64_t> times) { store_.set_closing_times(times); }

  // Its logical pages are those of the host; with deduplication the contents of those.
  const PageStore& store() const { return store_; }
  HostPages pages() const { return {config_, store_, reader_, contents_, held_, trims_, versions_.newest()}; }
  const MappingScheme& scheme() const { return *scheme_; }
  const Collection& collection() const { return collection_; }

  struct Counts {
    std::uint64_t host_pages = 0;       // put behind the host's frontiers
    std::uint64_t host_slots = 0;       // that they took
    std::uint64_t filled_bytes = 0;     // of them, bytes that the host did not write just then; of what a compressed page
                                        // takes, the same share
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
    held_.archive(archive, logical_pages(), config_.mapping_bytes);
    trims_.archive(archive);
    versions_.archive(archive);
    archive.value(read_only_);
    archive.value(counts_);
    trim_records_.archive(archive);
  }

 private:
  friend struct LoadedStates;
  std::uint32_t logical_pages() const { return store_.pages().map().lpns() - config_.mapping.translation_pages; }
  Ppn ppn_of(Lpn lpn) const { return pages().ppn_of(lpn); }
  Version next_version() {
    if (versions_.used_up()) [[unlikely]]
      renumber_versions();  // 2^32 page writes: 16 TiB of 4 KiB pages
    return versions_.next();
  }
  void renumber_versions();

  bool append_directly(Lpn lpn, std::uint8_t stream);
  bool write_buffered(Lpn lpn, std::uint32_t first_byte, std::uint32_t end_byte, const WriteHints& hints);
  bool take_in(const CoalescedPage& page);
  bool append_coalesced(const CoalescedPage& page);
  bool append_whole(const CoalescedPage& page, Signal data = kNoSignal, bool lost = false);
  bool share(const CoalescedPage& page);
  void put(const Frontier& frontier, const CoalescedPage& page, Signal data, bool lost);
  // A page that the host has written in part, and what comes with its other part from the old content.
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
  bool read_only_ = false;
  bool direct_;  // whole pages go straight behind a frontier
  Counts counts_;
};

// Looks at the whole state and returns every violation of an invariant that it finds, as sentences; empty when all hold.
// Costs a pass over all pages. See ftl/recovery/inspect.cpp for the list.
std::vector<std::string> inspect(const Ftl& ftl);

}  // namespace ftlab
