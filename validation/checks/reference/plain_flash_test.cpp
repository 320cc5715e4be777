// Compares the flash engine with a second implementation of its rules (plain_flash.h): start and end times, reports and die
// busy times must match to the nanosecond for any requests.
#include "validation/checks/reference/plain_flash.h"

#include "models/nand/schedule/flash_engine.h"
#include "sim/core/random.h"
#include "sim/testing/test.h"

using namespace ftlab;

namespace {

struct Trial {
  Geometry geometry;
  NandTiming timing;
  std::uint32_t frontiers = 1;
  std::uint32_t reads_percent = 30;
  std::uint32_t depth = 32;
};

// Records like those of an FTL: superblocks over all dies, programmed in order and erased when full.
class Stream {
 public:
  Stream(const Trial& trial, RandomStream& random) : trial_(trial), random_(random), open_(trial.frontiers) {
    for (std::uint32_t b = 0; b < trial.geometry.blocks_per_plane; ++b) free_.push_back(b);
    next_.resize(trial.frontiers);
  }

  std::vector<WorkRecord> batch() {
    std::vector<WorkRecord> records;
    const std::uint64_t count = 1 + random_.below(trial_.depth);
    for (std::uint64_t i = 0; i < count; ++i) {
      if (random_.chance(trial_.reads_percent, 100)) {
        records.push_back(host_read());
      } else if (random_.chance(1, 3)) {
        add_internal_reads(records);
      } else {
        add_program(records);
      }
    }
    return records;
  }
  std::uint32_t tag() const { return tag_; }

 private:
  WorkRecord read() {
    WorkRecord record;
    record.die = static_cast<std::uint16_t>(random_.below(trial_.geometry.dies()));
    const bool one = trial_.geometry.planes_per_die > 1 && random_.chance(1, 2);
    record.first_plane = static_cast<std::uint8_t>(one ? random_.below(2) : 0);
    record.planes = static_cast<std::uint8_t>(one ? 1 : trial_.geometry.planes_per_die);
    record.nand_page = static_cast<std::uint32_t>(random_.below(trial_.geometry.pages_per_block));
    record.superblock = static_cast<std::uint32_t>(random_.below(trial_.geometry.blocks_per_plane));
    record.bytes = 1024 * static_cast<std::uint32_t>(1 + random_.below(4));
    if (!programmed_.empty() && random_.chance(1, 3)) {  // a recent program
      const std::size_t most = std::min<std::size_t>(programmed_.size(), 64);
      const WorkRecord& program = programmed_[programmed_.size() - 1 - random_.below(most)];
      record.die = program.die;
      record.nand_page = program.nand_page;
      record.superblock = program.superblock;
    }
    if (random_.chance(1, 20)) record.repeats = 2, record.retry_ns = 7'000;
    return record;
  }
  WorkRecord host_read() {
    WorkRecord record = read();
    record.flags = WorkRecord::kHost;
    record.target = ++tag_;
    if (signal_ != kNoSignal && random_.chance(1, 10)) record.after = signal_;
    return record;
  }
  // Adds reads that feed future programs, or raise a signal for other reads and programs.
  void add_internal_reads(std::vector<WorkRecord>& records) {
    WorkRecord record = read();
    const auto frontier = static_cast<std::uint8_t>(random_.below(trial_.frontiers));
    if (random_.chance(3, 4)) {
      record.frontier = frontier;
      record.target = next_[frontier] + static_cast<std::uint32_t>(random_.below(2));
      record.span = static_cast<std::uint8_t>(1 + random_.below(3));
      if (random_.chance(1, 8)) record.flags = WorkRecord::kKeepsData;
      return records.push_back(record);
    }
    const Signal before = signal_;
    record.feeds = ++signal_;
    records.push_back(record);
    if (random_.chance(1, 2)) {
      WorkRecord second = read();
      second.feeds = signal_;
      if (random_.chance(1, 4)) second.flags = WorkRecord::kKeepsData;
      records.push_back(second);
    }
    if (before != kNoSignal && random_.chance(1, 4)) {
      WorkRecord joined;
      joined.kind = WorkRecord::Kind::attach;
      joined.feeds = signal_;
      joined.after = before;
      records.push_back(joined);
    }
    if (random_.chance(1, 2)) {
      WorkRecord attached;
      attached.kind = WorkRecord::Kind::attach;
      attached.frontier = frontier;
      attached.target = next_[frontier];
      attached.span = static_cast<std::uint8_t>(1 + random_.below(2));
      attached.after = signal_;
      records.push_back(attached);
    }
    if (random_.chance(1, 2)) {
      WorkRecord after = read();
      after.after = signal_;
      records.push_back(after);
    }
  }
  void erase(std::uint32_t superblock, std::vector<WorkRecord>& records) {
    for (std::uint32_t die = 0; die < trial_.geometry.dies(); ++die) {
      WorkRecord record;
      record.kind = WorkRecord::Kind::erase;
      record.die = static_cast<std::uint16_t>(die);
      record.superblock = superblock;
      record.planes = static_cast<std::uint8_t>(trial_.geometry.planes_per_die);
      record.target = ++erases_;
      records.push_back(record);
      if (!random_.chance(1, 20)) continue;
      record.flags = WorkRecord::kAfterPrevious;  // the erase of a spare block
      records.push_back(record);
    }
    free_.push_back(superblock);
  }
  void add_program(std::vector<WorkRecord>& records) {
    const auto frontier = static_cast<std::uint8_t>(random_.below(trial_.frontiers));
    Open& open = open_[frontier];
    if (open.left == 0) {
      if (open.superblock != kNone) full_.push_back(open.superblock);
      while (free_.size() < 2 && !full_.empty()) {
        erase(full_.front(), records);
        full_.erase(full_.begin());
      }
      open.superblock = free_.front();
      free_.erase(free_.begin());
      open.left = trial_.geometry.dies() * trial_.geometry.pages_per_block;
      if (random_.chance(1, 4)) {
        WorkRecord barrier;
        barrier.kind = WorkRecord::Kind::barrier;
        barrier.superblock = open.superblock;
        records.push_back(barrier);
      }
    }
    const std::uint32_t at = trial_.geometry.dies() * trial_.geometry.pages_per_block - open.left--;
    WorkRecord record;
    record.kind = WorkRecord::Kind::program;
    record.frontier = frontier;
    record.die = static_cast<std::uint16_t>(at % trial_.geometry.dies());
    record.nand_page = at / trial_.geometry.dies();
    record.superblock = open.superblock;
    record.planes = static_cast<std::uint8_t>(trial_.geometry.planes_per_die);
    if (random_.chance(1, 2)) record.flags = WorkRecord::kHostData, record.host_pages = 1;
    if (random_.chance(1, 12)) record.flags |= WorkRecord::kWithPrevious;
    if (random_.chance(1, 20)) record.flags |= WorkRecord::kAfterPrevious;
    if (random_.chance(1, 20)) record.flags |= WorkRecord::kInRegister;
    records.push_back(record);
    programmed_.push_back(record);
    ++next_[frontier];
  }

  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  struct Open {
    std::uint32_t superblock = kNone, left = 0;
  };
  const Trial& trial_;
  RandomStream& random_;
  std::vector<Open> open_;
  std::vector<std::uint32_t> free_, full_, next_;
  std::vector<WorkRecord> programmed_;
  Signal signal_ = kNoSignal;
  std::uint32_t tag_ = 0, erases_ = 0;
};

// Runs three in lockstep: PlainFlash, the engine, and the engine without log, which may use a different loop.
class Pair {
 public:
  explicit Pair(const Trial& trial)
      : engine_(trial.geometry, trial.timing, trial.frontiers),
        unrecorded_(trial.geometry, trial.timing, trial.frontiers),
        plain_(trial.geometry, trial.timing, trial.frontiers) {
    engine_.record(&log_);
  }
  void accept(const std::vector<WorkRecord>& records, Nanoseconds now) {
    engine_.accept(records, now);
    unrecorded_.accept(records, now);
    plain_.accept(records, now);
    collect(now);
  }
  void await_programmed(std::uint32_t tag, Nanoseconds now) {
    engine_.await_programmed(tag);
    unrecorded_.await_programmed(tag);
    plain_.await_programmed(tag);
    collect(now);
  }
  Nanoseconds next() {
    REQUIRE(engine_.next() == plain_.next());
    REQUIRE(unrecorded_.next() == plain_.next());
    return engine_.next();
  }
  // Runs all events of the next time; the reason for an engine event may have ceased.
  void step() {
    const Nanoseconds now = next();
    while (engine_.next() == now) engine_.run(now);
    while (unrecorded_.next() == now) unrecorded_.run(now, &sink_);
    while (plain_.next() == now) plain_.step();
    collect(now);
  }
  void compare(const Geometry& geometry) {
    REQUIRE((engine_.idle() && unrecorded_.idle()));
    const auto times = plain_.times();
    REQUIRE(times.size() == log_.size());
    for (std::size_t i = 0; i < times.size(); ++i) {
      INFO("operation " << i << " of " << times.size());
      REQUIRE(log_[i].start == times[i].first);
      REQUIRE(log_[i].done == times[i].second);
    }
    Nanoseconds busy{0};
    for (std::uint32_t die = 0; die < geometry.dies(); ++die) {
      REQUIRE(engine_.busy()[die] == plain_.die_busy(die));
      REQUIRE(unrecorded_.busy()[die] == plain_.die_busy(die));
      busy += plain_.die_busy(die);
    }
    REQUIRE(engine_.use().die_time.total() == busy);
  }
  std::size_t operations() const { return log_.size(); }
  std::uint64_t suspensions() const { return engine_.use().suspensions; }

 private:
  void collect(Nanoseconds now) {
    // Within an event the engine reports reads first.
    const auto by_tag = [](const PlainFlash::Report& a, const PlainFlash::Report& b) { return a.tag < b.tag; };
    std::sort(plain_.reports.begin(), plain_.reports.end(), by_tag);
    for (FlashEngine* engine : {&engine_, &unrecorded_}) {
      std::vector<PlainFlash::Report> reports;
      if (engine == &unrecorded_) reports.swap(sink_.reports);
      engine->take_reports(
          [&](const HostRead& read) {
            REQUIRE(read.times.done <= now);
            reports.push_back({read.tag, read.times.done});
          },
          [&](std::uint32_t tag) {
            reports.push_back({tag, now});
          });
      std::sort(reports.begin(), reports.end(), by_tag);
      REQUIRE(reports == plain_.reports);
    }
    plain_.reports.clear();
  }

  // Takes reads as they end, like a drive; the engine that records reports them.
  struct Sink final : HostReadSink {
    Nanoseconds read_ended(const HostRead& read) override {
      reports.push_back({read.tag, read.times.done});
      return kNever;
    }
    std::vector<PlainFlash::Report> reports;
  };

  FlashEngine engine_, unrecorded_;
  Sink sink_;
  PlainFlash plain_;
  std::vector<TimedOperation> log_;
};

Trial drawn_trial(RandomStream& random) {
  Trial trial;
  const std::uint32_t channels = 1u << random.below(3);
  const std::uint32_t on_each = 1u << random.below(random.chance(1, 10) ? 5 : 3);
  trial.geometry = {channels, on_each, 1, 1 + static_cast<std::uint32_t>(random.below(2)), 12, 4, 4096, 0, 1024};
  const bool even = random.chance(1, 2);  // rounded, so that times often coincide
  const auto ns = [even](std::uint64_t time) { return Nanoseconds{even ? time / 10'000 * 10'000 : time}; };
  NandTiming& timing = trial.timing;
  timing.read = ns(50'317);
  timing.program = {ns(300'771), ns(905'113)};
  timing.erase = ns(2'011'903);
  timing.bus_bytes_per_s = even ? 102'400'000 : 133'000'000;
  timing.bus_command = ns(501);
  timing.cache_program = random.chance(1, 2);
  timing.cache_read = random.chance(1, 2);
  timing.independent_plane_reads = trial.geometry.planes_per_die > 1 && random.chance(1, 2);
  const std::vector<SchedulingPolicyKind>& kinds = scheduling_policy_kinds();
  timing.scheduling.policy = random.below(kinds.size());
  for (std::size_t i = 0; i < kinds[timing.scheduling.policy].parameters.size(); ++i)
    timing.scheduling.values.push_back(100 + random.below(i == 0 ? 800 : 300'000));
  if (timing.scheduling.make(1)->suspends() && random.chance(2, 3))
    timing.suspension = {random.chance(2, 3), random.chance(2, 3), ns(20'011), ns(10'007),
                         1 + static_cast<std::uint32_t>(random.below(4)), ns(random.chance(1, 2) ? 70'001 : 0)};
  trial.frontiers = 1 + static_cast<std::uint32_t>(random.below(3));
  trial.reads_percent = static_cast<std::uint32_t>(random.below(3)) * 35;
  trial.depth = 1u << random.below(9);
  return trial;
}

struct Done {
  std::uint64_t operations = 0, suspensions = 0;
};

void run(std::uint64_t seed, Done& done) {
  RandomStream random(seed, "flash engine");
  const Trial trial = drawn_trial(random);
  INFO("seed " << seed << ", " << trial.geometry.dies() << " dies, "
               << scheduling_policy_kinds()[trial.timing.scheduling.policy].name);
  Stream stream(trial, random);
  Pair pair(trial);
  Nanoseconds now{0};
  for (std::uint32_t batch = 0; pair.operations() < 300; ++batch) {
    pair.accept(stream.batch(), now);
    if (random.chance(1, 5)) pair.await_programmed(1'000'000'000 + batch, now);
    for (std::uint64_t events = random.below(2 * trial.depth + 4); events > 0 && pair.next() != kNever; --events) {
      now = pair.next();
      pair.step();
    }
    if (random.chance(1, 2)) now += Nanoseconds{random.below(30'000)};
    while (pair.next() <= now && pair.next() != kNever) pair.step();
  }
  while (pair.next() != kNever) pair.step();
  pair.compare(trial.geometry);
  done.operations += pair.operations();
  done.suspensions += pair.suspensions();
}

}  // namespace

TEST_CASE("the flash engine matches its rules to the nanosecond") {
  Done done;
  for (std::uint64_t seed = 0; seed < 300; ++seed) run(seed, done);
  CHECK(done.operations > 90'000);
  CHECK(done.suspensions > 200);
}

TEST_CASE("the flash engine matches its rules over many seeds", "[.][long]") {
  Done done;
  for (std::uint64_t seed = 1'000; seed < 20'000; ++seed) run(seed, done);
}
