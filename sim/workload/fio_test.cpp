// The installed fio issues what we issue: equal sequences where nothing is left to chance, equal sets of blocks where
// chance decides on their order only. fio works on a sparse file of 1 MiB in a new folder; what it may write is bounded.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "sim/workload/test_jobs.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

constexpr std::uint64_t kFileBytes = kMiB;

// An empty folder that goes away at the end.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "ftlab-fio-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string file(const char* name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

bool succeeds(const std::string& command) {
  std::FILE* pipe = popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  char ignored[4096];
  while (std::fread(ignored, 1, sizeof ignored, pipe) > 0) continue;
  return pclose(pipe) == 0;
}

bool fio_is_missing() {
  if (succeeds("fio --version 2>/dev/null && timeout 1 true 2>/dev/null")) return false;
  WARN("fio or timeout is not installed; the comparison with fio is skipped");
  return true;
}

std::vector<std::string> lines_of_log(const std::string& path) {
  std::istringstream log(file_text(path));
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
  const Folder folder;
  std::ofstream(folder.file("drive"));
  std::filesystem::resize_file(folder.file("drive"), kFileBytes);
  std::ofstream(folder.file("job.fio")) << job_lines(lines);
  REQUIRE(succeeds("cd '" + folder.file("") + "' && ulimit -f 20000 && timeout 10 fio --number_ios=2000 --write_iolog=log job.fio "
                   "</dev/null 2>&1"));
  return lines_of_log(folder.file("log"));
}

std::vector<std::string> issued_here(const std::string& lines) {
  std::vector<std::string> all;
  for (const Access& access : sequence(parse(job_lines("number_ios=2000\n" + lines), kFileBytes).jobs.at(0)))
    all.push_back(line_of(access));
  return all;
}

}  // namespace

TEST_CASE("fio issues the same sequences where nothing is left to chance", "[workload][fio]") {
  if (fio_is_missing()) return;
  for (const char* lines :
       {"rw=read\nbs=8k\noffset=358912\nsize=51200\nloops=3",
        "rw=write\nbs=12k\nsize=64k\nio_size=200000", "rw=write:4k\nbs=4k\nsize=257536",
        "rw=read:-8k\nbs=12k\noffset=12k\nsize=25%", "rw=write:-4k\nbs=8k\nsize=64k\nio_size=300000",
        "rw=read\nblocksize=8kib\nkb_base=1000\nsize=50%"}) {
    INFO(lines);
    const std::vector<std::string> fio = issued_by_fio(lines);
    REQUIRE_FALSE(fio.empty());
    CHECK(issued_here(lines) == fio);
  }
}

TEST_CASE("fio visits the same blocks where chance decides on the order", "[workload][fio]") {
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
