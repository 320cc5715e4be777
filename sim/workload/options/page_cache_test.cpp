// Jobs that are not direct: writes that are synced one by one, and engines that bypass the page cache.
#include "sim/core/random.h"
#include "sim/workload/testing/jobs.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

bool noted(const JobFile& file, const std::string& text) {
  return std::any_of(file.notes.begin(), file.notes.end(),
                     [&](const Note& note) { return note.text.find(text) != std::string::npos; });
}

// A job that writes a log of `bytes` in blocks of `block`, with more options, one of which syncs each write.
JobFile log_of(std::uint64_t block, std::uint64_t bytes, const std::string& more) {
  return parse("[log]\nioengine=sync\nrw=write\nsize=" + std::to_string(bytes) + "\nbs=" + std::to_string(block) + "\n" +
               more + "\n");
}

Access pages_of(std::uint64_t first, std::uint64_t end, std::uint64_t file_end) {
  const std::uint64_t from = first / 4096 * 4096, to = std::min((end + 4095) / 4096 * 4096, file_end);
  return {Direction::write, from, to - from, {}, false};
}

}  // namespace

TEST_CASE("buffered writes that are synced one by one reach the drive as the pages that hold them", "[workload]") {
  RandomStream draw(1, "logs");
  const char* syncs[] = {"fdatasync=1", "fsync=1", "sync=1", "sync=dsync\nfilename=d",
                         "fdatasync=1\ndirectory=/var/lib/etcd"};
  for (int trial = 0; trial < 200; ++trial) {
    const std::uint64_t block = 1 + draw.below(trial % 2 == 0 ? 5000 : 40000);
    const std::uint64_t bytes = (block + draw.below(20 * block) + 511) / 512 * 512;
    const std::string sync = syncs[draw.below(5)];
    INFO("bs=" << block << " size=" << bytes << " " << sync);
    const JobFile file = log_of(block, bytes, sync);
    const std::vector<Access> seen = sequence(file.jobs[0]);
    const std::uint64_t file_end = file.jobs[0].file_end_bytes;
    REQUIRE(seen.size() >= bytes / block);
    for (std::size_t i = 0; i < seen.size(); ++i)
      CHECK(line_of(seen[i]) == line_of(pages_of(i * block, (i + 1) * block, file_end)));
    CHECK(noted(file, "the drive sees the pages of 4 KiB") == (block % 4096 != 0));
    CHECK_FALSE(noted(file, "would go through the page cache"));
  }
}

TEST_CASE("random writes of any size are widened to their pages as well", "[workload]") {
  const Job job = parse("[j]\nfilename=d\nrw=randwrite\nbs=700\nsize=1m\nfdatasync=1\n").jobs[0];
  const std::vector<Access> seen = sequence(job);
  CHECK(seen.size() == kMiB / 700);
  for (const Access& access : seen) {
    CHECK((access.offset_bytes % 4096 == 0 && access.length_bytes % 4096 == 0));
    CHECK((access.length_bytes <= 8192 && access.offset_bytes + access.length_bytes <= kMiB));
  }
}

TEST_CASE("blocks that are not whole sectors are refused unless the drive sees pages", "[workload]") {
  for (const char* lines :
       {"rw=write\nbs=2300\ndirect=1\nfdatasync=1", "rw=write\nbs=2300", "rw=write\nbs=2300\nfdatasync=2",
        "rw=read\nbs=2300\nfdatasync=1", "rw=rw\nbs=2300\nfsync=1", "rw=write\nbs=2300\nfdatasync=1\nioengine=io_uring_cmd",
        "rw=write\nbsrange=2300-4k", "rw=write\nbssplit=2300/50:4k/50"}) {
    INFO(lines);
    const std::string refusal = job_refusal(std::string("[j]\nfilename=d\n") + lines + "\n");
    CHECK(refusal.find("2300 bytes is not a multiple of 512") != std::string::npos);
    CHECK(refusal.find("with fdatasync=1") != std::string::npos);
  }
}

TEST_CASE("a direct job is not widened", "[workload]") {
  const std::vector<Access> seen = sequence(one_job("rw=write\nbs=512\nsize=8k\nfdatasync=1"));
  CHECK((seen.size() == 16 && seen[3].length_bytes == 512));
}

TEST_CASE("engines that bypass the page cache are always direct", "[workload]") {
  JobContext strict;
  strict.capacity_bytes = 64 * kMiB;
  strict.strict = true;
  for (const char* engine : {"spdk", "spdk_bdev", "spdk_nvme", "external:/opt/spdk/build/fio/spdk_bdev", "io_uring_cmd",
                             "xnvme", "libblkio", "sg", "nbd", "null"})
    for (const char* direct : {"", "direct=0\n", "direct=1\n", "buffered=1\n"}) {
      const std::string text = std::string("[j]\nfilename=x\niodepth=4\nioengine=") + engine + "\n" + direct;
      INFO(text);
      CHECK(parse_job_file(text, "f", strict).notes.empty());
    }
  CHECK_THROWS_AS(parse_job_file("[j]\nfilename=x\nioengine=io_uring\n", "f", strict), ConfigError);
}

TEST_CASE("a job that is explicitly buffered has a problem, one that is so by default a note", "[workload]") {
  const auto problem = [](const char* line) {
    return parse(std::string("[j]\nfilename=d\nioengine=libaio\n") + line).notes.at(0).problem;
  };
  CHECK(problem("direct=0\n") == ProblemCode::option_ignored);
  CHECK(problem("buffered=1\n") == ProblemCode::option_ignored);
  CHECK_FALSE(problem(""));
}
