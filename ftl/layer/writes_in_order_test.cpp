// Pages appended together leave the layer, byte for byte, as pages written one by one do.
#include "ftl/layer/ftl.h"

#include <string>

#include "ftl/testing/drives.h"
#include "sim/core/archive.h"
#include "sim/core/random.h"
#include "sim/testing/test.h"

using namespace ftlab;

namespace {

struct Layer {
  explicit Layer(const DriveConfig& config)
      : medium(Layout(config.geometry, config.ftl.superblock, config.ftl.slot_bytes())),
        work(config.geometry, config.nand, static_cast<std::uint32_t>(config.ftl.frontiers().size()), false, true),
        layer(config.ftl, config.logical_pages(), medium, work, 1),
        page_bytes(config.ftl.mapping_bytes) {}

  void write(Lpn lpn) { REQUIRE(layer.write(lpn, 0, page_bytes, {stream}) == 1); }
  // Returns the number of pages that were appended together.
  std::uint32_t write_run(std::uint32_t first, std::uint32_t end) {
    std::uint32_t together = 0;
    while (first < end) {
      const std::uint32_t pages = layer.write(Lpn{first}, 0, page_bytes, {stream}, end - first);
      REQUIRE(pages > 0);
      first += pages;
      together += pages - 1;
    }
    return together;
  }
  std::string state() {
    Archive archive = Archive::saving(1 << 20);
    medium.archive(archive);
    work.archive(archive);
    layer.archive(archive);
    return archive.finish();
  }

  Medium medium;
  WorkList work;
  Ftl layer;
  std::uint32_t page_bytes;
  std::uint8_t stream = 0;
};

// Writes runs of random length from random places, and single pages between them, to both.
void compare(const DriveConfig& config, bool runs_are_taken = true) {
  Layer together(config), apart(config);
  RandomStream random(5, "runs");
  const std::uint32_t pages = config.logical_pages();
  std::uint64_t taken = 0;
  for (int i = 0; i < 120; ++i) {
    const auto stream = static_cast<std::uint8_t>(i % config.ftl.placement.streams);
    together.stream = apart.stream = stream;
    const auto first = i == 0 ? 0 : static_cast<std::uint32_t>(random.below(pages));
    const auto length = i == 0 ? pages : static_cast<std::uint32_t>(1 + random.below(pages / 8));
    const std::uint32_t end = std::min(first + length, pages);
    taken += together.write_run(first, end);
    for (std::uint32_t lpn = first; lpn < end; ++lpn) apart.write(Lpn{lpn});
    for (std::uint64_t single = random.below(40); single > 0; --single) {
      const Lpn lpn{static_cast<std::uint32_t>(random.below(pages))};
      together.write(lpn);
      apart.write(lpn);
    }
    REQUIRE(together.state() == apart.state());
  }
  CHECK(inspect(together.layer).empty());
  CHECK((taken > 0) == runs_are_taken);
}

}  // namespace

TEST_CASE("pages written in order together leave the same state as one by one") {
  compare(striped_drive());
  DriveConfig shared = striped_drive();
  shared.ftl.separate_relocation = false;
  compare(shared);
  DriveConfig bursts = striped_drive();
  bursts.ftl.gc.pages_per_host_write = 0;
  compare(bursts);
}

TEST_CASE("parity ends the rows of pages written in order") {
  DriveConfig drive = striped_drive();
  drive.ftl.superblock.parity = true;
  drive.user_bytes = 46ull << 20;
  compare(drive);
}

TEST_CASE("pages written in order may be larger than a stripe, and belong to a stream") {
  DriveConfig large = striped_drive();
  large.ftl.mapping_bytes = 16'384;
  large.user_bytes = 52ull << 20;
  compare(large);
  DriveConfig streams = striped_drive();
  streams.ftl.placement.scheme = PlacementConfig::Scheme::streams;
  streams.ftl.placement.streams = 3;
  streams.user_bytes = 44ull << 20;
  compare(streams);
}

TEST_CASE("pages are written one by one where placement or the mapping looks at each of them") {
  DriveConfig frequency = striped_drive();
  frequency.ftl.placement.scheme = PlacementConfig::Scheme::frequency;
  frequency.user_bytes = 44ull << 20;
  compare(frequency, false);
}
