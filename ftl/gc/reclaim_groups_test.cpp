// Reclaim groups: where data lie, what happens when a group is full, and that groups do not wait for each other.
#include <algorithm>
#include <string>
#include <vector>

#include "ftl/drive/drive.h"
#include "ftl/drive/drive_counters.h"
#include "ftl/drive/lifecycle.h"
#include "ftl/testing/drives.h"
#include "sim/core/random.h"
#include "sim/testing/test.h"

using namespace ftlab;

namespace {

std::uint32_t below(RandomStream& random, std::uint32_t end) { return static_cast<std::uint32_t>(random.below(end)); }

std::uint32_t of(RandomStream& random, std::initializer_list<std::uint32_t> values) {
  return values.begin()[random.below(values.size())];
}

// Each group has dies on a channel of its own. `more_superblocks`: in each group, beyond those that the design needs.
DriveConfig grouped_drive(RandomStream& random, std::uint32_t more_superblocks) {
  const std::uint32_t groups = of(random, {2, 3, 4}), handles = 1 + below(random, 4);
  DriveConfig drive = theory_drive(1, of(random, {4, 8, 16}), 100 * groups * handles + below(random, 400));
  drive.geometry.channels = groups;
  drive.geometry.dies_per_chip = of(random, {1, 2});
  FtlConfig& ftl = drive.ftl;
  ftl.superblock = {of(random, {1, drive.geometry.dies_per_chip}), 1, false};
  ftl.buffer.coalescing_pages = 0;
  ftl.placement.scheme = PlacementConfig::Scheme::streams;
  ftl.placement.streams = handles;
  ftl.placement.reclaim_groups = groups;
  ftl.placement.isolation =
      random.chance(1, 3) ? PlacementConfig::Isolation::initial : PlacementConfig::Isolation::persistent;
  ftl.placement.reclaim_unit = of(random, {1, 1, 2, 3});
  ftl.separate_relocation = ftl.placement.relocates_together() || random.chance(1, 2);
  if (random.chance(1, 4)) ftl.compression = {512, 0, 1000};
  if (ftl.compression.on()) ftl.buffer.pages = 512;
  ftl.gc.policy = random.below(gc_policy_kinds().size());
  ftl.gc.values.assign(gc_policy_kinds()[ftl.gc.policy].parameters.size(), 2);
  ftl.gc.start_free = ftl.reserve(0) + below(random, 2);
  ftl.gc.stop_free = ftl.gc.start_free + 1;
  ftl.gc.pages_per_host_write = of(random, {0, 1, 8});
  const Layout layout(drive.geometry, ftl.superblock, ftl.slot_bytes());
  const auto needed = static_cast<std::uint32_t>(superblocks_needed(ftl, layout, drive.logical_pages()));
  const std::uint32_t side_by_side = die_groups(layout);
  drive.geometry.blocks_per_plane = (needed + side_by_side - 1) / side_by_side + more_superblocks;
  return drive;
}

std::string words(const DriveConfig& drive) {
  const FtlConfig& ftl = drive.ftl;
  return std::to_string(ftl.placement.streams) + " handles in " + std::to_string(ftl.placement.reclaim_groups) +
         " groups, units of " + std::to_string(ftl.placement.reclaim_unit) + ", relocation " +
         (ftl.placement.relocates_together() ? "together" : ftl.separate_relocation ? "apart" : "with the host") +
         ", slots of " + std::to_string(ftl.slot_bytes()) + ", policy " +
         std::string(gc_policy_kinds()[ftl.gc.policy].name) + ", " + std::to_string(drive.geometry.blocks_per_plane) +
         " rows of superblocks for " + std::to_string(drive.logical_pages()) + " pages";
}

struct Host {
  explicit Host(const DriveConfig& config, Clock clock = Clock::untimed) : drive(config, clock) {}

  Completion execute(const Request& request) {
    drive.submit({&request, 1});
    Completion completion;
    REQUIRE(drive.wait(kNever, {&completion, 1}) == 1);
    REQUIRE(completion.status == Status::ok);
    now = completion.completed;
    return completion;
  }
  void write(std::uint64_t page, std::uint32_t identifier) {
    Request request{0, Op::write, page * 4096, 4096, now};
    request.stream = static_cast<std::uint8_t>(identifier);
    execute(request);
  }
  // The group whose dies hold the page.
  std::uint32_t group_of(std::uint64_t page) const {
    const PageStore& store = drive.ftl().store();
    const Layout& layout = store.medium().layout();
    const SuperblockId block = layout.block_of(store.pages().map().find(Lpn{static_cast<std::uint32_t>(page)}));
    return die_group(layout, block) % drive.config().ftl.placement.reclaim_groups;
  }
  void require_sound() const {
    for (const std::string& sentence : inspect(drive.ftl())) FAIL(sentence);
  }

  Drive drive;
  Nanoseconds now{0};
};

}  // namespace

TEST_CASE("data stay on the dies of the reclaim group that the host names, while each group gets its share", "[placement]") {
  RandomStream random(101, "shares of groups");
  for (int i = 0; i < 40; ++i) {
    const DriveConfig config = grouped_drive(random, 4 + below(random, 8));
    INFO("drive " << i << ": " << words(config));
    Host host(config);
    const std::uint32_t groups = config.ftl.placement.reclaim_groups, identifiers = config.ftl.placement.identifiers();
    std::vector<std::uint32_t> group(config.logical_pages(), ~0u);
    const std::uint64_t share = config.logical_pages() / identifiers;  // of each identifier
    for (std::uint64_t step = 0; step < 6'000; ++step) {
      const std::uint32_t identifier = below(random, identifiers);
      const std::uint64_t page = identifier * share + random.below(share);
      host.write(page, identifier);
      group[page] = identifier % groups;
    }
    for (std::uint64_t page = 0; page < group.size(); ++page)
      if (group[page] != ~0u) REQUIRE(host.group_of(page) == group[page]);
    CHECK(host.drive.counters().other_group_pages == 0);
    host.require_sound();
  }
}

TEST_CASE("a full reclaim group passes its writes on to another, so that the drive takes all user data", "[placement]") {
  RandomStream random(103, "full groups");
  int overflows = 0;
  for (int i = 0; i < 60; ++i) {
    const DriveConfig config = grouped_drive(random, below(random, 3));
    INFO("drive " << i << ": " << words(config));
    Host host(config);
    const std::uint32_t identifiers = config.ftl.placement.identifiers(), only = below(random, identifiers);
    const std::uint32_t cut_every = of(random, {300, 1'000'000});
    for (std::uint64_t page = 0; page < config.logical_pages(); ++page) host.write(page, only);
    const std::uint64_t passed_on = host.drive.counters().other_group_pages;
    const Layout& layout = host.drive.medium().layout();
    const std::uint64_t slots_of_group =
        std::uint64_t{layout.superblocks()} / config.ftl.placement.reclaim_groups * layout.data_pages();
    if (config.logical_pages() * config.ftl.slots_per_page() > slots_of_group) {
      ++overflows;
      CHECK(passed_on > 0);
    }
    host.require_sound();
    INFO("cut every " << cut_every << ", only " << only);
    for (std::uint64_t step = 0; step < 3'000; ++step) {
      const std::uint64_t page = random.below(config.logical_pages());
      host.write(page, random.chance(1, 20) ? below(random, identifiers) : only);
      if (random.chance(1, 300)) host.execute({0, Op::flush, 0, 0, host.now});
      if (random.chance(1, cut_every)) Lifecycle(host.drive).power_cycle();
      if (step % 1'000 == 999) {
        const std::string state = host.drive.save();
        host.drive.load(state);
        REQUIRE(host.drive.save() == state);
      }
    }
    const Counters counters = host.drive.counters();
    CHECK(counters.other_group_pages >= passed_on);
    CHECK(counters.host_write_bytes == (config.logical_pages() + 3'000) * 4096);
    host.require_sound();
  }
  CHECK(overflows > 10);
}

TEST_CASE("a read of one reclaim group never waits for programs and erases of another", "[placement]") {
  RandomStream random(107, "two readers");
  const auto slowest_read = [&](std::uint32_t groups) {
    DriveConfig config = theory_drive(1, 16, 400);
    config.geometry.channels = 2;
    config.geometry.blocks_per_plane = 60;
    config.link.bytes_per_s = 10'000'000'000;
    config.ftl.superblock = {1, 1, false};
    config.ftl.buffer.coalescing_pages = 0;
    config.ftl.gc.pages_per_host_write = 8;
    config.ftl.placement.scheme = PlacementConfig::Scheme::streams;
    config.ftl.placement.streams = 2 / groups;
    config.ftl.placement.reclaim_groups = groups;
    config.ftl.gc.start_free = 4;
    config.ftl.gc.stop_free = 5;
    Host host(config, Clock::timed);
    for (std::uint64_t page = 0; page < 400; ++page) host.write(page, static_cast<std::uint32_t>(page / 200));
    host.execute({0, Op::flush, 0, 0, host.now});
    Nanoseconds slowest{0};
    for (int i = 0; i < 2'000; ++i) {
      host.write(random.below(200), 0);
      const Nanoseconds from = host.now;
      const Completion read = host.execute({0, Op::read, (200 + random.below(200)) * 4096, 4096, from});
      slowest = std::max(slowest, read.completed - from);
    }
    return slowest;
  };
  const Nanoseconds program{500'000};
  CHECK(slowest_read(2) < Nanoseconds{100'000});  // a read of 50 us, its transfers, and work of the controller
  CHECK(slowest_read(1) > program / 2);
}
