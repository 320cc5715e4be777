// The sequences that fio 3.33 issued for the same options (validation/checks/fio-golden). Where nothing is left to chance
// they must be equal; elsewhere both, fio's and ours, must pass the same tests of structure and distribution. All
// statistical bounds are at a significance of 0.1 %; the seeds are fixed, so a pass stays a pass.
#include <algorithm>
#include <cmath>
#include <set>

#include "sim/workload/test_jobs.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

constexpr std::uint64_t kBlocks = 16384;  // of 4 KiB in 64 MiB

Direction direction_named(const std::string& name) {
  return name == "read" ? Direction::read : name == "write" ? Direction::write : Direction::trim;
}

std::vector<Access> golden(const std::string& name) {
  std::istringstream text(file_text(std::string(FTLAB_SOURCE_DIR "/validation/checks/fio-golden/") + name + ".iolog"));
  std::vector<Access> accesses;
  std::string direction;
  Access access;
  while (text >> direction >> access.offset_bytes >> access.length_bytes) {
    access.direction = direction_named(direction);
    accesses.push_back(access);
  }
  REQUIRE_FALSE(accesses.empty());
  return accesses;
}

std::vector<Access> ours(const std::string& lines, bool with_filesize = true) {
  const std::string fixed = with_filesize ? "filesize=64M\nsize=64M\n" : "";
  const std::string text = "[j]\nioengine=null\nfilename=dev\n" + fixed + "randseed=42\nnumber_ios=4000\n" + lines;
  return sequence(parse(text).jobs.at(0), 7);
}

void check_equal(const std::vector<Access>& a, const std::vector<Access>& b) {
  REQUIRE(a.size() == b.size());
  std::size_t different = 0;
  for (std::size_t i = 0; i < a.size(); ++i) different += line_of(a[i]) != line_of(b[i]);
  CHECK(different == 0);
}

// Pearson's statistic of the offsets over `buckets` equal parts of [first, end).
double chi_square(const std::vector<Access>& accesses, std::uint64_t first, std::uint64_t end, std::size_t buckets) {
  std::vector<double> counts(buckets);
  for (const Access& access : accesses) ++counts[(access.offset_bytes - first) * buckets / (end - first)];
  const double expected = static_cast<double>(accesses.size()) / static_cast<double>(buckets);
  double sum = 0;
  for (const double count : counts) sum += (count - expected) * (count - expected) / expected;
  return sum;
}

constexpr double kChiSquare63 = 103.44;  // upper 0.1 % point, 63 degrees of freedom
constexpr double kChiSquare15 = 37.70;
constexpr double kNormal = 3.29;         // two-sided 0.1 %

void check_uniform(const std::vector<Access>& accesses, std::uint64_t first = 0, std::uint64_t end = 64 * kMiB) {
  CHECK(chi_square(accesses, first, end, 64) < kChiSquare63);
}

void check_shape(const std::vector<Access>& accesses, std::size_t count, std::uint64_t block, std::uint64_t first,
                 std::uint64_t end) {
  CHECK(accesses.size() == count);
  const auto fits = [&](const Access& a) {
    return a.length_bytes == block && a.offset_bytes >= first && a.offset_bytes + block <= end &&
           (a.offset_bytes - first) % block == 0;
  };
  CHECK(std::all_of(accesses.begin(), accesses.end(), fits));
}

std::size_t distinct(const std::vector<Access>& accesses) {
  std::set<std::uint64_t> offsets;
  for (const Access& access : accesses) offsets.insert(access.offset_bytes);
  return offsets.size();
}

std::vector<Access> only(const std::vector<Access>& accesses, Direction direction) {
  std::vector<Access> kept;
  std::copy_if(accesses.begin(), accesses.end(), std::back_inserter(kept),
               [&](const Access& access) { return access.direction == direction; });
  return kept;
}

void check_share(std::size_t hits, std::size_t count, double share) {
  const double n = static_cast<double>(count);
  CHECK(std::abs(static_cast<double>(hits) - n * share) < kNormal * std::sqrt(n * share * (1 - share)));
}

// Runs `check` on fio's sequence and on ours.
template <class Check>
void check_both(const std::string& name, const std::string& lines, Check check, bool with_filesize = true) {
  SECTION("fio's " + name) { check(golden(name)); }
  SECTION("our " + name) { check(ours(lines, with_filesize)); }
}

void check_permutation(const std::vector<Access>& accesses) {
  check_shape(accesses, 4000, 4096, 0, 64 * kMiB);
  CHECK(distinct(accesses) == 4000);
  check_uniform(accesses);
}

}  // namespace

TEST_CASE("sequences without chance equal those of fio", "[workload][golden]") {
  check_equal(ours("rw=write\nbs=128k"), golden("write128k"));
  check_equal(ours("rw=write:12k\nbs=4k"), golden("write_holes"));
  check_equal(ours("rw=write:-8k\nbs=4k"), golden("write_backwards"));
  check_equal(ours("rw=write\nbs=64k\nsize=8M\nio_size=16M", false), golden("io_size"));
}

TEST_CASE("random writes with a map never repeat a block, in fio and here", "[workload][golden]") {
  check_both("randwrite4k", "rw=randwrite\nbs=4k", check_permutation);
}

TEST_CASE("tausworthe64 is as uniform as the default generator", "[workload][golden]") {
  check_both("randread_t64", "rw=randread\nbs=4k\nrandom_generator=tausworthe64", check_permutation);
}

TEST_CASE("the lfsr visits no block twice, in fio and here", "[workload][golden]") {
  check_both("randwrite_lfsr", "rw=randwrite\nbs=4k\nrandom_generator=lfsr", check_permutation);
}

TEST_CASE("without a map blocks repeat as often as chance has it", "[workload][golden]") {
  check_both("randwrite4k_norandommap", "rw=randwrite\nbs=4k\nnorandommap", [](const std::vector<Access>& accesses) {
    check_shape(accesses, 4000, 4096, 0, 64 * kMiB);
    check_uniform(accesses);
    // Occupancy: n balls into m boxes leave m e^(-n/m) empty, variance about m e^(-2c) (e^c - 1 - c), c = n/m.
    const double m = kBlocks, c = 4000 / m;
    const double sigma = std::sqrt(m * std::exp(-2 * c) * (std::exp(c) - 1 - c));
    CHECK(std::abs(static_cast<double>(distinct(accesses)) - m * (1 - std::exp(-c))) < kNormal * sigma);
  });
}

TEST_CASE("mixed random reads and writes share one map and keep to their share", "[workload][golden]") {
  check_both("randrw70", "rw=randrw\nrwmixread=70\nbs=4k", [](const std::vector<Access>& accesses) {
    check_permutation(accesses);
    check_share(only(accesses, Direction::read).size(), accesses.size(), 0.7);
  });
}

TEST_CASE("mixed sequential reads and writes run separately", "[workload][golden]") {
  check_both("seqrw", "rw=rw\nbs=4k", [](const std::vector<Access>& accesses) {
    CHECK(accesses.size() == 4000);
    check_share(only(accesses, Direction::read).size(), accesses.size(), 0.5);
    for (const Direction direction : {Direction::read, Direction::write}) {
      std::uint64_t expected = 0;
      std::size_t wrong = 0;
      for (const Access& access : only(accesses, direction)) {
        wrong += access.offset_bytes != expected;
        expected += 4096;
      }
      CHECK(wrong == 0);
    }
  });
}

TEST_CASE("size bounds the region of a device", "[workload][golden]") {
  const auto check = [](const std::vector<Access>& accesses) {
    check_shape(accesses, 4000, 4096, 16 * kMiB, 32 * kMiB);
    CHECK(distinct(accesses) == 4000);
    check_uniform(accesses, 16 * kMiB, 32 * kMiB);
  };
  check_both("randwrite_off", "rw=randwrite\nbs=4k\noffset=16M\nsize=16M", check, false);
}

TEST_CASE("with filesize, size bounds the amount only", "[workload][golden]") {
  const auto check = [](const std::vector<Access>& accesses) {
    check_shape(accesses, 4000, 4096, 16 * kMiB, 64 * kMiB);
    CHECK(distinct(accesses) == 4000);
    check_uniform(accesses, 16 * kMiB, 64 * kMiB);
  };
  check_both("randwrite_filesize_quirk", "rw=randwrite\nbs=4k\nfilesize=64M\noffset=16M\nsize=16M", check, false);
}

TEST_CASE("randwrite:8 writes eight blocks from each random start", "[workload][golden]") {
  check_both("randwrite_seq8", "rw=randwrite:8\nbs=4k", [](const std::vector<Access>& accesses) {
    check_shape(accesses, 4000, 4096, 0, 64 * kMiB);
    std::vector<Access> starts;
    std::size_t broken = 0;
    for (std::size_t i = 0; i < accesses.size(); ++i) {
      if (i % 8 == 0)
        starts.push_back(accesses[i]);
      else
        broken += accesses[i].offset_bytes != accesses[i - 1].offset_bytes + 4096;
    }
    CHECK(distinct(starts) == starts.size());
    CHECK(broken <= 3);  // runs that met the end of the region: 500 starts, 7 of 16384 places, 0.2 expected
    CHECK(chi_square(starts, 0, 64 * kMiB, 16) < kChiSquare15);
  });
}

TEST_CASE("randtrimwrite writes each block right after its trim", "[workload][golden]") {
  check_both("randtrimwrite", "rw=randtrimwrite\nbs=64k", [](const std::vector<Access>& accesses) {
    check_shape(accesses, 2048, 64 * kKiB, 0, 64 * kMiB);
    CHECK(distinct(only(accesses, Direction::trim)) == 1024);
    std::size_t unpaired = 0;
    for (std::size_t i = 0; i + 1 < accesses.size(); i += 2)
      unpaired += accesses[i].direction != Direction::trim || accesses[i + 1].direction != Direction::write ||
                  accesses[i].offset_bytes != accesses[i + 1].offset_bytes;
    CHECK(unpaired == 0);
  });
}

TEST_CASE("randtrim trims every block once", "[workload][golden]") {
  check_both("randtrim", "rw=randtrim\nbs=64k", [](const std::vector<Access>& accesses) {
    check_shape(accesses, 1024, 64 * kKiB, 0, 64 * kMiB);
    CHECK(distinct(accesses) == 1024);
    CHECK(only(accesses, Direction::trim).size() == 1024);
  });
}
