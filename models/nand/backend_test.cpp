#include "models/nand/backend.h"

#include "sim/test.h"

using namespace ftlab;

namespace {

Nanoseconds ns(std::uint64_t value) { return Nanoseconds{value}; }

// 2 channels, 4 dies, 2 planes, 4 KiB pages with 128 spare bytes, 100 MB/s bus: 10 ns a byte.
const Geometry kGeometry{2, 2, 1, 2, 16, 16, 4096, 128, 1024};
constexpr std::uint64_t kRead = 50'000, kLower = 300'000, kUpper = 900'000, kErase = 2'000'000, kCommand = 500;
constexpr std::uint64_t kPageBus = kCommand + 4224 * 10;
constexpr std::uint64_t kTwoPagesBus = kCommand + 2 * 4224 * 10;
constexpr std::uint64_t kCodewordBus = kCommand + 1056 * 10;

Backend backend(bool cache = false) {
  return Backend(kGeometry, {ns(kRead), {ns(kLower), ns(kUpper)}, ns(kErase), 100'000'000, ns(kCommand), cache, cache}, 2,
                 true);
}

}  // namespace

TEST_CASE("an idle read is array time and transfer of whole codewords with their share of spare bytes") {
  CHECK(backend().read(ns(1000), Die{0}, 4096).done == ns(1000 + kRead + kPageBus));
  CHECK(backend().read(ns(0), Die{0}, 512).done == ns(kRead + kCodewordBus));
  CHECK(backend().read(ns(0), Die{0}, 1024).done == ns(kRead + kCodewordBus));
  CHECK(backend().read(ns(0), Die{0}, 1025).done == ns(kRead + kCommand + 2 * 10'560));
  CHECK(backend().read(ns(0), Die{0}, 8192).done == ns(kRead + kTwoPagesBus));
}

TEST_CASE("program time depends on the kind of page") {
  CHECK(backend().program(ns(0), Die{0}, 0, 2, 0) == ns(kTwoPagesBus + kLower));
  CHECK(backend().program(ns(0), Die{0}, 1, 2, 0) == ns(kTwoPagesBus + kUpper));
  CHECK(backend().program(ns(0), Die{0}, 2, 1, 0) == ns(kPageBus + kLower));
}

TEST_CASE("a second read of a die waits for the first to leave the register, unless reads are cached") {
  Backend plain = backend();
  plain.read(ns(0), Die{0}, 4096);
  CHECK(plain.read(ns(0), Die{0}, 4096).array_start == ns(kRead + kPageBus));
  Backend cached = backend(true);
  cached.read(ns(0), Die{0}, 4096);
  CHECK(cached.read(ns(0), Die{0}, 4096).array_start == ns(kRead));
}

TEST_CASE("dies of one channel share its bus, dies of two do not") {
  Backend b = backend();
  b.read(ns(0), Die{0}, 4096);
  CHECK(b.read(ns(0), Die{1}, 4096).done == ns(kRead + kPageBus));      // channel 1
  CHECK(b.read(ns(0), Die{2}, 4096).done == ns(kRead + 2 * kPageBus));  // channel 0 again
}

TEST_CASE("a plain program keeps the die from the start of its transfer, a cached one takes the next page meanwhile") {
  Backend plain = backend();
  plain.program(ns(0), Die{0}, 0, 2, 0);
  CHECK(plain.program(ns(0), Die{0}, 1, 2, 0) == ns(2 * kTwoPagesBus + kLower + kUpper));
  Backend cached = backend(true);
  cached.program(ns(0), Die{0}, 0, 2, 0);
  CHECK(cached.program(ns(0), Die{0}, 1, 2, 0) == ns(kTwoPagesBus + kLower + kUpper));
  // The third finds the register taken until the second has begun.
  CHECK(cached.program(ns(0), Die{0}, 2, 2, 0) == ns(kTwoPagesBus + 2 * kLower + kUpper));
}

TEST_CASE("a read waits for the program and the erase of its die, at t and not at t-1") {
  Backend b = backend();
  const Nanoseconds programmed = b.program(ns(0), Die{0}, 1, 2, 0);
  CHECK(b.read(programmed - ns(1), Die{0}, 512).array_start == programmed);
  const Nanoseconds erased = b.erase(ns(0), Die{1});
  CHECK(erased == ns(kErase));
  CHECK(b.read(erased, Die{1}, 512).array_start == erased);
}

TEST_CASE("programs of one frontier on a die keep their order, another's may go before") {
  Backend b = backend();
  const Nanoseconds late = b.program(ns(5'000'000), Die{0}, 0, 2, 1);  // its data come in 5 ms
  CHECK(b.program(ns(0), Die{0}, 1, 2, 1) == late + ns(kTwoPagesBus + kUpper));
  CHECK(b.program(ns(0), Die{0}, 1, 2, 0) == ns(kTwoPagesBus + kUpper));
}

TEST_CASE("an untimed backend counts the same operations and takes no time") {
  Backend timed = backend();
  Backend untimed(kGeometry, {ns(kRead), {ns(kLower), ns(kUpper)}, ns(kErase), 100'000'000, ns(kCommand), false, false}, 2,
                  false);
  for (Backend* b : {&timed, &untimed}) {
    b->set_counts_kinds(true);
    b->read(ns(0), Die{0}, 1500);
    b->program(ns(0), Die{1}, 0, 2, 0);
    b->erase(ns(0), Die{2});
  }
  CHECK(untimed.read(ns(9), Die{0}, 4096).done == ns(9));
  timed.read(ns(9), Die{0}, 4096);
  CHECK(untimed.operations() == timed.operations());
  CHECK(untimed.read_bytes() == timed.read_bytes());
}

TEST_CASE("busy time of every resource is the sum of its operations") {
  Backend b = backend();
  for (int i = 0; i < 10; ++i) b.program(ns(0), Die{0}, 0, 2, 0);
  CHECK(b.die_busy(Die{0}) == ns(10 * (kTwoPagesBus + kLower)));
  CHECK(b.channel_busy(0) == ns(10 * kTwoPagesBus));
  CHECK(b.channel_busy(1) == ns(0));
}

TEST_CASE("work is counted by kind, timed and untimed alike") {
  Backend timed = backend(), untimed = backend();
  untimed.set_timed(false);
  for (Backend* b : {&timed, &untimed}) {
    b->set_counts_kinds(true);
    b->read(ns(0), Die{0}, 4096);
    b->read(ns(0), Die{0}, 4097);  // two planes, five codewords
    b->read_internally(ns(0), Die{1}, 8192);
    b->program(ns(0), Die{0}, 0, 2, 0);
    b->program(ns(0), Die{0}, 1, 1, 0);
    b->program(ns(0), Die{0}, 2, 2, 0, false, true);
    b->erase(ns(0), Die{2}, kNoBlock, 2);
    const FlashWork& work = b->work();
    CHECK((work.reads == 3 && work.pages_read == 1 + 2 + 2));
    CHECK((work.programs == 3 && work.pages_programmed == 5 && work.internal_pages_programmed == 2));
    CHECK((work.pages_programmed_by_kind[0] == 4 && work.pages_programmed_by_kind[1] == 1));
    CHECK((work.erases == 1 && work.blocks_erased == 2));
    CHECK(b->operations() == 7);
    // 4 + 5 codewords of 1056 bytes read, 3 pages of 4224 bytes written; a copyback crosses no channel.
    CHECK(b->bus_bytes() == 9 * 1056 + 3 * 4224);
  }
}

TEST_CASE("pages programmed with one bit a cell are of no other kind") {
  Backend b = backend();
  b.set_timed(false);
  b.program(ns(0), Die{0}, 1, 2, 0, true);
  CHECK((b.work().pages_programmed == 2 && b.work().slc_pages_programmed == 0));  // nobody wants to know
  b.set_counts_kinds(true);
  b.program(ns(0), Die{0}, 1, 2, 0, true);
  CHECK((b.work().slc_pages_programmed == 2 && b.work().pages_programmed_by_kind[1] == 0));
}
