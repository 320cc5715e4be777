// A drive solved from its data sheet has the ratings of the sheet when it is simulated.
#include "validation/calibrate/rated_drive.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "ftl/drive/drive.h"
#include "sim/core/error.h"
#include "sim/counters.h"
#include "sim/host/host.h"
#include "sim/testing/test.h"
#include "sim/workload/files/job_file.h"
#include "validation/calibrate/fit_key.h"
#include "validation/results/health/endurance.h"
#include "validation/results/spare_note.h"
#include "validation/run/open_device.h"
#include "validation/run/scaled_drive.h"

using namespace ftlab;

namespace {

std::string refusal(std::string_view text) {
  try {
    const Ratings ratings(text);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return {};
}

bool says(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

// A quarter of the blocks of the library's drive, with another share of spare.
Node with_spare(std::uint32_t permille) {
  const DriveConfig drive = *read_device(load_drive("samsung-pm883-480", {})).ssd;
  const std::uint64_t sectors = drive.geometry.bytes() / kSectorBytes * 1000 / (1000 + permille);
  return with_fewer_blocks(load_drive("samsung-pm883-480", {"user_sectors=" + std::to_string(sectors / 128 * 128)}), 4);
}

const SolvedRating& solved(const RatedDrive& rated, Rating rating) {
  for (const SolvedRating& one : rated.solved) {
    if (one.rating == rating) return one;
  }
  throw std::runtime_error("not solved");
}

void write(Drive& drive, const std::string& options) {
  JobContext context;
  context.capacity_bytes = drive.info().capacity_bytes;
  const std::string job = "[w]\nfilename=/dev/drive\nioengine=libaio\ndirect=1\nrandrepeat=0\n" + options;
  run_jobs(drive, parse_job_file(job, "w", context).jobs, HostOptions());
}

}  // namespace

TEST_CASE("ratings are read with their units") {
  const Ratings ratings("seq_read=6.8GB/s,rand_write=85k,read_latency=80us,tbw=1700TB");
  CHECK(ratings.of(Rating::sequential_read) == 6.8e9);
  CHECK(ratings.of(Rating::random_write) == 85'000);
  CHECK(ratings.of(Rating::read_latency) == 80'000);
  CHECK(ratings.of(Rating::written_bytes) == 1.7e15);
  CHECK_FALSE(ratings.has(Rating::random_read));
  CHECK(Ratings("rand_read=1.1M").of(Rating::random_read) == 1.1e6);
}

TEST_CASE("ratings that cannot be understood are refused") {
  CHECK(says(refusal("seq_raed=1GB/s"), "did you mean seq_read?"));
  CHECK(says(refusal("seq_read"), "is not a rating with its value"));
  CHECK(says(refusal("seq_read=6800"), "is not a number with its unit"));
  CHECK(says(refusal("rand_read=fast"), "is not a number with its unit"));
  CHECK(says(refusal("rand_read=-3k"), "is not a number with its unit"));
  CHECK(says(refusal("rand_read=0"), "is not a number with its unit"));
  CHECK(says(refusal("rand_read=1k,rand_read=2k"), "is stated twice"));
}

TEST_CASE("a drive with small blocks keeps its dies, its share of spare and the share of time of its erases") {
  const DriveConfig full = *read_device(load_drive("samsung-pm883-480", {})).ssd;
  const DriveConfig small = *read_device(with_small_blocks(load_drive("samsung-pm883-480", {}))).ssd;
  CHECK(small.geometry.dies() == full.geometry.dies());
  CHECK(small.geometry.pages_per_block == 2 * full.nand.program.size());
  CHECK(std::abs(small.over_provisioning() / full.over_provisioning() - 1) < 0.001);
  const auto share = [](const DriveConfig& drive) {
    return static_cast<double>(drive.nand.erase.count()) / drive.geometry.pages_per_block;
  };
  CHECK(std::abs(share(small) / share(full) - 1) < 0.001);
}

TEST_CASE("a drive with small blocks keeps whole pages of a block whatever their number") {
  const Node whole = load_drive("samsung-pm883-480", {"geometry.pages_per_block=160", "user_sectors=195353600"});
  const DriveConfig full = *read_device(Node(whole)).ssd, small = *read_device(with_small_blocks(whole)).ssd;
  CHECK(small.geometry.pages_per_block == 8);  // 6 would be two of each kind, but do not divide 160
  CHECK(std::abs(small.over_provisioning() / full.over_provisioning() - 1) < 0.001);
}

TEST_CASE("a drive solved from its ratings has them") {
  const Ratings ratings(
      "seq_read=530MB/s,seq_write=400MB/s,rand_read=80k,rand_write=20k,read_latency=150us,write_latency=60us,tbw=700TB");
  RatedOptions options;
  options.over_provisioning_permille = 100;
  options.steady = true;
  const RatedDrive rated = solve_ratings(with_spare, ratings, options);
  CHECK(rated.solved.size() == kRatings - 1);  // all but the pSLC cache, which the drive lacks
  for (const SolvedRating& one : rated.solved) {
    INFO(name_of(one.rating) << " " << one.simulated << " " << one.expected);
    CHECK(one.met());
    CHECK(std::abs(one.simulated / one.expected - 1) < (one.rating == Rating::random_write ? 0.03 : 0.01));
    CHECK(one.expected == Approx(one.rated * (one.rating == Rating::random_write ? 1.1 : 1)));
  }
  CHECK(solved(rated, Rating::random_write).key == "over-provisioning");
  // All planes of all dies program at once.
  const DriveConfig drive = *read_device(Node(rated.document)).ssd;
  const double planes = static_cast<double>(drive.geometry.dies()) * drive.geometry.planes_per_die;
  const double mean_ns = static_cast<double>(solved(rated, Rating::sequential_write).value);
  CHECK(planes * drive.geometry.page_bytes / mean_ns * 1e9 == Approx(400e6).epsilon(0.05));
  CHECK(node_at(rated.document, "nand.bus_bytes_per_s.source")->text ==
        "ftlab init --rated: the simulated drive has seq_read of 0.53 GB/s");
}

TEST_CASE("ratings of a client drive are those of an empty drive, and tell nothing of its spare") {
  RatedOptions options;
  options.over_provisioning_permille = 100;
  const RatedDrive rated = solve_ratings(with_spare, Ratings("rand_write=50k"), options);
  const SolvedRating& writes = solved(rated, Rating::random_write);
  CHECK(writes.key == "controller.write_command_ns");
  CHECK(writes.expected == 50'000);
  CHECK(writes.met());
  CHECK(rated.over_provisioning_permille == 100);
}

TEST_CASE("the search for spare ends at the least that the design can have") {
  RatedOptions options;
  options.over_provisioning_permille = 10;  // too little
  options.steady = true;
  const RatedDrive rated = solve_ratings(with_spare, Ratings("rand_write=1k"), options);
  const SolvedRating& writes = solved(rated, Rating::random_write);
  CHECK_FALSE(writes.met());
  CHECK(writes.better());
  CHECK(writes.value >= 20);
  CHECK(writes.value < 40);
}

TEST_CASE("a run forecasts the TBW from which the limit of erases was solved") {
  const Node small = with_fewer_blocks(with_small_blocks(load_drive("micron-7450-pro-960", {})), 4);
  const RatedDrive rated = solve_ratings([&](std::uint32_t) { return small; }, Ratings("tbw=800GB"), {});
  const DriveConfig config = *read_device(Node(rated.document)).ssd;
  REQUIRE(config.ftl.superblock.parity);
  Drive drive(config, Clock::untimed);
  write(drive, "rw=write\nbs=64k\n");
  write(drive, "rw=randwrite\nbs=4k\nnorandommap\nloops=4\n");
  const Counters before = drive.counters();
  write(drive, "rw=randwrite\nbs=4k\nnorandommap\nloops=4\n");
  const Counters window = difference(drive.counters(), before);
  const auto json = endurance(drive, {window, window, 0, Nanoseconds{0}});
  REQUIRE(json["tbw_bytes"].is_number());
  CHECK(json["tbw_bytes"].get<double>() == Approx(800e9).epsilon(0.05));
}

TEST_CASE("a review's size of the pSLC cache determines its share of the free space") {
  const auto design = [](std::uint32_t) {
    return load_drive("samsung-830-256", {"nand.program_slc_ns=200000", R"(ftl.pslc_mode={"free_space_permille": 300})"});
  };
  const RatedDrive some = solve_ratings(design, Ratings("slc_cache=16GB"), {});
  REQUIRE(some.solved.size() == 1);
  CHECK(some.solved.front().met());
  const DriveConfig drive = *read_device(Node(some.document)).ssd;
  const double all = static_cast<double>(data_bytes(drive));
  const double share = drive.ftl.pslc_mode.free_space_permille / 1000.0;
  CHECK(share * (all - 16e9) == Approx(2 * 16e9).epsilon(0.01));  // full: its superblocks are the share of the rest
  const RatedDrive whole = solve_ratings(design, Ratings("slc_cache=115GB"), {});
  CHECK(read_device(Node(whole.document)).ssd->ftl.pslc_mode.takes_all_flash());
  const auto without = [](std::uint32_t) { return load_drive("samsung-830-256", {}); };
  CHECK_THROWS_WITH(solve_ratings(without, Ratings("slc_cache=16GB"), {}),
                    "--rated: slc_cache: needs a pSLC cache that is a share of the free space (got 16 GB; allowed: with TLC or QLC "
                    "flash and --use client)");
}

TEST_CASE("a TBW of a design without a formula is refused") {
  const Node cached = load_drive("example-nvme-tlc-1tb-64th", {});
  CHECK_THROWS_WITH(solve_ratings([&](std::uint32_t) { return cached; }, Ratings("tbw=700TB"), {}),
                    Catch::Contains("--rated: tbw: has no formula for this design"));
}

TEST_CASE("the keys that ratings determine are known, with those that would change them") {
  const auto keys_of = [](const char* ratings, bool steady) {
    std::string keys;
    for (const DeterminedKey& one : determined_keys(load_drive("samsung-pm883-480", {}), Ratings(ratings), steady))
      keys += one.key + " ";
    return keys;
  };
  CHECK(keys_of("read_latency=90us", true) == "nand.read_ns nand.read_lower_ns nand.read_middle_ns nand.read_upper_ns ");
  CHECK(keys_of("seq_read=500MB/s", true) == "nand.bus_bytes_per_s nand.bus ");
  CHECK(keys_of("rand_write=20k", true) == "geometry.blocks_per_plane user_sectors ");
  CHECK(keys_of("rand_write=20k", false) == "controller.write_command_ns ");
  CHECK(keys_of("tbw=700TB", true) == "endurance.program_erase_limit ");
}

TEST_CASE("what the link does not carry is no rating of the drive") {
  RatedOptions options;
  options.over_provisioning_permille = 100;
  CHECK_THROWS_AS(solve_ratings(with_spare, Ratings("seq_read=2GB/s"), options), ConfigError);
}
