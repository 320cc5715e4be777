// Checks a drive's counters, for every design, against independent accounts of the requests, of the state of the FTL and of
// the flash operations. Also checks the order of flash operations: pages are programmed in order, in erased superblocks.
#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "ftl/drive/drive.h"
#include "ftl/drive/lifecycle.h"
#include "ftl/testing/drives.h"
#include "sim/core/random.h"
#include "sim/counters.h"
#include "sim/testing/test.h"
#include "validation/checks/reference/design_documents.h"
#include "validation/checks/reference/sound_drive.h"

using namespace ftlab;

namespace {

using Kind = FlashOperation::Kind;
constexpr std::uint64_t kUnit = 4096;  // request granularity: one or more mapping pages

// Sends one request at a time and keeps the host's side of the accounts.
class Accounts {
 public:
  explicit Accounts(Drive& drive) : drive_(drive), units_(drive.config().user_bytes / kUnit) {}

  void run(int requests) {
    now_ = std::max(now_, drive_.idle_from());
    for (int i = 0; i < requests; ++i) {
      const Request request = next();
      const Ftl& ftl = drive_.ftl();
      std::uint64_t unmapped = 0, stored = 0;  // pages of the request, before it runs
      const std::uint64_t size = drive_.config().ftl.mapping_bytes, end = request.offset_bytes + request.length_bytes;
      for (std::uint64_t page = request.offset_bytes / size; page * size < end; ++page) {
        const HostPages::Found found = ftl.pages().find(Lpn{static_cast<std::uint32_t>(page)});
        unmapped += found.where == HostPages::Found::Where::unmapped;
        stored += found.ppn != kNoPpn;
      }
      drive_.submit({&request, 1});
      Completion done;
      REQUIRE(drive_.wait(kNever, {&done, 1}) == 1);
      now_ = done.completed;
      note(request, done.status, unmapped, stored);
      if (random_.chance(1, 20)) now_ += Nanoseconds{random_.below(40'000'000)};
    }
  }
  void flush() {
    const Request request{tag_++, Op::flush, 0, 0, std::max(now_, drive_.idle_from())};
    drive_.submit({&request, 1});
    Completion done;
    REQUIRE(drive_.wait(kNever, {&done, 1}) == 1);
    now_ = done.completed;
  }
  void require_kept(const Counters& all) const {
    CHECK(all.host_read_bytes == read_bytes_);
    CHECK(all.host_read_commands == reads_);
    CHECK(all.host_write_commands == writes_);
    CHECK(all.host_trim_bytes == trim_bytes_);
    CHECK(all.unmapped_read_pages == unmapped_);
    if (!refused_) CHECK(all.host_write_bytes == write_bytes_);
    const FtlConfig& ftl = drive_.config().ftl;
    const bool at_once = ftl.trim.mode == TrimConfig::Mode::immediate && !ftl.buffer.coalesce;
    if (at_once && !refused_) CHECK(all.trimmed_pages == trimmed_);
  }

 private:
  // Trims cover whole pages.
  Request next() {
    constexpr Op kOps[] = {Op::write, Op::write, Op::write, Op::write, Op::read, Op::read, Op::trim};
    Request request{tag_++, random_.chance(1, 40) ? Op::flush : kOps[random_.below(7)], 0, 0, now_};
    request.content = {1 + random_.below(50), 300 + random_.below(700)};
    if (request.op == Op::flush) return request;
    const std::uint64_t length = 1 + random_.below(4), places = (random_.chance(3, 4) ? units_ / 10 : units_) - length;
    const std::uint64_t part = request.op != Op::trim && random_.chance(1, 6) ? kSectorBytes : 0;
    request.offset_bytes = random_.below(places) * kUnit + part;
    request.length_bytes = length * kUnit - part;
    return request;
  }
  void note(const Request& request, Status status, std::uint64_t unmapped, std::uint64_t stored) {
    if (status == Status::read_only) refused_ = true;
    if (request.op == Op::read) {
      ++reads_;
      read_bytes_ += request.length_bytes;
      unmapped_ += unmapped;
    } else if (request.op == Op::write) {
      ++writes_;
      write_bytes_ += request.length_bytes;
    } else if (request.op == Op::trim && status == Status::ok) {
      trim_bytes_ += request.length_bytes;
      trimmed_ += stored;
    }
  }

  Drive& drive_;
  std::uint64_t units_;
  RandomStream random_{19, "accounts"};
  Nanoseconds now_{0};
  std::uint64_t tag_ = 0, reads_ = 0, writes_ = 0, read_bytes_ = 0, write_bytes_ = 0, trim_bytes_ = 0, unmapped_ = 0,
                trimmed_ = 0;
  bool refused_ = false;
};

// Compares counters with the log of flash operations.
void require_flash_work(const Drive& drive, const std::vector<TimedOperation>& log) {
  const Counters all = drive.counters();
  std::uint64_t reads = 0, from_memory = 0, programs = 0, pages = 0, erases = 0, blocks = 0, slc = 0,
                kinds[kMostPageKinds] = {};
  Nanoseconds erasing{0};
  const NandTiming& timing = drive.config().nand;
  for (const auto& [asked, start, done] : log) {
    const bool at_once = asked.kind == Kind::read && start == done;  // served from RAM before its program ended
    REQUIRE((asked.ready <= start && (start < done || at_once) && done < kNever));
    from_memory += at_once;
    if (asked.kind == Kind::program) {
      ++programs;
      pages += asked.planes;
      const std::uint32_t kind = page_kind(timing.page_order, static_cast<std::uint32_t>(timing.program.size()),
                                           asked.page.nand_page, drive.config().geometry.pages_per_block);
      (asked.page.slc ? slc : kinds[kind]) += asked.planes;
    } else if (asked.kind == Kind::erase) {
      ++erases;
      blocks += asked.planes;
      erasing += done - start;
    } else {
      ++reads;
    }
  }
  if (!drive.flash().errors) CHECK(all.array_reads == reads);  // retries repeat reads
  CHECK(all.buffered_reads == from_memory);
  CHECK(all.array_programs == programs);
  CHECK(all.array_pages_programmed == pages);
  CHECK(all.array_erases == erases);
  CHECK(all.array_blocks_erased == blocks);
  CHECK(all.media_operations == all.array_reads + programs + erases);
  if (all.suspensions == 0) CHECK(all.die_erase_ns == erasing.count());
  if (!drive.config().power) return;
  CHECK(all.slc_pages_programmed == slc);
  CHECK(all.first_pages_programmed == kinds[0]);
  CHECK(all.second_pages_programmed == kinds[1]);
  CHECK(all.third_pages_programmed == kinds[2]);
  CHECK(all.fourth_pages_programmed == kinds[3]);
}

// Compares current values with the state of the FTL.
void require_levels(const Drive& drive) {
  const Counters all = drive.counters();
  const Ftl& ftl = drive.ftl();
  const std::uint64_t page = drive.config().ftl.mapping_bytes;
  const Blocks& blocks = ftl.store().blocks();
  const auto in_state = [&blocks](BlockState state) {
    std::uint64_t superblocks = 0;
    for (std::uint32_t b = 0; b < blocks.count(); ++b) superblocks += blocks.state(SuperblockId{b}) == state;
    return superblocks;
  };
  CHECK(all.free_superblocks == in_state(BlockState::free));
  CHECK(all.superblocks_retired == in_state(BlockState::retired));
  std::uint64_t stored = 0, mapped = 0;
  for (std::uint32_t l = 0; l < ftl.store().pages().map().lpns(); ++l)
    stored += ftl.store().pages().map().find(Lpn{l}) != kNoPpn;
  CHECK((drive.flash().deduplication.has_value() ? all.unique_bytes : all.mapped_bytes) == stored * page);
  if (drive.flash().deduplication.has_value()) {
    for (std::uint32_t l = 0; l < drive.config().logical_pages(); ++l)
      mapped += drive.flash().deduplication->content_of(Lpn{l}) != kNoLpn;
    CHECK(all.mapped_bytes == mapped * page);
    CHECK(all.deduplicated_bytes > 0);
  }
  if (!drive.flash().health) {
    std::uint64_t erases = 0;
    for (const std::uint32_t count : drive.medium().superblocks().erase_counts()) erases += count;
    CHECK(all.block_erases == erases * drive.medium().layout().blocks_per_superblock());
    return;
  }
  const Defects& defects = drive.flash().health->defects();
  std::uint64_t bad = 0, spare = 0;
  for (std::uint32_t block = 0; block < defects.block_count(); ++block) {
    bad += defects.use(block) == BlockUse::factory_bad || defects.use(block) == BlockUse::grown_bad;
    spare += defects.use(block) == BlockUse::spare;
  }
  CHECK((all.bad_blocks == bad && all.spare_blocks == spare));
}

// Checks the operations on a superblock's blocks on one die, in the order requested: programs go to an erased block in
// ascending page order, nothing overlaps, and only programmed pages are read.
void require_order(const std::vector<TimedOperation>& operations) {
  Nanoseconds free{0};
  std::set<std::uint32_t> programmed;
  bool slc = false;
  for (const TimedOperation& it : operations) {
    const std::uint32_t page = it.asked.page.nand_page;
    if (it.asked.kind == Kind::read || it.asked.kind == Kind::read_internally) {
      REQUIRE(programmed.count(page) == 1);
      REQUIRE(it.asked.page.slc == slc);
      continue;
    }
    REQUIRE(it.start >= free);
    free = it.done;
    if (it.asked.kind == Kind::erase) {
      programmed.clear();
    } else {
      REQUIRE((programmed.empty() || (*programmed.rbegin() < page && it.asked.page.slc == slc)));
      slc = it.asked.page.slc;
      programmed.insert(page);
    }
  }
}

void require_order(const Drive& drive, const std::vector<TimedOperation>& log) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<TimedOperation>> by_block;
  for (const TimedOperation& it : log) by_block[{number(it.asked.die), number(it.asked.page.block)}].push_back(it);
  for (const auto& [where, operations] : by_block) {
    INFO("die " << where.first << ", superblock " << where.second);
    require_order(operations);
  }
  CHECK(by_block.size() > drive.config().geometry.dies());
}

// Checks that a power cycle keeps the counters, except for the power cut itself and internal pages that waited in RAM.
// Hybrid mappings (merges on restart) and protected buffers (programmed) may also raise them.
void require_past_is_kept(Drive& drive) {
  const FtlConfig& ftl = drive.config().ftl;
  const bool works = ftl.mapping.hybrid() || ftl.buffer.power_loss_protected;
  const Counters before = drive.counters();
  const Version newest = drive.ftl().pages().newest_version();
  Lifecycle(drive).power_cycle();
  CHECK(drive.ftl().pages().newest_version() >= newest);
  const Counters after = drive.counters();
  for (const CounterField& field : kCounterFields) {
    if (field.kind == CounterField::level || field.member == &Counters::power_cuts) continue;
    INFO(field.name);
    CHECK(after.*field.member >= before.*field.member);
    if (!works && field.member != &Counters::media_lost_bytes) CHECK(after.*field.member == before.*field.member);
  }
  CHECK(after.power_cuts == before.power_cuts + 1);
}

// Merges account for all superblocks freed by a hybrid mapping.
void require_merges(const Counters& all) {
  CHECK(all.switch_merges + all.partial_merges + all.full_merges == all.collected_superblocks);
  CHECK(all.full_merges > 0);
}

void check_accounts(const DriveConfig& config, int requests) {
  Drive drive(config, Clock::timed, 3);
  std::vector<TimedOperation> log;
  Lifecycle(drive).record_flash(&log);
  Accounts accounts(drive);
  for (int part = 0; part < 3; ++part) {
    accounts.run(requests);
    drive.idle_from();
    accounts.require_kept(drive.counters());
    require_flash_work(drive, log);
    require_levels(drive);
    testing::require_counted(drive);
    if (config.ftl.mapping.hybrid()) require_merges(drive.counters());
    if (part != 1) continue;
    accounts.flush();
    drive.idle_from();
    require_past_is_kept(drive);
    testing::require_counted(drive);
  }
  require_order(drive, log);
}

}  // namespace

TEST_CASE("counters match requests, state and flash operations for every design") {
  for (const auto& [name, unused] : designs()) {
    INFO(name);
    check_accounts(read_drive(document(name)), 900);
  }
}

// With one-second reads and a separate frontier, a page programmed before its read would be noticed.
TEST_CASE("no page is relocated before it was read, for every design") {
  int designs_seen = 0;
  for (const auto& [name, unused] : designs()) {
    INFO(name);
    DriveConfig config = read_drive(document(name));
    if (!config.ftl.separate_relocation || config.ftl.mapping.hybrid()) continue;
    config.nand.read = std::chrono::seconds(1);
    config.nand.read_by_kind.clear();
    Drive drive(config, Clock::timed, 3);
    std::vector<TimedOperation> log;
    Lifecycle(drive).record_flash(&log);
    RandomStream random(5, "relocated");
    Nanoseconds now{0};
    for (int i = 0; i < 20'000 && drive.counters().relocated_pages < 64; ++i) {
      Request request{0, Op::write, random.below(config.user_bytes / kUnit) * kUnit, kUnit, now};
      request.content = {0, 700};
      drive.submit({&request, 1});
      Completion done;
      REQUIRE(drive.wait(kNever, {&done, 1}) == 1);
      now = done.completed;
    }
    drive.idle_from();
    REQUIRE(drive.counters().relocated_pages >= 64);
    const std::vector<FrontierPlan> frontiers = config.ftl.frontiers();
    Nanoseconds read = kNever, programmed = kNever;  // time of the first one
    for (const TimedOperation& it : log) {
      if (it.asked.kind == Kind::read || it.asked.kind == Kind::read_internally) read = std::min(read, it.done);
      if (it.asked.kind == Kind::program && frontiers[it.asked.frontier].relocation) programmed = std::min(programmed, it.start);
    }
    REQUIRE(programmed < kNever);
    CHECK(programmed >= read);
    ++designs_seen;
  }
  CHECK(designs_seen >= 10);
}

TEST_CASE("a drive with parity programs and counts one parity stripe per row") {
  DriveConfig config = striped_drive();
  config.geometry.blocks_per_plane = 16;
  config.ftl.superblock = {8, 2, true};
  config.user_bytes = 8ull << 20;
  config.ftl.gc = {0, 3, 4, 8};
  Drive drive(config, Clock::timed);
  Accounts accounts(drive);
  accounts.run(5'000);
  const Medium& medium = drive.medium();
  const Layout& layout = medium.layout();
  REQUIRE(medium.superblocks().erased() > 10);
  std::uint64_t parity = medium.superblocks().erased() * (layout.pages_per_superblock() - layout.data_pages());
  for (std::uint32_t b = 0; b < layout.superblocks(); ++b)
    for (std::uint32_t p = 0; p < medium.superblocks().programmed(SuperblockId{b}); ++p)
      parity += layout.is_parity(layout.stripe_of(p));
  CHECK(drive.counters().media_parity_bytes == parity * kUnit);
  CHECK(layout.data_pages() * 8 == layout.pages_per_superblock() * 7);
  testing::require_counted(drive);
}
