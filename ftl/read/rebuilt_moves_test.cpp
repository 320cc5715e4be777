// Relocation of uncorrectable pages: what is programmed is what the rest of their row gave.
#include <algorithm>

#include "ftl/drive/lifecycle.h"
#include "ftl/testing/drives.h"
#include "ftl/testing/erring_trials.h"
#include "models/nand/schedule/flash_journal.h"
#include "sim/testing/test.h"

using namespace ftlab;
using namespace ftlab::testing;

// In idle time only refresh runs, stripe by stripe: all reads since the last program are for pages of the next one.
TEST_CASE("a relocated page is programmed after it was read, including the rest of its row if it is rebuilt") {
  DriveConfig config = erring_drive(fading());
  config.cells.fresh_per_pbit = per_pbit(0.0013);  // with the errors of a month, one codeword of twenty is beyond correction
  config.cells.fresh_exponent = 10'000;
  config.cells.wear_cycles = 1'000'000;
  config.ftl.refresh = monthly();
  config.ftl.superblock.parity = true;
  config.user_bytes = 40ull << 20;
  Host host(config);
  for (std::uint64_t p = 0; p < 2'000; ++p) REQUIRE(host.write(p) == Status::ok);
  host.flush();
  FlashJournal journal(host.drive().medium().layout(), config.nand, config.geometry.pages_per_block);
  Lifecycle(host.drive()).keep_journal(&journal);
  host.rest(40 * kDay);
  host.read(0);
  const Counters all = host.counters();
  CHECK(all.media_refresh_bytes > 1'000 * kPage);
  CHECK(all.rebuilt_pages > 30);
  const Layout& layout = host.drive().medium().layout();
  const auto is_parity = [&layout](const FlashOperation& program) {
    const std::uint32_t dies = layout.dies_per_superblock(), last = (program.page.nand_page + 1) * dies - 1;
    return layout.die_of(program.page.block, last) == program.die;
  };
  std::size_t programs = 0;
  Nanoseconds read{0};  // end of the last read since the last program
  for (const TimedOperation& operation : journal.known()) {
    if (operation.asked.kind == FlashOperation::Kind::read) read = std::max(read, operation.done);
    if (operation.asked.kind != FlashOperation::Kind::program || is_parity(operation.asked)) continue;
    ++programs;
    REQUIRE(operation.start >= read);
    read = Nanoseconds{0};
  }
  CHECK(programs > 500);
  host.require_sound();
}
