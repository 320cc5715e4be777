#include <algorithm>

#include "ftl/policies/gc_policy.h"
#include "sim/core/check.h"

namespace ftlab {
namespace {

using Made = std::unique_ptr<GcPolicy>;

// Fewest valid pages: optimal under uniform writes (Yang, Misra, Rubenstein, "On the optimality of greedy garbage collection
// for SSDs", 2015). With a window, among the oldest superblocks only (Hu, Eleftheriou, Haas, Iliadis, Pletka, "Write
// amplification analysis in flash-based solid state drives", SYSTOR 2009).
class Greedy final : public GcPolicy {
 public:
  SuperblockId choose(const GcView& view, RandomStream& random) override {
    return view.blocks.closed().bins(view.pool).fewest(random);
  }
};

// Fewest valid pages of d superblocks drawn with replacement (Van Houdt, "A mean field model for a class of garbage
// collection algorithms in flash-based solid state drives", SIGMETRICS 2013; Li, Lee, Lui, same conference). The bins are
// sorted, so the smallest index drawn is the best. d = 1 is random choice.
class Drawn final : public GcPolicy {
 public:
  explicit Drawn(std::uint32_t d) : d_(d) {}
  SuperblockId choose(const GcView& view, RandomStream& random) override {
    const Bins& bins = view.blocks.closed().bins(view.pool);
    if (bins.count() == 0) return kNoBlock;
    std::uint64_t best = bins.count();
    for (std::uint32_t i = 0; i < d_; ++i) best = std::min(best, random.below(bins.count()));
    return bins.at(static_cast<std::uint32_t>(best));
  }

 private:
  std::uint32_t d_;
};

// Oldest closed superblock first: a circular log.
class Fifo final : public GcPolicy {
 public:
  SuperblockId choose(const GcView& view, RandomStream&) override { return view.blocks.closed().oldest(view.pool); }
};

// Highest (1 - u) * age / cost; u is the share of valid pages, age is in pages appended since the superblock was closed. One
// pass over the closed superblocks, oldest first. `cost` is 1 + u (Rosenblum and Ousterhout, "The design and implementation
// of a log-structured file system", 1991) or 2u (Kawaguchi, Nishioka, Motoda, "A flash-memory based file system", 1995).
class CostBenefit final : public GcPolicy {
 public:
  enum class Cost { lfs, kawaguchi };
  explicit CostBenefit(Cost cost) : cost_(cost) {}

  SuperblockId choose(const GcView& view, RandomStream&) override {
    if (weight_.empty()) weigh(view.blocks.layout().pages_per_superblock());
    SuperblockId best = kNoBlock;
    double best_score = -1;
    const Blocks& blocks = view.blocks;
    for (SuperblockId block = blocks.closed().oldest(view.pool); block != kNoBlock;
         block = blocks.closed().next_younger(block)) {
      const double age = static_cast<double>(view.pages_appended - blocks.columns().closed_at[number(block)]);
      const double score = weight_[blocks.valid(block)] * age;
      if (score > best_score) {
        best = block;
        best_score = score;
      }
    }
    return best;
  }

 private:
  void weigh(std::uint32_t pages) {
    for (std::uint32_t valid = 0; valid <= pages; ++valid) {
      const double stale = pages - valid;
      const double cost = cost_ == Cost::lfs ? pages + valid : 2.0 * valid;
      weight_.push_back(cost > 0 ? stale / cost : 1e12);  // an empty superblock costs nothing
    }
  }

  Cost cost_;
  std::vector<double> weight_;  // by valid pages
};

// All of them use only valid-page counts and closing times. Their theory is in models/theory.
std::vector<GcPolicyKind> known_policies() {
  using Values = std::vector<std::uint64_t>;
  const auto greedy = [](const Values&) -> Made { return std::make_unique<Greedy>(); };
  const auto fifo = [](const Values&) -> Made { return std::make_unique<Fifo>(); };
  const auto random = [](const Values&) -> Made { return std::make_unique<Drawn>(1); };
  const auto drawn = [](const Values& v) -> Made { return std::make_unique<Drawn>(static_cast<std::uint32_t>(v.at(0))); };
  const auto lfs = [](const Values&) -> Made { return std::make_unique<CostBenefit>(CostBenefit::Cost::lfs); };
  const auto kawaguchi = [](const Values&) -> Made { return std::make_unique<CostBenefit>(CostBenefit::Cost::kawaguchi); };
  return {
      {.name = "greedy", .needs = GcNeeds::fewest, .by_counts = true, .make = greedy},
      {.name = "random", .needs = GcNeeds::sorted, .by_counts = true, .make = random},
      {.name = "d-choices",
       .needs = GcNeeds::sorted,
       .by_counts = true,
       .parameters = {{"d", 1, 1 << 16, "d-choices: superblocks drawn"}},
       .make = drawn},
      {.name = "fifo", .by_counts = true, .make = fifo},
      {.name = "windowed-greedy",
       .needs = GcNeeds::fewest,
       .by_counts = true,
       .windowed = true,
       .parameters = {{"window_superblocks", 1, 1 << 30, "windowed-greedy: the oldest so many"}},
       .make = greedy},
      {.name = "cost-benefit", .by_counts = true, .make = lfs},
      {.name = "cost-benefit-kawaguchi", .by_counts = true, .make = kawaguchi},
  };
}

std::vector<GcPolicyKind> all_policies() {
  std::vector<GcPolicyKind> kinds = known_policies();
  for (GcPolicyKind& own : user_policy_kinds()) {
    const auto same = [&own](const GcPolicyKind& kind) { return kind.name == own.name; };
    FTLAB_CHECK(std::none_of(kinds.begin(), kinds.end(), same), "two collection policies are named " + own.name);
    kinds.push_back(std::move(own));
  }
  return kinds;
}

}  // namespace

SuperblockId emptiest(const Blocks& blocks, std::uint32_t pool) {
  SuperblockId least = blocks.closed().oldest(pool);
  for (SuperblockId block = least; block != kNoBlock; block = blocks.closed().next_younger(block)) {
    if (blocks.valid(block) < blocks.valid(least)) least = block;
  }
  return least;
}

const std::vector<GcPolicyKind>& gc_policy_kinds() {
  static const std::vector<GcPolicyKind> kinds = all_policies();
  return kinds;
}

}  // namespace ftlab
