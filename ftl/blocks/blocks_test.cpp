// Order in which free superblocks are opened.
#include "ftl/blocks/blocks.h"

#include "sim/testing/test.h"

namespace ftlab {
namespace {

Blocks four_superblocks() {
  const Layout layout({1, 1, 1, 1, 4, 4, 4096, 0, 512}, {1, 1}, 4096);
  return Blocks(layout, {Bins::Keeping::lifo, 0, {4}, {}});
}

// Opens, closes, collects and erases one superblock.
SuperblockId use(Blocks& blocks) {
  const SuperblockId block = blocks.open(0, 0);
  blocks.close(block, 0);
  blocks.start_collecting(block);
  blocks.empty(block);
  blocks.erased(block);
  return block;
}

}  // namespace

TEST_CASE("a superblock that becomes free goes to the end of the free list") {
  Blocks blocks = four_superblocks();
  for (std::uint32_t round = 0; round < 3; ++round) {
    for (std::uint32_t b = 0; b < 4; ++b) CHECK(use(blocks) == SuperblockId{b});
  }
}

TEST_CASE("the least or the most worn free superblock is opened, among equals the one that became free first") {
  Blocks blocks = four_superblocks();
  const std::vector<std::uint32_t> wear = {3, 1, 2, 1};
  for (const std::uint32_t b : {1u, 3u, 2u, 0u}) CHECK(blocks.open(0, 0, FreeOrder::least_worn, wear) == SuperblockId{b});
  Blocks others = four_superblocks();
  for (const std::uint32_t b : {0u, 2u, 1u, 3u}) CHECK(others.open(0, 0, FreeOrder::most_worn, wear) == SuperblockId{b});
}

}  // namespace ftlab
