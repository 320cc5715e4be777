// Times of operations in queues, to the nanosecond: in the backend, and in the exact one that has the same rules.
#include "models/nand/backend.h"
#include "models/nand/exact_backend.h"
#include "sim/test.h"

using namespace ftlab;

namespace {

Nanoseconds ns(std::uint64_t value) { return Nanoseconds{value}; }

// 2 channels, 4 dies, 2 planes, 4 KiB pages with 128 spare bytes, 100 MB/s bus: 10 ns a byte.
const Geometry kGeometry{2, 2, 1, 2, 16, 16, 4096, 128, 1024};
constexpr std::uint64_t kRead = 50'000, kLower = 300'000, kUpper = 900'000, kErase = 2'000'000, kCommand = 500;
constexpr std::uint64_t kPageBus = kCommand + 4224 * 10;
constexpr std::uint64_t kTwoPagesBus = kCommand + 2 * 4224 * 10;
constexpr std::uint64_t kProgram = kTwoPagesBus + kLower;
constexpr std::uint64_t kStop = 20'000, kGoOn = 10'000;

NandTiming timing(DieScheduling scheduling, bool cache = false) {
  NandTiming t{ns(kRead), {ns(kLower), ns(kUpper)}, ns(kErase), 100'000'000, ns(kCommand), cache, cache};
  t.scheduling = scheduling;
  return t;
}

NandTiming suspending(std::uint32_t most = 8, bool cache = false) {
  NandTiming t = timing(DieScheduling::read_first, cache);
  t.suspension = {true, true, ns(kStop), ns(kGoOn), most};
  return t;
}

Backend backend(const NandTiming& t) { return Backend(kGeometry, t, 2, true); }

FlashOperation read_at(std::uint64_t ready, std::uint32_t die = 0) {
  FlashOperation operation;
  operation.ready = ns(ready);
  operation.die = Die{die};
  operation.bytes = 4096;
  return operation;
}
FlashOperation program_at(std::uint64_t ready, std::uint32_t frontier = 0) {
  FlashOperation operation = read_at(ready);
  operation.kind = FlashOperation::Kind::program;
  operation.planes = 2;
  operation.frontier = frontier;
  return operation;
}
FlashOperation erase_at(std::uint64_t ready) {
  FlashOperation operation = read_at(ready);
  operation.kind = FlashOperation::Kind::erase;
  return operation;
}

// When each is done, in the exact backend.
std::vector<std::uint64_t> exact(const NandTiming& t, const std::vector<FlashOperation>& operations) {
  std::vector<TimedOperation> asked;
  for (const FlashOperation& operation : operations) asked.push_back({operation});
  std::vector<std::uint64_t> done;
  for (const TimedOperation& result : ExactBackend::run(ExactBackend(kGeometry, t, 2), asked)) {
    done.push_back(result.done.count());
  }
  return done;
}

using Times = std::vector<std::uint64_t>;

}  // namespace

TEST_CASE("in a queue, idle operations take the same time as without") {
  for (const auto scheduling : {DieScheduling::fifo, DieScheduling::read_first}) {
    CHECK(backend(timing(scheduling)).read(ns(1000), Die{0}, 4096).done == ns(1000 + kRead + kPageBus));
    CHECK(backend(timing(scheduling)).program(ns(0), Die{0}, 1, 2, 0) == ns(kTwoPagesBus + kUpper));
    CHECK(backend(timing(scheduling)).program(ns(0), Die{0}, 0, 2, 0, false, true) == ns(kCommand + kLower));
    CHECK(backend(timing(scheduling)).erase(ns(0), Die{0}) == ns(kErase));
    CHECK(backend(timing(scheduling)).read_internally(ns(7), Die{0}, 4096) == ns(7 + kRead));
    CHECK(exact(timing(scheduling), {read_at(1000)}) == Times{1000 + kRead + kPageBus});
    CHECK(exact(timing(scheduling), {program_at(0)}) == Times{kProgram});
    CHECK(exact(timing(scheduling), {erase_at(0)}) == Times{kErase});
  }
}

TEST_CASE("first come, first served: what becomes ready first goes first, whoever is known first") {
  Backend b = backend(timing(DieScheduling::fifo));
  b.program(ns(200'000), Die{0}, 0, 2, 0);
  CHECK(b.program(ns(100'000), Die{0}, 0, 2, 1) == ns(100'000 + kProgram));
  CHECK(b.read(ns(150'000), Die{0}, 4096).array_start == ns(100'000 + kProgram));
  CHECK(b.read(ns(250'000), Die{0}, 4096).array_start == ns(100'000 + 2 * kProgram + kRead + kPageBus));
  const std::uint64_t first = 100'000 + kProgram, second = first + kRead + kPageBus, third = second + kProgram;
  CHECK(exact(timing(DieScheduling::fifo), {program_at(200'000), program_at(100'000, 1), read_at(150'000),
                                            read_at(250'000)}) == Times{third, first, second, third + kRead + kPageBus});
}

TEST_CASE("reads pass a program that has not begun, not one that has") {
  const NandTiming t = timing(DieScheduling::read_first, true);
  Backend b = backend(t);
  b.program(ns(0), Die{0}, 0, 2, 0);
  b.program(ns(0), Die{0}, 0, 2, 1);
  CHECK(b.read(ns(kTwoPagesBus + 1), Die{0}, 4096).array_start == ns(kProgram));
  // The second program went back by the read, and has begun when the next one comes.
  CHECK(b.read(ns(kProgram + kRead + 1), Die{0}, 4096).array_start == ns(kProgram + kRead + kLower));
  CHECK(
      exact(t, {program_at(0), program_at(0, 1), read_at(kTwoPagesBus + 1), read_at(kProgram + kRead + 1)}) ==
      Times{kProgram, kProgram + kRead + kLower, kProgram + kRead + kPageBus, kProgram + kRead + kLower + kRead + kPageBus});
}

TEST_CASE("a read that is ready at the very moment goes first, one nanosecond later it waits") {
  Backend at = backend(timing(DieScheduling::read_first));
  at.erase(ns(1000), Die{0});
  CHECK(at.read(ns(1000), Die{0}, 4096).array_start == ns(1000));
  Backend later = backend(timing(DieScheduling::read_first));
  later.erase(ns(1000), Die{0});
  CHECK(later.read(ns(1001), Die{0}, 4096).array_start == ns(1000 + kErase));
  CHECK(exact(timing(DieScheduling::read_first), {erase_at(1000), read_at(1000)})[1] == 1000 + kRead + kPageBus);
  CHECK(exact(timing(DieScheduling::read_first), {erase_at(1000), read_at(1001)})[1] == 1000 + kErase + kRead + kPageBus);
}

TEST_CASE("a read stops a program after the time of stopping; the program goes on where it stood") {
  const std::uint64_t ready = kTwoPagesBus + 100'000;
  Backend b = backend(suspending());
  b.program(ns(0), Die{0}, 0, 2, 0);
  CHECK(b.read(ns(ready), Die{0}, 4096).array_start == ns(ready + kStop));
  CHECK(b.suspensions() == 1);
  const std::uint64_t rest_starts = ready + kStop + kRead + kPageBus;
  const std::uint64_t ends = rest_starts + kGoOn + (kProgram - ready);
  CHECK(exact(suspending(), {program_at(0), read_at(ready)}) == Times{ends, rest_starts});
  // An erase behind it begins when it is over.
  Backend c = backend(suspending());
  c.program(ns(0), Die{0}, 0, 2, 0);
  c.read(ns(ready), Die{0}, 4096);
  c.program(ns(ready), Die{0}, 0, 2, 0);
  CHECK(c.idle_from() == ns(ends + kProgram));
  CHECK(c.die_busy(Die{0}) == ns(2 * kProgram + kRead + kPageBus + kStop + kGoOn));
}

TEST_CASE("a program is stopped while that is shorter than its rest, at t-1 and not at t") {
  const std::uint64_t t = kProgram - kStop;  // from here on stopping takes as long as the rest
  Backend before = backend(suspending());
  before.program(ns(0), Die{0}, 0, 2, 0);
  CHECK(before.read(ns(t - 1), Die{0}, 4096).array_start == ns(kProgram - 1));
  CHECK(before.suspensions() == 1);
  Backend at = backend(suspending());
  at.program(ns(0), Die{0}, 0, 2, 0);
  CHECK(at.read(ns(t), Die{0}, 4096).array_start == ns(kProgram));
  CHECK(at.suspensions() == 0);
  const std::uint64_t read = kRead + kPageBus;
  CHECK(exact(suspending(), {program_at(0), read_at(t - 1)}) ==
        Times{kProgram - 1 + read + kGoOn + kStop + 1, kProgram - 1 + read});
  CHECK(exact(suspending(), {program_at(0), read_at(t)}) == Times{kProgram, kProgram + read});
}

TEST_CASE("data on their way into the die are let in before a program is stopped") {
  Backend b = backend(suspending());
  b.program(ns(0), Die{0}, 0, 2, 0);
  CHECK(b.read(ns(1), Die{0}, 4096).array_start == ns(kTwoPagesBus + kStop));
  CHECK(exact(suspending(), {program_at(0), read_at(1)})[1] == kTwoPagesBus + kStop + kRead + kPageBus);
}

TEST_CASE("reads that come while an operation is suspended need no other suspension") {
  Backend b = backend(suspending());
  b.erase(ns(0), Die{0});
  const std::uint64_t first = 100'000 + kStop + kRead + kPageBus;
  CHECK(b.read(ns(100'000), Die{0}, 4096).done == ns(first));
  CHECK(b.read(ns(first - 1), Die{0}, 4096).array_start == ns(first));
  CHECK(b.suspensions() == 1);
  const std::uint64_t second = first + kRead + kPageBus;
  CHECK(exact(suspending(), {erase_at(0), read_at(100'000), read_at(first - 1)}) ==
        Times{second + kGoOn + kErase - 100'000, first, second});
  CHECK(b.idle_from() == ns(second + kGoOn + kErase - 100'000));
}

TEST_CASE("an operation is stopped as often as it may be, then it ends") {
  Backend b = backend(suspending(1));
  b.erase(ns(0), Die{0});
  const std::uint64_t first = 100'000 + kStop + kRead + kPageBus;
  b.read(ns(100'000), Die{0}, 4096);
  const std::uint64_t ends = first + kGoOn + kErase - 100'000;
  CHECK(b.read(ns(first + 1), Die{0}, 4096).array_start == ns(ends));
  CHECK(exact(suspending(1), {erase_at(0), read_at(100'000), read_at(first + 1)}) ==
        Times{ends, first, ends + kRead + kPageBus});
}

TEST_CASE("what is not to be suspended is not") {
  NandTiming t = suspending();
  t.suspension.erase = false;
  Backend b = backend(t);
  b.erase(ns(0), Die{0});
  CHECK(b.read(ns(1000), Die{0}, 4096).array_start == ns(kErase));
  b.program(ns(0), Die{1}, 0, 2, 0);
  CHECK(b.read(ns(100'000), Die{1}, 4096).array_start == ns(100'000 + kStop));
}

TEST_CASE("independent plane reads overlap in the array, share the channel, and keep programs waiting") {
  NandTiming t = timing(DieScheduling::fifo);
  Backend same_page = backend(t);
  same_page.read(ns(0), Die{0}, 4096, {BlockId{0}, 0, 0, 1});
  CHECK(same_page.read(ns(0), Die{0}, 4096, {BlockId{0}, 3, 1, 1}).array_start == ns(kRead + kPageBus));
  t.independent_plane_reads = true;
  Backend b = backend(t);
  b.read(ns(0), Die{0}, 4096, {BlockId{0}, 0, 0, 1});
  const Backend::ReadTimes other = b.read(ns(0), Die{0}, 4096, {BlockId{0}, 3, 1, 1});
  CHECK(other.array_start == ns(0));
  CHECK(other.done == ns(kRead + 2 * kPageBus));
  CHECK(b.read(ns(0), Die{0}, 4096, {BlockId{0}, 5, 0, 1}).array_start == ns(kRead + kPageBus));  // plane 0 is free
  CHECK(b.read(ns(0), Die{0}, 8192, {BlockId{0}, 6, 0, 2}).array_start == ns(2 * kRead + 2 * kPageBus));
  CHECK(b.program(ns(0), Die{0}, 0, 2, 0) == ns(3 * kRead + 2 * kPageBus + kTwoPagesBus + kProgram));
}

TEST_CASE("a cached program is in its register before the die is free, and can be stopped from its beginning") {
  Backend b = backend(suspending(8, true));
  b.erase(ns(0), Die{0});
  CHECK(b.program(ns(0), Die{0}, 0, 2, 0) == ns(kErase + kLower));
  const std::uint64_t ready = kErase + 1;
  CHECK(b.read(ns(ready), Die{0}, 4096).array_start == ns(ready + kStop));
  CHECK(exact(suspending(8, true), {erase_at(0), program_at(0), read_at(ready)}) ==
        Times{kErase, ready + kStop + kRead + kGoOn + kLower - 1, ready + kStop + kRead + kPageBus});
}

TEST_CASE("reads take the time of their kind of page, pSLC pages theirs") {
  NandTiming t = timing(DieScheduling::reserved);
  t.read_by_kind = {ns(40'000), ns(70'000)};
  t.read_slc = ns(25'000);
  const auto array_of = [&t](const FlashPage& page) {
    const Backend::ReadTimes times = backend(t).read(ns(0), Die{0}, 512, page);
    return times.array_end - times.array_start;
  };
  CHECK(array_of({BlockId{0}, 0, 0, 1}) == ns(40'000));
  CHECK(array_of({BlockId{0}, 1, 0, 1}) == ns(70'000));
  CHECK(array_of({BlockId{0}, 1, 0, 1, true}) == ns(25'000));
  t.page_order = PageOrder::all_bit_line;
  CHECK(array_of({BlockId{0}, 1, 0, 1}) == ns(40'000));
  CHECK(array_of({BlockId{0}, 15, 0, 1}) == ns(70'000));
}

TEST_CASE("a promise allows for the reads that came lately, the die does not wait for them") {
  Backend b = backend(suspending());
  std::uint64_t now = 0;
  for (int i = 0; i < 2000; ++i, now += 200'000) b.read(ns(now), Die{0}, 4096);  // 46 % of the die's time
  const Nanoseconds promised = b.program(ns(now), Die{0}, 0, 2, 0);
  CHECK(promised > ns(now + kProgram * 17 / 10));
  CHECK(promised < ns(now + kProgram * 20 / 10));
  CHECK(b.idle_from() == ns(now + kProgram));
}
