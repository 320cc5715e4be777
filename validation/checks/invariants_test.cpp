// Each invariant of ftl/README.md is broken alone, in a drive that is sound otherwise: inspect() says which.
#include <algorithm>
#include <string>
#include <vector>

#include "ftl/drive/drive.h"
#include "sim/core/random.h"
#include "sim/testing/test.h"
#include "validation/checks/reference/design_documents.h"
#include "validation/checks/reference/loaded_states.h"

// A change of a drive, `it`.
#define AS(...) [](auto& it) { __VA_ARGS__; }

namespace ftlab {
namespace {

struct Break {
  const char* design;
  std::string reported;  // what one of the sentences begins with
  void (*make)(Drive& it);
};

// With nothing in RAM.
Drive used(const char* design) {
  Drive drive(read_drive(document(design)), Clock::untimed, 3);
  RandomStream random(7, "invariants");
  const std::uint64_t pages = drive.config().user_bytes / 4096;
  for (int i = 0; i <= 3'000; ++i) {
    constexpr Op kOps[] = {Op::write, Op::write, Op::write, Op::write, Op::read, Op::trim};
    Request request{0, i == 3'000 ? Op::flush : kOps[random.below(6)], random.below(pages - 4) * 4096,
                    (1 + random.below(4)) * 4096, drive.now()};
    request.content = {1 + random.below(50), 600};
    drive.submit({&request, 1});
    Completion done;
    drive.wait(kNever, {&done, 1});
  }
  return drive;
}

}  // namespace

struct LoadedStates::Invariants {
  static PageStore& store(Drive& it) { return it.ftl_->store_; }
  static Blocks& blocks(Drive& it) { return store(it).blocks_; }
  static PageMap& map(Drive& it) { return store(it).map_; }
  static Layout layout(const Drive& it) { return it.medium().layout(); }

  // The n-th superblock in this state.
  static SuperblockId in_state(Drive& it, BlockState state, std::uint32_t n = 0) {
    for (std::uint32_t b = 0; b < blocks(it).count(); ++b)
      if (blocks(it).state(SuperblockId{b}) == state && n-- == 0) return SuperblockId{b};
    throw CheckFailed("no superblock is in that state");
  }
  static std::uint32_t closed(Drive& it) { return number(in_state(it, BlockState::closed)); }
  static std::uint32_t free(Drive& it) { return number(in_state(it, BlockState::free)); }
  // The n-th page that is programmed; the first in its superblock from `least` on.
  static std::uint32_t page_in_flash(Drive& it, std::uint32_t n = 0, std::uint32_t least = 0) {
    for (std::uint32_t l = 0; l < map(it).lpns(); ++l) {
      const Ppn ppn = map(it).find(Lpn{l});
      if (ppn != kNoPpn && !store(it).staged(ppn) && layout(it).position(ppn) >= least && n-- == 0) return l;
    }
    throw CheckFailed("no page is in the flash");
  }
  static Ppn place(Drive& it, std::uint32_t page) { return map(it).find(Lpn{page}); }
  static std::uint32_t unmapped_page(Drive& it) {
    for (std::uint32_t l = 0; l < map(it).lpns(); ++l)
      if (map(it).find(Lpn{l}) == kNoPpn) return l;
    throw CheckFailed("all pages are mapped");
  }
  static Frontier& open_frontier(Drive& it) {
    for (Frontier& frontier : store(it).frontiers_)
      if (frontier.has_room() && frontier.staged_first() > 0) return frontier;
    throw CheckFailed("no superblock is being written");
  }
  static std::uint32_t member_of_bins(Drive& it) {
    for (std::uint32_t b = 0; b < blocks(it).count(); ++b)
      if (blocks(it).binned(SuperblockId{b})) return b;
    throw CheckFailed("the bins are empty");
  }
  static std::uint32_t shared_page(Drive& it) {
    for (std::uint32_t l = 0; l < it.deduplication_->pages(); ++l)
      if (it.deduplication_->content_of(Lpn{l}) != kNoLpn) return l;
    throw CheckFailed("no page has a content");
  }
  static std::uint32_t unused_content(Drive& it) {
    for (std::uint32_t c = 0; c < it.deduplication_->pages(); ++c)
      if (it.deduplication_->references(Lpn{c}) == 0) return c;
    throw CheckFailed("all contents are in use");
  }
  static std::uint32_t pages(Drive& it) { return layout(it).pages_per_superblock(); }

  static std::vector<Break> breaks() {
    const char* const stands = "I6: frontier ";
    const char* const window = "I6: the window of pool 0 is not its oldest superblocks";
    return {
        // Pages and their slots.
        {"page", "I1: logical page ", AS(map(it).map_[page_in_flash(it)] = place(it, page_in_flash(it, 1)))},
        {"page", "I2: physical page ", AS(map(it).map_[page_in_flash(it)] = place(it, page_in_flash(it, 1)))},
        {"page", "I1: logical page 9 points outside the flash", AS(map(it).map_[9] = Ppn{48 * 64})},
        {"page", "I2: physical page ", AS(it.medium_.lpn_[number(place(it, page_in_flash(it)))] = Lpn{1791})},
        {"page", "I2: logical page ",
         AS(const Ppn ppn = place(it, page_in_flash(it));
            blocks(it).set_invalid(layout(it).block_of(ppn), layout(it).position(ppn)))},
        {"packed", "I2: logical page ", AS(it.medium_.slots_[number(place(it, page_in_flash(it)))] = 0)},
        {"packed", "I1: logical page ",
         AS(const Ppn ppn = place(it, page_in_flash(it, 0, 64)); it.medium_.slots_[number(ppn)] = 40)},
        {"packed", "I2: logical page ",
         AS(const Ppn ppn = place(it, page_in_flash(it));
            it.medium_.slots_[number(ppn)] = static_cast<std::uint8_t>(layout(it).position(ppn) + 2))},
        // Counts of them.
        {"page", "I3: ", AS(++store(it).mapped_pages_)},
        {"page", "I3: ", AS(--store(it).mapped_pages_)},
        {"page", "I3: ", AS(++blocks(it).valid_total_)},
        {"page", "I3: superblock ", AS(++blocks(it).valid_[closed(it)])},
        {"page", "I3: superblock ", AS(blocks(it).valid_bits_[blocks(it).first_word(in_state(it, BlockState::free))] = 1)},
        // States of superblocks.
        {"page", "I6: state of superblock ", AS(blocks(it).state_[closed(it)] = BlockState::free)},
        {"page", "I6: state of superblock ", AS(blocks(it).state_[closed(it)] = BlockState::open)},
        {"page", "I6: state of superblock ", AS(blocks(it).state_[free(it)] = BlockState::closed)},
        {"page", "I6: state of superblock ", AS(blocks(it).state_[free(it)] = BlockState::pending_erase)},
        {"page", "I6: ", AS(--blocks(it).free_count_)},
        {"page", "I6: ", AS(blocks(it).state_[free(it)] = BlockState::open)},
        // Frontiers.
        {"page", stands, AS(open_frontier(it).block_ = in_state(it, BlockState::closed))},
        {"page", stands, AS(blocks(it).state_[number(open_frontier(it).block())] = BlockState::closed)},
        {"page", stands, AS(auto& of = it.medium_.frontier_[number(open_frontier(it).block())]; of = 1 - of)},
        {"page", stands, AS(it.medium_.pslc_[number(open_frontier(it).block())] = 1)},
        {"page", stands, AS(it.medium_.programmed_[number(open_frontier(it).block())] += 2)},
        {"page", stands, AS(++open_frontier(it).used_)},
        {"pools", stands, AS(auto& pool = blocks(it).pool_[number(open_frontier(it).block())]; pool = 1 - pool)},
        // Closed superblocks by age, and the bins.
        {"page", "I6: pool 0 counts ", AS(++blocks(it).pools_[0].closed)},
        {"page", "I6: pool 0 counts ", AS(blocks(it).older_[number(blocks(it).pools_[0].youngest)] = kNoBlock)},
        {"page", "I6: pool 0 counts ", AS(blocks(it).pools_[0].youngest = blocks(it).pools_[0].oldest)},
        {"page", "I6: pool 0 counts ", AS(blocks(it).state_[number(blocks(it).pools_[0].oldest)] = BlockState::collecting)},
        {"pools", "I6: pool 0 counts ", AS(blocks(it).pool_[number(blocks(it).pools_[0].oldest)] = 1)},
        {"frequency", window, AS(++blocks(it).pools_[0].in_window)},
        {"frequency", window, AS(blocks(it).pools_[0].beyond_window = blocks(it).pools_[0].oldest)},
        {"frequency", window, AS(blocks(it).pools_[0].beyond_window = kNoBlock)},
        {"frequency", window, AS(blocks(it).binned_[number(blocks(it).pools_[0].oldest)] = 0)},
        {"frequency", window, AS(blocks(it).binned_[number(blocks(it).pools_[0].youngest)] = 1)},
        {"page", "I6: superblock ", AS(blocks(it).valid_[member_of_bins(it)] ^= 1)},
        {"page", "I6: superblock ", AS(blocks(it).binned_[member_of_bins(it)] = 0)},
        {"page", "I6: pool 0 has ", AS(blocks(it).binned_[member_of_bins(it)] = 0)},
        {"page", "I6: pool 0 has ", AS(++blocks(it).pools_[0].bins.count_)},
        // What is counted on both sides.
        {"extent", "I14: region 3 has ", AS(++map(it).extents_[3])},
        {"extent", "I14: the map has ", AS(++map(it).extent_count_)},
        {"page", "I14: ", AS(++store(it).counts_.pages_appended)},
        {"page", "I14: ", AS(++store(it).counts_.pages_padded)},
        {"page", "I14: ", AS(++store(it).counts_.parity_pages)},
        {"page", "I14: ", AS(++store(it).counts_.failed_pages)},
        {"page", "I14: ", AS(++it.medium_.pages_programmed_)},
        {"page", "I14: ", AS(++it.medium_.superblocks_erased_)},
        // Health.
        {"mortal", "I15: superblock ", AS(blocks(it).state_[free(it)] = BlockState::retired)},
        {"mortal", "I15: ", AS(it.health_->erase(in_state(it, BlockState::closed)))},
        {"mortal", "I15: ", AS(++store(it).counts_.superblocks_erased)},
        // Lost pages.
        {"cells", "I16: ", AS(++it.errors_->marked_)},
        {"cells", "I16: physical page ", AS(it.errors_->mark(layout(it).first_page(in_state(it, BlockState::free))))},
        // Shared contents.
        {"sharing", "I17: content ", AS(it.deduplication_->content_[shared_page(it)] = unused_content(it))},
        {"sharing", "I17: ", AS(++it.deduplication_->references_[it.deduplication_->content_[shared_page(it)]])},
        {"sharing", "I17: content ", AS(map(it).map_[number(it.deduplication_->content_of(Lpn{shared_page(it)}))] = kNoPpn)},
        {"sharing", "I17: ", AS(++it.deduplication_->mapped_pages_)},
        {"sharing", "I17: the number of a content is free ",
         AS(it.deduplication_->free_[0] = number(it.deduplication_->content_of(Lpn{shared_page(it)})))},
        {"sharing", "I17: the number of a content is free ", AS(it.deduplication_->free_[0] = it.deduplication_->free_[1])},
        {"sharing", "I17: the table of fingerprints contradicts itself", AS(++it.deduplication_->fingerprints_.count_)},
        {"sharing", "I17: the table knows content ",
         AS(const std::uint32_t known = it.deduplication_->fingerprints_.oldest_; map(it).map_[known] = kNoPpn)},
    };
  }

  static void check() {
    std::size_t number = 0;
    for (const Break& one : breaks()) {
      CAPTURE(number++, one.design, one.reported);
      Drive drive = used(one.design);
      REQUIRE(inspect(drive.ftl()).empty());
      one.make(drive);
      const std::vector<std::string> sentences = inspect(drive.ftl());
      CAPTURE(sentences);
      CHECK(std::any_of(sentences.begin(), sentences.end(),
                        [&](const std::string& sentence) { return sentence.starts_with(one.reported); }));
    }
  }
};

TEST_CASE("each invariant that is broken alone is reported") { LoadedStates::Invariants::check(); }

}  // namespace ftlab
