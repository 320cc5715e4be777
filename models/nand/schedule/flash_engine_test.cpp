// Die time that the engine counts when the power fails during an operation, and reads of pages in flight. Start and end
// times are checked in validation/checks/reference/plain_flash_test.cpp.
#include "models/nand/schedule/flash_engine.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "models/nand/timing/operation_times.h"
#include "sim/testing/test.h"

using namespace ftlab;

namespace {

// One die; programs take 300 us after the transfer of their two pages.
struct Flash {
  explicit Flash(bool cache_program, bool suspends = false, Nanoseconds suspend = Nanoseconds{20'000},
                 Nanoseconds step = Nanoseconds{0}) {
    const Geometry geometry{1, 1, 1, 2, 64, 16, 4096, 128, 1024};
    NandTiming timing;
    timing.program = {Nanoseconds{300'000}};
    timing.bus_bytes_per_s = 100'000'000;
    timing.cache_program = cache_program;
    timing.read = Nanoseconds{50'000};
    timing.scheduling.policy = scheduling_policy_index("read-first");
    if (suspends) timing.suspension = {true, true, suspend, Nanoseconds{10'000}, 8, step};
    engine.emplace(geometry, timing, 1);
    transfer = OperationTimes(geometry, timing, {}).program_transfer(2);
  }
  void program() {
    WorkRecord record;
    record.kind = WorkRecord::Kind::program;
    record.planes = 2;
    record.flags = WorkRecord::kHostData;
    engine->accept({&record, 1}, Nanoseconds{0});
  }
  void read(Nanoseconds at) {
    engine->run(at);
    WorkRecord record;
    record.kind = WorkRecord::Kind::read;
    record.flags = WorkRecord::kHost;
    record.nand_page = 1;  // not the page being programmed
    record.bytes = 4096;
    engine->accept({&record, 1}, at);
  }
  void cut(Nanoseconds at) {
    engine->run(at);
    engine->clear(at);
  }
  Nanoseconds programming() const { return engine->use().die_time.of(DieTime::host_programs); }

  std::optional<FlashEngine> engine;
  Nanoseconds transfer{0};
};

}  // namespace

TEST_CASE("a program cut by a power failure counts its die time up to the cut") {
  for (const bool cached : {false, true}) {
    Flash flash(cached);
    REQUIRE(flash.transfer > Nanoseconds{1'000});
    flash.program();
    flash.cut(flash.transfer + Nanoseconds{100'000});
    CHECK(flash.programming() == Nanoseconds{100'000} + (cached ? Nanoseconds{0} : flash.transfer));
    CHECK(flash.engine->use().die_time.total() == flash.programming());
    CHECK(flash.engine->busy()[0] == flash.programming());
  }
}

TEST_CASE("a program cut during its transfer counts the elapsed part of the transfer") {
  Flash flash(false);
  flash.program();
  flash.cut(Nanoseconds{1'000});
  CHECK(flash.programming() == Nanoseconds{1'000});
  CHECK(flash.engine->use().die_time.of(DieTime::suspensions) == Nanoseconds{0});
  CHECK(flash.engine->busy()[0] == Nanoseconds{1'000});
}

TEST_CASE("a program cut while it stops for a read counts its time up to the read, and the stopping as suspension") {
  for (const bool cached : {false, true}) {
    CAPTURE(cached);
    Flash flash(cached, true);
    const Nanoseconds asked = flash.transfer + Nanoseconds{100'000},
                      worked = asked - (cached ? flash.transfer : Nanoseconds{0});
    flash.program();
    flash.read(asked);
    flash.cut(asked + Nanoseconds{5'000});
    CHECK(flash.engine->use().suspensions == 1);
    CHECK(flash.programming() == worked);
    CHECK(flash.engine->use().die_time.of(DieTime::suspensions) == Nanoseconds{5'000});
    CHECK(flash.engine->use().die_time.of(DieTime::host_reads) == Nanoseconds{0});
    CHECK(flash.engine->busy()[0] == flash.engine->use().die_time.total());
  }
}

TEST_CASE("a program of steps stops at the end of the one that is running, and ends after its whole array time") {
  const Nanoseconds step{80'000}, asked{100'000}, stops{140'000};  // 300 us: steps end after 60, 140 and 220 us
  Flash flash(true, true, Nanoseconds{20'000}, step);
  flash.program();
  flash.read(flash.transfer + asked);
  Nanoseconds began{0};
  while (!flash.engine->idle()) {
    flash.engine->run(kNever);
    flash.engine->take_reports([&](const HostRead& read) { began = read.times.array_start; }, [](std::uint32_t) {});
  }
  CHECK(began == flash.transfer + stops + Nanoseconds{20'000});
  CHECK(flash.programming() == Nanoseconds{300'000});
  CHECK(flash.engine->use().die_time.of(DieTime::suspensions) == Nanoseconds{30'000});
  CHECK(flash.engine->busy()[0] == flash.engine->use().die_time.total());
  for (const std::uint64_t after : {120'000u, 145'000u}) {  // cut within the step, and while it stops
    Flash cut(true, true, Nanoseconds{20'000}, step);
    cut.program();
    cut.read(cut.transfer + asked);
    cut.cut(cut.transfer + Nanoseconds{after});
    CHECK(cut.programming() == std::min(Nanoseconds{after}, stops));
    CHECK(cut.engine->use().die_time.of(DieTime::suspensions) == Nanoseconds{after} - cut.programming());
    CHECK(cut.engine->busy()[0] == cut.engine->use().die_time.total());
  }
}

TEST_CASE("a program cut after it resumed counts its time before the suspension and since the resume") {
  for (const bool ahead : {false, true}) {  // `ahead`: cut during the resume time of 10 us, else after it
    CAPTURE(ahead);
    Flash flash(true, true);
    const Nanoseconds asked = flash.transfer + Nanoseconds{100'000};
    flash.program();
    flash.read(asked);
    Nanoseconds read_over{0};
    while (read_over == Nanoseconds{0}) {
      flash.engine->run(kNever);
      flash.engine->take_reports([&](const HostRead& read) { read_over = read.times.done; }, [](std::uint32_t) {});
    }
    const Nanoseconds since{ahead ? 4'000u : 34'000u};
    flash.cut(read_over + since);
    const Nanoseconds again = ahead ? Nanoseconds{0} : Nanoseconds{24'000};
    CHECK(flash.programming() == Nanoseconds{100'000} + again);
    CHECK(flash.engine->use().die_time.of(DieTime::suspensions) == Nanoseconds{20'000} + since - again);
    CHECK(flash.engine->busy()[0] == flash.engine->use().die_time.total());
  }
}

TEST_CASE(
    "a read that arrives during a program's transfer suspends it when its array time begins, unless stopping takes longer "
    "than the program") {
  for (const bool stops : {false, true}) {
    CAPTURE(stops);
    Flash flash(false, true, Nanoseconds{stops ? 299'999u : 300'000u});
    flash.program();
    flash.read(Nanoseconds{1'000});  // during its transfer
    Nanoseconds began{0};
    while (!flash.engine->idle()) {
      flash.engine->run(kNever);
      flash.engine->take_reports([&](const HostRead& read) { began = read.times.array_start; }, [](std::uint32_t) {});
    }
    CHECK(began == flash.transfer + Nanoseconds{stops ? 299'999u : 300'000u});
    CHECK(flash.engine->use().suspensions == (stops ? 1 : 0));
    CHECK(flash.engine->busy()[0] == flash.engine->use().die_time.total());
  }
}

TEST_CASE("a program that ended before the power cut counts in full") {
  Flash flash(true);
  flash.program();
  flash.cut(flash.transfer + Nanoseconds{300'000});
  CHECK(flash.programming() == Nanoseconds{300'000});
  CHECK(flash.engine->idle());
}

TEST_CASE("after a power cut no earlier work is reported, awaited or blocking") {
  Flash flash(true);
  const auto erase = [&](Nanoseconds at) {
    WorkRecord record;
    record.kind = WorkRecord::Kind::erase;
    record.planes = 2;
    record.target = 1;
    flash.engine->accept({&record, 1}, at);
  };
  std::uint32_t freed = 0;
  const auto told = [&] {
    std::vector<std::uint32_t> tags;
    freed = flash.engine->take_reports([&](const HostRead& read) { tags.push_back(1000 + read.tag); },
                                       [&](std::uint32_t tag) { tags.push_back(tag); });
    return tags;
  };
  flash.program();
  erase(Nanoseconds{0});  // waits for the program
  flash.read(Nanoseconds{0});
  flash.engine->await(kNoSignal, 7);  // reported at once
  flash.engine->await_programmed(8);
  flash.cut(Nanoseconds{10'000});
  CHECK(told().empty());
  CHECK((flash.engine->idle() && flash.engine->in_flight().programs() == 0 && flash.engine->in_flight().host_pages() == 0));
  // The superblock is programmed, erased and programmed again.
  WorkRecord program;
  program.kind = WorkRecord::Kind::program;
  program.planes = 2;
  program.host_pages = 1;
  program.flags = WorkRecord::kHostData;
  flash.engine->accept({&program, 1}, Nanoseconds{10'000});
  erase(Nanoseconds{10'000});
  flash.engine->accept({&program, 1}, Nanoseconds{10'000});
  flash.engine->await_programmed(9);
  for (int events = 0; events < 100 && !flash.engine->idle(); ++events) flash.engine->run(kNever - Nanoseconds{1});
  REQUIRE(flash.engine->idle());
  CHECK(told() == std::vector<std::uint32_t>{9});
  CHECK(freed == 2);
}

namespace {

// A program of page 3 of superblock 1.
WorkRecord program_of(std::uint8_t flags) {
  WorkRecord program;
  program.kind = WorkRecord::Kind::program;
  program.flags = flags;
  program.planes = 2;
  program.superblock = 1;
  program.nand_page = 3;
  return program;
}

WorkRecord read_of(std::uint32_t superblock, std::uint32_t nand_page, std::uint8_t flags) {
  WorkRecord read;
  read.flags = flags;
  read.superblock = superblock;
  read.nand_page = nand_page;
  read.bytes = 8192;
  return read;
}

// Executes the records. Returns the operations in order of request.
std::vector<TimedOperation> executed(Flash& flash, const std::vector<WorkRecord>& records) {
  std::vector<TimedOperation> log;
  flash.engine->record(&log);
  flash.engine->accept(records, Nanoseconds{0});
  while (!flash.engine->idle()) {
    flash.engine->run(kNever);
    flash.engine->take_reports(
        [](const HostRead& read) { CHECK(read.from_memory == (read.times.done == read.times.array_start)); },
        [](std::uint32_t) {});
  }
  return log;
}

}  // namespace

TEST_CASE("a host page is read from memory until its program has ended, other pages from the flash") {
  for (const bool cached : {false, true}) {
    CAPTURE(cached);
    Flash flash(cached, true);
    const auto log = executed(flash, {program_of(WorkRecord::kHostData), read_of(1, 3, WorkRecord::kHost),
                                      read_of(1, 2, WorkRecord::kHost), read_of(2, 3, WorkRecord::kHost)});
    CHECK((log[1].start == Nanoseconds{0} && log[1].done == Nanoseconds{0}));
    CHECK((log[2].done >= log[2].start + Nanoseconds{50'000} && log[3].done >= log[3].start + Nanoseconds{50'000}));
    CHECK(flash.engine->use().buffered_reads == 1);
    CHECK(flash.engine->use().die_time.of(DieTime::host_reads) >= Nanoseconds{100'000});
  }
}

TEST_CASE("a relocated page is read from memory as soon as its data arrive, and from the flash after its program") {
  Flash flash(true);
  WorkRecord moves = read_of(5, 0, 0);
  moves.span = 1;
  const auto log = executed(flash, {moves, program_of(0), read_of(1, 3, WorkRecord::kHost)});
  CHECK(log[0].done > Nanoseconds{50'000});
  CHECK((log[2].start == log[0].done && log[2].done == log[0].done));
  CHECK(flash.engine->use().buffered_reads == 1);
  std::vector<TimedOperation> later;
  flash.engine->record(&later);
  const WorkRecord read = read_of(1, 3, WorkRecord::kHost);
  flash.engine->accept({&read, 1}, log[1].done);
  while (!flash.engine->idle()) flash.engine->run(kNever);
  CHECK(later[0].done > later[0].start);
  CHECK(flash.engine->use().buffered_reads == 1);
}

TEST_CASE("internal reads and host reads of copyback pages wait for the end of the program of their page") {
  for (const bool cached : {false, true}) {
    for (const bool copyback : {false, true}) {
      CAPTURE(cached, copyback);
      Flash flash(cached, true);
      const std::uint8_t programmed = copyback ? WorkRecord::kInRegister : WorkRecord::kHostData;
      const auto log = executed(flash, {program_of(programmed), read_of(1, 3, copyback ? WorkRecord::kHost : 0)});
      CHECK(log[1].start >= log[0].done);
      CHECK(log[1].start < log[0].done + Nanoseconds{1'000});
      CHECK(flash.engine->use().buffered_reads == 0);
      CHECK(flash.engine->use().suspensions == 0);
    }
  }
}

TEST_CASE("a read of a superblock that is erased and programmed again waits for the newest program of its page") {
  Flash flash(true);
  WorkRecord erase;
  erase.kind = WorkRecord::Kind::erase;
  erase.planes = 2;
  erase.superblock = erase.target = 1;
  const auto log = executed(flash, {program_of(0), erase, program_of(0), read_of(1, 3, 0)});
  CHECK(log[1].start >= log[0].done);
  CHECK(log[3].start >= log[2].done);
}

// First all reads of one plane, then all of the other: a search from the oldest on would pass all reads of the first plane
// for each read of the second.
TEST_CASE("hundreds of thousands of waiting reads of independent planes run two at a time") {
  NandTiming timing;
  timing.independent_plane_reads = true;
  timing.read = Nanoseconds{50'000};
  timing.bus_bytes_per_s = 1'000'000'000;
  timing.program = {Nanoseconds{300'000}};
  FlashEngine engine({1, 1, 1, 2, 64, 16, 4096, 128, 1024}, timing, 1);
  std::vector<WorkRecord> reads(400'000, read_of(0, 0, 0));
  for (std::size_t i = 0; i < reads.size(); ++i) {
    reads[i].bytes = 0;  // nothing leaves the die
    reads[i].planes = 1;
    reads[i].first_plane = static_cast<std::uint8_t>(2 * i / reads.size());
  }
  engine.accept(reads, Nanoseconds{0});
  Nanoseconds end{0};
  for (; !engine.idle(); engine.run(end)) end = engine.next();
  CHECK(end / (reads.size() / 2) == Nanoseconds{50'000});
  CHECK(engine.use().die_time.of(DieTime::internal_reads) >= 2 * end - Nanoseconds{100'000});
}
