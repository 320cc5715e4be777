// Each supported option: its effect, aliases and limits.
#include "sim/workload/options/options.h"

#include "sim/workload/testing/jobs.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

// The message about one line added to a valid job, without its place.
std::string problem(const std::string& line) {
  const std::string message = job_refusal(job_text(line));
  const std::string place = "test.fio:5: ";
  return message.empty() ? "accepted" : message.starts_with(place) ? message.substr(place.size()) : message;
}

bool refused(const std::string& line, const std::string& by) { return problem(line).find(by) != std::string::npos; }

std::uint64_t first_block_bytes(const std::string& lines) { return one_job(lines).block_bytes[0]; }

}  // namespace

TEST_CASE("defaults are those of fio", "[workload]") {
  const Job job = parse("[j]\nfilename=/dev/ssd\n").jobs.at(0);
  CHECK(job.pattern.reads);
  CHECK_FALSE((job.pattern.random || job.pattern.writes || job.pattern.trims));
  CHECK(job.rw == "read");
  CHECK(job.block_bytes == PerDirection<std::uint64_t>{4096, 4096, 4096});
  CHECK(job.depth == 1);
  CHECK(job.loops == 1);
  CHECK(job.random_map);
  CHECK(job.repeat_order);
  CHECK(job.read_percent == 50);
  CHECK(job.percentiles.size() == 17);
  CHECK((job.completion_percentiles && !job.total_percentiles && !job.submission_percentiles));
  CHECK_FALSE(job.runtime);
  CHECK_FALSE(job.request_limit);
}

TEST_CASE("rw names directions and order", "[workload]") {
  struct Expected {
    const char* name;
    bool random, reads, writes, trims, trim_then_write;
  };
  const Expected all[] = {{"read", false, true, false, false, false},      {"write", false, false, true, false, false},
                          {"trim", false, false, false, true, false},      {"randread", true, true, false, false, false},
                          {"randwrite", true, false, true, false, false},  {"randtrim", true, false, false, true, false},
                          {"rw", false, true, true, false, false},         {"readwrite", false, true, true, false, false},
                          {"randrw", true, true, true, false, false},      {"trimwrite", false, false, true, true, true},
                          {"randtrimwrite", true, false, true, true, true}};
  for (const Expected& expected : all) {
    INFO(expected.name);
    const Job job = one_job(std::string("readwrite=") + expected.name);
    CHECK(job.rw == expected.name);
    CHECK(job.pattern.random == expected.random);
    CHECK(job.pattern.reads == expected.reads);
    CHECK(job.pattern.writes == expected.writes);
    CHECK(job.pattern.trims == expected.trims);
    CHECK(job.pattern.trim_then_write == expected.trim_then_write);
  }
}

TEST_CASE("the number after the colon of rw is a run or a skip", "[workload]") {
  CHECK(one_job("rw=randread:8").pattern.blocks_per_random == 8);
  CHECK(one_job("rw=write:12k").pattern.sequential_skip_bytes == 12288);
  CHECK(one_job("rw=write:-8k").pattern.sequential_skip_bytes == -8192);
  CHECK(refused("rw=randread:0", "each random start out of range"));
  CHECK(refused("rw=write:", "number missing"));
  CHECK(refused("rw=write:100", "multiple of 512"));
  CHECK(refused("rw=randwirte", "did you mean randwrite?"));
}

TEST_CASE("block sizes go to read, write and trim in turn", "[workload]") {
  using Sizes = PerDirection<std::uint64_t>;
  CHECK(one_job("rw=rw\nbs=8k").block_bytes == Sizes{8192, 8192, 8192});
  CHECK(one_job("rw=rw\nblocksize=8k,32k").block_bytes == Sizes{8192, 32768, 32768});
  CHECK(one_job("rw=rw\nbs=8k,32k,64k").block_bytes == Sizes{8192, 32768, 65536});
  CHECK(one_job("rw=rw\nbs=,32k").block_bytes == Sizes{4096, 32768, 32768});
  CHECK(one_job("rw=rw\nbs=8k,,32k").block_bytes == Sizes{8192, 4096, 32768});
  CHECK(one_job("rw=rw\nbs=8k,").block_bytes == Sizes{8192, 4096, 4096});
  CHECK(refused("bs=0", "out of range"));
  CHECK(refused("bs=256", "256 bytes is not a multiple of 512"));
  CHECK(refused("bs=1000", "not a multiple of 512"));
  CHECK(refused("bs=1k,2k,4k,8k", "too many block sizes"));
  CHECK(refused("bs=", "number missing"));
}

TEST_CASE("kb_base applies to the whole section wherever it appears", "[workload]") {
  CHECK(first_block_bytes("bs=64k\nkb_base=1000") == 64000);
  CHECK(first_block_bytes("bs=64k\nkb_base=1024") == 65536);
  CHECK(refused("kb_base=1048", "1000, 1024"));
}

TEST_CASE("synchronous engines keep one request in flight, others iodepth", "[workload]") {
  const auto depth = [](const std::string& engine) {
    return parse("[j]\nfilename=d\niodepth=32\nioengine=" + engine).jobs.at(0).depth;
  };
  for (const char* engine : {"libaio", "io_uring", "io_uring_cmd", "posixaio", "solarisaio", "windowsaio", "sg", "null",
                             "nbd", "xnvme", "libblkio", "sgunmap", "spdk", "spdk_bdev", "external:/opt/spdk/spdk_nvme",
                             "/usr/lib/spdk_bdev.so", "/opt/spdk/examples/nvme/fio_plugin/fio_plugin"})
    CHECK(depth(engine) == 32);
  for (const char* engine : {"sync", "psync", "vsync", "pvsync", "pvsync2", "fusion-aw-sync"}) CHECK(depth(engine) == 1);
  CHECK(parse("[j]\nfilename=d\niodepth=32\n").jobs.at(0).depth == 1);
  CHECK(refused("iodepth=0", "out of range"));
  CHECK(refused("iodepth=65537", "out of range"));
}

TEST_CASE("an image over the network stands for the drive, which is a problem of the figures", "[workload]") {
  for (const char* engine : {"rbd\npool=p\nrbdname=r\nclientname=admin", "libiscsi"}) {
    const JobFile file = parse(std::string("[j]\nioengine=") + engine + "\niodepth=32\nrw=read\n");
    CHECK((file.jobs[0].depth == 32 && file.jobs[0].region_end_bytes == 64 * kMiB));
    const auto is_problem = [](const Note& note) { return note.problem == ProblemCode::option_ignored; };
    CHECK(std::count_if(file.notes.begin(), file.notes.end(), is_problem) == 1);
  }
}

TEST_CASE("engines that issue no direct block requests are refused with the reason", "[workload]") {
  CHECK(refused("ioengine=mmap", "page cache"));
  CHECK(refused("ioengine=rados", "network"));
  CHECK(refused("ioengine=libpmem", "raw flash or memory"));
  CHECK(refused("ioengine=filestat", "file system"));
  CHECK(refused("ioengine=exec", "runs commands"));
  CHECK(refused("ioengine=external:/some.so", "not known here"));
  CHECK(refused("ioengine=libiao", "did you mean libaio?"));
}

TEST_CASE("time options set runtime, ramp and delay", "[workload]") {
  const Job job = one_job("time_based\nruntime=2m\nramp_time=3\nstartdelay=500ms");
  CHECK(job.time_based);
  CHECK(job.runtime == Nanoseconds{120'000'000'000});
  CHECK(job.ramp == Nanoseconds{3'000'000'000});
  CHECK(job.start_delay == Nanoseconds{500'000'000});
  CHECK(one_job("timeout=5").runtime == Nanoseconds{5'000'000'000});
  CHECK_FALSE(one_job("runtime=0").runtime);
  CHECK_FALSE(one_job("time_based=1").time_based);
  CHECK_FALSE(one_job("time_based=0\nruntime=5").time_based);
}

TEST_CASE("loops and number_ios limit a job, and zero means no limit", "[workload]") {
  CHECK(one_job("loops=3").loops == 3);
  CHECK(one_job("loops=0").loops == 1);
  CHECK(one_job("number_ios=7").request_limit == 7u);
  CHECK_FALSE(one_job("number_ios=0").request_limit);
  CHECK_FALSE(one_job("number_ios=7\ntime_based\nruntime=5").request_limit);
}

TEST_CASE("the later of rwmixread and rwmixwrite counts", "[workload]") {
  CHECK(one_job("rwmixread=70").read_percent == 70);
  CHECK(one_job("rwmixwrite=70").read_percent == 30);
  CHECK(one_job("rwmixread=70\nrwmixwrite=60").read_percent == 40);
  CHECK(one_job("rwmixwrite=60\nrwmixread=70").read_percent == 70);
  CHECK(refused("rwmixread=101", "0 to 100"));
  CHECK(refused("rwmixwrite=101", "0 to 100"));
}

TEST_CASE("random order has a map, a generator and a seed", "[workload]") {
  CHECK_FALSE(one_job("norandommap").random_map);
  CHECK_FALSE(one_job("norandommap=1").random_map);
  CHECK(one_job("norandommap=0").random_map);
  CHECK_FALSE(one_job("randrepeat=0").repeat_order);
  CHECK_FALSE(one_job("randseed=42").repeat_order);
  CHECK(one_job("randseed=42").repeat_lfsr);
  CHECK_FALSE(one_job("randrepeat=0").repeat_lfsr);
  CHECK(one_job("randseed=42").seed == 42);
  CHECK(one_job("random_generator=lfsr").random_kind == RandomKind::lfsr);
  CHECK(one_job("random_generator=tausworthe64").random_kind == RandomKind::tausworthe64);
  CHECK(one_job("allrandrepeat=1").repeat_order);
  CHECK(refused("random_generator=tausworth", "did you mean tausworthe?"));
}

TEST_CASE("options of the host without effect are checked and accepted", "[workload]") {
  for (const char* line : {"thread", "thread=0", "invalidate=1", "refill_buffers", "directory=/mnt", "description=some text",
                           "description=", "group_reporting"})
    CHECK(problem(line) == "accepted");
  CHECK(refused("invalidate=2", "on or off"));
  CHECK(refused("thread=x", "on or off"));
  CHECK(refused("directory=", "text missing"));
}

TEST_CASE("a filename is one name", "[workload]") {
  CHECK(refused("filename=a:b", "several files"));
  CHECK(refused("filename=", "name missing"));
  CHECK(problem("filename=/dev/disk/by-path/pci-0000\\:00") == "accepted");
}

TEST_CASE("percentiles are selected by kind of latency", "[workload]") {
  const Job job = one_job("clat_percentiles=0\nlat_percentiles=1\nslat_percentiles=1\npercentile_list=99:50");
  CHECK_FALSE(job.completion_percentiles);
  CHECK(job.total_percentiles);
  CHECK(job.submission_percentiles);
  CHECK(job.percentiles == std::vector<double>{50, 99});
}

TEST_CASE("logs are named by their option, else by the job", "[workload]") {
  const Job job = one_job("write_bw_log=run\nwrite_iops_log\nwrite_lat_log=$jobname-$jobnum\nlog_avg_msec=1000");
  CHECK(job.bandwidth_log == "run");
  CHECK(job.iops_log == "j");
  CHECK(job.latency_log == "j-0");
  CHECK(job.log_interval == Nanoseconds{1'000'000'000});
  CHECK_FALSE(one_job("rw=read").bandwidth_log);
}

TEST_CASE("only flags may omit their value", "[workload]") {
  CHECK(problem("iodepth") == "iodepth: needs a value, as in iodepth=...");
  CHECK(problem("direct") == "direct: needs a value, as in direct=...");
  CHECK(problem("stonewall") == "accepted");
}

TEST_CASE("a blank before a value is refused where fio misreads it", "[workload]") {
  CHECK(refused("bs= 8k", "blank after '='"));
  CHECK(refused("rw= read", "blank after '='"));
  CHECK(problem("loops= 2") == "accepted");
  CHECK(problem("description= two words") == "accepted");
}

TEST_CASE("unknown options name the nearest known one", "[workload]") {
  CHECK(problem("iodpeth=4") == "iodpeth: unknown option (got 4; did you mean iodepth?)");
  CHECK(problem("IODEPTH=4") == "IODEPTH: unknown option (got 4; did you mean iodepth?)");
  CHECK(problem("queue_length_of_drive=4") == "queue_length_of_drive: unknown option (got 4)");
}

TEST_CASE("unsupported options of fio are refused with the reason", "[workload]") {
  CHECK(refused("file_append=1", "changes what the drive is asked to do"));
  CHECK(refused("create_only=1", "nothing is read or written"));
  CHECK(refused("verify_state_load=1", "verifying"));
  CHECK(refused("recover_zbd_write_error=1", "failed halfway"));
  CHECK(refused("hostname=h", "no block requests"));
}

TEST_CASE("no option is both supported and refused", "[workload]") {
  std::vector<std::string> names;
  append_unsupported(names);
  CHECK(names.size() > 60);
  for (const std::string& name : names) {
    INFO(name);
    CHECK(reason_unsupported(name) != nullptr);
    CHECK(refused(name + "=1", reason_unsupported(name)));
  }
}

TEST_CASE("the last of equal options counts, by either name", "[workload]") {
  const JobFile file = parse(job_text("bs=4k\nblocksize=8k"));
  CHECK(file.jobs.at(0).block_bytes[0] == 8192);
  REQUIRE(file.notes.size() == 1);
  CHECK(file.notes[0].line == 6);
  CHECK(file.notes[0].text == "bs is given again (first on line 5); the last one counts");
}

TEST_CASE("options are kept for the report by their main names", "[workload]") {
  const Job job = parse("[global]\nblocksize=8k\n[j]\nfilename=d\nrw=read\n").jobs.at(0);
  using List = std::vector<std::pair<std::string, std::string>>;
  CHECK(job.global_options == List{{"bs", "8k"}});
  CHECK(job.options == List{{"filename", "d"}, {"rw", "read"}});
}
