// Maps physical pages to places in the flash. The translation layer works with superblocks (the same block row on several
// dies and planes, erased together) and fills them in a fixed order; this file computes die, plane and NAND page.
//
//   mapping page   unit of the mapping table, smaller or larger than a NAND page
//   slot           `slot_bytes`: holds one mapping page. On a drive that compresses (models/compression) a mapping page
//                  takes several consecutive slots. Below, "page" is what fills a slot.
//   Ppn            slot number: superblock * pages_per_superblock + position
//   stripe         unit of one multi-plane program: one NAND page in each of the superblock's planes on one die. Positions
//                  run through a stripe, then through the dies, then through the NAND pages of the blocks.
//
// A mapping page is part of a stripe, or several whole stripes. With parity, the last stripe of every row (one stripe on
// each die) holds the parity of the others; rows are rotated over the dies so that all dies carry the same load.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/nand/array/geometry.h"
#include "sim/core/check.h"
#include "sim/core/divisor.h"
#include "sim/core/types.h"

namespace ftlab {

enum class Ppn : std::uint32_t {};
enum class SuperblockId : std::uint32_t {};
enum class Die : std::uint32_t {};

inline constexpr Ppn kNoPpn{0xffff'ffff};
inline constexpr SuperblockId kNoBlock{0xffff'ffff};

// The part of an operation's address that its time depends on.
struct FlashPage {
  SuperblockId block = kNoBlock;  // kNoBlock: a block with data-sheet times
  std::uint32_t nand_page = 0;
  std::uint32_t first_plane = 0;  // within the die
  std::uint32_t planes = 0;       // number of planes; 0: all of the die
  bool slc = false;               // pSLC: one bit per cell in a block that can hold more
};

struct SuperblockShape {
  std::uint32_t dies = 1;
  std::uint32_t planes = 1;
  bool parity = false;
};

// Error message if these do not fit together, else empty.
std::string layout_problem(const Geometry& geometry, SuperblockShape shape, std::uint64_t slot_bytes);

class Layout {
 public:
  // REQUIRES: layout_problem() is empty.
  Layout(const Geometry& geometry, SuperblockShape shape, std::uint32_t slot_bytes);

  std::uint32_t slot_bytes() const { return slot_bytes_; }
  std::uint32_t superblocks() const { return superblocks_; }
  std::uint32_t blocks_per_superblock() const { return shape_.dies * shape_.planes; }
  std::uint32_t pages_per_superblock() const { return pages_per_superblock_.value(); }  // slots, with parity
  std::uint32_t data_pages() const { return data_pages_; }                              // without parity
  bool has_parity() const { return shape_.parity; }
  bool is_parity(std::uint32_t stripe) const { return shape_.parity && stripe % dies_ == shape_.dies - 1; }
  std::uint32_t pages_per_stripe() const { return pages_per_stripe_.value(); }  // slots; 1 if they are larger
  std::uint32_t stripes_per_page() const { return stripes_per_page_; }          // stripes; 1 if slots are smaller
  std::uint32_t dies_per_superblock() const { return shape_.dies; }
  std::uint32_t planes() const { return shape_.planes; }
  std::uint64_t page_count() const { return std::uint64_t{superblocks_} * pages_per_superblock(); }

  SuperblockId block_of(Ppn ppn) const {
    FTLAB_DCHECK(number(ppn) < page_count(), "page " + std::to_string(number(ppn)) + " is in no superblock");
    return SuperblockId{number(ppn) / pages_per_superblock_};
  }
  Ppn first_page(SuperblockId block) const {
    FTLAB_DCHECK(number(block) < superblocks_, "superblock " + std::to_string(number(block)) + " has no pages");
    return Ppn{number(block) * pages_per_superblock()};
  }
  std::uint32_t position(Ppn ppn) const {
    FTLAB_DCHECK(number(ppn) < page_count(), "page " + std::to_string(number(ppn)) + " has no place in a superblock");
    return number(ppn) % pages_per_superblock_;
  }

  // Stripe in which the mapping page at `position` begins, numbered within the superblock.
  std::uint32_t stripe_of(std::uint32_t position) const { return position / pages_per_stripe_ * stripes_per_page_; }

  // Position at which the next stripe begins (with mapping pages larger than a stripe: the next mapping page).
  std::uint32_t next_stripe(std::uint32_t position) const { return (position / pages_per_stripe_ + 1) * pages_per_stripe(); }

  Die die_of(SuperblockId block, std::uint32_t stripe) const {
    FTLAB_DCHECK(number(block) < superblocks_, "superblock " + std::to_string(number(block)) + " lies on no die");
    const std::uint32_t turn = shape_.parity ? stripe / dies_ : 0;
    return Die{number(first_die(block)) + (stripe + turn) % dies_};
  }
  std::uint32_t nand_page_of(std::uint32_t stripe) const { return stripe / dies_; }
  // NAND pages of one stripe that hold the mapping pages at positions `first` to `last`.
  FlashPage flash_page(SuperblockId block, std::uint32_t stripe, std::uint32_t first, std::uint32_t last) const {
    FTLAB_DCHECK(first <= last && first / pages_per_stripe_ == last / pages_per_stripe_, "a read across two stripes");
    const std::uint32_t nand_page = nand_page_of(stripe), plane = first_plane(block);
    if (stripes_per_page_ > 1) return {block, nand_page, plane, shape_.planes, false};  // a page is several whole stripes
    const std::uint32_t begins = first_plane_of_[first % pages_per_stripe_], ends = last_plane_of_[last % pages_per_stripe_];
    return {block, nand_page, plane + begins, ends - begins + 1, false};
  }

 private:
  Die first_die(SuperblockId block) const { return Die{number(block) % groups_ / plane_groups_ * shape_.dies}; }
  std::uint32_t first_plane(SuperblockId block) const { return number(block) % groups_ % plane_groups_ * shape_.planes; }

  SuperblockShape shape_;
  std::uint32_t slot_bytes_;
  std::uint32_t page_bytes_;
  Divisor dies_;          // per superblock
  Divisor groups_;        // superblocks per block row
  Divisor plane_groups_;  // superblocks per block row on the same dies
  std::uint32_t superblocks_;
  Divisor pages_per_stripe_;
  std::uint32_t stripes_per_page_;
  Divisor pages_per_superblock_;
  std::uint32_t data_pages_;
  // By slot of a stripe: its first and last plane.
  std::vector<std::uint8_t> first_plane_of_, last_plane_of_;
};

// Superblocks of one die group have the same dies; the group with the next number has the next dies.
inline std::uint32_t die_group(const Layout& layout, SuperblockId block) {
  return number(layout.die_of(block, 0)) / layout.dies_per_superblock();
}
inline std::uint32_t die_groups(const Layout& layout) {
  return die_group(layout, SuperblockId{layout.superblocks() - 1}) + 1;
}

// Iterates over the stripes of a superblock; computes die and NAND page without a division. REQUIRES: no parity.
class StripeWalk {
 public:
  StripeWalk(const Layout& layout, SuperblockId block, std::uint32_t stripe)
      : dies_(layout.dies_per_superblock()),
        stripe_(stripe),
        nand_page_(layout.nand_page_of(stripe)),
        turn_(stripe - nand_page_ * dies_),
        first_die_(number(layout.die_of(block, 0))) {
    FTLAB_DCHECK(!layout.has_parity(), "a walk along stripes does not know those of parity");
  }

  Die die() const { return Die{first_die_ + turn_}; }
  std::uint32_t nand_page() const { return nand_page_; }
  void step() {
    ++stripe_;
    if (++turn_ < dies_) return;
    turn_ = 0;
    ++nand_page_;
  }
  // REQUIRES: not before the current stripe.
  void go_to(std::uint32_t stripe) {
    FTLAB_DCHECK(stripe >= stripe_, "a walk along stripes goes back");
    while (stripe_ < stripe) step();
  }

 private:
  std::uint32_t dies_;
  std::uint32_t stripe_;
  std::uint32_t nand_page_;
  std::uint32_t turn_;  // index of the die within the superblock
  std::uint32_t first_die_;
};

}  // namespace ftlab
