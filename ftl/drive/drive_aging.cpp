// Ages a drive without carrying each write out. Under uniform writes every page is overwritten as soon as any other,
// wherever it lies: so the counts say all that there is to say of a superblock, and which of its slots are current is
// chance.
#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "ftl/counting/counting_layer.h"
#include "ftl/drive/drive.h"
#include "ftl/gc/gc_policy.h"

namespace ftlab {
namespace {

constexpr std::uint64_t kAhead = 64;  // writes whose map entries are on their way into the cache

template <class Entry>
void overwrite_at_random(CountingLayer<Entry>& layer, std::uint32_t pages, std::uint64_t times, RandomStream& random) {
  Lpn ahead[kAhead];
  for (std::uint64_t done = 0; done < times; done += kAhead) {
    const std::uint64_t count = std::min(kAhead, times - done);
    for (std::uint64_t i = 0; i < count; ++i) {
      ahead[i] = Lpn{static_cast<std::uint32_t>(random.below(pages))};
      layer.prefetch(ahead[i]);
    }
    for (std::uint64_t i = 0; i < count; ++i) layer.write(ahead[i]);
  }
}

// The current pages of every superblock, those of one behind the other.
class PagesBySuperblock {
 public:
  template <class Entry>
  PagesBySuperblock(const CountingLayer<Entry>& layer, std::uint32_t pages) : pages_(pages) {
    const Blocks& blocks = layer.blocks();
    std::vector<std::uint32_t> next;
    for (std::uint32_t b = 0, first = 0; b < blocks.count(); first += blocks.valid(SuperblockId{b++})) next.push_back(first);
    first_ = next;
    first_.push_back(pages);
    for (std::uint32_t l = 0; l < pages; ++l) pages_[next[number(layer.superblock_of(Lpn{l}))]++] = Lpn{l};
  }
  std::span<Lpn> of(SuperblockId block) {
    return {pages_.data() + first_[number(block)], first_[number(block) + 1] - first_[number(block)]};
  }

 private:
  Column<Lpn> pages_;
  std::vector<std::uint32_t> first_;
};

// Programs superblocks with what counting found in them.
class Printer {
 public:
  // `stale`: slots that will be programmed, but not be current.
  Printer(Medium& medium, std::uint32_t pages, std::uint32_t stale, RandomStream& random)
      : medium_(medium), pages_(pages), newest_(stale), random_(random) {}

  // The first `programmed` slots of `block`, among them the pages of `current` at random.
  void print(SuperblockId block, std::uint32_t programmed, std::span<Lpn> current) {
    lpns_.resize(programmed);
    versions_.resize(programmed);
    auto left = static_cast<std::uint32_t>(current.size());
    for (std::uint32_t position = 0; position < programmed; ++position) {
      const bool is_current = random_.below(programmed - position) < left;
      if (is_current) std::swap(current[random_.below(left)], current[left - 1]);
      lpns_[position] = is_current ? current[--left] : Lpn{static_cast<std::uint32_t>(random_.below(pages_))};
      versions_[position] = Version{is_current ? ++newest_ : ++oldest_};
    }
    medium_.open(block, 0);
    medium_.program(block, 0, lpns_, versions_);
    if (programmed == medium_.layout().pages_per_superblock()) medium_.close(block);
  }

 private:
  Medium& medium_;
  std::uint32_t pages_;
  std::uint32_t oldest_ = 0, newest_;  // versions given so far: to what is stale, to what is current
  RandomStream& random_;
  std::vector<Lpn> lpns_;
  std::vector<Version> versions_;
};

}  // namespace

std::string Drive::counted_aging_problem() const {
  const FtlConfig& ftl = config_.ftl;
  if (medium_.pages_programmed() > 0) return "has been written already, and counting ages a new drive";
  if (ftl.gc.own || !gc_policy_kinds()[ftl.gc.policy].by_counts)
    return "chooses victims by more than the numbers of their current pages and when they were closed";
  const std::pair<bool, const char*> unseen[] = {
      {ftl.mapping.scheme != MappingConfig::Scheme::page,
       "finds data by more than a map of pages in RAM (ftl.mapping.scheme)"},
      {ftl.placement.scheme != PlacementConfig::Scheme::none || ftl.placement.own,
       "keeps kinds of data apart (ftl.placement)"},
      {ftl.slc.superblocks > 0, "has a cache of one bit a cell (ftl.slc_cache)"},
      {ftl.pslc_mode.on(), "writes one bit a cell at first (ftl.pslc_mode)"},
      {ftl.compression.on(), "compresses (ftl.compression)"},
      {deduplication_ != nullptr, "deduplicates (ftl.deduplication)"},
      {medium_.layout().has_parity(), "keeps parity (ftl.superblock.parity)"},
      {health_ != nullptr, "has flash that wears out (endurance)"},
      {errors_ != nullptr, "has flash that errs (cells)"},
  };
  for (const auto& [is_so, what] : unseen) {
    if (is_so) return what + std::string(", which counting does not see");
  }
  return {};
}

// While the drive itself is at work: it collects from then on. Its other frontiers have none yet.
std::uint32_t Drive::superblocks_left_free() const {
  const auto others = static_cast<std::uint32_t>(config_.ftl.frontiers().size()) - 1;
  const std::uint32_t reserve = config_.ftl.reserve(0) + others;
  return config_.ftl.gc.pages_per_host_write > 0 ? std::max(reserve, config_.ftl.gc.start_free) : reserve;
}

template <class Entry>
void Drive::age_by_counting_in(std::uint64_t overwrites, std::uint64_t seed) {
  const Layout& layout = medium_.layout();
  const auto pages = static_cast<std::uint32_t>(config_.logical_pages());
  CountingLayer<Entry> layer(config_.ftl, layout, pages, seed, superblocks_left_free());
  RandomStream random(seed, "counted aging");
  for (std::uint32_t l = 0; l < pages; ++l) layer.write(Lpn{l});
  overwrite_at_random(layer, pages, overwrites, random);
  while (layer.room() % layout.pages_per_stripe() != 0)
    overwrite_at_random(layer, pages, 1, random);  // nothing waits in RAM

  PagesBySuperblock current(layer, pages);
  const Blocks& blocks = layer.blocks();
  const std::uint32_t of_open = layer.room() == 0 ? 0 : layout.pages_per_superblock() - layer.room();
  Printer printer(medium_, pages, blocks.closed_count(0) * layout.pages_per_superblock() + of_open - pages, random);
  for (SuperblockId b = blocks.oldest(0); b != kNoBlock; b = blocks.next_younger(b))
    printer.print(layer.place_of(b), layout.pages_per_superblock(), current.of(b));
  if (of_open > 0) printer.print(layer.place_of(layer.open()), of_open, current.of(layer.open()));
  for (std::uint32_t b = 0; b < layout.superblocks(); ++b)
    medium_.set_past_erases(SuperblockId{b}, layer.erases_at(SuperblockId{b}));
  medium_.set_past_programs(layer.pages_appended());
  engine_->set_erases(medium_.erase_counts());

  const std::uint64_t page = config_.ftl.mapping_bytes, relocated = layer.pages_appended() - layer.host_pages();
  host_.host_write_bytes += layer.host_pages() * page;
  past_.media_host_bytes += layer.host_pages() * page;
  past_.media_relocation_bytes += relocated * page;
  past_.relocated_pages += relocated;
  past_.collected_superblocks += layer.erases();
}

void Drive::age_by_counting(std::uint64_t overwrites, std::uint64_t seed) {
  FTLAB_CHECK(counted_aging_problem().empty(), "the drive " + counted_aging_problem());
  FTLAB_CHECK(at_rest(), "aged with requests outstanding");
  if (small_entries(medium_.layout().superblocks()))
    age_by_counting_in<std::uint16_t>(overwrites, seed);
  else
    age_by_counting_in<std::uint32_t>(overwrites, seed);
  ftl_.reset();
  ftl_ = new_layer();
}

}  // namespace ftlab
