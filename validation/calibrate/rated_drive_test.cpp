// A drive solved from its data sheet has the ratings of the sheet when it is simulated.
#include "validation/calibrate/rated_drive.h"

#include <cmath>

#include "sim/core/error.h"
#include "sim/testing/test.h"
#include "validation/calibrate/fit_key.h"
#include "validation/run/open_device.h"

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

// The library's drive with another share of spare.
Node with_spare(std::uint32_t permille) {
  const DriveConfig drive = *read_device(load_drive("samsung-pm883-480", {})).ssd;
  const std::uint64_t sectors = drive.geometry.bytes() / kSectorBytes * 1000 / (1000 + permille);
  return load_drive("samsung-pm883-480", {"user_sectors=" + std::to_string(sectors / 128 * 128)});
}

const SolvedRating& solved(const RatedDrive& rated, Rating rating) {
  for (const SolvedRating& one : rated.solved) {
    if (one.rating == rating) return one;
  }
  throw std::runtime_error("not solved");
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

TEST_CASE("a drive solved from its ratings has them") {
  const Ratings ratings(
      "seq_read=530MB/s,seq_write=400MB/s,rand_read=80k,rand_write=20k,read_latency=150us,write_latency=60us,tbw=700TB");
  RatedOptions options;
  options.over_provisioning_permille = 100;
  const RatedDrive rated = solve_ratings(with_spare, ratings, options);
  for (const SolvedRating& one : rated.solved) {
    INFO(name_of(one.rating) << " " << one.simulated << " " << one.rated);
    CHECK(std::abs(one.simulated / one.rated - 1) < (one.rating == Rating::random_write ? 0.03 : 0.01));
  }
  CHECK(solved(rated, Rating::random_write).rated == Approx(22'000));
  // All planes of all dies program at once.
  const DriveConfig drive = *read_device(Node(rated.document)).ssd;
  const double planes = static_cast<double>(drive.geometry.dies()) * drive.geometry.planes_per_die;
  const double mean_ns = static_cast<double>(solved(rated, Rating::sequential_write).value);
  CHECK(planes * drive.geometry.page_bytes / mean_ns * 1e9 == Approx(400e6).epsilon(0.05));
  CHECK(node_at(rated.document, "nand.bus_bytes_per_s.source")->text == "ftlab init --rated: the simulated drive has seq_read=5.3e+08");
}

TEST_CASE("what the link does not carry is no rating of the drive") {
  RatedOptions options;
  options.over_provisioning_permille = 100;
  CHECK_THROWS_AS(solve_ratings(with_spare, Ratings("seq_read=2GB/s"), options), ConfigError);
}
