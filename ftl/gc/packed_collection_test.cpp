// Reads of packed pages, which may share a stripe or span two, during collection.
#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "ftl/drive/lifecycle.h"
#include "ftl/testing/drives.h"
#include "ftl/testing/erring_trials.h"
#include "models/nand/schedule/flash_journal.h"
#include "sim/testing/test.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

// Contents of a superblock that is closed when the host becomes idle: valid slots, and parts (the number of stripes that a
// page lies in, summed over its pages).
struct Stored {
  std::uint64_t slots = 0, parts = 0;
};

std::vector<Stored> contents(const PageStore& store, std::uint64_t pages) {
  std::vector<Stored> all(store.blocks().count());
  for (std::uint32_t l = 0; l < pages; ++l) {
    const Ppn last = store.pages().map().find(Lpn{l});
    if (last == kNoPpn) continue;
    const SuperblockId block = store.medium().layout().block_of(last);
    if (store.blocks().state(block) != BlockState::closed) continue;
    const std::uint32_t slots = store.pages().at(last).slots, end = store.medium().layout().position(last);
    all[number(block)].slots += slots;
    all[number(block)].parts +=
        store.medium().layout().stripe_of(end) - store.medium().layout().stripe_of(end + 1 - slots) + 1;
  }
  return all;
}

struct Reads {
  std::set<std::pair<std::uint32_t, std::uint32_t>> places;  // dies and their NAND pages
  std::uint64_t reads = 0, bytes = 0;
  bool erased = false;
};

}  // namespace

// Moved in random order, each page reads all valid slots of its stripes again.
TEST_CASE("a stripe of a victim is read once for all packed pages with a part in it, before they are programmed") {
  for (const bool shuffles : {false, true}) {
    CAPTURE(shuffles);
    DriveConfig config = packing(striped_drive());
    config.user_bytes = 40ull << 20;
    config.ftl.gc.shuffle = shuffles;
    config.ftl.gc.idle_after = Nanoseconds{1'000'000};
    config.ftl.gc.idle_stop_free = 30;
    Host host(config);
    RandomStream random(6, "packed pages");
    for (int i = 0; i < 40'000; ++i) {
      host.store(100 + random.below(900));
      REQUIRE(host.write(random.below(host.pages())) == Status::ok);
    }
    host.flush();
    host.rest(host.drive().idle_from() - host.now());
    const PageStore& store = host.drive().ftl().store();
    const std::vector<Stored> before = contents(store, host.pages());
    FlashJournal journal(store.medium().layout(), config.nand, config.geometry.pages_per_block);
    Lifecycle(host.drive()).keep_journal(&journal);
    host.rest(Nanoseconds{20'000'000'000});
    REQUIRE(host.request(Op::trim, 0, kPage).status == Status::ok);
    std::vector<Reads> reads(before.size());
    Nanoseconds read{0};  // end of the last read that was requested since the last program
    for (const TimedOperation& operation : journal.known()) {
      const FlashOperation& asked = operation.asked;
      Reads& of = reads[number(asked.page.block)];
      of.erased = of.erased || asked.kind == FlashOperation::Kind::erase;
      if (asked.kind == FlashOperation::Kind::program) {
        REQUIRE(operation.start >= read);
        read = Nanoseconds{0};
      }
      if (asked.kind != FlashOperation::Kind::read) continue;
      read = std::max(read, operation.done);
      of.places.insert({number(asked.die), asked.page.nand_page});
      ++of.reads;
      of.bytes += asked.bytes;
    }
    std::size_t victims = 0;
    for (std::size_t b = 0; b < reads.size(); ++b) {
      if (!reads[b].erased || before[b].slots == 0) continue;  // started before the idle time, or without valid pages
      CAPTURE(b);
      ++victims;
      CHECK(reads[b].reads == (shuffles ? before[b].parts : reads[b].places.size()));
      CHECK((shuffles ? reads[b].bytes >= before[b].slots * 512 : reads[b].bytes == before[b].slots * 512));
    }
    CHECK(victims > 5);
    host.require_sound();
  }
}
