#include "validation/benchmarks/bench_tools.h"

#include <algorithm>
#include <array>

#include "sim/core/check.h"
#include "sim/core/column.h"
#include "sim/core/random.h"
#include "validation/benchmarks/bench.h"

namespace ftlab {
namespace {

constexpr std::uint64_t kAhead = 64;

// Random positions in a table, each prefetched kAhead accesses before its use.
template <class Entry>
class Places {
 public:
  explicit Places(const Column<Entry>& table) : table_(table) {}
  std::uint64_t next(std::uint64_t i) {
    std::uint64_t& slot = ahead_[i % kAhead];
    const std::uint64_t place = slot;
    slot = random_.below(table_.size());
    __builtin_prefetch(&table_[slot], 1);
    return place;
  }

 private:
  const Column<Entry>& table_;
  RandomStream random_{1, "bare accesses"};
  std::array<std::uint64_t, kAhead> ahead_{};
};

template <class Entry>
double update_ns(std::uint64_t entries) {
  const std::uint64_t updates = std::max<std::uint64_t>(entries * 2, kAhead);
  Column<Entry> table(entries);
  Places<Entry> places(table);
  const CpuWatch watch;
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < updates; ++i) {
    Entry& entry = table[places.next(i)];
    sum += entry;
    entry = static_cast<Entry>(i);
  }
  const double took = watch.seconds();
  FTLAB_CHECK(sum > 0, "the table was read");  // keeps the compiler from removing the loop
  return took * 1e9 / static_cast<double>(updates);
}

}  // namespace

double bare_update_ns(std::uint64_t entries, std::uint32_t bytes) {
  FTLAB_CHECK(bytes == 2 || bytes == 4, "a table of numbers of 2 or 4 bytes");
  return bytes == 2 ? update_ns<std::uint16_t>(entries) : update_ns<std::uint32_t>(entries);
}

}  // namespace ftlab
