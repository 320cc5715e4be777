// Placement handles: what a superblock holds, what it costs, what a drive refuses. Drives, handles and requests are random.
#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

#include "ftl/drive/drive.h"
#include "ftl/drive/drive_counters.h"
#include "ftl/drive/lifecycle.h"
#include "ftl/testing/drive_trials.h"
#include "ftl/testing/drives.h"
#include "sim/core/random.h"
#include "sim/testing/test.h"

using namespace ftlab;

namespace {

using Isolation = PlacementConfig::Isolation;

std::uint32_t below(RandomStream& random, std::uint32_t end) { return static_cast<std::uint32_t>(random.below(end)); }

std::uint32_t of(RandomStream& random, std::initializer_list<std::uint32_t> values) {
  return values.begin()[random.below(values.size())];
}

// `more_superblocks`: beyond the number that the design needs.
DriveConfig drawn_drive(RandomStream& random, std::uint32_t handles, std::uint32_t more_superblocks) {
  DriveConfig drive = theory_drive(1, of(random, {4, 8, 16}), 40 * handles + below(random, 200));
  drive.geometry.planes_per_die = of(random, {1, 2});
  drive.geometry.page_bytes = of(random, {4096, 8192});
  FtlConfig& ftl = drive.ftl;
  ftl.superblock.planes = drive.geometry.planes_per_die;
  ftl.buffer.coalescing_pages = 0;
  ftl.placement.scheme = PlacementConfig::Scheme::streams;
  ftl.placement.streams = handles;
  ftl.placement.isolation = random.chance(1, 3) ? Isolation::initial : Isolation::persistent;
  ftl.placement.reclaim_unit = of(random, {1, 1, 2, 3, 5});
  ftl.separate_relocation = ftl.placement.relocates_together() || random.chance(1, 2);
  ftl.gc.start_free = ftl.reserve(0) + below(random, 2);
  ftl.gc.stop_free = ftl.gc.start_free + 1;
  ftl.gc.pages_per_host_write = of(random, {0, 1, 8});
  const Layout layout(drive.geometry, ftl.superblock, ftl.mapping_bytes);
  const std::uint64_t needed = superblocks_needed(ftl, layout, drive.logical_pages());
  drive.geometry.blocks_per_plane = static_cast<std::uint32_t>(needed) + more_superblocks;
  return drive;
}

void draw_policy(RandomStream& random, GcConfig& gc) {
  gc.policy = random.below(gc_policy_kinds().size());
  gc.values.assign(gc_policy_kinds()[gc.policy].parameters.size(), 2);
}

std::string words(const DriveConfig& drive) {
  const FtlConfig& ftl = drive.ftl;
  return std::to_string(ftl.placement.streams) + " handles, " +
         (ftl.placement.relocates_together() ? "initially" : "persistently") + " isolated, units of " +
         std::to_string(ftl.placement.reclaim_unit) + " of " + std::to_string(drive.geometry.blocks_per_plane) +
         " superblocks, relocation " + (ftl.separate_relocation ? "apart" : "with the host") + ", policy " +
         std::string(gc_policy_kinds()[ftl.gc.policy].name);
}

// A drive, and the handle that wrote each version.
struct Handled {
  explicit Handled(const DriveConfig& config, Clock clock = Clock::untimed) : drive(config, clock) {}

  Status execute(const Request& request) {
    drive.submit({&request, 1});
    Completion completion;
    REQUIRE(drive.wait(kNever, {&completion, 1}) == 1);
    now = completion.completed;
    return completion.status;
  }
  void write(std::uint64_t page, std::uint8_t handle) {
    Request request{0, Op::write, page * 4096, 4096, now};
    request.stream = handle;
    REQUIRE(execute(request) == Status::ok);
    handles.resize(number(drive.ftl().pages().newest_version()));
    handles.push_back(handle);
  }
  void flush() { REQUIRE(execute({0, Op::flush, 0, 0, now}) == Status::ok); }
  void trim(std::uint64_t page, std::uint64_t pages) {
    REQUIRE(execute({0, Op::trim, page * 4096, pages * 4096, now}) == Status::ok);
  }
  const PageStore& store() const { return drive.ftl().store(); }

  Drive drive;
  Nanoseconds now{0};
  std::vector<std::uint8_t> handles;  // by version
};

// Counts programmed pages, valid or stale, in superblocks of another handle. With initial isolation, superblocks of
// relocated pages are skipped.
std::uint32_t misplaced_pages(const Handled& handled) {
  const PlacementConfig& placement = handled.drive.config().ftl.placement;
  const Medium& medium = handled.store().medium();
  const Layout& layout = medium.layout();
  std::uint32_t misplaced = 0;
  for (std::uint32_t b = 0; b < layout.superblocks(); ++b) {
    const std::uint32_t frontier = medium.superblocks().frontier(SuperblockId{b});
    if (placement.relocates_together() && frontier == placement.streams) continue;
    for (std::uint32_t p = 0; p < medium.superblocks().programmed(SuperblockId{b}); ++p) {
      const Ppn ppn{number(layout.first_page(SuperblockId{b})) + p};
      if (number(medium.pages().lpn(ppn)) >= handled.drive.config().logical_pages()) continue;  // padding
      misplaced += handled.handles.at(number(medium.pages().version(ppn))) != frontier % placement.streams;
    }
  }
  return misplaced;
}

void require_sound(const Handled& handled) {
  REQUIRE(misplaced_pages(handled) == 0);
  for (const std::string& sentence : inspect(handled.drive.ftl())) FAIL(sentence);
}

}  // namespace

TEST_CASE("handles whose data are overwritten in writing order cost no relocation, for any number of handles") {
  RandomStream random(61, "circular handles");
  for (std::uint32_t handles = 1; handles <= 16; ++handles) {
    DriveConfig config = drawn_drive(random, handles, 3 * handles + 4);
    INFO(words(config));
    Handled handled(config);
    const std::uint64_t part = config.logical_pages() / handles;
    std::vector<std::uint64_t> next(handles);
    std::uint64_t written = 0;
    for (const std::uint64_t most = 3 * handled.store().medium().layout().page_count(); written < most; ++written) {
      const std::uint64_t handle = random.below(handles);
      handled.write(handle * part + next[handle]++ % part, static_cast<std::uint8_t>(handle));
    }
    const StoreCounts& counts = handled.store().counts();
    REQUIRE(handled.drive.ftl().collection().relocated(RelocationCause::collection).pages == 0);
    REQUIRE(counts.pages_appended == written);
    REQUIRE(counts.pages_padded == 0);
    REQUIRE(counts.superblocks_erased > handled.store().blocks().count());
    require_sound(handled);
  }
}

TEST_CASE("each handle opens as many reclaim units as its data fill", "[placement]") {
  RandomStream random(89, "units of handles");
  for (std::uint32_t handles = 1; handles <= 16; handles += 3) {
    DriveConfig config = drawn_drive(random, handles, 6 * handles);
    config.ftl.placement.isolation = Isolation::persistent;
    INFO(words(config));
    Handled handled(config);
    const std::uint64_t part = config.logical_pages() / handles;
    const std::uint64_t unit_pages =
        std::uint64_t{config.ftl.placement.reclaim_unit} * handled.store().medium().layout().data_pages();
    std::vector<std::uint64_t> written(handles);
    for (std::uint64_t i = 0; i < 2 * handled.store().medium().layout().page_count(); ++i) {
      const std::uint64_t handle = random.below(handles);
      handled.write(handle * part + written[handle]++ % part, static_cast<std::uint8_t>(handle));
    }
    std::uint64_t units = 0;
    for (const std::uint64_t pages : written) units += (pages + unit_pages - 1) / unit_pages;
    CHECK(handled.store().supply().units_opened() == units);
  }
}

TEST_CASE("the media bytes of placement are those of the host and of relocation, and what was programmed", "[placement]") {
  RandomStream random(97, "bytes of handles");
  for (int i = 0; i < 40; ++i) {
    DriveConfig config = drawn_drive(random, 1 + below(random, 16), below(random, 8));
    INFO("drive " << i << ": " << words(config));
    Handled handled(config);
    for (std::uint64_t step = 0; step < 4'000; ++step) {
      handled.write(random.below(config.logical_pages()),
                    static_cast<std::uint8_t>(random.below(config.ftl.placement.streams)));
      if (random.chance(1, 200)) handled.flush();
    }
    handled.flush();
    const Counters counters = handled.drive.counters();
    CHECK(counters.media_host_bytes == counters.host_write_bytes);
    CHECK(counters.media_write_bytes() ==
          counters.host_write_bytes + counters.media_relocation_bytes + counters.media_padding_bytes);
    // Relocated pages may wait in RAM for the rest of their stripe.
    const std::uint64_t programmed = counters.array_pages_programmed * config.geometry.page_bytes;
    const std::uint64_t stripe = std::uint64_t{config.geometry.planes_per_die} * config.geometry.page_bytes;
    CHECK(counters.media_write_bytes() >= programmed);
    CHECK(counters.media_write_bytes() - programmed <= handled.store().frontiers().size() * stripe);
  }
}

TEST_CASE("no superblock mixes two handles, on the smallest drive of a design and through power cuts") {
  RandomStream random(67, "random handles");
  for (int i = 0; i < 160; ++i) {
    const std::uint32_t handles = 1 + below(random, 16);
    DriveConfig config = drawn_drive(random, handles, 0);
    draw_policy(random, config.ftl.gc);
    const std::uint32_t flush_every = of(random, {3, 30, 3'000}), cut_every = of(random, {40, 400, 1'000'000});
    const bool bound = random.chance(1, 2);   // each page has a fixed handle
    const bool seldom = random.chance(1, 2);  // one handle takes nearly all writes
    INFO("drive " << i << ": " << words(config) << ", flushed every " << flush_every << ", cut every " << cut_every);
    Handled handled(config);
    for (std::uint64_t step = 0; step < 2'500; ++step) {
      const std::uint64_t page = random.below(config.logical_pages());
      const std::uint64_t drawn = seldom && !random.chance(1, 50) ? 0 : random.below(handles);
      handled.write(page, static_cast<std::uint8_t>(bound ? page % handles : drawn));
      if (random.chance(1, flush_every)) handled.flush();
      if (random.chance(1, 100)) handled.trim(page, std::min<std::uint64_t>(8, config.logical_pages() - page));
      if (random.chance(1, cut_every)) Lifecycle(handled.drive).power_cycle();
    }
    require_sound(handled);
  }
}

TEST_CASE("a reclaim unit is opened for one handle, and all of its superblocks belong to that handle") {
  RandomStream random(71, "reclaim units");
  for (int i = 0; i < 30; ++i) {
    DriveConfig config = drawn_drive(random, 1 + below(random, 16), below(random, 8));
    INFO("drive " << i << ": " << words(config));
    const std::uint32_t handles = config.ftl.placement.streams, unit = config.ftl.placement.reclaim_unit;
    Handled handled(config);
    const PageStore& store = handled.store();
    std::vector<std::uint64_t> opened(store.blocks().count());         // by superblock
    std::vector<std::uint32_t> superblocks(store.frontiers().size());  // by frontier, since the start
    for (std::uint64_t step = 0; step < 2'500; ++step) {
      handled.write(random.below(config.logical_pages()), static_cast<std::uint8_t>(random.below(handles)));
      for (std::uint32_t b = 0; b < opened.size(); ++b) {
        const std::uint64_t order = store.medium().superblocks().opened(SuperblockId{b});
        if (order == opened[b]) continue;
        opened[b] = order;
        if (order == 0) continue;  // erased
        ++superblocks[store.medium().superblocks().frontier(SuperblockId{b})];
      }
      for (const Frontier& frontier : store.frontiers()) {
        REQUIRE((superblocks[frontier.number()] + store.supply().set_aside(frontier)) % unit == 0);
      }
    }
    require_sound(handled);
  }
}

TEST_CASE("handles are placed identically with and without a clock, and after saving and loading") {
  RandomStream random(73, "clocks");
  for (int i = 0; i < 12; ++i) {
    DriveConfig config = drawn_drive(random, 1 + below(random, 16), below(random, 8));
    INFO("drive " << i << ": " << words(config));
    Handled timed(config, Clock::timed), untimed(config);
    for (std::uint64_t step = 0; step < 1'500; ++step) {
      const std::uint64_t page = random.below(config.logical_pages());
      const auto handle = static_cast<std::uint8_t>(random.below(config.ftl.placement.streams));
      timed.write(page, handle);
      untimed.write(page, handle);
      if (step % 500 == 499) {
        timed.drive.save();
        const std::string state = untimed.drive.save();
        untimed.drive.load(state);
      }
    }
    Signature a, b;
    sign(timed.drive, a);
    sign(untimed.drive, b);
    REQUIRE(a.value() == b.value());
    require_sound(untimed);
  }
}

TEST_CASE("an unknown handle counts as handle 0") {
  RandomStream random(79, "unknown handles");
  DriveConfig config = drawn_drive(random, 3, 8);
  Handled handled(config);
  for (std::uint8_t handle = 0; handle < 9; ++handle) {
    handled.write(handle, handle);
    if (handle >= 3) handled.handles.back() = 0;
  }
  handled.flush();
  CHECK(handled.drive.counters().unknown_handle_pages == 6);
  require_sound(handled);
}

TEST_CASE("placement identifiers of a job select their handles' superblocks; without any, all handles take turns") {
  RandomStream random(83, "handles of a job");
  const auto require_in_turn = [&](const char* options, std::span<const std::uint32_t> handles) {
    Drive drive(drawn_drive(random, 3, 8), Clock::untimed);
    testing::run(drive, std::string("rw=write\nbs=4k\n") + options);
    const PageStore& store = drive.ftl().store();
    for (std::uint32_t page = 0; page < drive.config().logical_pages(); ++page) {
      const SuperblockId block = store.medium().layout().block_of(store.pages().map().find(Lpn{page}));
      CHECK(store.medium().superblocks().frontier(block) == handles[page % handles.size()]);
    }
  };
  require_in_turn("dataplacement=fdp\nplids=2,0\n", std::array{2u, 0u});
  require_in_turn("fdp=1\n", std::array{0u, 1u, 2u});
}
