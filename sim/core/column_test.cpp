#include "sim/core/column.h"

#include <cstdint>

#include "sim/testing/test.h"

using namespace ftlab;

namespace {

struct Slot {
  std::uint32_t next = 0xffff'ffff;
  std::uint32_t count = 0;
};

}  // namespace

TEST_CASE("a column starts with its type's default or the given value, small or large") {
  for (const std::size_t size : {std::size_t{3}, std::size_t{1'000'000}}) {
    const Column<Slot> slots(size);
    const Column<std::uint64_t> zeros(size);
    const Column<std::uint16_t> filled(size, std::uint16_t{7});
    for (const std::size_t i : {std::size_t{0}, size / 2, size - 1}) {
      CHECK(slots[i].next == 0xffff'ffff);
      CHECK(slots[i].count == 0);
      CHECK(zeros[i] == 0);
      CHECK(filled[i] == 7);
    }
  }
}

TEST_CASE("a copy of a column is independent, and shared memory outlives its column") {
  std::shared_ptr<const std::uint64_t> kept;
  {
    Column<std::uint64_t> column(600'000, 5);
    Column<std::uint64_t> copy = column;
    copy[599'999] = 6;
    CHECK(column[599'999] == 5);
    kept = copy.shared();
  }
  CHECK(kept.get()[0] == 5);
  CHECK(kept.get()[599'999] == 6);
}

TEST_CASE("a column too large for any memory is refused") {
  CHECK_THROWS_AS(Column<std::uint64_t>(~std::size_t{0} / 4), std::bad_alloc);
}
