#include "models/nand/array/layout.h"
#include "models/nand/array/data_slots.h"

#include <set>
#include <tuple>

#include "sim/testing/test.h"

using namespace ftlab;

namespace {

Geometry geometry(std::uint32_t channels, std::uint32_t chips, std::uint32_t planes, std::uint32_t page_bytes) {
  return {channels, chips, 1, planes, 6, 8, page_bytes, 0, 512};
}

}  // namespace

TEST_CASE("the slots of a drive cover every NAND page exactly once") {
  const std::tuple<Geometry, SuperblockShape, std::uint32_t> cases[] = {
      {geometry(1, 1, 1, 4096), {1, 1}, 4096},  {geometry(4, 2, 2, 4096), {8, 2}, 4096},
      {geometry(4, 2, 2, 4096), {8, 1}, 4096},  {geometry(4, 2, 4, 8192), {4, 2}, 4096},
      {geometry(2, 2, 2, 16384), {4, 2}, 4096}, {geometry(4, 2, 2, 4096), {8, 2}, 16384},
      {geometry(3, 1, 1, 4096), {3, 1}, 12288}, {geometry(4, 1, 2, 2048), {2, 2}, 512},
  };
  for (const auto& [g, shape, mapping] : cases) {
    REQUIRE(layout_problem(g, shape, mapping).empty());
    const Layout layout(g, shape, mapping);
    CHECK(layout.page_count() * mapping == g.bytes());
    CHECK(layout.superblocks() * std::uint64_t{layout.blocks_per_superblock()} == g.blocks());
    // Each stripe (superblock, die, NAND page) holds pages_per_stripe mapping pages, or is one of the stripes_per_page
    // stripes of exactly one mapping page.
    std::multiset<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> stripes;
    for (std::uint32_t p = 0; p < layout.page_count(); ++p) {
      const Ppn ppn{p};
      const SuperblockId block = layout.block_of(ppn);
      const std::uint32_t first = layout.stripe_of(layout.position(ppn));
      for (std::uint32_t s = first; s < first + layout.stripes_per_page(); ++s) {
        REQUIRE(number(layout.die_of(block, s)) < g.dies());
        REQUIRE(layout.nand_page_of(s) < g.pages_per_block);
        stripes.insert({number(block), number(layout.die_of(block, s)), layout.nand_page_of(s)});
      }
    }
    std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> distinct(stripes.begin(), stripes.end());
    CHECK(distinct.size() == g.pages() / shape.planes);
    for (const auto& stripe : distinct) REQUIRE(stripes.count(stripe) == layout.pages_per_stripe());
  }
}

TEST_CASE("consecutive stripes of a superblock lie on different channels") {
  const Geometry g = geometry(4, 2, 2, 4096);
  const Layout layout(g, {8, 2}, 4096);
  for (std::uint32_t s = 0; s + 1 < 8; ++s) {
    const auto channel = [&](std::uint32_t stripe) { return g.channel_of(number(layout.die_of(SuperblockId{0}, stripe))); };
    CHECK(channel(s) != channel(s + 1));
  }
}

// Consecutive superblocks share the planes of the drive; no two of the same block row overlap.
TEST_CASE("superblocks of one block row do not overlap and fill the drive") {
  const Geometry g = geometry(4, 2, 4, 4096);
  for (const SuperblockShape shape :
       {SuperblockShape{8, 4}, SuperblockShape{8, 2}, SuperblockShape{8, 1}, SuperblockShape{2, 2}, SuperblockShape{1, 1}}) {
    CAPTURE(shape.dies, shape.planes);
    const Layout layout(g, shape, 4096);
    const std::uint32_t in_row = g.dies() / shape.dies * (g.planes_per_die / shape.planes);
    REQUIRE(layout.superblocks() == in_row * g.blocks_per_plane);
    std::multiset<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> planes;  // row, die, plane
    for (std::uint32_t b = 0; b < layout.superblocks(); ++b) {
      for (std::uint32_t stripe = 0; stripe < shape.dies; ++stripe) {
        for (std::uint32_t plane = 0; plane < shape.planes; ++plane)
          planes.insert({b / in_row, number(layout.die_of(SuperblockId{b}, stripe)),
                         layout.flash_page(SuperblockId{b}, 0, 0, 0).first_plane + plane});
      }
    }
    std::multiset<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> all;
    for (std::uint32_t row = 0; row < g.blocks_per_plane; ++row) {
      for (std::uint32_t die = 0; die < g.dies(); ++die) {
        for (std::uint32_t plane = 0; plane < g.planes_per_die; ++plane) all.insert({row, die, plane});
      }
    }
    CHECK((planes == all));
  }
}

TEST_CASE("StripeWalk gives the die and NAND page of each stripe, with step() and with go_to()") {
  const Geometry g = geometry(4, 2, 2, 4096);
  for (const SuperblockShape shape :
       {SuperblockShape{8, 2}, SuperblockShape{4, 2}, SuperblockShape{2, 1}, SuperblockShape{1, 1}}) {
    const Layout layout(g, shape, 4096);
    const std::uint32_t stripes = layout.stripe_of(layout.pages_per_superblock() - 1) + 1;
    for (std::uint32_t b = 0; b < layout.superblocks(); ++b) {
      for (std::uint32_t from = 0; from < stripes; ++from) {
        StripeWalk stepping(layout, SuperblockId{b}, from);
        for (std::uint32_t s = from; s < stripes; ++s, stepping.step()) {
          StripeWalk ahead(layout, SuperblockId{b}, from);
          ahead.go_to(s);
          for (const StripeWalk& walk : {stepping, ahead}) {
            REQUIRE(walk.die() == layout.die_of(SuperblockId{b}, s));
            REQUIRE(walk.nand_page() == layout.nand_page_of(s));
          }
        }
      }
    }
  }
}

TEST_CASE("whole_rows() rounds down to whole rows; a page larger than a stripe is a row") {
  const Layout stripes(geometry(4, 2, 2, 4096), {8, 2, true}, 4096);  // rows of 7 dies by 2 planes
  CHECK((DataSlots(stripes).whole_rows(1) == 14 && DataSlots(stripes).whole_rows(14) == 14 &&
         DataSlots(stripes).whole_rows(29) == 28));
  const Layout large(geometry(4, 2, 2, 4096), {8, 2}, 16384);
  CHECK((large.stripes_per_page() == 2 && DataSlots(large).whole_rows(1) == 1 && DataSlots(large).whole_rows(7) == 7));
}

TEST_CASE("superblock shapes that do not fit the geometry are reported") {
  const Geometry g = geometry(4, 2, 2, 4096);
  CHECK(layout_problem(g, {3, 2}, 4096) == "superblock dies (3) must divide the drive's dies (8)");
  CHECK(layout_problem(g, {8, 2}, 3072).find("multi-plane") != std::string::npos);
  CHECK(layout_problem(g, {8, 2}, 4000).find("512") != std::string::npos);
  CHECK(layout_problem(g, {1, 1}, 65536).find("superblock") != std::string::npos);
  CHECK(layout_problem(g, {1, 2, true}, 4096) == "parity needs superblocks of two dies or more");
  CHECK(layout_problem(g, {2, 2, true}, 4096).empty());
}
