// A saved and loaded drive of any design continues like the original: same times by part, same counters, same bytes, across
// idle periods and a power cut. Detects state that a class fails to save or load.
#include <algorithm>
#include <vector>

#include "ftl/drive/drive.h"
#include "ftl/drive/drive_counters.h"
#include "ftl/drive/lifecycle.h"
#include "ftl/drive/smart_log.h"
#include "ftl/schemes/demand_map.h"
#include "sim/core/random.h"
#include "sim/core/signature.h"
#include "sim/counters.h"
#include "sim/testing/test.h"
#include "validation/checks/reference/design_documents.h"

using namespace ftlab;

namespace {

constexpr std::uint64_t kPage = 4096;

// Requests of all kinds, a few at a time, mostly to a tenth of the drive, with occasional idle periods.
class Host {
 public:
  explicit Host(Drive& drive) : drive_(&drive), pages_(drive.config().user_bytes / kPage) {}

  // The same host in the same state, on another drive.
  Host at(Drive& other) const {
    Host same = *this;
    same.drive_ = &other;
    return same;
  }
  void run(int batches) {
    now_ = std::max(now_, drive_->latest());
    for (int batch = 0; batch < batches; ++batch) {
      std::vector<Request> requests(1 + random_.below(4));
      for (Request& request : requests) request = next();
      drive_->submit(requests);
      for (Completion done; drive_->wait(kNever, {&done, 1}) > 0;) note(done);
      if (random_.chance(1, 8)) now_ += Nanoseconds{random_.below(1'500'000'000)};
    }
  }
  // Hash of all completions.
  std::uint64_t seen() const { return seen_.value(); }

 private:
  Request next() {
    constexpr Op kOps[] = {Op::write, Op::write, Op::write, Op::write, Op::write, Op::read, Op::read, Op::trim};
    issued_.push_back(now_);
    Request request{tag_++, random_.chance(1, 40) ? Op::flush : kOps[random_.below(8)], 0, 0, now_};
    request.content = {1 + random_.below(50), 300 + random_.below(700)};
    request.stream = static_cast<std::uint8_t>(random_.below(3));
    if (request.op == Op::flush) return request;
    const std::uint64_t length = 1 + random_.below(4), places = (random_.chance(4, 5) ? pages_ / 10 : pages_) - length;
    const bool sequential = random_.chance(1, 4), part = random_.chance(1, 6);
    next_ = sequential && next_ <= pages_ - length ? next_ : random_.below(places);
    request.offset_bytes = next_ * kPage + (part ? kSectorBytes : 0);
    request.length_bytes = length * kPage - (part ? kSectorBytes : 0);
    next_ += length;
    return request;
  }
  void note(const Completion& done) {
    now_ = std::max(now_, done.completed);
    seen_.add(done.tag);
    seen_.add(done.completed.count());
    seen_.add(static_cast<std::uint64_t>(done.status));
    Nanoseconds sum{0};  // the parts must add up to the latency
    for (const Nanoseconds part : done.parts) sum += part, seen_.add(part.count());
    if (sum != done.completed - issued_.at(done.tag)) FAIL("the parts of request " << done.tag << " are not its latency");
  }

  Drive* drive_;
  std::uint64_t pages_;
  RandomStream random_{17, "saved designs"};
  Signature seen_;
  Nanoseconds now_{0};
  std::vector<Nanoseconds> issued_;  // by tag
  std::uint64_t tag_ = 0, next_ = 0;
};

std::uint64_t signature_of(const Drive& drive) {
  Signature signature;
  sign(drive, signature);
  return signature.value();
}

// Values with a late effect or none, such as statistics.
void require_same_counts(const Drive& drive, const Drive& other) {
  const Nanoseconds now = drive.latest();
  const SmartLog log = smart_log(drive, now), others = smart_log(other, now);
  for (const HealthField& field : kHealthFields) {
    if (log.*field.member == others.*field.member) continue;
    INFO(field.name);
    REQUIRE(log.*field.member == others.*field.member);
  }
  const Ftl &layer = drive.ftl(), &loaded = other.ftl();
  REQUIRE(layer.store().pages().newest_version() == loaded.store().pages().newest_version());
  REQUIRE(layer.counts().trim_record_slots == loaded.counts().trim_record_slots);
  if (const auto* const demand = dynamic_cast<const DemandMap*>(&layer.scheme())) {
    const auto& others_map = dynamic_cast<const DemandMap&>(loaded.scheme());
    REQUIRE(demand->cache().counts().evictions == others_map.cache().counts().evictions);
    REQUIRE(demand->cache().counts().write_backs == others_map.cache().counts().write_backs);
  }
  if (layer.pages().deduplication() != nullptr)
    REQUIRE(layer.pages().deduplication()->newest_version() == loaded.pages().deduplication()->newest_version());
  if (!drive.flash().health) return;
  REQUIRE(drive.flash().health->defects().factory_bad() == other.flash().health->defects().factory_bad());
  bool alike = true;
  for (std::uint32_t s = 0; s < drive.medium().layout().superblocks(); ++s)
    alike =
        alike && drive.flash().health->charged_pool(SuperblockId{s}) == other.flash().health->charged_pool(SuperblockId{s});
  REQUIRE(alike);
}

void require_same(const Drive& drive, const Drive& other) {
  REQUIRE(signature_of(drive) == signature_of(other));
  const Counters counters = drive.counters(), others = other.counters();
  for (const CounterField& field : kCounterFields) {
    if (counters.*field.member == others.*field.member) continue;
    INFO(field.name);
    REQUIRE(counters.*field.member == others.*field.member);
  }
  require_same_counts(drive, other);
  bool alike = true;
  for (std::uint32_t l = 0; l < drive.config().logical_pages(); ++l)
    alike = alike && drive.ftl().pages().version(Lpn{l}) == other.ftl().pages().version(Lpn{l});
  REQUIRE(alike);
  REQUIRE(drive.flash().engine->busy() == other.flash().engine->busy());
}

}  // namespace

// Includes saves during flash operations.
TEST_CASE("a saved and loaded drive of any design continues like the original") {
  int collected = 0;
  for (const auto& [name, unused] : designs()) {
    INFO(name);
    const DriveConfig config = read_drive(document(name));
    Drive drive(config, Clock::timed, 3);
    Host host(drive);
    for (int saved = 0; saved < 24; ++saved) {
      host.run(90);
      const std::string state = drive.save();
      Drive other(config, Clock::timed, 3);
      if (saved % 4 == 3) Host(other).run(60);             // a shorter history, which must leave no trace
      if (saved == 1 || saved == 6) Host(other).run(900);  // a longer history
      other.load(state);
      REQUIRE((other.save() == state));
      require_same(drive, other);
      Host same = host.at(other);
      for (const int batches : {3, 30}) {
        host.run(batches);
        same.run(batches);
        REQUIRE(host.seen() == same.seen());
        require_same(drive, other);
      }
      drive.idle_from();
      other.idle_from();
      require_same(drive, other);
      if (saved % 4 != 2 || config.endurance.ends()) continue;
      Lifecycle(drive).power_cycle();
      Lifecycle(other).power_cycle();
      require_same(drive, other);
      for (const std::string& sentence : inspect(other.ftl())) FAIL(sentence);
    }
    collected += drive.counters().collected_superblocks > 0;
  }
  CHECK(collected >= 20);
}

TEST_CASE("a drive at its end of life is loaded as one, with bad superblocks charged to the same pools") {
  for (const char* const change : {"ftl.trim.record_bytes=1", "ftl.trim.record_bytes=64"}) {
    Node design = document("mortal");
    set_by_path(design, change);
    const DriveConfig config = read_drive(design);
    Drive drive(config, Clock::timed, 3);
    Host host(drive);
    int charged = 0;
    for (int part = 0; part < 400 && !drive.ftl().read_only(); ++part) {
      Drive other(config, Clock::timed, 3);
      other.load(drive.save());
      require_same(drive, other);
      Host same = host.at(other);
      host.run(60);
      same.run(60);
      REQUIRE(host.seen() == same.seen());
      require_same(drive, other);
    }
    REQUIRE(drive.ftl().read_only());
    for (std::uint32_t s = 0; s < drive.medium().layout().superblocks(); ++s)
      charged += drive.flash().health->charged_pool(SuperblockId{s}) != BadBlockTable::kNoPool;
    CHECK(charged > 0);
    Drive other(config, Clock::timed, 3);
    other.load(drive.save());
    Host same = host.at(other);
    host.run(40);
    same.run(40);
    CHECK(host.seen() == same.seen());
    require_same(drive, other);
  }
}

// State left over from before the cut would differ from a drive that was only loaded.
TEST_CASE("a drive of any design after a power cut during flash operations continues like its saved copy") {
  int cut = 0, under_way = 0;
  for (const auto& [name, unused] : designs()) {
    INFO(name);
    const DriveConfig config = read_drive(document(name));
    if (config.endurance.ends() || config.cells.err()) continue;
    Drive drive(config, Clock::timed, 3);
    FlashJournal journal(drive.medium().layout(), config.nand, config.geometry.pages_per_block);
    Lifecycle(drive).keep_journal(&journal);
    Host host(drive);
    RandomStream random(5, "cuts");
    for (int part = 0; part < 12; ++part) {
      host.run(60);
      const FlashJournal::Damage damage = Lifecycle(drive).power_cycle(
          journal, drive.latest() + Nanoseconds{random.below(2'000'000)},
          [&random](std::uint32_t count) { return static_cast<std::uint32_t>(random.below(count)); });
      under_way += damage.programs_under_way + damage.erases_under_way > 0;
      Drive other(config, Clock::timed, 3);
      other.load(drive.save());
      require_same(drive, other);
      Host same = host.at(other);
      for (const int batches : {2, 30}) {
        host.run(batches);
        same.run(batches);
        REQUIRE(host.seen() == same.seen());
        require_same(drive, other);
      }
      ++cut;
    }
  }
  CHECK(cut > 200);
  CHECK(under_way > 50);
}
