// Bins of superblocks by valid pages, compared with a plain list.
#include "ftl/blocks/bins.h"

#include <algorithm>
#include <vector>

#include "sim/testing/test.h"

using namespace ftlab;

namespace {

constexpr std::uint32_t kBlocks = 40, kMost = 12;

// Members in the order in which they reached their number of valid pages.
struct Listed {
  struct Member {
    SuperblockId block;
    std::uint32_t valid;
  };
  std::vector<Member> members;

  auto find(SuperblockId block) {
    return std::find_if(members.begin(), members.end(), [block](const Member& member) { return member.block == block; });
  }
  std::uint32_t fewest() const {
    std::uint32_t least = kMost;
    for (const Member& member : members) least = std::min(least, member.valid);
    return least;
  }
  SuperblockId among_fewest(bool latest) const {
    SuperblockId found = kNoBlock;
    for (const Member& member : members) {
      if (member.valid == fewest() && (latest || found == kNoBlock)) found = member.block;
    }
    return found;
  }
};

void require_alike(const Bins& bins, Bins::Keeping keeping, Listed& listed, RandomStream& ties) {
  REQUIRE(bins.count() == listed.members.size());
  const SuperblockId fewest = bins.fewest(ties);
  if (listed.members.empty()) {
    REQUIRE(fewest == kNoBlock);
  } else if (keeping == Bins::Keeping::sorted) {
    REQUIRE(listed.find(fewest)->valid == listed.fewest());
    for (std::uint32_t i = 1; i < bins.count(); ++i)
      REQUIRE(listed.find(bins.at(i - 1))->valid <= listed.find(bins.at(i))->valid);
  } else {
    REQUIRE(fewest == listed.among_fewest(keeping == Bins::Keeping::lifo));
  }
}

void check_against_list(Bins::Keeping keeping) {
  Bins bins(keeping, kBlocks, kMost);
  Listed listed;
  RandomStream random(5, "bins"), ties(5, "ties");
  for (int step = 0; step < 20'000; ++step) {
    const SuperblockId block{static_cast<std::uint32_t>(random.below(kBlocks))};
    const auto member = listed.find(block);
    if (member == listed.members.end()) {
      const auto valid = static_cast<std::uint32_t>(random.below(kMost + 1));
      bins.enter(block, valid);
      listed.members.push_back({block, valid});
    } else if (member->valid == 0 || random.chance(1, 4)) {
      bins.leave(block, member->valid);
      listed.members.erase(member);
    } else {
      const auto fewer = static_cast<std::uint32_t>(random.chance(1, 4) ? random.below(member->valid) : member->valid - 1);
      bins.lower(block, member->valid, fewer);
      listed.members.erase(member);
      listed.members.push_back({block, fewer});
    }
    require_alike(bins, keeping, listed, ties);
  }
}

}  // namespace

TEST_CASE("lifo bins find the fewest valid pages like a plain list, the latest of equals") {
  check_against_list(Bins::Keeping::lifo);
}

TEST_CASE("fifo bins find the fewest valid pages like a plain list, the earliest of equals") {
  check_against_list(Bins::Keeping::fifo);
}

TEST_CASE("sorted bins are sorted, and find a superblock with the fewest valid pages") {
  check_against_list(Bins::Keeping::sorted);
}

TEST_CASE("sorted bins draw each of several equal superblocks equally often") {
  Bins bins(Bins::Keeping::sorted, 4, 10);
  for (std::uint32_t b = 0; b < 4; ++b) bins.enter(SuperblockId{b}, b == 3 ? 6 : 5);
  RandomStream ties(1, "ties");
  std::uint32_t drawn[4] = {};
  for (int i = 0; i < 3'000; ++i) ++drawn[number(bins.fewest(ties))];
  for (std::uint32_t b = 0; b < 3; ++b) REQUIRE(std::max(drawn[b], 1'000u) - std::min(drawn[b], 1'000u) < 120);
  REQUIRE(drawn[3] == 0);
}

TEST_CASE("bins that are not kept count their members and refuse queries") {
  Bins bins(Bins::Keeping::none, 4, 10);
  RandomStream ties(1, "ties");
  bins.enter(SuperblockId{2}, 3);
  bins.lower(SuperblockId{2}, 3, 2);
  REQUIRE(bins.count() == 1);
  REQUIRE_THROWS_AS(bins.fewest(ties), CheckFailed);
  bins.leave(SuperblockId{2}, 2);
  REQUIRE_THROWS_AS(bins.leave(SuperblockId{2}, 2), CheckFailed);
}
