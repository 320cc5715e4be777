// Checks each GC policy against its definition, over closed superblocks with random valid-page counts and ages.
#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "ftl/config.h"
#include "ftl/policies/gc_policy.h"
#include "sim/testing/test.h"

using namespace ftlab;

namespace {

constexpr std::uint32_t kBlocks = 24, kPages = 16;

struct Closed {
  SuperblockId block;
  double valid, age;
};

// Superblocks closed one after another, three of them being collected; the first stays open.
class Trial {
 public:
  explicit Trial(const char* policy, std::vector<std::uint64_t> values = {})
      : kind_(gc_policy_kinds()[gc_policy_index(policy)]),
        blocks_(Layout({1, 1, 1, 1, kBlocks, kPages, 4096, 0, 512}, {1, 1}, 4096), options(kind_, values)),
        policy_(kind_.make(values)) {}

  void make(RandomStream& random) {
    std::uint64_t now = 0;
    blocks_.open(0, 0);
    for (std::uint32_t i = 1; i + 3 < kBlocks; ++i) {
      const SuperblockId block = blocks_.open(0, now);
      const auto valid = static_cast<std::uint32_t>(random.below(kPages + 1));
      for (std::uint32_t p = 0; p < valid; ++p) blocks_.gain_pages(block);
      now += kPages + random.below(100);
      blocks_.close(block, now);
      closed_.push_back({block, double(valid), double(now)});
    }
    for (std::size_t gone = 0; gone < 3; ++gone) {
      const auto it = closed_.begin() + static_cast<std::ptrdiff_t>(random.below(closed_.size()));
      blocks_.start_collecting(it->block);
      closed_.erase(it);
    }
    now_ = now + random.below(100);
    for (Closed& one : closed_) one.age = static_cast<double>(now_) - one.age;
  }
  const Closed& choose(RandomStream& random) {
    const GcView view{blocks_, 0, now_, erases_};
    const SuperblockId chosen = policy_->choose(view, random);
    return *std::find_if(closed_.begin(), closed_.end(), [&](const Closed& one) { return one.block == chosen; });
  }
  bool finds_nothing(RandomStream& random) { return policy_->choose({blocks_, 0, 0, erases_}, random) == kNoBlock; }
  // Oldest first.
  const std::vector<Closed>& closed() const { return closed_; }

 private:
  static BlocksOptions options(const GcPolicyKind& kind, const std::vector<std::uint64_t>& values) {
    BlocksOptions options;
    options.bins = kind.needs == GcNeeds::sorted   ? Bins::Keeping::sorted
                   : kind.needs == GcNeeds::fewest ? Bins::Keeping::lifo
                                                   : Bins::Keeping::none;
    options.window = kind.windowed ? static_cast<std::uint32_t>(values.at(0)) : 0;
    return options;
  }

  const GcPolicyKind& kind_;
  Blocks blocks_;
  std::unique_ptr<GcPolicy> policy_;
  Column<std::uint32_t> erases_{kBlocks};
  std::vector<Closed> closed_;
  std::uint64_t now_ = 0;
};

double fewest(const std::vector<Closed>& closed, std::size_t oldest) {
  double least = kPages;
  for (std::size_t i = 0; i < std::min(oldest, closed.size()); ++i) least = std::min(least, closed[i].valid);
  return least;
}

// (1 - u) * age / cost.
double benefit(const Closed& one, bool kawaguchi) {
  const double u = one.valid / kPages;
  const double cost = kawaguchi ? 2 * u : 1 + u;
  return (cost > 0 ? (1 - u) / cost : 1e12) * one.age;
}

}  // namespace

TEST_CASE("greedy takes a superblock with the fewest valid pages, windowed-greedy one among the oldest") {
  RandomStream random(3, "policies");
  for (int trial = 0; trial < 200; ++trial) {
    Trial all("greedy");
    all.make(random);
    REQUIRE(all.choose(random).valid == fewest(all.closed(), kBlocks));
    const std::uint64_t window = 1 + random.below(6);
    Trial oldest("windowed-greedy", {window});
    oldest.make(random);
    const Closed& chosen = oldest.choose(random);
    REQUIRE(chosen.valid == fewest(oldest.closed(), window));
    REQUIRE(chosen.age >= oldest.closed()[window - 1].age);
  }
}

TEST_CASE("fifo takes the superblock that was closed first") {
  RandomStream random(4, "policies");
  for (int trial = 0; trial < 50; ++trial) {
    Trial fifo("fifo");
    fifo.make(random);
    REQUIRE(fifo.choose(random).block == fifo.closed().front().block);
  }
}

TEST_CASE("cost-benefit takes the superblock with the highest stale share times age over cost") {
  RandomStream random(5, "policies");
  for (const bool kawaguchi : {false, true}) {
    for (int trial = 0; trial < 200; ++trial) {
      Trial policy(kawaguchi ? "cost-benefit-kawaguchi" : "cost-benefit");
      policy.make(random);
      const double chosen = benefit(policy.choose(random), kawaguchi);
      for (const Closed& one : policy.closed()) REQUIRE(benefit(one, kawaguchi) <= chosen);
    }
  }
}

TEST_CASE("d-choices finds on average the expected fewest valid pages of d superblocks drawn with replacement") {
  for (const std::uint32_t d : {1u, 2u, 5u}) {
    CAPTURE(d);
    RandomStream random(6, "policies");
    Trial policy("d-choices", {d});
    policy.make(random);
    std::vector<double> valid;
    for (const Closed& one : policy.closed()) valid.push_back(one.valid);
    std::sort(valid.begin(), valid.end());
    // With n sorted values, the i-th is the best of d with probability ((n - i)^d - (n - i - 1)^d) / n^d.
    const auto n = static_cast<double>(valid.size());
    double expected = 0, mean = 0;
    for (std::size_t i = 0; i < valid.size(); ++i)
      expected += valid[i] * (std::pow((n - double(i)) / n, d) - std::pow((n - double(i) - 1) / n, d));
    constexpr int kDraws = 20'000;
    for (int draw = 0; draw < kDraws; ++draw) mean += policy.choose(random).valid / kDraws;
    CHECK(mean == Approx(expected).margin(0.12));  // more than four standard deviations
  }
  RandomStream random(6, "policies");
  Trial one("d-choices", {1}), any("random");
  RandomStream same = random;
  one.make(random);
  any.make(same);
  for (int draw = 0; draw < 100; ++draw) REQUIRE(one.choose(random).block == any.choose(same).block);
}

TEST_CASE("no policy chooses a victim if no superblock is closed") {
  RandomStream random(7, "policies");
  for (const char* const policy : {"greedy", "random", "fifo", "cost-benefit", "cost-benefit-kawaguchi"})
    CHECK(Trial(policy).finds_nothing(random));
  CHECK(Trial("d-choices", {3}).finds_nothing(random));
  CHECK(Trial("windowed-greedy", {3}).finds_nothing(random));
}
