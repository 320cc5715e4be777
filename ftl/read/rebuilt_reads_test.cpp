// Which reads parity saves, computed from the cells alone: a codeword that no retry corrects is rebuilt if the one at the
// same place can be read on every other die of its row.
#include <algorithm>

#include "ftl/testing/drives.h"
#include "ftl/testing/erring_trials.h"
#include "sim/testing/test.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

// One codeword of twenty is beyond correction: the mean is 18 errors, and 24 can be corrected.
CellsConfig often_beyond_correction() {
  CellsConfig cells = cells_with({});
  cells.fresh_per_pbit = per_pbit(0.0021);
  cells.fresh_exponent = 10'000;
  cells.wear_cycles = 1'000'000;
  return cells;
}

// Failures of units: pages, or codewords of packed pages.
class Rows {
 public:
  explicit Rows(const Drive& drive)
      : store_(drive.ftl().store()), layout_(store_.medium().layout()), errors_(*drive.flash().errors) {}

  // True if a read of the page will fail.
  bool loses(Lpn lpn) const {
    const Ppn last = store_.pages().map().find(lpn);
    const SuperblockId block = layout_.block_of(last);
    const std::uint32_t end = layout_.position(last) + 1;
    bool lost = store_.pages().lost(last);  // already lost when it was moved here
    if (store_.pages().staged(last)) return lost;
    std::uint32_t left = store_.pages().at(last).slots;
    for (std::uint32_t slot = end; left > 0; --slot) {
      if (layout_.is_parity(layout_.stripe_of(slot - 1))) continue;
      --left;
      const std::uint32_t stripe = layout_.stripe_of(slot - 1);
      for (std::uint32_t unit = first_unit(slot - 1); unit <= last_unit(slot - 1); ++unit)
        lost = lost || (fails(block, stripe, unit) && !rebuilt(block, stripe, unit));
    }
    return lost;
  }

 private:
  bool packs() const { return store_.pages().largest_page() > 1; }
  std::uint32_t first_unit(std::uint32_t position) const {
    return packs() ? errors_.packed_units().first(position) : position;
  }
  std::uint32_t last_unit(std::uint32_t position) const {
    return packs() ? errors_.packed_units().last(position) : position;
  }
  bool fails(SuperblockId block, std::uint32_t stripe, std::uint32_t unit) const {
    const MediaErrors::Rate rate = errors_.rate(block, stripe, layout_.die_of(block, stripe));
    const bool marked = !packs() && errors_.lost().has(Ppn{number(layout_.first_page(block)) + unit});
    return marked || errors_.steps(block, unit, rate) == errors_.uncorrectable();
  }
  bool rebuilt(SuperblockId block, std::uint32_t stripe, std::uint32_t unit) const {
    const std::uint32_t pages = layout_.pages_per_stripe(), dies = layout_.dies_per_superblock();
    const std::uint32_t behind = unit - first_unit(stripe * pages);  // offset within its stripe
    const std::uint32_t row = stripe / dies * dies;
    if ((row + dies) * pages > store_.medium().superblocks().programmed(block)) return false;  // parity not programmed yet
    for (std::uint32_t other = row; other < row + dies; ++other)
      if (other != stripe && fails(block, other, first_unit(other * pages) + behind)) return false;
    return true;
  }

  const PageStore& store_;
  const Layout& layout_;
  const MediaErrors& errors_;
};

}  // namespace

TEST_CASE("a page is lost if another die of its row fails at the same place, and rebuilt if none does") {
  for (const bool packs : {false, true}) {
    CAPTURE(packs);
    DriveConfig config = erring_drive(often_beyond_correction());
    config.ftl.superblock.parity = true;
    if (packs) config = packing(config);
    config.user_bytes = 40ull << 20;
    Host host(config);
    host.store(625);
    for (std::uint64_t p = 0; p < 3'000; ++p) REQUIRE(host.write(p) == Status::ok);
    host.flush();
    const Rows rows(host.drive());
    std::uint64_t lost = 0;
    const auto read_all = [&] {
      for (std::uint64_t p = 0; p < 3'000; ++p) {
        const bool expected = rows.loses(Lpn{static_cast<std::uint32_t>(p)});
        REQUIRE((host.read(p) == Status::media_error) == expected);
        lost += expected;
      }
    };
    read_all();
    const Counters all = host.counters();
    CHECK(lost > 30);
    CHECK(all.lost_pages == lost);
    CHECK(all.rebuilt_pages > 30);
    CHECK(all.uncorrectable_pages == all.rebuilt_pages + lost);
    host.write_at_random(20'000, 3'000, host.pages());
    host.write_at_random(20'000, 0, host.pages());  // collection moves them: a lost page cannot help in its new row either
    host.flush();
    REQUIRE(host.counters().media_relocation_bytes > 2'000 * kPage);
    read_all();
    host.require_sound();
  }
}
