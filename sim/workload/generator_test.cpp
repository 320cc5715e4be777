// Sequences: which parts are random and which are not. Statistical bounds are at a significance of 0.1 %; the seeds are
// fixed, so a passing test keeps passing.
#include "sim/workload/generator.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "sim/workload/random/lfsr.h"
#include "sim/workload/random/random_map.h"
#include "sim/workload/testing/jobs.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

using Blocks = std::vector<std::uint64_t>;

Blocks blocks(const std::string& lines, std::uint64_t block = 4096, std::uint64_t seed = 1, std::size_t most = 1'000'000) {
  return blocks_of(sequence(one_job(lines), seed, most), block);
}

Blocks part(const Blocks& all, std::size_t first, std::size_t count) {
  REQUIRE(all.size() >= first + count);
  return {all.begin() + static_cast<std::ptrdiff_t>(first), all.begin() + static_cast<std::ptrdiff_t>(first + count)};
}

Blocks sorted(Blocks all) {
  std::sort(all.begin(), all.end());
  return all;
}

Blocks counted_to(std::uint64_t count) {
  Blocks all(count);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

bool is_permutation_of_all(const Blocks& all, std::uint64_t count) { return sorted(all) == counted_to(count); }

// Compares the order of two passes of 256 blocks each.
enum class Second { same_order, new_order, no_permutation };

Second second_pass(const std::string& lines) {
  const Blocks all = blocks("rw=randwrite\nbs=4k\nsize=1m\n" + lines, 4096, 1, 512);
  const Blocks first = part(all, 0, 256), second = part(all, 256, 256);
  if (!is_permutation_of_all(first, 256) || !is_permutation_of_all(second, 256)) return Second::no_permutation;
  return first == second ? Second::same_order : Second::new_order;
}

}  // namespace

TEST_CASE("a random map of any size gives every block once", "[workload]") {
  for (const std::uint64_t count : {1, 2, 63, 64, 65, 127, 4095, 4096, 4097, 262144, 262145}) {
    INFO(count);
    RandomMap map(count);
    std::uint64_t taken = 0, start = 0, block = 0;
    std::vector<bool> seen(count);
    while ((block = map.next_free(start)) != RandomMap::kNone) {
      REQUIRE(block < count);
      REQUIRE_FALSE(seen[block]);
      seen[block] = true;
      map.take(block);
      ++taken;
      start = (start + 7919) % count;
    }
    CHECK(taken == count);
    map.clear();
    CHECK(map.next_free(count - 1) == count - 1);
  }
}

TEST_CASE("the map gives the next free block, wrapping to the first one", "[workload]") {
  constexpr std::uint64_t kCount = 5000;
  RandomMap map(kCount);
  std::set<std::uint64_t> free;
  for (std::uint64_t i = 0; i < kCount; ++i) free.insert(free.end(), i);
  for (std::uint64_t step = 0; !free.empty(); ++step) {
    const std::uint64_t start = step * 1237 % kCount;
    auto expected = free.lower_bound(start);
    if (expected == free.end()) expected = free.begin();
    REQUIRE(map.next_free(start) == *expected);
    map.take(*expected);
    free.erase(expected);
  }
  CHECK(map.next_free(0) == RandomMap::kNone);
}

TEST_CASE("an lfsr visits every number once per round, for every count", "[workload]") {
  const auto check = [](std::uint64_t count) {
    Lfsr lfsr(count);
    lfsr.begin(count % lfsr.states());
    std::vector<bool> seen(count);
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t number = lfsr.next();
      if (number >= count || seen[number]) return false;
      seen[number] = true;
    }
    return lfsr.next() == Lfsr::kNone;
  };
  for (std::uint64_t count = 1; count <= 600; ++count) REQUIRE(check(count));
  for (int degree = 10; degree <= 20; ++degree) REQUIRE(check((std::uint64_t{1} << degree) - 1));
  CHECK(check(1'000'000));
}

TEST_CASE("registers too long for a full round do not return early", "[workload]") {
  // From degree 30 on a full round takes too long. A register that loses its state, or runs in a short cycle because of
  // wrong taps, would return to its first number within a million steps.
  for (int degree = 21; degree <= 48; ++degree) {
    INFO(degree);
    Lfsr lfsr((std::uint64_t{1} << degree) - 1);
    lfsr.begin(0);
    const std::uint64_t first = lfsr.next();
    std::size_t returns = 0;
    for (int i = 0; i < 1'000'000; ++i) returns += lfsr.next() == first;
    CHECK(returns == 0);
  }
}

TEST_CASE("the same job and seed give the same sequence, other seeds a different one", "[workload]") {
  const std::string lines = "rw=randrw\nbs=4k\nsize=1m";
  CHECK(blocks(lines, 4096, 7) == blocks(lines, 4096, 7));
  CHECK(blocks(lines, 4096, 7) != blocks(lines, 4096, 8));
  CHECK(blocks(lines + "\nrandseed=1", 4096, 7) != blocks(lines + "\nrandseed=2", 4096, 7));
}

TEST_CASE("clones of one section have different sequences", "[workload]") {
  const JobFile file = parse(job_text("rw=randread\nbs=4k\nsize=1m\nnumjobs=2"));
  CHECK(blocks_of(sequence(file.jobs[0]), 4096) != blocks_of(sequence(file.jobs[1]), 4096));
}

TEST_CASE("a pass over a random map is a permutation", "[workload]") {
  CHECK(is_permutation_of_all(blocks("rw=randread\nbs=4k\nsize=1m"), 256));
  CHECK(is_permutation_of_all(blocks("rw=randwrite\nbs=4k\nsize=1m\nrandom_generator=lfsr"), 256));
  CHECK(is_permutation_of_all(blocks("rw=randtrim\nbs=4k\nsize=1m"), 256));
}

TEST_CASE("a second pass repeats the order unless randrepeat=0 or a seed is given", "[workload]") {
  CHECK(second_pass("loops=2") == Second::same_order);
  CHECK(second_pass("io_size=2m") == Second::same_order);
  CHECK(second_pass("loops=2\nrandrepeat=0") == Second::new_order);
  CHECK(second_pass("io_size=2m\nrandrepeat=0") == Second::new_order);
  CHECK(second_pass("loops=2\nrandseed=3") == Second::new_order);
  CHECK(second_pass("time_based\nruntime=9") == Second::new_order);
  CHECK(second_pass("time_based\nruntime=9\nrandrepeat=0") == Second::new_order);
}

TEST_CASE("a second round of the lfsr repeats the order unless randrepeat=0", "[workload]") {
  const std::string lfsr = "random_generator=lfsr\n";
  CHECK(second_pass(lfsr + "loops=2") == Second::same_order);
  CHECK(second_pass(lfsr + "io_size=2m\nrandseed=3") == Second::same_order);
  CHECK(second_pass(lfsr + "loops=2\nrandrepeat=0") == Second::new_order);
  CHECK(second_pass(lfsr + "time_based\nruntime=9") == Second::same_order);
}

TEST_CASE("without a map a second pass has a new order and blocks repeat", "[workload]") {
  const std::string lines = "rw=randwrite\nbs=4k\nsize=1m\nnorandommap\nloops=2";
  const Blocks all = blocks(lines);
  CHECK(all.size() == 512);
  CHECK(part(all, 0, 256) != part(all, 256, 256));
  CHECK(second_pass("norandommap\nloops=2") == Second::no_permutation);
}

TEST_CASE("random offsets without a map are uniform", "[workload]") {
  constexpr std::size_t kDraws = 160'000, kBuckets = 256;
  const Blocks all = blocks("rw=randread\nbs=4k\nsize=1m\nnorandommap\nio_size=625m");
  REQUIRE(all.size() == kDraws);
  std::vector<double> counts(kBuckets);
  for (const std::uint64_t block : all) ++counts[block];
  const double expected = static_cast<double>(kDraws) / kBuckets;
  double sum = 0;
  for (const double count : counts) sum += (count - expected) * (count - expected) / expected;
  CHECK(sum < 330.5);  // upper 0.1 % point of chi-square, 255 degrees of freedom
}

TEST_CASE("every block is equally likely to come first in a permutation", "[workload]") {
  constexpr std::size_t kSeeds = 8000, kBlocks = 16;
  const Job job = one_job("rw=randread\nbs=4k\nsize=64k");
  std::vector<double> counts(kBlocks);
  for (std::size_t seed = 0; seed < kSeeds; ++seed) ++counts[sequence(job, seed, 1).at(0).offset_bytes / 4096];
  double sum = 0;
  for (const double count : counts) sum += (count - 500) * (count - 500) / 500;
  CHECK(sum < 37.70);  // upper 0.1 % point, 15 degrees of freedom
}

TEST_CASE("reads and writes of a mixed random job share one map", "[workload]") {
  const std::vector<Access> all = sequence(one_job("rw=randrw\nrwmixread=30\nbs=4k\nsize=16m"));
  CHECK(is_permutation_of_all(blocks_of(all, 4096), 4096));
  const auto reads = std::count_if(all.begin(), all.end(), [](const Access& a) { return a.direction == Direction::read; });
  CHECK(std::abs(static_cast<double>(reads) - 4096 * 0.3) < 3.29 * 29.33);  // sqrt(4096 * 0.3 * 0.7)
}

TEST_CASE("a mix of 0 or 100 percent has one direction", "[workload]") {
  for (const Access& access : sequence(one_job("rw=randrw\nrwmixread=0\nbs=4k\nsize=1m")))
    REQUIRE(access.direction == Direction::write);
  for (const Access& access : sequence(one_job("rw=randrw\nrwmixread=100\nbs=4k\nsize=1m")))
    REQUIRE(access.direction == Direction::read);
}

TEST_CASE("random blocks never lie in a tail shorter than a block", "[workload]") {
  CHECK(is_permutation_of_all(blocks("rw=randread\nbs=8k\nsize=84k", 8192), 10));
  CHECK(is_permutation_of_all(blocks("rw=randread\nbs=8k\nsize=84k\nrandom_generator=lfsr", 8192), 10));
}

TEST_CASE("sequential blocks reach beyond the region, but not beyond its file, as in fio", "[workload]") {
  CHECK(blocks("rw=read\nbs=8k\nsize=20k", 8192) == Blocks{0, 1, 2});
  CHECK(blocks("rw=read\nbs=8k\nfilesize=20k", 8192) == Blocks{0, 1});
  const Job whole = one_job("rw=read\nbs=8k", 20 * kKiB);
  CHECK(blocks_of(sequence(whole), 8192) == Blocks{0, 1});
}

TEST_CASE("a sequential job wraps until its amount is done", "[workload]") {
  CHECK(blocks("rw=write\nbs=4k\nsize=12k\nio_size=20k") == Blocks{0, 1, 2, 0, 1});
  CHECK(blocks("rw=write\nbs=4k\nsize=12k\nio_size=8k") == Blocks{0, 1});
  CHECK(blocks("rw=write\nbs=4k\nsize=12k\nio_size=5k") == Blocks{0, 1});
  CHECK(blocks("rw=write\nbs=4k\nsize=12k\nloops=2") == Blocks{0, 1, 2, 0, 1, 2});
  CHECK(blocks("rw=write\nbs=4k\nsize=12k\ntime_based\nruntime=1", 4096, 1, 7) == Blocks{0, 1, 2, 0, 1, 2, 0});
}

TEST_CASE("an offset shifts every request", "[workload]") {
  CHECK(blocks("rw=write\nbs=4k\noffset=8k\nsize=12k") == Blocks{2, 3, 4});
  const Blocks random = blocks("rw=randwrite\nbs=4k\noffset=8k\nsize=12k");
  CHECK(sorted(random) == Blocks{2, 3, 4});
}

TEST_CASE("number_ios stops each loop early", "[workload]") {
  CHECK(blocks("rw=write\nbs=4k\nsize=1m\nnumber_ios=3") == Blocks{0, 1, 2});
  CHECK(blocks("rw=randwrite\nbs=4k\nsize=1m\nnumber_ios=3\nloops=2").size() == 6);
}

TEST_CASE("a skip leaves holes between sequential blocks", "[workload]") {
  CHECK(blocks("rw=write:8k\nbs=4k\nsize=40k") == Blocks{0, 3, 6, 9});
}

TEST_CASE("a backward job begins at block 0, then descends from the end", "[workload]") {
  const Blocks all = blocks("rw=read:-8k\nbs=4k\nfilesize=32k");
  REQUIRE(all.size() == 8);
  CHECK(all[0] == 0);
}

TEST_CASE("a backward job with an offset begins that far below the end, as in fio", "[workload]") {
  // fio 3.33 on a file of 1 MiB: rw=read:-8k bs=12k offset=12k.
  const std::vector<Access> all = sequence(one_job("rw=read:-8k\nbs=12k\noffset=12k", kMiB));
  CHECK(blocks_of(all, 512) == Blocks{2008, 2016, 2024});
}

TEST_CASE("each random start begins a sequential run", "[workload]") {
  const Blocks all = blocks("rw=randread:4\nbs=4k\nnorandommap", 4096, 1, 64);
  REQUIRE(all.size() == 64);
  std::size_t broken = 0;
  for (std::size_t i = 0; i < all.size(); ++i) broken += i % 4 != 0 && all[i] != all[i - 1] + 1;
  CHECK(broken <= 1);  // a run that reaches the end
}

TEST_CASE("each trim is followed by the write of its block", "[workload]") {
  for (const char* rw : {"rw=trimwrite", "rw=randtrimwrite"}) {
    const std::vector<Access> all = sequence(one_job(std::string(rw) + "\nbs=4k\nsize=1m"));
    REQUIRE(all.size() == 512);
    for (std::size_t i = 0; i < all.size(); i += 2) {
      REQUIRE(all[i].direction == Direction::trim);
      REQUIRE(all[i + 1].direction == Direction::write);
      REQUIRE(all[i].offset_bytes == all[i + 1].offset_bytes);
    }
  }
}

TEST_CASE("each direction has its own block size and sequential position", "[workload]") {
  std::uint64_t expected[2] = {0, 0};
  for (const Access& access : sequence(one_job("rw=rw\nbs=4k,8k\nsize=1m"))) {
    const std::size_t d = access.direction == Direction::read ? 0 : 1;
    REQUIRE(access.length_bytes == (d == 0 ? 4096 : 8192));
    REQUIRE(access.offset_bytes == expected[d]);
    expected[d] += access.length_bytes;
  }
}

TEST_CASE("no request leaves the file of its job", "[workload]") {
  for (const char* rw :
       {"read", "randread", "write:4k", "write:-4k", "write:-64k", "randread:7", "randrw", "randtrimwrite:3"})
    for (const char* region : {"filesize=1000k", "filesize=1000k\noffset=12k", "filesize=1000k\noffset=900k"})
      for (const char* map : {"", "\nnorandommap", "\nrandom_generator=lfsr"}) {
        const std::string lines = std::string("rw=") + rw + "\nbs=12k\n" + region + map + "\nloops=3\ntime_based\nruntime=1";
        INFO(lines);
        const Job job = one_job(lines);
        for (const Access& access : sequence(job, 1, 2000)) {
          REQUIRE(access.offset_bytes >= job.region_first_bytes);
          REQUIRE(access.offset_bytes + access.length_bytes <= job.file_end_bytes);
        }
      }
}
