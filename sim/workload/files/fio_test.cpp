// The installed fio issues what we issue: equal sequences if nothing is random, equal sets of blocks if only their order is.
// fio works on a sparse file of 1 MiB in a new folder; the amount that it may write is bounded.
#include <algorithm>
#include <bit>
#include <filesystem>
#include <sstream>

#include "sim/config/file.h"
#include "sim/core/random.h"
#include "sim/testing/commands.h"
#include "sim/testing/files.h"
#include "sim/workload/testing/jobs.h"
#include "sim/workload/testing/sequences.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

constexpr std::uint64_t kFileBytes = kMiB;

std::vector<std::string> lines_of_log(const std::string& path) {
  std::istringstream log(read_text_file(path));
  std::vector<std::string> all;
  for (std::string line; std::getline(log, line);) {
    std::istringstream words(line);
    std::string time, file, action, offset, length;
    words >> time >> file >> action >> offset >> length;
    if (!length.empty() && action != "iolog") all.push_back(action + " " + offset + " " + length);
  }
  return all;
}

std::string job_lines(const std::string& lines) { return "[j]\nioengine=psync\nfilename=drive\n" + lines + "\n"; }

std::vector<std::string> issued_by_fio(const std::string& lines) {
  const TestFolder folder;
  std::filesystem::resize_file(folder.write("drive", ""), kFileBytes);
  folder.write("job.fio", job_lines(lines));
  REQUIRE(succeeds("cd '" + folder.path().string() +
                   "' && ulimit -f 20000 && timeout 100 fio --number_ios=2000 --write_iolog=log job.fio "
                   "</dev/null 2>&1"));
  return lines_of_log(folder / "log");
}

std::vector<std::string> issued_here(const std::string& lines) {
  std::vector<std::string> all;
  for (const Access& access : sequence(parse(job_lines("number_ios=2000\n" + lines), kFileBytes).jobs.at(0)))
    all.push_back(line_of(access));
  return all;
}

}  // namespace

TEST_CASE("fio issues the same sequences if nothing is random", "[workload][fio]") {
  if (fio_is_missing()) return;
  for (const char* lines :
       {"rw=read\nbs=8k\noffset=358912\nsize=51200\nloops=3", "rw=write\nbs=12k\nsize=64k\nio_size=200000",
        "rw=write:4k\nbs=4k\nsize=257536", "rw=read:-8k\nbs=12k\noffset=12k\nsize=25%",
        "rw=write:-4k\nbs=8k\nsize=64k\nio_size=300000", "rw=read\nblocksize=8kib\nkb_base=1000\nsize=50%"}) {
    INFO(lines);
    const std::vector<std::string> fio = issued_by_fio(lines);
    REQUIRE_FALSE(fio.empty());
    CHECK(issued_here(lines) == fio);
  }
}

TEST_CASE("fio visits the same blocks if their order is random", "[workload][fio]") {
  if (fio_is_missing()) return;
  for (const char* lines :
       {"rw=randwrite\nbs=12k\noffset=12k\nsize=25%\nloops=2", "rw=randread\nbs=4k\nrandom_generator=lfsr\nloops=2",
        "rw=randread\nbs=64k\nio_size=2m\nrandrepeat=0", "rw=randwrite\nbs=8k\nsize=84k"}) {
    INFO(lines);
    std::vector<std::string> fio = issued_by_fio(lines), here = issued_here(lines);
    REQUIRE_FALSE(fio.empty());
    std::sort(fio.begin(), fio.end());
    std::sort(here.begin(), here.end());
    CHECK(here == fio);
  }
}

TEST_CASE("fio repeats the order of a pass when we do", "[workload][fio]") {
  if (fio_is_missing()) return;
  const auto repeats = [](const std::vector<std::string>& all) {
    const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
    return std::equal(all.begin(), middle, middle, all.end());
  };
  for (const char* more : {"loops=2", "io_size=512k", "loops=2\nrandrepeat=0", "loops=2\nnorandommap", "loops=2\nrandseed=5",
                           "loops=2\nrandom_generator=lfsr\nrandseed=5"}) {
    INFO(more);
    const std::string lines = std::string("rw=randwrite\nbs=4k\nsize=256k\n") + more;
    const std::vector<std::string> fio = issued_by_fio(lines), here = issued_here(lines);
    CHECK(fio.size() == 128);
    CHECK(here.size() == 128);
    CHECK(repeats(here) == repeats(fio));
  }
}

namespace {

// A random job over the access options: kind of access, sizes, alignment, region, distribution.
class ChanceJob {
 public:
  explicit ChanceJob(std::uint64_t seed) : random_(seed, "job") {}

  std::string lines() {
    const std::string rw =
        one_of({"randwrite", "randread", "randrw", "randtrim", "randwrite:4", "write", "rw", "randtrimwrite"});
    const bool random = rw.starts_with("rand");
    std::string text = "rw=" + rw + "\nrandseed=" + std::to_string(random_.below(1000)) + "\n";
    std::string order = random ? random_order(rw) : "";
    if (in_runs(rw + order) || order.find("zipf") != order.npos || order.find("pareto") != order.npos ||
        order.find("normal") != order.npos)
      text += one_of(
          {"bs=4k\n", "bs=16k\n", "bs=2k\n", "bssplit=4k/50:8k/50\n", "bssplit=2k/10:4k/60:16k/30\n", "bsrange=4k-32k\n"});
    else
      text += one_of({"bs=4k\n", "bssplit=2k/10:4k/60:16k/30\n", "bssplit=4k/:12k/:16k/40\n", "bsrange=4k-6k\n",
                      "bssplit=6k/50:16k/50\n"});
    if (rw == "randrw" || rw == "rw") text += one_of({"rwmixread=70\n", "rwmixwrite=80\n", ""});
    text += order;
    // fio does not trim plain files; its null engine, which issues nothing, takes the size from the options.
    if (rw.find("trim") != rw.npos) return text + "ioengine=null\nfilesize=1m\nsize=1m\n";
    if (in_runs(text)) return text + one_of({"", "offset=25%\n", "io_size=400k\n"});
    return text + one_of({"", "offset=128k\nsize=512k\n", "size=50%\n", "offset=25%\n", "io_size=400k\n"});
  }

 private:
  // A run that meets a tail shorter than a block, or a region that ends before its file, ends the job at a random time, in
  // fio as here. In fio a skewed distribution may do the same. So these jobs have sizes and regions that leave no such tail.
  static bool in_runs(const std::string& text) {
    return text.find("randwrite:4") != text.npos || text.find("percentage_random") != text.npos;
  }

  std::string random_order(const std::string& rw) {
    const std::string aligned = "random_distribution=zoned:60/10:30/40:10/50\n";
    if (!in_runs(rw) && random_.chance(1, 4))
      return one_of({"ba=8k\n", "norandommap\nba=512\n"}) + one_of({"", aligned.c_str()});
    std::string text = one_of({"", "norandommap\n"});
    if (rw != "randtrimwrite")
      text += one_of({"", "", "percentage_random=40\n", "rw_sequencer=identical\n", "softrandommap=1\n"});
    return text + one_of({"", "", aligned.c_str(), "random_distribution=zoned_abs:70/128k:30/256k\n",
                          "random_distribution=zipf:1.1\n", "random_distribution=pareto:0.3\n",
                          "random_distribution=normal:10\n", "random_distribution=zipf:0.7:0.5\n"});
  }

  std::string one_of(std::initializer_list<const char*> all) { return all.begin()[random_.below(all.size())]; }

  RandomStream random_;
};

Sequence sequence_of(const std::vector<std::string>& lines) {
  Sequence all;
  for (const std::string& line : lines) {
    std::istringstream words(line);
    std::string name;
    Access access;
    words >> name >> access.offset_bytes >> access.length_bytes;
    access.direction = name == "read" ? Direction::read : name == "write" ? Direction::write : Direction::trim;
    all.push_back(access);
  }
  return all;
}

// Some 50 jobs are compared by several statistics each: 5 standard deviations are exceeded by chance once in 10,000 runs.
constexpr double kFive = 5;

// True if two counts differ by at most five standard deviations plus `slack`.
bool near(double a, double b, double slack = 0) { return std::abs(a - b) <= kFive * std::sqrt(a + b) + slack; }

// Runs, trim-write pairs and the fragments of blocks cut by a map are clustered, so their counts scatter more.
double clustering(const std::string& lines) {
  if (lines.find("randwrite:4") != std::string::npos) return 4;
  return lines.find("randtrimwrite") != std::string::npos || lines.find("percentage_random") != std::string::npos ? 2 : 1.5;
}

bool has(const std::string& lines, const char* text) { return lines.find(text) != std::string::npos; }

void compare_places(const std::string& lines, const Sequence& fio, const Sequence& here) {
  const bool hashed = has(lines, "zipf") || has(lines, "pareto") || has(lines, "normal");
  const auto eighth = [](const Access& a) { return a.offset_bytes / (kFileBytes / 8); };
  if (!hashed) CHECK(difference(histogram(fio, eighth), histogram(here, eighth)) < kFive * clustering(lines));
  if (!hashed || clustering(lines) >= 2) return;
  CHECK(near(frequencies(fio)[0], frequencies(here)[0], 3 + 0.02 * static_cast<double>(fio.size())));
}

void compare(const std::string& lines, const Sequence& fio, const Sequence& here) {
  const auto direction = [](const Access& a) { return static_cast<std::uint64_t>(a.direction); };
  const auto length = [](const Access& a) { return a.length_bytes; };
  const auto alignment = [](const Access& a) {
    return std::uint64_t{1} << std::min(std::countr_zero(a.offset_bytes | 65536), 16);
  };
  CHECK(near(static_cast<double>(fio.size()), static_cast<double>(here.size()), 4));
  CHECK(std::abs(static_cast<double>(bytes_of(fio)) - static_cast<double>(bytes_of(here))) <= 65536);
  CHECK(histogram(fio, direction).size() == histogram(here, direction).size());
  CHECK(difference(histogram(fio, direction), histogram(here, direction)) < kFive);
  CHECK(difference(histogram(fio, length), histogram(here, length)) < kFive * clustering(lines));
  CHECK(histogram(fio, alignment).begin()->first == histogram(here, alignment).begin()->first);
  CHECK((bytes_again(fio) == 0) == (bytes_again(here) == 0));
  CHECK(near(static_cast<double>(followers(fio)), static_cast<double>(followers(here)), 4 * clustering(lines)));
  compare_places(lines, fio, here);
}

}  // namespace

TEST_CASE("fifty random jobs agree with fio in counts, sizes, places, alignment and overlap", "[workload][fio]") {
  if (fio_is_missing()) return;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const std::string lines = ChanceJob(seed).lines();
    INFO(seed << ": " << lines);
    const Sequence fio = sequence_of(issued_by_fio(lines)), here = sequence_of(issued_here(lines));
    REQUIRE_FALSE(fio.empty());
    REQUIRE_FALSE(here.empty());
    compare(lines, fio, here);
  }
}
