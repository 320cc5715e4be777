#include "validation/measure/target/io_footprint.h"

#include "sim/workload/testing/jobs.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

IoFootprint footprint(const std::string& lines) { return footprint_of(parse(job_text(lines)).jobs); }

}  // namespace

TEST_CASE("depths of parallel jobs add up, depths of successive jobs do not") {
  const std::string jobs =
      "[global]\nioengine=libaio\ndirect=1\nfilename=/dev/d\nbs=4k\nsize=1m\n[a]\nrw=read\niodepth=8\n[b]\nrw=read\n"
      "iodepth=4\n[c]\nstonewall\nrw=write\niodepth=2\n";
  CHECK(footprint_of(parse(jobs).jobs).depth == 12);
  CHECK(footprint_of(parse(jobs).jobs).write_bytes == kMiB);
  CHECK(footprint_of(parse(jobs).jobs).read_bytes == 2 * kMiB);
}

TEST_CASE("batches follow fio's keys, are one request by default, and add up only for parallel jobs") {
  const std::string jobs = "[global]\nioengine=libaio\ndirect=1\nfilename=/dev/d\nbs=4k\nsize=1m\nrw=read\niodepth=8\n";
  const auto batches = [&](const std::string& sections) {
    const IoFootprint all = footprint_of(parse(jobs + sections).jobs);
    return std::pair(all.submit_batch, all.reap_batch);
  };
  CHECK(batches("[a]\n") == std::pair<std::size_t, std::size_t>(1, 1));
  CHECK(batches("[a]\niodepth_batch=4\niodepth_batch_complete_max=6\n") == std::pair<std::size_t, std::size_t>(4, 6));
  CHECK(batches("[a]\niodepth_batch=4\n[b]\niodepth_batch_complete_min=2\n") == std::pair<std::size_t, std::size_t>(5, 3));
  CHECK(batches("[a]\niodepth_batch=4\n[b]\nstonewall\niodepth_batch_complete_min=2\n") ==
        std::pair<std::size_t, std::size_t>(4, 2));
}

TEST_CASE("the unit divides every offset and length that a job can issue") {
  CHECK(footprint("rw=randread\nbs=4k\nsize=1m").unit_bytes == 4 * kKiB);
  CHECK(footprint("rw=randread\nbs=4k\nsize=1m\noffset=512").unit_bytes == 512);
  CHECK(footprint("rw=randwrite\nbssplit=4k/50:6k/50\nnorandommap\nsize=1m").unit_bytes == 2 * kKiB);
  CHECK(footprint("rw=write:12k\nbs=4k\nsize=1m").unit_bytes == 4 * kKiB);
  for (const std::string lines :
       {"rw=randwrite\nbsrange=4k-64k\nsize=4m", "rw=randrw\nbs=8k,4k\nsize=1m", "rw=write:12k\nbs=4k\nsize=1m\noffset=8k",
        "rw=randwrite\nbssplit=512/50:64k/50\nba=4k\nsize=1m"}) {
    CAPTURE(lines);
    const IoFootprint wanted = footprint(lines);
    for (const Access& access : sequence(one_job(lines))) {
      REQUIRE(access.offset_bytes % wanted.unit_bytes == 0);
      REQUIRE(access.length_bytes % wanted.unit_bytes == 0);
      REQUIRE(access.length_bytes <= wanted.largest_bytes);
    }
  }
}

TEST_CASE("reads count unless an earlier job has written all of their range") {
  const auto read_of = [](const std::string& first, const std::string& then) {
    const std::string global = "[global]\nioengine=libaio\ndirect=1\nfilename=/dev/d\nbs=4k\nsize=1m\n";
    const std::vector<ByteRange> reads = footprint_of(parse(global + "[a]\n" + first + "\n[b]\n" + then + "\n").jobs).reads;
    return reads.size();
  };
  const std::string read = "stonewall\nrw=randread";
  CHECK(read_of("rw=write", read) == 0);
  CHECK(read_of("rw=write", "stonewall\nrw=read\noffset=512k\nsize=256k") == 0);
  CHECK(read_of("rw=write", "stonewall\nrw=read\noffset=512k\nsize=1m") == 1);
  CHECK(read_of("rw=write", "rw=read") == 1);  // in parallel, not after it
  CHECK(read_of("rw=randread", "stonewall\nrw=write") == 1);
  CHECK(read_of("rw=randread", read) == 1);  // the same place counts once
  for (const std::string partly : {"rw=randwrite", "rw=write\nio_size=512k", "rw=write\ntime_based\nruntime=1", "rw=rw",
                                   "rw=write\nruntime=1", "rw=write:4k", "rw=write\nnumber_ios=3", "rw=trimwrite"}) {
    CAPTURE(partly);
    CHECK(read_of(partly, read) == 1);
  }
  CHECK(read_of("rw=write", "stonewall\nrw=randwrite\nverify=crc32c") == 0);
}

TEST_CASE("trimmed data count as never written") {
  IoFootprint all = footprint("rw=write\nbs=4k\nsize=1m");
  all.then(footprint("rw=randtrim\nbs=4k\nsize=1m"));
  all.then(footprint("rw=read\nbs=4k\nsize=1m"));
  CHECK(all.reads.size() == 1);
}

TEST_CASE("bytes to be written are known beforehand unless only time ends the job") {
  CHECK(footprint("rw=write\nbs=4k\nsize=1m\nloops=3").write_bytes == 3 * kMiB);
  CHECK(footprint("rw=randtrimwrite\nbs=4k\nsize=1m").trim_bytes == kMiB);
  const IoFootprint timed = footprint("rw=randwrite\nbs=4k\nsize=1m\ntime_based\nruntime=5\nramp_time=2");
  CHECK(timed.endless_writes);
  CHECK(timed.time == std::chrono::seconds(7));
  CHECK_FALSE(footprint("rw=read\nbs=4k\nsize=1m").writes);
}

TEST_CASE("a job takes data in if it reads or verifies") {
  CHECK(footprint("rw=randrw\nbs=4k\nsize=1m").takes);
  CHECK(footprint("rw=read\nbs=4k\nsize=1m").takes);
  CHECK(footprint("rw=write\nbs=4k\nsize=1m\nverify=crc32c").takes);
  CHECK_FALSE(footprint("rw=randtrimwrite\nbs=4k\nsize=1m").takes);
  const std::string jobs =
      "[global]\nioengine=libaio\ndirect=1\nfilename=/dev/d\nbs=4k\nsize=1m\n[a]\nrw=read\n[b]\nstonewall\nrw=write\n";
  CHECK((footprint_of(parse(jobs).jobs).takes && footprint_of(parse(jobs).jobs).writes));
}
