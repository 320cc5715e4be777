// Deduplicating drives: which pages share content, the effect on write amplification, and the cost.
// validation/checks/designs_test.cpp tests them against a shadow.
#include <algorithm>
#include <cstring>
#include <set>
#include <utility>
#include <vector>

#include "ftl/drive/drive_counters.h"
#include "ftl/drive/lifecycle.h"
#include "ftl/testing/drive_trials.h"
#include "ftl/testing/drives.h"
#include "models/theory/testing/deduplication.h"
#include "models/theory/uniform.h"
#include "sim/counters.h"
#include "sim/workload/content_source.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

constexpr std::uint64_t kPage = 4096;

DriveConfig sharing(DriveConfig drive) {
  drive.ftl.deduplication = {std::uint64_t{1} << 30, 32, Nanoseconds{0}, Nanoseconds{0}};
  drive.ftl.buffer.power_loss_protected = true;
  return drive;
}

DriveConfig sharing_drive() { return sharing(striped_drive()); }

DriveConfig packing_drive() { return packing(sharing_drive()); }

Completion write(Drive& drive, std::uint64_t offset, std::uint64_t length, std::uint64_t content,
                 Nanoseconds at = Nanoseconds{0}) {
  Request request{1, Op::write, offset, length, at};
  request.content = {content, 1000};
  return execute(drive, request);
}

std::uint64_t stored_pages(const Drive& drive) { return drive.counters().unique_bytes / kPage; }

// True if both pages have the same content in the flash.
bool shared(const Drive& drive, std::uint32_t a, std::uint32_t b) {
  const Deduplication& contents = *drive.flash().deduplication;
  return contents.content_of(Lpn{a}) != kNoLpn && contents.content_of(Lpn{a}) == contents.content_of(Lpn{b});
}

std::uint64_t medium_of(const Drive& drive) {
  Signature signature;
  add_to(signature, drive.medium(), true);
  return signature.value();
}

bool same_counters(const Drive& a, const Drive& b) {
  const Counters left = a.counters(), right = b.counters();
  return std::memcmp(&left, &right, sizeof left) == 0;
}

// Sends requests of all kinds with few contents, one at a time; continues from `now` and `random`.
void use(Drive& drive, RandomStream& random, Nanoseconds& now, int requests) {
  const std::uint64_t sectors = drive.config().user_bytes / kSectorBytes;
  for (int i = 0; i < requests; ++i) {
    const std::uint64_t length = random.chance(2, 3) ? 8 * (1 + random.below(4)) : 1 + random.below(32);
    const std::uint64_t first =
        random.below(sectors - length) / (random.chance(3, 4) ? 8 : 1) * (random.chance(3, 4) ? 8 : 1);
    constexpr Op kOps[] = {Op::write, Op::write, Op::write, Op::write, Op::read, Op::trim};
    Request request{1, kOps[random.below(6)], std::min(first, sectors - length) * kSectorBytes, length * kSectorBytes, now};
    request.content = {random.below(3'000), random.below(1001)};
    now = execute(drive, request).completed;
  }
}

}  // namespace

TEST_CASE("equal pages are programmed once; each keeps the version of its own write") {
  Drive drive(sharing_drive(), Clock::timed);
  Nanoseconds now = write(drive, 0, kPage, 7).completed;
  now = write(drive, 9 * kPage, kPage, 7, now).completed;
  now = write(drive, 5 * kPage, kPage, 8, now).completed;
  const Counters all = drive.counters();
  CHECK(all.host_write_bytes == 3 * kPage);
  CHECK(all.media_host_bytes == 2 * kPage);
  CHECK(all.deduplicated_bytes == kPage);
  CHECK(all.mapped_bytes == 3 * kPage);
  CHECK(all.unique_bytes == 2 * kPage);
  CHECK(all.fingerprint_bytes == 2 * 32);
  CHECK(shared(drive, 0, 9));
  CHECK(drive.ftl().pages().version(Lpn{9}) == Version{2});
  CHECK(drive.ftl().pages().stored_version(Lpn{9}) == Version{1});
  CHECK(inspect(drive.ftl()).empty());
}

TEST_CASE("requests of one content share pages at equal distances from their first bytes, whatever their lengths") {
  Drive drive(sharing_drive(), Clock::untimed);
  write(drive, 0, 4 * kPage, 7);
  CHECK(stored_pages(drive) == 4);  // repetition inside a request is not known
  write(drive, 16 * kPage, 2 * kPage, 7);
  CHECK(stored_pages(drive) == 4);
  CHECK(shared(drive, 0, 16));
  CHECK(shared(drive, 1, 17));
  write(drive, 32 * kPage - 512, 2 * kPage + 512, 7);  // whole pages 32 and 33 begin at sectors 1 and 9
  CHECK(stored_pages(drive) == 6);
  write(drive, 40 * kPage - 512, kPage + 512, 7);  // page 40 at sector 1 as well
  CHECK(stored_pages(drive) == 6);
  CHECK(shared(drive, 32, 40));
}

TEST_CASE("unknown contents are not shared: content 0, and pages merged from parts") {
  Drive drive(sharing_drive(), Clock::untimed);
  write(drive, 0, kPage, 0);
  write(drive, kPage, kPage, 0);
  CHECK(stored_pages(drive) == 2);
  write(drive, 2 * kPage, kPage, 7);
  write(drive, 3 * kPage, kPage, 7);
  write(drive, 3 * kPage, 512, 7);  // the same bytes, but the drive has not seen a whole page
  execute(drive, Op::flush, 0, 0, ns(0));
  Lifecycle(drive).power_cycle();  // completes the held page
  CHECK(stored_pages(drive) == 4);
  CHECK_FALSE(shared(drive, 2, 3));
  CHECK(drive.counters().media_fill_bytes == kPage - 512);
  write(drive, 4 * kPage, kPage, 7);
  CHECK(shared(drive, 2, 4));
  CHECK(inspect(drive.ftl()).empty());
}

TEST_CASE("a content is freed with its last page, by overwrite or trim, and does not return after a power cut") {
  Drive drive(sharing_drive(), Clock::untimed);
  for (std::uint64_t page = 0; page < 3; ++page) write(drive, page * kPage, kPage, 7);
  execute(drive, Op::flush, 0, 0, ns(0));
  execute(drive, Op::trim, 0, kPage, ns(0));
  write(drive, kPage, kPage, 8);
  CHECK(drive.flash().deduplication->references(drive.flash().deduplication->content_of(Lpn{2})) == 1);
  execute(drive, Op::trim, 2 * kPage, kPage, ns(0));
  CHECK(stored_pages(drive) == 1);
  CHECK(drive.counters().trimmed_pages == 2);
  Lifecycle(drive).power_cycle();
  CHECK(stored_pages(drive) == 1);
  CHECK(drive.ftl().pages().find(Lpn{2}).where == HostPages::Found::Where::unmapped);
  CHECK(drive.ftl().pages().version(Lpn{1}) == Version{4});
  CHECK(inspect(drive.ftl()).empty());
  write(drive, 2 * kPage, kPage, 7);  // it is stored again
  CHECK(stored_pages(drive) == 2);
}

TEST_CASE("a drive without repeated data behaves like one without deduplication, to the nanosecond") {
  DriveConfig plain = striped_drive();
  plain.ftl.buffer.power_loss_protected = true;
  Drive with(sharing(plain), Clock::timed), without(plain, Clock::timed);
  const std::uint64_t pages = plain.logical_pages();
  RandomStream random(5, "unique");
  Nanoseconds now{0};
  for (std::uint64_t i = 0; i < 3 * pages; ++i) {
    const std::uint64_t page = i < pages ? i : random.below(pages);
    const Nanoseconds done = write(with, page * kPage, kPage, 1 + i, now).completed;
    REQUIRE(write(without, page * kPage, kPage, 1 + i, now).completed == done);
    now = done;
  }
  CHECK(medium_of(with) == medium_of(without));
  CHECK(with.counters().media_write_bytes() == without.counters().media_write_bytes());
  CHECK(with.counters().deduplicated_bytes == 0);
}

TEST_CASE("a full drive of contents that are all different fits, after one of identical contents") {
  DriveConfig config = sharing_drive();
  Drive drive(config, Clock::untimed);
  for (std::uint64_t page = 0; page < config.logical_pages(); ++page) write(drive, page * kPage, kPage, 7);
  CHECK(drive.counters().media_write_bytes() == kPage);
  for (std::uint64_t page = 0; page < config.logical_pages(); ++page) write(drive, page * kPage, kPage, 100 + page);
  CHECK(stored_pages(drive) == config.logical_pages());
  CHECK(inspect(drive.ftl()).empty());
}

TEST_CASE("a full table forgets the content that was stored first, and loses nothing else") {
  DriveConfig config = sharing_drive();
  config.ftl.deduplication.ram_bytes = 4 * 32;
  Drive drive(config, Clock::untimed);
  for (std::uint64_t content = 1; content <= 5; ++content) write(drive, content * kPage, kPage, content);
  CHECK(drive.counters().forgotten_fingerprints == 1);
  CHECK(drive.counters().fingerprint_bytes == 4 * 32);
  write(drive, 10 * kPage, kPage, 5);
  CHECK(shared(drive, 5, 10));
  write(drive, 11 * kPage, kPage, 1);  // 1 is stored again and known again; 2 is forgotten
  CHECK_FALSE(shared(drive, 1, 11));
  CHECK(stored_pages(drive) == 6);
  write(drive, 12 * kPage, kPage, 1);
  CHECK(shared(drive, 11, 12));
  execute(drive, Op::trim, 3 * kPage, kPage, ns(0));  // makes room: the next entry forgets nothing
  const std::uint64_t before = drive.counters().forgotten_fingerprints;
  write(drive, 13 * kPage, kPage, 0);  // also takes an entry
  CHECK(drive.counters().forgotten_fingerprints == before);
  CHECK(drive.counters().fingerprint_bytes == 4 * 32);
  CHECK(inspect(drive.ftl()).empty());
}

TEST_CASE("fio jobs program only the share of data that is not repeated") {
  for (const std::string mode : {"repeat", "working_set"}) {
    Drive drive(sharing_drive(), Clock::untimed);
    run(drive, "rw=write\nbs=4k\ndedupe_percentage=40\ndedupe_working_set_percentage=2\ndedupe_mode=" + mode + "\n");
    const Counters all = drive.counters();
    CHECK(all.media_host_bytes + all.deduplicated_bytes == all.host_write_bytes);
    const double programmed = static_cast<double>(all.media_host_bytes) / static_cast<double>(all.host_write_bytes);
    CHECK(programmed == Approx(mode == "repeat" ? 0.6 : 0.62).epsilon(0.02));
  }
}

TEST_CASE("an empty drive programs exactly the different contents") {
  DriveConfig config = sharing_drive();
  for (const auto mode : {ContentRules::Dedupe::repeat, ContentRules::Dedupe::working_set}) {
    ContentRules rules;
    rules.dedupe_percent = 70;
    rules.dedupe = mode;
    ContentSource source(rules, 3, 1, config.user_bytes, kPage);
    Drive drive(config, Clock::untimed);
    std::set<std::uint64_t> different;
    for (std::uint64_t page = 0; page < config.logical_pages(); ++page) {
      const Content content = source.next();
      different.insert(content.id);
      write(drive, page * kPage, kPage, content.id);
    }
    CHECK(stored_pages(drive) == different.size());
    CHECK(drive.counters().media_host_bytes == different.size() * kPage);
  }
}

namespace {

// Media pages over host pages in 16 random drive writes after 12, and the mean number of contents over pages.
struct Steady {
  double wa, live, programmed;
};
Steady steady(const DriveConfig& config, const ContentRules& rules, std::uint64_t amount_pages) {
  Drive drive(config, Clock::untimed);
  ContentSource source(rules, 11, 1, amount_pages * kPage, kPage);
  RandomStream random(2, "steady");
  const std::uint64_t pages = config.logical_pages();
  Counters before;
  double live = 0;
  for (std::uint64_t i = 0; i < 28 * pages; ++i) {
    if (i == 12 * pages) before = drive.counters();
    if (i >= 12 * pages) live += drive.flash().deduplication->contents();
    const Request request{1, Op::write, (i < pages ? i : random.below(pages)) * kPage, kPage, {}, 0, false, source.next()};
    drive.submit({&request, 1});
    Completion done;
    drive.wait(kNever, {&done, 1});
  }
  REQUIRE(inspect(drive.ftl()).empty());
  const Counters run = difference(drive.counters(), before);
  const auto host = static_cast<double>(run.host_write_bytes);
  return {static_cast<double>(run.media_write_bytes()) / host, live / static_cast<double>(16 * pages * pages),
          static_cast<double>(run.media_host_bytes) / host};
}

constexpr std::uint32_t kBlocks = 256, kBlockPages = 64;
constexpr double kUtilisation = 0.9375;  // in theory(): over-provisioning 6.7 %

DriveConfig theory(const char* policy) {
  DriveConfig config = theory_drive(kBlocks, kBlockPages, static_cast<std::uint64_t>(kBlocks * kBlockPages * kUtilisation));
  config.ftl.gc.policy = gc_policy_index(policy);
  return sharing(config);
}

}  // namespace

TEST_CASE("with a working set, greedy GC amplifies new contents like a drive that stores only them") {
  constexpr double kSet = 30;
  for (const std::uint32_t percent : {0u, 20u, 50u, 80u}) {
    ContentRules rules;
    rules.dedupe_percent = percent;
    rules.dedupe = ContentRules::Dedupe::working_set;
    rules.working_set_percent = 1;
    const DriveConfig config = theory("greedy");
    const StoredContents stored = working_set_contents(percent / 100.0, kSet / config.logical_pages());
    const Steady found = steady(config, rules, static_cast<std::uint64_t>(kSet * 100));
    const double expected = stored.programmed * greedy_wa(kUtilisation * stored.live, kBlockPages);
    INFO(percent << " %: WA " << found.wa << " of " << expected << ", live " << found.live << " of " << stored.live);
    CHECK(found.live == Approx(stored.live).epsilon(0.01));
    CHECK(found.programmed == Approx(stored.programmed).epsilon(0.01));
    CHECK(found.wa == Approx(expected).epsilon(0.02));
  }
}

TEST_CASE("immediate repeats leave less spare, since a content lives until its last page dies: FIFO as derived") {
  for (const std::uint32_t percent : {20u, 50u, 80u}) {
    ContentRules rules;
    rules.dedupe_percent = percent;
    const StoredContents stored = repeated_contents(percent / 100.0);
    const Steady found = steady(theory("fifo"), rules, 1);
    const double expected = fifo_wa_of_repeats(percent / 100.0, kUtilisation);
    INFO(percent << " %: WA " << found.wa << " of " << expected << ", live " << found.live << " of " << stored.live);
    CHECK(found.live == Approx(stored.live).epsilon(0.01));
    CHECK(found.programmed == Approx(stored.programmed).epsilon(0.01));
    CHECK(found.wa == Approx(expected).epsilon(0.02));
  }
}

TEST_CASE("a write waits for its fingerprints, computed page by page, and a core looks up each of them") {
  DriveConfig config = sharing_drive();
  config.ftl.deduplication.fingerprint = ns(20'000);
  config.ftl.deduplication.look_up = ns(700);
  Drive drive(config, Clock::timed);
  const Nanoseconds command = config.controller.write_command + config.link.write_command;
  const Nanoseconds page = transfer_time(kPage, config.link.bytes_per_s);
  REQUIRE(page < ns(20'000));
  const Completion one = write(drive, 0, kPage, 1);
  CHECK(one.completed == command + ns(700) + page + ns(20'000));
  const Completion three = write(drive, 0, 3 * kPage, 2, kLater);
  CHECK(three.completed - kLater == command + 3 * ns(700) + page + 3 * ns(20'000));
  CHECK(part(three, LatencyPart::link) == config.link.write_command + 3 * page);
  const Completion parts = write(drive, 512, kPage, 3, 2 * kLater);  // no page is whole
  CHECK(parts.completed - 2 * kLater == command + transfer_time(kPage - 512, 300'000'000) + transfer_time(512, 300'000'000));
  const Completion known = write(drive, 0, kPage, 2, 3 * kLater);  // a known content costs as much
  CHECK(known.completed - 3 * kLater == one.completed);
}

TEST_CASE("reads, trims and flushes look up no content") {
  const auto times = [](Nanoseconds look_up) {
    DriveConfig config = sharing_drive();
    config.ftl.deduplication.look_up = look_up;
    Drive drive(config, Clock::timed);
    write(drive, 0, 4 * kPage, 1);
    std::vector<Nanoseconds> taken;
    Nanoseconds at = kLater;
    for (const Op op : {Op::flush, Op::read, Op::trim, Op::read}) {
      taken.push_back(execute(drive, op, 0, op == Op::flush ? 0 : 2 * kPage, at).completed - at);
      at += kLater;
    }
    return taken;
  };
  CHECK(times(ns(0)) == times(ns(90'000)));
}

TEST_CASE("the fingerprint engine limits write speed if it is the slowest part") {
  DriveConfig config = sharing_drive();
  config.ftl.deduplication.fingerprint = ns(100'000);
  Drive drive(config, Clock::timed);
  const RunStats stats = run(drive, "rw=randwrite\nbs=4k\niodepth=32\nsize=16m\ndedupe_percentage=90\n");
  CHECK(iops(stats, Direction::write, 4096) == Approx(10'000).epsilon(0.01));
}

TEST_CASE("known contents take no flash time: repeated data are written at link speed") {
  DriveConfig config = sharing_drive();
  config.nand.program = {Nanoseconds{3'000'000}, Nanoseconds{9'000'000}};
  config.controller = {ns(100), ns(100)};
  const auto speed = [&config](const char* content) {
    Drive drive(config, Clock::timed);
    return bytes_per_s(run(drive, std::string("rw=write\nbs=128k\niodepth=8\nsize=32m\nscramble_buffers=0\n") + content),
                       Direction::write);
  };
  const double once = speed("refill_buffers=1\n"), again = speed("");
  CHECK(again > 5 * once);
  CHECK(again > 0.9 * 300e6);
}

TEST_CASE("timed and untimed runs share and place identically") {
  DriveConfig config = sharing_drive();
  config.ftl.deduplication = {20'000, 10, Nanoseconds{9'000}, Nanoseconds{300}};
  Drive timed(config, Clock::timed), untimed(config, Clock::untimed);
  for (Drive* drive : {&timed, &untimed}) {
    RandomStream random(8, "clocks");
    Nanoseconds now{0};
    use(*drive, random, now, 20'000);
  }
  Signature signature_timed, signature_untimed;
  sign(timed, signature_timed);
  sign(untimed, signature_untimed);
  CHECK(signature_timed.value() == signature_untimed.value());
  CHECK(timed.counters().forgotten_fingerprints > 0);
  CHECK(timed.counters().deduplicated_bytes == untimed.counters().deduplicated_bytes);
}

TEST_CASE("a deduplicating drive continues identically from its saved state") {
  DriveConfig config = sharing_drive();
  config.ftl.deduplication = {20'000, 10, Nanoseconds{9'000}, Nanoseconds{300}};
  config.ftl.buffer.coalesce = true;
  Drive first(config, Clock::timed), second(config, Clock::timed);
  RandomStream random(3, "saved");
  Nanoseconds now{0};
  use(first, random, now, 10'000);
  const std::string state = first.save();
  second.load(state);
  CHECK(second.save() == state);
  RandomStream same_random = random;
  Nanoseconds same_now = now;
  use(first, random, now, 10'000);
  use(second, same_random, same_now, 10'000);
  CHECK(now == same_now);
  CHECK(same_counters(first, second));
  CHECK(first.save() == second.save());
  CHECK(inspect(second.ftl()).empty());
}

TEST_CASE("renumbered versions keep the order of pages and of shared contents") {
  for (const bool packs : {false, true}) {
    DriveConfig plain = packs ? packing_drive() : sharing_drive();
    DriveConfig renumbered = plain;
    renumbered.ftl.most_versions = static_cast<std::uint32_t>(3 * plain.logical_pages());
    Drive a(plain, Clock::timed), b(renumbered, Clock::timed);
    for (Drive* drive : {&a, &b}) {
      RandomStream random(5, "requests");
      Nanoseconds now{0};
      use(*drive, random, now, 30'000);
      Lifecycle(*drive).power_cycle();
      use(*drive, random, now = std::max(now, drive->idle_from()), 10'000);
    }
    std::vector<std::pair<Version, Version>> written, stored;
    for (std::uint32_t l = 0; l < plain.logical_pages(); ++l) {
      REQUIRE(a.flash().deduplication->content_of(Lpn{l}) == b.flash().deduplication->content_of(Lpn{l}));
      written.push_back({a.ftl().pages().version(Lpn{l}), b.ftl().pages().version(Lpn{l})});
      stored.push_back({a.ftl().pages().stored_version(Lpn{l}), b.ftl().pages().stored_version(Lpn{l})});
    }
    for (auto* versions : {&written, &stored}) {
      require_same_order(*versions);
      CHECK(number(versions->back().second) <= renumbered.ftl.most_versions);
      CHECK(versions->back().first > versions->back().second);
    }
    CHECK(same_counters(a, b));
    CHECK(inspect(b.ftl()).empty());
  }
}

TEST_CASE("power cuts change no page content, whether shared, in RAM or trimmed") {
  DriveConfig config = sharing_drive();
  Drive drive(config, Clock::timed);
  RandomStream random(4, "cuts");
  Nanoseconds now{0};
  for (int cut = 0; cut < 20; ++cut) {
    use(drive, random, now, 1 + static_cast<int>(random.below(1'500)));
    std::vector<Version> before;
    for (std::uint32_t l = 0; l < config.logical_pages(); ++l) before.push_back(drive.ftl().pages().version(Lpn{l}));
    Lifecycle(drive).power_cycle();
    for (std::uint32_t l = 0; l < config.logical_pages(); ++l) REQUIRE(drive.ftl().pages().version(Lpn{l}) == before[l]);
    REQUIRE(inspect(drive.ftl()).empty());
  }
  CHECK(drive.counters().deduplicated_bytes > 0);
}

TEST_CASE("compressed contents are shared like others, and a shared page takes no slot") {
  Drive drive(packing_drive(), Clock::untimed);
  Request request{1, Op::write, 0, kPage, {}};
  request.content = {7, 250};
  execute(drive, request);
  request.offset_bytes = 8 * kPage;
  execute(drive, request);
  CHECK(drive.counters().media_host_bytes == 2 * 512);
  CHECK(drive.counters().unique_bytes == kPage);
  RandomStream random(6, "packed");
  Nanoseconds now{0};
  use(drive, random, now, 20'000);
  CHECK(inspect(drive.ftl()).empty());
}

TEST_CASE("many pages of one packed content are read with a single stripe read") {
  Drive drive(packing_drive(), Clock::untimed);
  for (std::uint64_t page = 0; page < 32; ++page) write(drive, page * kPage, kPage, 7);
  Lifecycle(drive).power_cycle();  // programs the content
  drive.set_clock(Clock::timed);
  const Counters before = drive.counters();
  execute(drive, Op::read, 0, 32 * kPage, kLater);
  const Counters run = difference(drive.counters(), before);
  CHECK(run.array_reads == 1);
  CHECK(run.media_read_bytes == 2 * kPage);  // both planes
}

TEST_CASE("fio verify finds all data on a deduplicating drive") {
  Drive drive(sharing_drive(), Clock::timed);
  const RunStats stats = run(drive, "rw=randwrite\nbs=4k\nsize=32m\nverify=crc32c\ndedupe_percentage=60\n");
  REQUIRE(stats.verify);
  CHECK(stats.verify->granules == 8192);
  CHECK(stats.verify->mismatches == 0);
  CHECK(stats.verify->first_seen == 0);
}

TEST_CASE("a deduplicating design takes over only from one with an equally large table") {
  const DriveConfig config = sharing_drive();
  Drive drive(config, Clock::timed);
  RandomStream random(9, "redesign");
  Nanoseconds now{0};
  use(drive, random, now, 3'000);
  DriveConfig other = config;
  other.ftl.deduplication = {};
  CHECK(redesign_problem(drive, other).find("deduplication differs") == 0);
  other = config;
  other.ftl.deduplication.ram_bytes /= 2;
  CHECK(redesign_problem(drive, other).find("contents that the table") == 0);
  other = config;
  other.ftl.deduplication.fingerprint = ns(1'000);
  other.ftl.gc.policy = gc_policy_index("fifo");
  std::vector<Version> before;
  for (std::uint32_t l = 0; l < config.logical_pages(); ++l) before.push_back(drive.ftl().pages().version(Lpn{l}));
  Lifecycle(drive).redesign(other);
  for (std::uint32_t l = 0; l < config.logical_pages(); ++l) REQUIRE(drive.ftl().pages().version(Lpn{l}) == before[l]);
  now = drive.idle_from();
  use(drive, random, now, 3'000);
  CHECK(inspect(drive.ftl()).empty());
}
