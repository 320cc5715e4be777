// Sequences that fio 3.33 issued for the same options (validation/checks/data/fio_sequences.txt). Without randomness ours must be
// equal; otherwise both must pass the same tests of structure and distribution. All statistical bounds are at a significance
// of 0.1 %; the seeds are fixed, so a passing test keeps passing.
#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

#include "sim/config/file.h"
#include "sim/workload/testing/jobs.h"
#include "sim/workload/testing/sequences.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

constexpr std::uint64_t kBlocks = 16384;  // 64 MiB in blocks of 4 KiB

Direction direction_named(const std::string& name) {
  return name == "read" ? Direction::read : name == "write" ? Direction::write : Direction::trim;
}

// The file has a heading for each sequence, and a line for each request: direction, offset, length.
std::vector<Access> golden(const std::string& name) {
  static const std::string all = read_text_file(FTLAB_SOURCE_DIR "/validation/checks/data/fio_sequences.txt");
  const std::string heading = "=== " + name + "\n";
  const std::size_t begin = all.find(heading);
  REQUIRE(begin != all.npos);
  std::istringstream text(all.substr(begin + heading.size(), all.find("===", begin + 3) - begin - heading.size()));
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
constexpr double kNormal = 3.29;  // two-sided 0.1 %

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

TEST_CASE("sequences without randomness equal those of fio", "[workload][golden]") {
  check_equal(ours("rw=write\nbs=128k"), golden("write128k"));
  check_equal(ours("rw=write:12k\nbs=4k"), golden("write_holes"));
  check_equal(ours("rw=write:-8k\nbs=4k"), golden("write_backwards"));
  check_equal(ours("rw=write\nbs=64k\nsize=8M\nio_size=16M", false), golden("io_size"));
}

// On a sparse file of 64 MiB: fio --name=j --ioengine=null --filename=FILE --randseed=42 --write_iolog=LOG with
//   strided_write   --number_ios=400 --size=64M --rw=write --bs=64k --zonemode=strided --zonesize=256k --zonerange=512k
//                   --zoneskip=1536k
//   strided_again   --number_ios=400 --size=16M --offset=8M --rw=write --bs=16k --zonemode=strided --zonesize=128k
//                   --zonerange=64k --zoneskip=192k
//   strided_random  --number_ios=1000 --size=64M --rw=randwrite --bs=4k --zonemode=strided --zonesize=256k --zonerange=1M
//                   --zoneskip=3M
TEST_CASE("sequential jobs go from zone to zone as in fio", "[workload][golden]") {
  check_equal(ours("number_ios=400\nsize=64M\nrw=write\nbs=64k\nzonemode=strided\nzonesize=256k\nzonerange=512k\n"
                   "zoneskip=1536k",
                   false),
              golden("strided_write"));
  check_equal(ours("number_ios=400\nsize=16M\noffset=8M\nrw=write\nbs=16k\nzonemode=strided\nzonesize=128k\n"
                   "zonerange=64k\nzoneskip=192k",
                   false),
              golden("strided_again"));
}

TEST_CASE("random jobs stay in their zone and repeat no block within a visit, in fio and here", "[workload][golden]") {
  check_both(
      "strided_random",
      "number_ios=1000\nsize=64M\nrw=randwrite\nbs=4k\nzonemode=strided\nzonesize=256k\nzonerange=1M\nzoneskip=3M",
      [](const std::vector<Access>& accesses) {
        constexpr std::size_t kPerVisit = 64, kZones = 16;
        check_shape(accesses, 1000, 4096, 0, 64 * kMiB);
        std::vector<Access> inside;
        std::size_t outside = 0, repeated = 0;
        std::set<std::uint64_t> visit;
        for (std::size_t i = 0; i < accesses.size(); ++i) {
          if (i % kPerVisit == 0) visit.clear();
          const std::uint64_t first = i / kPerVisit % kZones * 4 * kMiB;
          outside += accesses[i].offset_bytes < first || accesses[i].offset_bytes >= first + kMiB;
          repeated += !visit.insert(accesses[i].offset_bytes).second;
          inside.push_back(accesses[i]);
          inside.back().offset_bytes -= first;
        }
        CHECK(outside == 0);
        CHECK(repeated == 0);
        CHECK(chi_square(inside, 0, kMiB, 16) < kChiSquare15);
      },
      false);
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

TEST_CASE("without a map blocks repeat as often as expected by chance", "[workload][golden]") {
  check_both("randwrite4k_norandommap", "rw=randwrite\nbs=4k\nnorandommap", [](const std::vector<Access>& accesses) {
    check_shape(accesses, 4000, 4096, 0, 64 * kMiB);
    check_uniform(accesses);
    // Occupancy: n balls into m boxes leave m e^(-n/m) empty, variance about m e^(-2c) (e^c - 1 - c), c = n/m.
    const double m = kBlocks, c = 4000 / m;
    const double sigma = std::sqrt(m * std::exp(-2 * c) * (std::exp(c) - 1 - c));
    CHECK(std::abs(static_cast<double>(distinct(accesses)) - m * (1 - std::exp(-c))) < kNormal * sigma);
  });
}

TEST_CASE("mixed random reads and writes share one map and keep their ratio", "[workload][golden]") {
  check_both("randrw70", "rw=randrw\nrwmixread=70\nbs=4k", [](const std::vector<Access>& accesses) {
    check_permutation(accesses);
    check_share(only(accesses, Direction::read).size(), accesses.size(), 0.7);
  });
}

TEST_CASE("mixed sequential reads and writes advance separately", "[workload][golden]") {
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
    CHECK(broken <= 3);  // runs that reached the end of the region: 500 starts, 7 of 16384 places, 0.2 expected
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

namespace {

constexpr double kOneInThousand = 3.09;  // one-sided quantile of the normal

std::uint64_t length_of(const Access& access) { return access.length_bytes; }

void check_same_sizes(const std::string& name, const std::string& lines) {
  CHECK(difference(histogram(golden(name), length_of), histogram(ours(lines), length_of)) < kOneInThousand);
}

// With a map no sector is touched twice, whatever the sizes.
void check_cut_blocks(const std::vector<Access>& accesses) {
  CHECK(bytes_again(accesses) == 0);
  const auto fits = [](const Access& a) {
    return a.offset_bytes % 4096 == 0 && a.length_bytes % 4096 == 0 && a.length_bytes <= 64 * kKiB &&
           a.offset_bytes + a.length_bytes <= 64 * kMiB;
  };
  CHECK(std::all_of(accesses.begin(), accesses.end(), fits));
  CHECK(histogram(accesses, length_of).size() == 16);  // all multiples of 4 KiB appear
}

double share_of_top(const std::vector<Access>& accesses, std::size_t rank) {
  return frequencies(accesses).at(rank) / static_cast<double>(accesses.size());
}

// 3.29 standard deviations of a count, as a share.
double tolerance(double share, double n) { return kNormal * std::sqrt(share * (1 - share) / n); }

std::uint64_t top_block(const std::vector<Access>& accesses) {
  const Histogram counts = histogram(accesses, [](const Access& a) { return a.offset_bytes / 4096; });
  return std::max_element(counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

void check_zipf(const std::vector<Access>& accesses) {
  check_shape(accesses, 4000, 4096, 0, 64 * kMiB);
  double sum = 0;
  for (double i = 1; i <= kBlocks; ++i) sum += std::pow(i, -1.2);
  const double first = 1 / sum, second = std::pow(2, -1.2) / sum;
  CHECK(std::abs(share_of_top(accesses, 0) - first) < tolerance(first, 4000));
  CHECK(std::abs(share_of_top(accesses, 1) - second) < tolerance(second, 4000));
}

}  // namespace

TEST_CASE("bssplit with a map cuts blocks and never overlaps", "[workload][golden]") {
  const std::string lines = "rw=randwrite\nbssplit=4k/50:8k/30:64k/20";
  check_both("randwrite_bssplit", lines, check_cut_blocks);
  SECTION("sizes") { check_same_sizes("randwrite_bssplit", lines); }
}

TEST_CASE("bsrange with a map cuts blocks and never overlaps", "[workload][golden]") {
  const std::string lines = "rw=randwrite\nbsrange=4k-64k";
  check_both("randwrite_bsrange", lines, check_cut_blocks);
  SECTION("sizes") { check_same_sizes("randwrite_bsrange", lines); }
}

TEST_CASE("the enterprise workload of JESD219 has the specified sizes, zones and shares", "[workload][golden]") {
  const std::string lines =
      "rw=randrw\nrwmixread=40\nnorandommap\nbssplit=512/4:1024/1:1536/1:2048/1:2560/1:3072/1:3584/1:4k/"
      "67:8k/10:16k/7:32k/3:64k/3\n"
      "blockalign=4k\nrandom_distribution=zoned:50/5:30/15:20/80";
  check_both("jesd219", lines, [](const std::vector<Access>& accesses) {
    CHECK(std::all_of(accesses.begin(), accesses.end(), [](const Access& a) { return a.offset_bytes % 4096 == 0; }));
    const auto within = [&](double first, double end) {
      return static_cast<std::size_t>(std::count_if(accesses.begin(), accesses.end(), [&](const Access& a) {
        const auto offset = static_cast<double>(a.offset_bytes);
        return offset >= first * 64 * kMiB && offset < end * 64 * kMiB;
      }));
    };
    check_share(within(0, 0.05), accesses.size(), 0.5);
    check_share(within(0.05, 0.2), accesses.size(), 0.3);
    check_share(within(0.2, 1), accesses.size(), 0.2);
    check_share(only(accesses, Direction::read).size(), accesses.size(), 0.4);
    const Histogram sizes = histogram(accesses, length_of);
    CHECK(sizes.size() == 12);
    check_share(static_cast<std::size_t>(sizes.at(4096)), accesses.size(), 0.67);
    check_share(static_cast<std::size_t>(sizes.at(512)), accesses.size(), 0.04);
    check_share(static_cast<std::size_t>(sizes.at(65536)), accesses.size(), 0.03);
  });
  SECTION("sizes") { check_same_sizes("jesd219", lines); }
}

TEST_CASE("zipf hits its two hottest blocks as often as the law predicts", "[workload][golden]") {
  check_both("zipf12", "rw=randwrite\nbs=4k\nrandom_distribution=zipf:1.2", check_zipf);
}

TEST_CASE("zipf with a centre has its hottest block there", "[workload][golden]") {
  check_both("zipf12_c025", "rw=randwrite\nbs=4k\nrandom_distribution=zipf:1.2:0.25",
             [](const std::vector<Access>& accesses) {
               check_zipf(accesses);
               CHECK(top_block(accesses) == kBlocks / 4);
             });
}

TEST_CASE("pareto hits its two hottest blocks as often as the law predicts", "[workload][golden]") {
  check_both("pareto02", "rw=randwrite\nbs=4k\nrandom_distribution=pareto:0.2", [](const std::vector<Access>& accesses) {
    check_shape(accesses, 4000, 4096, 0, 64 * kMiB);
    const double b = std::log(0.8) / std::log(0.2), first = std::pow(1.0 / kBlocks, b),
                 second = std::pow(2.0 / kBlocks, b) - first;
    CHECK(std::abs(share_of_top(accesses, 0) - first) < tolerance(first, 4000));
    CHECK(std::abs(share_of_top(accesses, 1) - second) < tolerance(second, 4000));
  });
}

TEST_CASE("normal repeats blocks as often as its density predicts, and scatters them", "[workload][golden]") {
  check_both("normal20", "rw=randwrite\nbs=4k\nrandom_distribution=normal:20", [](const std::vector<Access>& accesses) {
    check_shape(accesses, 4000, 4096, 0, 64 * kMiB);
    // Blocks reached by 4000 draws, from the density of a normal with the deviation of fio's sum of thirteen numbers.
    const double deviation = std::sqrt(1.0 / 144 + 0.04 / 12) * kBlocks;
    double reached = 0, variance = 0;
    for (double i = 0; i < kBlocks; ++i) {
      const double z = (i - kBlocks / 2) / deviation;
      const double missed = std::exp(-4000 * std::exp(-z * z / 2) / std::sqrt(2 * M_PI) / deviation);
      reached += 1 - missed;
      variance += missed * (1 - missed);
    }
    CHECK(std::abs(static_cast<double>(distinct(accesses)) - reached) < kNormal * std::sqrt(variance));
  });
}

TEST_CASE("absolute zones have their shares and are uniform inside", "[workload][golden]") {
  check_both("zoned_abs", "rw=randwrite\nbs=4k\nrandom_distribution=zoned_abs:60/8M:30/16M:10/40M",
             [](const std::vector<Access>& accesses) {
               check_shape(accesses, 4000, 4096, 0, 64 * kMiB);
               std::vector<Access> zones[3];
               for (const Access& a : accesses)
                 zones[a.offset_bytes < 8 * kMiB ? 0 : a.offset_bytes < 24 * kMiB ? 1 : 2].push_back(a);
               check_share(zones[0].size(), accesses.size(), 0.6);
               check_share(zones[1].size(), accesses.size(), 0.3);
               CHECK(chi_square(zones[0], 0, 8 * kMiB, 16) < kChiSquare15);
               CHECK(chi_square(zones[1], 8 * kMiB, 24 * kMiB, 16) < kChiSquare15);
               CHECK(chi_square(zones[2], 24 * kMiB, 64 * kMiB, 16) < kChiSquare15);
             });
}

TEST_CASE("percentage_random places the given share of the requests at random", "[workload][golden]") {
  check_both("percentage_random25", "rw=randwrite\nbs=4k\npercentage_random=25", [](const std::vector<Access>& accesses) {
    check_shape(accesses, 4000, 4096, 0, 64 * kMiB);
    check_share(followers(accesses), accesses.size(), 0.75);
  });
}
