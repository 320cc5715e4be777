#include "ftl/counting/steady_run.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "ftl/counting/counting_layer.h"
#include "ftl/drive/config/drive_config.h"
#include "ftl/layer/ftl.h"
#include "ftl/policies/gc_policy.h"
#include "sim/core/exact_math.h"
#include "sim/host/host.h"
#include "sim/stats/batch_means.h"
#include "sim/workload/random/distribution.h"

namespace ftlab {
namespace {

using Frontiers = WaQuestion::Frontiers;
using Workload = WaQuestion::Workload;

constexpr std::uint32_t kPageBytes = 4096;

const char* name_of(const WaQuestion& q) {
  constexpr const char* kNames[] = {
      "greedy", "random", "d-choices", "fifo", "windowed-greedy", "cost-benefit", "cost-benefit-kawaguchi"};
  if (q.policy == WaQuestion::Policy::other) return q.other.name.c_str();
  return kNames[static_cast<std::size_t>(q.policy)];
}

// Items of one size count as one page each; a block holds as many as fit. Items of varying size are packed, in slots of one
// unit.
bool packed(const WaQuestion& q) { return q.stored_low != q.stored_high; }
constexpr std::uint32_t kSlotBytes = 512;
std::uint32_t page_bytes(const WaQuestion& q) { return packed(q) ? q.units * kSlotBytes : kPageBytes; }  // NAND page
std::uint32_t mapping_bytes(const WaQuestion& q) { return packed(q) ? q.stored_high * kSlotBytes : kPageBytes; }  // maximum
std::uint32_t pages_in_block(const WaQuestion& q) {
  return packed(q) ? q.pages_per_block : q.pages_per_block * q.units / q.stored_low;
}
double items_per_block(const WaQuestion& q) {
  if (!packed(q)) return pages_in_block(q);
  return static_cast<double>(q.pages_per_block * q.units - (q.stored_high - 1)) / q.stored_high;  // lower bound
}

std::uint64_t hot_pages(const WaQuestion& q) {
  const auto pages = static_cast<double>(q.logical_pages());
  return std::clamp<std::uint64_t>(static_cast<std::uint64_t>(pages * q.hot_pages + 0.5), 1, q.logical_pages() - 1);
}

// Hot and cold pools share the data blocks according to their parts of the spare pages.
std::vector<PlacementConfig::Pool> pools_of(const WaQuestion& q) {
  const double b = items_per_block(q);
  const std::uint64_t hot = hot_pages(q);
  const double spare = static_cast<double>(q.blocks) * b - static_cast<double>(q.logical_pages());
  const double pages = static_cast<double>(hot) + q.hot_spare * spare;
  const auto hot_blocks = static_cast<std::uint32_t>(pages / b + 0.5);
  const std::uint32_t cold_blocks =
      static_cast<std::uint32_t>(q.blocks) - std::min(hot_blocks, static_cast<std::uint32_t>(q.blocks));
  return {{hot, hot_blocks + 1}, {q.logical_pages() - hot, cold_blocks + 1}};
}

FtlConfig config_of(const WaQuestion& q) {
  FtlConfig config;
  config.mapping_bytes = mapping_bytes(q);
  if (packed(q)) config.compression.slot_bytes = kSlotBytes;
  config.superblock = {1, 1, false};
  config.separate_relocation = q.frontiers == Frontiers::host_gc || q.frontiers == Frontiers::hot_cold_gc;
  if (q.frontiers == Frontiers::hot_cold || q.frontiers == Frontiers::hot_cold_gc) {
    config.placement.scheme = PlacementConfig::Scheme::streams;
    config.placement.streams = 2;
  } else if (q.frontiers == Frontiers::pools) {
    config.placement.scheme = PlacementConfig::Scheme::pools;
    config.placement.pools = pools_of(q);
  }
  config.gc.policy = gc_policy_index(name_of(q));
  if (q.policy == WaQuestion::Policy::other) config.gc.values = q.other.values;
  if (q.policy == WaQuestion::Policy::d_choices) config.gc.values = {q.d};
  if (q.policy == WaQuestion::Policy::windowed_greedy) {
    config.gc.values = {std::max(1u, static_cast<std::uint32_t>(q.window * static_cast<double>(q.blocks) + 0.5))};
  }
  config.gc.ties = Bins::Keeping::sorted;
  return config;
}

std::uint64_t total_blocks(const WaQuestion& q, const FtlConfig& config) {
  std::uint64_t reserve = 0;
  for (std::uint32_t pool = 0; pool < config.pool_count(); ++pool) reserve += config.reserve(pool);
  return q.blocks + reserve;
}

Geometry geometry_of(const WaQuestion& q, const FtlConfig& config) {
  return {1, 1, 1, 1, static_cast<std::uint32_t>(total_blocks(q, config)), pages_in_block(q), page_bytes(q), 0, 512};
}

Layout layout_of(const WaQuestion& q) {
  const FtlConfig config = config_of(q);
  return Layout(geometry_of(q, config), config.superblock, config.slot_bytes());
}

// Uniform within hot and within cold pages. Zipf ranks are logical pages; any permutation would give the same.
class Pages {
 public:
  Pages(const WaQuestion& q, std::uint64_t seed)
      : question_(q),
        pages_(q.logical_pages()),
        hot_(q.workload == Workload::hot_cold ? hot_pages(q) : 0),
        zipf_(q.workload == Workload::zipf ? pages_ : 1, q.workload == Workload::zipf ? q.zipf : 0),
        hot_below_(static_cast<std::uint64_t>(q.hot_writes * 0x1p32)),
        random_(seed, "pages written") {}

  Lpn next() {
    switch (question_.workload) {
      case Workload::uniform: return lpn(random_.below(pages_));
      case Workload::sequential: return lpn(next_++ % pages_);
      case Workload::zipf: return lpn(zipf_.draw(random_));
      case Workload::hot_cold: break;
    }
    const bool hot = random_.chance(hot_below_, std::uint64_t{1} << 32);
    return lpn(hot ? random_.below(hot_) : hot_ + random_.below(pages_ - hot_));
  }
  std::uint8_t stream(Lpn page) const { return number(page) < hot_ ? 0 : 1; }
  // All pages once, in random order, or in order for sequential writing. (A log that is overwritten in order has more than
  // one steady state under FIFO: a page lives for U host writes and a block for T / A, so that A = 1 + floor(A U / T), which
  // at OP 7 % is 1 and also 7. After a random fill it settles in the upper one.)
  std::vector<std::uint32_t> fill_order() {
    std::vector<std::uint32_t> order(pages_);
    std::iota(order.begin(), order.end(), 0u);
    if (question_.workload == Workload::sequential) return order;
    for (std::uint64_t left = pages_; left > 1; --left) std::swap(order[left - 1], order[random_.below(left)]);
    return order;
  }

 private:
  static Lpn lpn(std::uint64_t page) { return Lpn{static_cast<std::uint32_t>(page)}; }

  WaQuestion question_;
  std::uint64_t pages_, hot_;
  Zipf zipf_;
  std::uint64_t hot_below_;
  RandomStream random_;
  std::uint64_t next_ = 0;
};

// Five turnovers of the coldest pages, at least 10 drive writes and at most 250.
std::uint32_t warm_up_of(const WaQuestion& q) {
  double turnovers = 1;  // coldest pages, per drive write
  if (q.workload == Workload::hot_cold) turnovers = (1 - q.hot_writes) / (1 - q.hot_pages);
  if (q.workload == Workload::zipf) {
    double sum = 0;
    const auto pages = static_cast<double>(q.logical_pages());
    for (double i = 1; i <= pages; ++i) sum += exact_exp(-q.zipf * exact_log(i));
    turnovers = pages * exact_exp(-q.zipf * exact_log(pages)) / sum;
  }
  return static_cast<std::uint32_t>(std::clamp(std::ceil(5 / std::max(turnovers, 1e-3)), 10.0, 250.0));
}

// A whole translation layer, which places every page.
class Placing {
 public:
  Placing(const WaQuestion& q, std::uint64_t seed)
      : config_(config_of(q)),
        medium_(Layout(geometry_of(q, config_), config_.superblock, config_.slot_bytes()), packed(q)),
        work_(geometry_of(q, config_), NandTiming{{}, {Nanoseconds{1}}, {}, 1'000'000, {}, false, false, {}},
              static_cast<std::uint32_t>(config_.frontiers().size()), false),
        ftl_(config_, static_cast<std::uint32_t>(q.logical_pages()), medium_, work_, seed) {}

  void write(Lpn page, const WriteHints& hints) {
    const bool written = ftl_.write(page, 0, config_.mapping_bytes, hints);
    FTLAB_CHECK(written, "the drive has no room although its blocks were counted");
  }
  void trim(Lpn page) { ftl_.trim(page, 1); }
  void prefetch(Lpn page) const { ftl_.pages().prefetch_map(page); }
  void prefetch_further(Lpn page) const { ftl_.pages().prefetch_blocks(page); }

  bool mapped(Lpn page) const { return ftl_.store().pages().map().find(page) != kNoPpn; }
  std::uint64_t mapped_pages() const { return ftl_.store().pages().mapped(); }
  std::uint64_t pages_appended() const { return ftl_.store().counts().pages_appended; }
  std::uint64_t host_pages() const { return ftl_.counts().host_pages; }
  std::uint64_t erases() const { return medium_.superblocks().erased(); }

 private:
  FtlConfig config_;
  Medium medium_;
  WorkList work_;
  Ftl ftl_;
};

// A layer that only counts, where that is sufficient.
template <class Entry>
class Counting {
 public:
  Counting(const WaQuestion& q, std::uint64_t seed) : Counting(config_of(q), q, seed) {}

  void write(Lpn page, const WriteHints&) { layer_.write(page); }
  void trim(Lpn page) { layer_.trim(page); }
  void prefetch(Lpn page) const { layer_.prefetch(page); }
  void prefetch_further(Lpn) const {}

  bool mapped(Lpn page) const { return layer_.mapped(page); }
  std::uint64_t mapped_pages() const { return layer_.mapped_pages(); }
  std::uint64_t pages_appended() const { return layer_.pages_appended(); }
  std::uint64_t host_pages() const { return layer_.host_pages(); }
  std::uint64_t erases() const { return layer_.erases(); }

 private:
  Counting(const FtlConfig& config, const WaQuestion& q, std::uint64_t seed)
      : layer_(config, layout_of(q), static_cast<std::uint32_t>(q.logical_pages()), seed) {}

  CountingLayer<Entry> layer_;
};

bool counting_is_enough(const WaQuestion& q) {
  return q.frontiers == Frontiers::one && !packed(q) && q.policy != WaQuestion::Policy::other;
}

template <class Layer>
class Run {
 public:
  Run(const WaQuestion& q, const SteadyRunOptions& options)
      : question_(q),
        options_(options),
        layer_(q, options.seed),
        pages_(q, options.seed),
        sizes_(options.seed, "stored sizes"),
        trims_(options.seed, "trims"),
        trim_below_(static_cast<std::uint64_t>(q.trim * 0x1p32)) {}

  SteadyRun measure() {
    fill();
    SteadyRun result;
    result.warm_up = warm_up_of(question_);
    for (std::uint32_t i = 0; i < result.warm_up; ++i) write_drive();
    BatchMeans means;
    do {
      means.add(batch());
    } while (means.count() < options_.most_batches && !known(means));
    const double stored = packed(question_) ? 1 : question_.stored_share();
    result.wa = means.mean() * stored;
    result.half_width = means.half_width() * stored;
    result.batches = static_cast<std::uint32_t>(means.count());
    result.drifting = means.drifting();
    result.mapped_share = static_cast<double>(layer_.mapped_pages()) / static_cast<double>(question_.logical_pages());
    result.host_writes = layer_.host_pages();
    result.erases = layer_.erases();
    result.logical_pages = question_.logical_pages();
    result.total_blocks = total_blocks(question_, config_of(question_));
    return result;
  }

 private:
  bool known(const BatchMeans& means) const {
    return means.count() >= options_.least_batches && means.half_width() <= options_.precision * means.mean();
  }

  void fill() {
    for (const std::uint32_t page : pages_.fill_order()) write(Lpn{page});
  }

  // Media pages per host page over one drive write; packed items count by the share of a page that they take.
  double batch() {
    const std::uint64_t media = layer_.pages_appended();
    const std::uint64_t host = layer_.host_pages();
    write_drive();
    const auto slots = static_cast<double>(layer_.pages_appended() - media);
    return slots / (packed(question_) ? question_.units : 1) / static_cast<double>(layer_.host_pages() - host);
  }

  // Prefetches the data of a few pages before they are written.
  void write_drive() {
    constexpr std::size_t kAhead = 64;
    Lpn ahead[kAhead];
    for (std::uint64_t done = 0; done < question_.logical_pages(); done += kAhead) {
      if (options_.interrupted != nullptr && options_.interrupted->load()) throw Interrupted();
      const std::size_t count = std::min<std::uint64_t>(kAhead, question_.logical_pages() - done);
      for (std::size_t i = 0; i < count; ++i) layer_.prefetch(ahead[i] = pages_.next());
      for (std::size_t i = 0; i < count; ++i) {
        if (i + 8 < count) layer_.prefetch_further(ahead[i + 8]);
        while (trim_below_ > 0 && trims_.chance(trim_below_, std::uint64_t{1} << 32)) trim();
        write(ahead[i]);
      }
    }
  }

  void write(Lpn page) { layer_.write(page, {pages_.stream(page), stored()}); }

  // Returns a whole number of units: the division rounds down, and the number of slots is rounded up later.
  std::uint16_t stored() {
    if (!packed(question_)) return 1000;
    const std::uint64_t sizes = question_.stored_high - question_.stored_low + 1;
    return static_cast<std::uint16_t>((question_.stored_low + sizes_.below(sizes)) * 1000 / question_.stored_high);
  }

  void trim() {
    Lpn page;
    do {
      page = Lpn{static_cast<std::uint32_t>(trims_.below(question_.logical_pages()))};
    } while (!question_.trim_any && layer_.mapped_pages() > 0 && !layer_.mapped(page));
    layer_.trim(page);
  }

  WaQuestion question_;
  SteadyRunOptions options_;
  Layer layer_;
  Pages pages_;
  RandomStream sizes_;
  RandomStream trims_;
  std::uint64_t trim_below_;
};

}  // namespace

std::string steady_run_problem(const WaQuestion& q) {
  const auto text = [](std::uint64_t value) { return std::to_string(value); };
  if (packed(q) && q.stored_high > kMostSlotsPerPage)
    return "items of varying size of more than 255 units cannot be simulated";
  const double b = items_per_block(q);
  const auto too_many = [&q](std::uint64_t blocks) {
    return blocks * pages_in_block(q) * (packed(q) ? q.units : 1) >= 0xffff'ffff;
  };
  if (too_many(q.blocks)) return "more than 4294967294 slots";
  if (static_cast<double>(q.blocks) * b <= static_cast<double>(q.logical_pages())) {
    return text(q.blocks) + " blocks of " + text(static_cast<std::uint64_t>(b)) +
           (packed(q) ? " of the largest items" : "") + " leave nothing above " + text(q.logical_pages()) + " logical pages";
  }
  const FtlConfig config = config_of(q);
  if (too_many(total_blocks(q, config))) return "more than 4294967294 slots, those of the reserve among them";
  const Layout layout = layout_of(q);
  for (const PlacementConfig::Pool& pool : config.placement.pools) {
    if (static_cast<double>(pool.superblocks) >= static_cast<double>(pool.logical_pages) / b + 2) continue;
    return "a pool of " + text(pool.logical_pages) + " logical pages gets " + text(pool.superblocks - 1) + " blocks of " +
           text(static_cast<std::uint64_t>(b)) + ", which is too few";
  }
  const std::uint64_t needed = superblocks_needed(config, layout, q.logical_pages());
  if (needed > layout.superblocks()) {
    return text(q.logical_pages()) + " logical pages, a stale one, " + text(config.frontiers().size()) +
           " frontiers and the reserve need " + text(needed) + " blocks; there are " + text(layout.superblocks());
  }
  return {};
}

std::uint64_t steady_run_bytes(const WaQuestion& question, const SteadyRunOptions& options) {
  const Layout layout = layout_of(question);
  // Columns and bins of a layer; the order of the fill.
  const std::uint64_t always = std::uint64_t{64} * layout.superblocks() + sizeof(std::uint32_t) * question.logical_pages();
  const bool counts = counting_is_enough(question) && !options.by_slots;
  if (counts) return always + entry_bytes(layout.superblocks()) * question.logical_pages();
  // Map; pages of the medium with version, valid bit and, if packed, their slots.
  return always + 4 * question.logical_pages() + (packed(question) ? 9 : 8) * layout.page_count() + layout.page_count() / 8;
}

SteadyRun steady_run(const WaQuestion& question, const SteadyRunOptions& options) {
  FTLAB_CHECK(steady_run_problem(question).empty(), steady_run_problem(question));
  if (!counting_is_enough(question) || options.by_slots) return Run<Placing>(question, options).measure();
  return small_entries(layout_of(question).superblocks()) ? Run<Counting<std::uint16_t>>(question, options).measure()
                                                          : Run<Counting<std::uint32_t>>(question, options).measure();
}

}  // namespace ftlab
