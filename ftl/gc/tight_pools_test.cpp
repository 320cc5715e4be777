// Pools with the minimum spare: each collects on its own, and its pages stay in it.
#include <string>
#include <utility>
#include <vector>

#include "ftl/drive/drive.h"
#include "ftl/drive/lifecycle.h"
#include "ftl/testing/drives.h"
#include "sim/core/random.h"
#include "sim/testing/test.h"

using namespace ftlab;

namespace {

constexpr std::uint32_t kFirst = 21, kPages = 47;  // pages of the first pool, and of both

// Superblocks of two stripes of eight pages.
DriveConfig tightest_pools(std::size_t policy) {
  DriveConfig config = theory_drive(1, 2, kPages);
  config.geometry.page_bytes = 32768;
  FtlConfig& ftl = config.ftl;
  ftl.buffer.coalescing_pages = 0;
  ftl.separate_relocation = true;
  ftl.placement.scheme = PlacementConfig::Scheme::pools;
  ftl.placement.pools = {{kFirst, 0}, {kPages - kFirst, 0}};
  ftl.gc.policy = policy;
  ftl.gc.values.assign(gc_policy_kinds()[policy].parameters.size(), 2);
  ftl.gc.start_free = ftl.reserve(0);
  ftl.gc.stop_free = ftl.gc.start_free + 1;
  const Layout layout(config.geometry, ftl.superblock, ftl.mapping_bytes);
  config.geometry.blocks_per_plane = 0;
  for (std::uint32_t pool = 0; pool < 2; ++pool) {
    PlacementConfig::Pool& it = ftl.placement.pools[pool];
    it.superblocks = static_cast<std::uint32_t>(superblocks_needed_of(ftl, layout, pool, kPages));
    config.geometry.blocks_per_plane += it.superblocks;
  }
  return config;
}

}  // namespace

TEST_CASE("collection ends in pools of minimum size, and pages stay in the superblocks of their pool") {
  for (std::size_t policy = 0; policy < gc_policy_kinds().size(); ++policy) {
    for (const auto& [flush_every, cuts] :
         {std::pair{3u, false}, {10u, false}, {1'000u, false}, {10u, true}, {100u, true}}) {
      CAPTURE(gc_policy_kinds()[policy].name, flush_every, cuts);
      const DriveConfig config = tightest_pools(policy);
      Drive drive(config, Clock::untimed);
      RandomStream random(3, "pools");
      for (int done = 0; done < 6'000; ++done) {
        Request request{0, Op::write, random.below(kPages) * 4096, 4096, Nanoseconds{0}};
        if (random.chance(1, flush_every)) request = {0, Op::flush, 0, 0, Nanoseconds{0}};
        drive.submit({&request, 1});
        Completion completion;
        REQUIRE((drive.wait(kNever, {&completion, 1}) == 1 && completion.status == Status::ok));
        if (cuts && random.chance(1, 40)) Lifecycle(drive).power_cycle();
      }
      const PageStore& store = drive.ftl().store();
      for (std::uint32_t l = 0; l < kPages; ++l) {
        const Ppn ppn = store.pages().map().find(Lpn{l});
        if (ppn != kNoPpn)
          REQUIRE(store.blocks().columns().pool[number(store.medium().layout().block_of(ppn))] == (l < kFirst ? 0 : 1));
      }
      for (const std::string& sentence : inspect(drive.ftl())) FAIL(sentence);
    }
  }
}
