// Work lists as the engine executes them: what waits for which data; and the counts of work.
#include "models/nand/schedule/work_list.h"

#include <map>
#include <vector>

#include "models/nand/schedule/flash_engine.h"
#include "sim/testing/test.h"

using namespace ftlab;

namespace {

// Two dies, each with its own channel. A read takes 50 us and a transfer that grows with its bytes.
struct Lists {
  Lists() : work(geometry(), timing(), 1, true), engine(geometry(), timing(), 1) {}
  static Geometry geometry() { return {2, 1, 1, 2, 64, 16, 4096, 128, 1024}; }
  static NandTiming timing() {
    NandTiming timing;
    timing.read = Nanoseconds{50'000};
    timing.program = {Nanoseconds{300'000}};
    timing.erase = Nanoseconds{2'000'000};
    timing.bus_bytes_per_s = 100'000'000;
    return timing;
  }
  WorkList::Read read(std::uint32_t die, std::uint32_t bytes) {
    const WorkList::Read read = work.read(Die{die}, bytes, {SuperblockId{0}, 0, 0, 1, false});
    return read;
  }
  void program(std::uint32_t die) { work.program({Die{die}, 0, SuperblockId{1}, 0, false, WorkRecord::kHostData, 1, 0}, 2); }
  // Times at which the awaited signals are raised, by tag.
  std::map<std::uint32_t, Nanoseconds> run(const std::vector<Signal>& awaited) {
    std::map<std::uint32_t, Nanoseconds> reached;
    Nanoseconds now{0};
    engine.record(&log);
    engine.accept(work.records(), Nanoseconds{0});
    for (std::uint32_t tag = 0; tag < awaited.size(); ++tag) engine.await(awaited[tag], tag);
    const auto take = [&] {
      engine.take_reports([](const HostRead&) {}, [&](std::uint32_t tag) { reached[tag] = now; });
    };
    for (take(); !engine.idle(); take()) now = engine.run(kNever);
    take();
    return reached;
  }

  WorkList work;
  FlashEngine engine;
  std::vector<TimedOperation> log;
};

}  // namespace

TEST_CASE("a signal that waits for other signals is raised with the last of them") {
  Lists flash;
  Signal near = kNoSignal, far = kNoSignal, both = kNoSignal;
  Signal first = kNoSignal;
  flash.read(1, 512).raise(both);
  flash.read(0, 1024).raise(near);
  flash.read(1, 4096).raise(far);
  flash.work.feed_signal_from(near, first);
  CHECK(first == near);  // it was kNoSignal
  flash.work.feed_signal_from(near, both);
  flash.work.feed_signal_from(far, both);
  REQUIRE((both != near && both != far));
  const auto reached = flash.run({near, far, both});
  REQUIRE(reached.size() == 3);
  CHECK(reached.at(0) == flash.log[1].done);
  CHECK(reached.at(1) == flash.log[2].done);
  CHECK(reached.at(0) < reached.at(1));
  CHECK(reached.at(2) == reached.at(1));
}

TEST_CASE("a program begins when all reads and signals that it waits for have brought their data") {
  for (const bool waits : {false, true}) {
    CAPTURE(waits);
    Lists flash;
    const WorkList::Read first = flash.read(0, 1024), last = flash.read(1, 4096);
    first.feed(0, flash.work.next_program(0), 1);
    Signal signal = kNoSignal;
    if (waits) {
      last.raise(signal);
      flash.work.wait(0, flash.work.next_program(0), 2, signal);
    } else {
      last.feed(0, flash.work.next_program(0), 2);
    }
    flash.program(0);
    flash.program(1);
    flash.run({});
    REQUIRE(flash.log.size() == 4);
    CHECK(flash.log[0].done < flash.log[1].done);
    CHECK(flash.log[2].start == flash.log[1].done);
    CHECK(flash.log[3].start == flash.log[1].done);
  }
}

TEST_CASE("a read can feed several programs, and each waits for it") {
  Lists flash;
  const WorkList::Read read = flash.read(0, 4096);
  read.feed(0, 0, 1);
  read.feed(0, 1, 1);
  flash.program(1);
  flash.program(1);
  flash.run({});
  CHECK(flash.log[1].start == flash.log[0].done);
  CHECK(flash.log[2].start >= flash.log[1].done);
}

TEST_CASE("a read whose data stay in the die ends with its array time") {
  Lists flash;
  flash.work.read(Die{0}, 4096, {SuperblockId{0}, 0, 0, 1, false}, true);
  flash.read(1, 4096);
  flash.run({});
  CHECK(flash.log[0].asked.kind == FlashOperation::Kind::read_internally);
  CHECK(flash.log[1].asked.kind == FlashOperation::Kind::read);
  CHECK(flash.log[0].done == flash.log[0].start + Nanoseconds{50'000});
  CHECK(flash.log[1].done > flash.log[1].start + Nanoseconds{90'000});
}

TEST_CASE("a read begins after the signal that it waits for") {
  Lists flash;
  Signal signal = kNoSignal;
  flash.read(0, 4096).raise(signal);
  flash.read(1, 1024).after(signal);
  flash.run({});
  CHECK(flash.log[1].start == flash.log[0].done);
}

TEST_CASE("an erase of a spare block begins after the erase before it, and programs begin after both") {
  Lists flash;
  flash.work.erase(Die{0}, SuperblockId{1}, 2, 1);
  flash.work.erase(Die{1}, SuperblockId{1}, 1, 1, true);
  flash.program(0);
  flash.run({});
  CHECK(flash.log[1].start == flash.log[0].done);
  CHECK(flash.log[2].start == flash.log[1].done);
}

TEST_CASE("bytes on the channels are counted in whole codewords and pages, with their spare bytes") {
  Lists flash;
  flash.read(0, 512);  // one codeword
  CHECK(flash.work.count().work().read_bytes == 1024);
  CHECK(flash.work.count().bus_bytes() == 1024 + 32);
  flash.read(0, 1025);  // two
  CHECK(flash.work.count().bus_bytes() == 3072 + 96);
  flash.read(0, 4096);
  flash.program(0);  // two pages
  CHECK(flash.work.count().bus_bytes() == 3072 + 96 + 3 * (4096 + 128));
  const std::uint64_t before = flash.work.count().bus_bytes();
  flash.work.read(Die{0}, 4096, {SuperblockId{0}, 0, 0, 1, false}, true);
  flash.work.program({Die{0}, 0, SuperblockId{1}, 0, false, WorkRecord::kInRegister, 0, 0}, 2);
  CHECK(flash.work.count().bus_bytes() == before);  // copyback
  const FlashWork& work = flash.work.count().work();
  CHECK((work.reads == 4 && work.pages_read == 4 && work.programs == 2 && work.pages_programmed == 4));
  flash.work.repeat(flash.read(0, 8192), 3, 8192, Nanoseconds{700});
  CHECK((work.reads == 4 + 1 + 3 && work.pages_read == 4 + 2 + 6));
  flash.work.erase(Die{0}, SuperblockId{1}, 2, 1);
  CHECK((work.erases == 1 && work.blocks_erased == 2));
  CHECK(flash.work.records().size() == 4 + 1 + 2 + 1);  // repetitions have no record of their own
}

TEST_CASE("a read names up to 255 programs that it feeds; programs beyond wait for its signal") {
  for (const std::uint32_t programs : {255u, 256u}) {
    CAPTURE(programs);
    Lists flash;
    const WorkList::Read read = flash.read(0, 4096);
    for (std::uint32_t number = 0; number < programs; ++number) read.feed(0, number, 1);
    CHECK(flash.work.records()[0].span == 255);
    CHECK((flash.work.records()[0].feeds != kNoSignal) == (programs > 255));
    CHECK(flash.work.records().size() == 1 + (programs > 255));
  }
}
