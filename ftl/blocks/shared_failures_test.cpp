// A deduplicating drive on flash with bit errors, failures and wear: what happens to content that several pages share.
#include <vector>

#include "ftl/drive/lifecycle.h"
#include "ftl/testing/drive_trials.h"
#include "ftl/testing/drives.h"
#include "ftl/testing/erring_trials.h"
#include "sim/testing/test.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

DriveConfig sharing(DriveConfig drive, bool packs = false) {
  drive.ftl.deduplication = {std::uint64_t{1} << 30, 32, Nanoseconds{0}, Nanoseconds{0}};
  drive.ftl.buffer.power_loss_protected = true;
  if (!packs) return drive;
  drive = packing(drive);
  drive.user_bytes = 44ull << 20;
  return drive;
}

// Sends one request at a time.
class Sharer {
 public:
  explicit Sharer(const DriveConfig& config, Clock clock = Clock::timed) : drive_(config, clock) {}

  Status write(std::uint64_t page, std::uint64_t content, std::uint64_t length = kPage) {
    Request request{1, Op::write, page * kPage, length, now_};
    request.content = {content, 600};
    return carried_out(request);
  }
  Status read(std::uint64_t page) { return carried_out({1, Op::read, page * kPage, kPage, now_}); }
  Status flush() { return carried_out({1, Op::flush, 0, 0, now_}); }
  void rest(Nanoseconds time) { now_ += time; }
  Drive& drive() { return drive_; }

 private:
  Status carried_out(const Request& request) {
    const Completion done = execute(drive_, request);
    now_ = done.completed;
    return done.status;
  }
  Drive drive_;
  Nanoseconds now_{0};
};

}  // namespace

TEST_CASE("lost content is lost for all of its pages; writing it again heals that page and is shared from then on") {
  for (const bool packs : {false, true}) {
    Sharer host(sharing(erring_drive(fading()), packs));
    for (const std::uint64_t page : {3, 7, 9}) host.write(page, 5);
    host.write(4, 6);
    Lifecycle(host.drive()).power_cycle();  // programs the data in RAM
    host.rest(100 * kDay);
    for (std::uint64_t page = 100; page < 300; ++page) host.write(page, page);  // the open row of the flash is just as old
    host.write(8, 5);                                                           // its loss is not detected yet
    for (const std::uint64_t page : {3, 7, 8, 9, 4}) CHECK(host.read(page) == Status::media_error);
    CHECK(host.drive().counters().lost_pages == 2);  // contents
    host.write(7, 5);
    CHECK(host.read(7) == Status::ok);
    for (const std::uint64_t page : {3, 8, 9}) CHECK(host.read(page) == Status::media_error);
    host.write(9, 5);
    CHECK(host.read(9) == Status::ok);
    const Deduplication& contents = *host.drive().flash().deduplication;
    CHECK(contents.content_of(Lpn{9}) == contents.content_of(Lpn{7}));
    CHECK(contents.content_of(Lpn{3}) == contents.content_of(Lpn{8}));
    host.write(4, 6);  // the only page with its content
    CHECK(host.read(4) == Status::ok);
    host.write(3, 0, 512);  // the rest of the page stays lost
    Lifecycle(host.drive()).power_cycle();
    for (const std::uint64_t page : {3, 8}) CHECK(host.read(page) == Status::media_error);
    for (const std::uint64_t page : {4, 7, 9}) CHECK(host.read(page) == Status::ok);
    CHECK(inspect(host.drive().ftl()).empty());
  }
}

TEST_CASE("lost content stays lost through relocation, save and load, and power cuts") {
  for (const bool packs : {false, true}) {
    Sharer host(sharing(erring_drive(fading()), packs));
    const std::uint64_t pages = host.drive().config().logical_pages();
    for (std::uint64_t p = 0; p < pages; ++p) host.write(p, p / 2 + 1);  // each content in two pages
    host.flush();
    host.rest(100 * kDay);
    RandomStream random(3, "contents");
    const std::uint64_t kept = pages / 4;
    for (std::uint64_t i = 0; i < 8 * pages; ++i) host.write(kept + random.below(pages - kept), pages + i + 1);
    REQUIRE(host.drive().counters().relocated_pages > kept / 2);
    REQUIRE(host.drive().counters().lost_pages > 100);
    host.drive().load(host.drive().save());
    Lifecycle(host.drive()).power_cycle();
    for (std::uint64_t p = 0; p < kept; ++p) REQUIRE(host.read(p) == Status::media_error);
    CHECK(inspect(host.drive().ftl()).empty());
  }
}

// Programs fail until the data in RAM find no place. A flush then reports whether all of them found a slot; if not, a page
// may have older content after the power cut, or none.
TEST_CASE("at the end of life no page maps to missing content") {
  int unsaved = 0;
  for (std::uint32_t every = 3; every < 23; ++every) {
    for (const bool packs : {false, true}) {
      DriveConfig config = sharing(striped_drive(), packs);
      config.geometry = {1, 1, 1, 1, 40, 8, 4096, 128, 1024};
      config.ftl.superblock = {1, 1};
      config.ftl.buffer.coalescing_pages = 6;
      config.ftl.buffer.coalesce = true;
      config.ftl.failure_reserve = 1;
      config.ftl.gc = {0, 5, 6, 4};
      config.endurance.failing_program = every;
      config.user_bytes = 20ull * 8 * 4096;
      CAPTURE(every, packs);
      Sharer host(config, Clock::untimed);
      const Drive& drive = host.drive();
      RandomStream random(every, "last writes");
      std::vector<Version> newest(config.logical_pages());
      for (Status status = Status::ok; status == Status::ok;) {
        const auto page = static_cast<std::uint32_t>(random.below(newest.size()));
        status = host.write(page, 1 + random.below(100));
        newest[page] = drive.ftl().pages().version(Lpn{page});
      }
      REQUIRE(drive.ftl().read_only());
      const bool saved = host.flush() == Status::ok;
      unsaved += !saved;
      Lifecycle(host.drive()).power_cycle();
      CHECK(inspect(drive.ftl()).empty());
      for (std::uint32_t page = 0; page < newest.size(); ++page) {
        const Version found = drive.ftl().pages().version(Lpn{page});
        REQUIRE((saved ? found == newest[page] : found <= newest[page]));
        CHECK(host.read(page) == Status::ok);
      }
    }
  }
  CHECK(unsaved > 0);
}
