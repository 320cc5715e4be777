// Pictures of drives of any design contain only possible values, and recording does not affect the drive.
#include "ftl/drive/drive_counters.h"
#include "sim/workload/files/job_file.h"
#include "validation/checks/reference/drawn_designs.h"
#include "validation/run/testing/recording.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

constexpr std::uint64_t kPictures = 40;

// Overwrites the drive four times, trims, then reads and writes.
std::vector<Job> jobs_for(const Drive& drive) {
  JobContext context;
  context.capacity_bytes = drive.config().user_bytes;
  const auto amount = [&context](std::uint64_t times) { return std::to_string(context.capacity_bytes * times); };
  const std::string text =
      "[global]\nfilename=/dev/d\nioengine=libaio\ndirect=1\nrandrepeat=0\nnorandommap\niodepth=4\nrefill_buffers\n"
      "buffer_compress_percentage=50\nbs=4k\n[over]\nrw=randwrite\nio_size=" +
      amount(4) + "\n[trim]\nstonewall\nrw=randtrim\nio_size=" + amount(1) +
      "\n[rest]\nstonewall\nrw=randrw\nio_size=" + amount(2) + "\n";
  return parse_job_file(text, "designs.fio", context).jobs;
}

std::uint64_t state_of(const Drive& drive) {
  Signature signature;
  sign(drive, signature);
  return signature.value();
}

void require_possible(const Picture& picture, std::int64_t pages, std::int64_t frontiers) {
  for (std::size_t b = 0; b < picture.at("valid").size(); ++b) {
    INFO("superblock " << b);
    REQUIRE(picture.at("valid")[b] <= picture.at("written")[b]);
    REQUIRE(picture.at("written")[b] <= pages);
    REQUIRE(picture.at("frontier")[b] <= frontiers);
    const auto state = static_cast<BlockState>(picture.at("state")[b]);
    if (state == BlockState::free) REQUIRE(picture.at("written")[b] == 0);
    if (state == BlockState::closed || state == BlockState::collecting) REQUIRE(picture.at("frontier")[b] > 0);
  }
}

// Returns true if blocks were erased.
bool check_design(const DriveConfig& config) {
  Drive drive(config, Clock::timed), plain(config, Clock::timed);
  const std::vector<Job> jobs = jobs_for(drive);
  const RunStats expected = run_jobs(plain, jobs, {});
  std::string text;
  const RunStats stats = record(drive, jobs, {Nanoseconds{0}, expected.ended, expected.ended / kPictures}, text);
  REQUIRE(stats.signature == expected.signature);
  REQUIRE(state_of(plain) == state_of(drive));
  const std::vector<Picture> pictures = decoded(text);
  const Layout& layout = drive.medium().layout();
  REQUIRE(pictures.size() > kPictures);
  for (const Picture& picture : pictures)
    require_possible(picture, layout.data_pages(), static_cast<std::int64_t>(config.ftl.frontiers().size()));
  return pictures.back().at("erases") != pictures.front().at("erases");
}

void check_designs(int designs, Special special) {
  RandomStream random(31, "recorded designs");
  int erasing = 0;
  for (int i = 0; i < designs; ++i) {
    const DriveConfig config = next_design(random, i, special);
    INFO("design " << i << ": " << words(config));
    erasing += check_design(config);
  }
  REQUIRE(erasing * 4 >= designs * 3);
}

}  // namespace

TEST_CASE("pictures of any design contain only possible values") { check_designs(12, Special::none); }

TEST_CASE("pictures of compressing designs contain only possible values") { check_designs(4, Special::compression); }

TEST_CASE("pictures of designs with a pSLC mode contain only possible values") { check_designs(4, Special::pslc_mode); }

TEST_CASE("pictures of deduplicating designs contain only possible values") { check_designs(4, Special::deduplication); }

TEST_CASE("pictures of a hundred designs of every kind contain only possible values", "[.][long]") {
  for (const Special special : {Special::none, Special::compression, Special::pslc_mode, Special::deduplication})
    check_designs(100, special);
}
