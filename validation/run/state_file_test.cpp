#include "ftl/drive/drive_counters.h"
#include "validation/run/state_file.h"

#include <cstring>
#include <filesystem>

#include "sim/config/file.h"
#include "sim/config/refusal.h"
#include "sim/core/error.h"
#include "sim/core/random.h"
#include "sim/counters.h"
#include "sim/host/host.h"
#include "sim/host/stack/rebased_device.h"
#include "sim/testing/archive_trials.h"
#include "sim/testing/files.h"
#include "sim/testing/test.h"
#include "sim/workload/files/job_file.h"
#include "validation/run/open_device.h"

using namespace ftlab;
namespace fs = std::filesystem;

namespace {

Node small_drive(std::vector<std::string> more = {}, const std::string& size = "user_sectors=327680") {
  std::vector<std::string> settings = {"geometry.blocks_per_plane=17", size, "ftl.gc.start_free_superblocks=2",
                                       "ftl.gc.stop_free_superblocks=4"};
  settings.insert(settings.end(), more.begin(), more.end());
  return load_drive("kingston-ssdnow-v-64", settings);
}

std::vector<Job> two_jobs(const Drive& drive) {
  JobContext context;
  context.capacity_bytes = drive.config().user_bytes;
  const std::string text =
      "[global]\nfilename=/dev/ssd\nioengine=libaio\ndirect=1\nrandrepeat=0\nnorandommap\niodepth=4\n"
      "[a]\nrw=randwrite\nbs=16k\nio_size=300m\n[b]\nstonewall\nrw=randrw\nbs=4k\nio_size=60m\n";
  return parse_job_file(text, "two.fio", context).jobs;
}

void run(Drive& drive, const std::vector<Job>& jobs) {
  RebasedDevice device(drive, drive.idle_from());
  run_jobs(device, jobs, {});
}

std::uint64_t signature_of(const Drive& drive) {
  Signature signature;
  sign(drive, signature);
  return signature.value();
}

std::string saved(const TestFolder& folder, int requests_mib) {
  const Node document = small_drive();
  Drive drive(read_drive(document), Clock::untimed);
  std::vector<Job> jobs = two_jobs(drive);
  jobs.pop_back();
  jobs[0].amount_bytes = std::uint64_t(requests_mib) << 20;
  run(drive, jobs);
  StateFile(folder / "s").save(drive, document);
  return folder / "s";
}

}  // namespace

TEST_CASE("one run of two jobs equals two runs with a saved state in between") {
  const TestFolder folder;
  for (const Clock clock : {Clock::timed, Clock::untimed}) {
    const Node document = small_drive();
    Drive whole(read_drive(document), clock, 5), split(read_drive(document), clock, 5);
    const std::vector<Job> jobs = two_jobs(whole);
    run(whole, jobs);
    run(split, {jobs[0]});
    StateFile(folder / "split").save(split, document);
    const auto loaded = restore_drive(read_state(folder / "split"), folder / "split", clock);
    CHECK(signature_of(*loaded) == signature_of(split));
    CHECK(loaded->seed() == 5);
    run(*loaded, {jobs[1]});
    CHECK(signature_of(*loaded) == signature_of(whole));
    CHECK(whole.counters().relocated_pages > 0);
  }
}

TEST_CASE("a loaded drive starts a run at time 0 and counts only that run") {
  const TestFolder folder;
  const std::string path = saved(folder, 300);
  const auto drive = restore_drive(read_state(path), path, Clock::timed);
  RebasedDevice device(*drive, drive->idle_from());
  std::vector<Job> jobs = two_jobs(*drive);
  jobs.pop_back();
  jobs[0].amount_bytes = 16384;
  const RunStats stats = run_jobs(device, jobs, {});
  CHECK(stats.ended < Nanoseconds{50'000'000});
  CHECK(difference(stats.device_after, stats.device_before).host_write_bytes == 16384);
  CHECK(stats.device_before.host_write_bytes == 300u << 20);
}

TEST_CASE("the label of a state has seed, counters and document") {
  const TestFolder folder;
  const StateLabel label = check_state(saved(folder, 100));
  CHECK(label.seed == 1);
  CHECK(label.counters.host_write_bytes == 100u << 20);
  CHECK(read_drive(label.document).user_bytes == 327680u * 512);
}

TEST_CASE("a state that is too small or from the future is refused") {
  const Node document = small_drive();
  Drive drive(read_drive(document), Clock::timed);
  run(drive, two_jobs(drive));
  const auto reported = [&](const Node& drive_document, const std::string& bytes) {
    const SavedState state{{drive_document, 1, {}, {}}, nullptr, bytes};
    return refusal([&] { restore_drive(state, "s", Clock::timed); });
  };
  const std::string good = drive.save();
  CHECK(reported(document, good) == "accepted");
  CHECK(reported(load_drive("kingston-ssdnow-v-64", {}), good).find("the state does not fit: a drive like this takes") !=
        std::string::npos);
  const auto with_number = [&](std::size_t at, std::uint64_t number) {
    std::string bytes = good;
    std::memcpy(bytes.data() + at, &number, sizeof number);
    testing::seal(bytes.data(), bytes.size());
    return reported(document, bytes);
  };
  int future = 0;
  const std::uint64_t now = drive.idle_from().count();
  for (std::size_t at = 0; at + 8 <= good.size() && future == 0; ++at) {
    std::uint64_t number = 0;
    std::memcpy(&number, good.data() + at, sizeof number);
    if (number <= now / 2 || number > now) continue;  // no recent time
    future +=
        with_number(at, 2 * now + 4'000'000'000'000).find("the saved state contradicts itself: it lies in its own future") !=
        std::string::npos;
  }
  CHECK(future == 1);
}

TEST_CASE("any damage to a state is refused with the file name") {
  const TestFolder folder;
  const std::string path = saved(folder, 20);
  const std::string whole = read_text_file(path, 1 << 30);
  RandomStream random(9, "damage");
  for (int i = 0; i < 60; ++i) {
    std::string bytes = whole;
    const std::size_t at = i < 30 ? random.below(200) : random.below(bytes.size());
    bytes[at] = static_cast<char>(bytes[at] ^ static_cast<char>(1 + random.below(255)));
    folder.write("damaged", bytes);
    INFO("byte " << at);
    const std::string message = refusal([&folder] { check_state(folder / "damaged"); });
    const bool named = message.starts_with(folder / "damaged") && message.find("state") != std::string::npos;
    CHECK(named);
  }
  for (const std::size_t length :
       {0u, 5u, 20u, 40u, 4000u, static_cast<unsigned>(whole.size() / 2), static_cast<unsigned>(whole.size() - 1)}) {
    folder.write("cut", whole.substr(0, length));
    CHECK(refusal([&folder] { check_state(folder / "cut"); }) != "accepted");
  }
  folder.write("long", whole + "x");
  CHECK(refusal([&folder] { check_state(folder / "long"); }) != "accepted");
  std::string newer = whole;
  newer[12] = static_cast<char>(kArchiveVersion + 1);
  folder.write("newer", newer);
  CHECK(refusal([&folder] { check_state(folder / "newer"); }).find("written by a newer ftlab") != std::string::npos);
  CHECK(refusal([&folder] { check_state(folder / "none"); }).find("does not exist") != std::string::npos);
}

TEST_CASE("another design takes over the flash of a state, or is refused with the reason") {
  const TestFolder folder;
  const std::string path = saved(folder, 300);
  const Node fifo = small_drive({"ftl.gc.policy=fifo"}), smaller = small_drive({}, "user_sectors=300000");
  const auto drive = restore_drive(read_state(path), path, Clock::untimed, &fifo);
  CHECK(drive->counters().mapped_bytes == check_state(path).counters.mapped_bytes);
  run(*drive, two_jobs(*drive));
  CHECK(inspect(drive->ftl()).empty());
  const std::string message = refusal([&] { restore_drive(read_state(path), path, Clock::untimed, &smaller); });
  CHECK(message.find("the user capacity in bytes differs") != std::string::npos);
}

TEST_CASE("a state file replaces only a state file") {
  const TestFolder folder;
  saved(folder, 20);
  saved(folder, 30);
  CHECK(check_state(folder / "s").counters.host_write_bytes == 30u << 20);
  folder.write("thesis.txt", "mine");
  CHECK(refusal([&folder] { StateFile file(folder / "thesis.txt"); }).find("is not a saved drive state") !=
        std::string::npos);
  CHECK(read_text_file(folder / "thesis.txt") == "mine");
  { const StateFile given_up(folder / "given-up"); }
  CHECK_FALSE(fs::exists(folder / "given-up"));
  CHECK(std::distance(fs::directory_iterator(folder.path()), {}) == 2);
}
