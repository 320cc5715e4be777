// Policies supplied by the calling program: one that decides like a built-in gives a bit-identical drive; an invalid answer
// fails a check.
#include "ftl/gc/user_policies.h"

#include <list>
#include <memory>

#include "ftl/drive/drive.h"
#include "ftl/drive/lifecycle.h"
#include "ftl/testing/drives.h"
#include "sim/core/check.h"
#include "sim/testing/test.h"

using namespace ftlab;

namespace {

// The oldest closed superblock, found without the list that the built-in fifo uses.
class OwnFifo final : public GcPolicy {
 public:
  SuperblockId choose(const GcView& view, RandomStream&) override {
    SuperblockId oldest = kNoBlock;
    for (std::uint32_t b = 0; b < view.blocks.count(); ++b) {
      const SuperblockId block{b};
      if (view.blocks.state(block) != BlockState::closed || view.blocks.columns().pool[number(block)] != view.pool) continue;
      if (oldest == kNoBlock ||
          view.blocks.columns().closed_at[number(block)] < view.blocks.columns().closed_at[number(oldest)])
        oldest = block;
    }
    return oldest;
  }
};

// The closed superblock with the most valid pages: the worst choice.
class OwnFullest final : public GcPolicy {
 public:
  SuperblockId choose(const GcView& view, RandomStream&) override {
    SuperblockId fullest = view.blocks.closed().oldest(view.pool);
    for (SuperblockId block = fullest; block != kNoBlock; block = view.blocks.closed().next_younger(block)) {
      if (view.blocks.valid(block) > view.blocks.valid(fullest)) fullest = block;
    }
    return fullest;
  }
};

class OwnStreams final : public PlacementPolicy {
 public:
  OwnStreams(std::uint32_t streams, bool by_superblock) : streams_(streams), by_superblock_(by_superblock) {}
  std::uint32_t of_host(Lpn, std::uint8_t stream, Version, Version) override {
    return std::min<std::uint32_t>(stream, streams_ - 1);
  }
  bool by_superblock() const override { return by_superblock_; }

 private:
  std::uint32_t streams_;
  bool by_superblock_;
};

class OwnLru final : public CachePolicy {
 public:
  void clear() override { units_.clear(); }
  void loaded(std::uint32_t unit) override { units_.push_back(unit); }
  void hit(std::uint32_t unit) override {
    units_.remove(unit);
    units_.push_back(unit);
  }
  std::uint32_t victim(const MapCache&) override { return units_.front(); }
  void evicted(std::uint32_t unit) override { units_.remove(unit); }

 private:
  std::list<std::uint32_t> units_;
};

DriveConfig small_drive() {
  DriveConfig config = theory_drive(64, 16, 700);
  config.ftl.gc.policy = gc_policy_index("fifo");
  return config;
}

DriveConfig with_streams(DriveConfig config) {
  config.ftl.placement.scheme = PlacementConfig::Scheme::streams;
  config.ftl.placement.streams = 3;
  config.ftl.separate_relocation = true;
  config.ftl.gc.start_free = config.ftl.reserve(0);
  config.ftl.gc.stop_free = config.ftl.gc.start_free + 1;
  return config;
}

DriveConfig with_map_cache(DriveConfig config) {
  MappingConfig& mapping = config.ftl.mapping;
  mapping.scheme = MappingConfig::Scheme::demand;
  mapping.ram_bytes = 4 * 64;
  mapping.cache = {true, 4 * 64, 64, 8, 16, MapCacheConfig::Eviction::lru, 0, true, 0};
  mapping.translation_pages = (config.logical_pages() + 15) / 16;
  config.ftl.gc.start_free = config.ftl.reserve(0);
  config.ftl.gc.stop_free = config.ftl.gc.start_free + 1;
  return config;
}

void write_at_random(Drive& drive, int requests, std::uint64_t seed = 3) {
  RandomStream random(seed, "pages");
  const std::uint64_t pages = drive.config().logical_pages();
  for (int done = 0; done < requests; ++done) {
    Request request{0, random.chance(1, 4) ? Op::read : Op::write, random.below(pages) * 4096, 4096, Nanoseconds{0}};
    request.stream = static_cast<std::uint8_t>(random.below(3));
    drive.submit({&request, 1});
    Completion completion;
    REQUIRE(drive.wait(kNever, {&completion, 1}) == 1);
    REQUIRE(completion.status == Status::ok);
  }
}

// Compared instead of the state itself, which a failure message would print.
std::size_t digest(const std::string& state) { return std::hash<std::string>{}(state); }

std::string saved_after(const DriveConfig& config, int requests) {
  Drive drive(config, Clock::untimed);
  write_at_random(drive, requests);
  REQUIRE(inspect(drive.ftl()).empty());
  return drive.save();
}

std::size_t state_after(const DriveConfig& config, int requests = 6000) { return digest(saved_after(config, requests)); }

std::string broken_law(const DriveConfig& config, int requests) {
  Drive drive(config, Clock::untimed);
  try {
    write_at_random(drive, requests);
  } catch (const CheckFailed& error) {
    return error.what();
  }
  return {};
}

GcPolicyMaker maker_of(std::shared_ptr<int> made) {
  return [made](std::uint32_t) -> std::unique_ptr<GcPolicy> {
    ++*made;
    return std::make_unique<OwnFifo>();
  };
}

}  // namespace

TEST_CASE("a user collection policy that decides like fifo gives the same drive as fifo") {
  DriveConfig own = small_drive();
  own.ftl.gc.policy = gc_policy_index("random");  // must not be used
  const auto made = std::make_shared<int>(0);
  own.ftl.gc.own = maker_of(made);
  DriveConfig other = small_drive();
  other.ftl.gc.policy = gc_policy_index("random");
  CHECK(state_after(own, 3000) != state_after(other, 3000));
  own.ftl.gc.policy = small_drive().ftl.gc.policy;
  CHECK(state_after(own) == state_after(small_drive()));
  CHECK(*made == 2);
}

TEST_CASE("a policy that never chooses stale pages is overruled, and every write finds room") {
  DriveConfig own = theory_drive(20, 16, 200);
  own.ftl.gc.own = [](std::uint32_t) { return std::make_unique<OwnFullest>(); };
  Drive drive(own, Clock::untimed);
  write_at_random(drive, 1000);
  const Counters all = drive.counters();
  CHECK(all.relocated_pages > 100 * all.host_write_bytes / 4096);
  CHECK(inspect(drive.ftl()).empty());
}

TEST_CASE("a user collection policy is made again after a power cut") {
  DriveConfig own = small_drive();
  const auto made = std::make_shared<int>(0);
  own.ftl.gc.own = maker_of(made);
  Drive drive(own, Clock::untimed);
  write_at_random(drive, 3000);
  Lifecycle(drive).power_cycle();
  CHECK(*made == 2);
  write_at_random(drive, 3000);
  CHECK(inspect(drive.ftl()).empty());
}

TEST_CASE("a user placement that follows the host's streams gives the same drive as streams") {
  DriveConfig own = with_streams(small_drive());
  own.ftl.placement.own = std::make_shared<OwnStreams>(own.ftl.placement.streams, true);
  CHECK(state_after(own) == state_after(with_streams(small_drive())));
}

TEST_CASE("a user placement called for each relocated page relocates the same pages") {
  DriveConfig own = with_streams(small_drive());
  own.ftl.placement.own = std::make_shared<OwnStreams>(own.ftl.placement.streams, false);
  Drive each(own, Clock::untimed), none(with_streams(small_drive()), Clock::untimed);
  write_at_random(each, 6000);
  write_at_random(none, 6000);
  CHECK(each.counters().relocated_pages > 1000);
  CHECK(each.counters().relocated_pages == none.counters().relocated_pages);
}

TEST_CASE("a user placement that returns a class out of range fails a check") {
  DriveConfig own = with_streams(small_drive());
  class Beyond final : public PlacementPolicy {
    std::uint32_t of_host(Lpn, std::uint8_t, Version, Version) override { return 3; }
  };
  own.ftl.placement.own = std::make_shared<Beyond>();
  CHECK(broken_law(own, 100).find("chose class 3 of 3") != std::string::npos);
}

TEST_CASE("a user cache policy that evicts the least recently used unit gives the same drive as lru") {
  DriveConfig own = with_map_cache(small_drive());
  own.ftl.mapping.cache.own = std::make_shared<OwnLru>();
  CHECK(state_after(own) == state_after(with_map_cache(small_drive())));
}

TEST_CASE("loading a drive passes the cached units to its user cache policy") {
  const DriveConfig plain = with_map_cache(small_drive());
  DriveConfig own = plain;
  own.ftl.mapping.cache.own = std::make_shared<OwnLru>();
  const std::string state = saved_after(plain, 3000);
  Drive with_plain(plain, Clock::untimed), with_own(own, Clock::untimed);
  with_plain.load(state);
  with_own.load(state);
  write_at_random(with_plain, 3000, 4);
  write_at_random(with_own, 3000, 4);
  CHECK(digest(with_plain.save()) == digest(with_own.save()));
}

TEST_CASE("a user cache policy must evict a unit that is cached") {
  class Stranger final : public CachePolicy {
    void clear() override {}
    void loaded(std::uint32_t) override {}
    void hit(std::uint32_t) override {}
    std::uint32_t victim(const MapCache&) override { return 4'000'000'000; }
    void evicted(std::uint32_t) override {}
  };
  DriveConfig own = with_map_cache(small_drive());
  own.ftl.mapping.cache.own = std::make_shared<Stranger>();
  CHECK(broken_law(own, 3000).find("chose unit 4000000000, which is not in") != std::string::npos);
}

TEST_CASE("versions are kept for a user placement policy, which receives the version that a write replaces") {
  Drive plain(with_streams(small_drive()), Clock::untimed);
  plain.discard_versions();
  CHECK_FALSE(plain.medium().pages().keeps_versions());
  DriveConfig config = with_streams(small_drive());
  config.ftl.placement.own = std::make_shared<OwnStreams>(3, true);
  Drive own(config, Clock::untimed);
  own.discard_versions();
  CHECK(own.medium().pages().keeps_versions());
}

TEST_CASE("each user policy replaces the drive's own, and empty ones change nothing") {
  const DriveConfig drive = with_map_cache(with_streams(small_drive()));
  const DriveConfig same = UserPolicies{}.overridden_by(drive);
  CHECK((!same.ftl.gc.own && !same.ftl.placement.own && !same.ftl.mapping.cache.own));
  const UserPolicies policies{[](std::uint32_t) { return std::make_unique<OwnFullest>(); },
                              std::make_shared<OwnStreams>(3, true), std::make_shared<OwnLru>()};
  const DriveConfig other = policies.overridden_by(drive);
  CHECK(other.ftl.gc.own != nullptr);
  CHECK(other.ftl.placement.own == policies.placement);
  CHECK(other.ftl.mapping.cache.own == policies.map_cache);
  CHECK(other.ftl.gc.policy == drive.ftl.gc.policy);
}
