// Job files as they are written for fio: buffered jobs, options of newer fio versions, files for larger drives.
#include <map>
#include <set>

#include "sim/workload/testing/jobs.h"
#include "sim/workload/testing/sequences.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

JobFile read_with(const std::string& text, bool strict, std::uint64_t shrink = 1, std::uint64_t capacity = 64 * kMiB) {
  JobContext context;
  context.capacity_bytes = capacity;
  context.strict = strict;
  context.shrink = shrink;
  return parse_job_file(text, "test.fio", context);
}

std::string strict_refusal(const std::string& text, const std::vector<JobOverride>& overrides = {}) {
  JobContext context;
  context.capacity_bytes = 64 * kMiB;
  context.strict = true;
  context.overrides = overrides;
  try {
    parse_job_file(text, "test.fio", context);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return {};
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

bool noted(const JobFile& file, const std::string& text) {
  for (const Note& note : file.notes)
    if (contains(note.text, text)) return true;
  return false;
}

bool refused(const std::string& lines, const std::string& by) { return contains(job_refusal(job_text(lines)), by); }

std::string blocks_text(const std::string& lines) {
  std::string text;
  for (const std::uint64_t block : blocks_of(sequence(one_job(lines)), 4096))
    text += (text.empty() ? "" : " ") + std::to_string(block);
  return text;
}

constexpr const char* kBuffered = "[j]\nioengine=libaio\nfilename=/dev/ssd\nrw=read\ndirect=0\n";

}  // namespace

TEST_CASE("a buffered job runs as a direct one, with a note", "[workload]") {
  CHECK(noted(parse(kBuffered), "direct: fio on a real drive") == false);
  CHECK(noted(parse(kBuffered), "the job is run with direct=1"));
  CHECK(noted(parse("[j]\nfilename=/dev/ssd\nrw=read\nbuffered=1\n"), "the job is run with direct=1"));
  CHECK_FALSE(noted(parse("[j]\nfilename=/dev/ssd\nrw=read\nbuffered=0\n"), "page cache"));
}

TEST_CASE("strict mode refuses a buffered job, and an override fixes it", "[workload]") {
  CHECK(contains(strict_refusal(kBuffered), "test.fio:5: direct: the page cache is not modelled"));
  CHECK(contains(strict_refusal("[j]\nfilename=/dev/ssd\nrw=read\n"), "page cache"));
  CHECK(strict_refusal(kBuffered, {{"", "direct", "1"}}).empty());
}

TEST_CASE("a byte order mark is skipped in a job file", "[workload]") {
  CHECK(parse(std::string("\xef\xbb\xbf") + kBuffered).jobs.size() == 1);
}

TEST_CASE("a list of blocks is accessed in order, repeatedly", "[workload]") {
  CHECK(blocks_text("rw=randread\nbs=4k\nsize=48k\nio_size=28k\nrandom_distribution=sequence:2,0,1") == "2 0 1 2 0 1 2");
  CHECK(refused("rw=randread\nsize=48k\nrandom_distribution=sequence:2,12", "block 12 lies beyond the region"));
  CHECK(refused("rw=randread\nrandom_distribution=sequence:2,,1", "number missing"));
}

TEST_CASE("random_sequence_stride moves the list on by its length each time", "[workload]") {
  const std::string lines = "rw=randread\nbs=4k\nsize=48k\nio_size=32k\nrandom_distribution=sequence:2,0,1\n";
  CHECK(blocks_text(lines + "random_sequence_stride=1") == "2 0 1 5 3 4 8 6");
  CHECK(blocks_text("random_sequence_stride=1\n" + lines) == "2 0 1 5 3 4 8 6");
}

TEST_CASE("contradictory zone options are refused", "[workload]") {
  CHECK(refused("zonesize=1m", "without zonemode"));
  CHECK(refused("zonemode=strided\nzoneskip=1m", "needs the bytes that are moved"));
  CHECK(refused("zonemode=strided\nzonesize=1m\nbs=2m", "a zone is smaller than a block"));
  CHECK(refused("zonemode=strided\nzonesize=1m\nzonerange=1g", "a zone is larger than the region"));
  CHECK(refused("zonemode=strided\nzonesize=1m\nrw=randread\nrandom_distribution=zipf:1.2", "applies to the whole region"));
  CHECK(refused("zonemode=strided\nzonesize=1000", "not a multiple of 512"));
}

TEST_CASE("placement identifiers become the streams of the writes", "[workload]") {
  const Job job = one_job("rw=randwrite\nfdp=1\nfdp_pli=4,5");
  CHECK(job.placement.streams == std::vector<std::uint8_t>{4, 5});
  CHECK_FALSE(job.placement.by_chance);
  CHECK(one_job("rw=write\ndataplacement=streams\nplids=1\nplid_select=random").placement.by_chance);
  CHECK(one_job("rw=write\nplids=1").placement.streams.empty());
  CHECK_FALSE(job.placement.all);
  CHECK(one_job("rw=write\nfdp=1").placement.all);
  CHECK(one_job("rw=write\ndataplacement=fdp").placement.all);
  CHECK(refused("rw=write\ndataplacement=streams", "needs the numbers of the streams"));
  CHECK(one_job("rw=write\nfdp=1\nplids=1,3-5").placement.streams == std::vector<std::uint8_t>{1, 3, 4, 5});
  CHECK(refused("rw=write\nfdp=1\nplids=4,300", "out of range"));
  CHECK(refused("rw=write\nfdp=1\nplids=5-3", "ends before it begins"));
  CHECK(refused("rw=write\nfdp=1\nplids=4\nplid_select=scheme", "needs the file of the scheme"));
  CHECK(refused("rw=write\nfdp=1\nplid_select=scheme\ndp_scheme=s", "scheme files cannot be read here"));
}

TEST_CASE("a scheme file maps offsets to placement identifiers", "[workload]") {
  const auto ranges_of = [](const std::string& scheme) {
    JobContext context;
    context.capacity_bytes = 64 * kMiB;
    context.include = [&](const std::string&) { return scheme; };
    return parse_job_file(job_text("rw=write\nfdp=1\nplid_select=scheme\ndp_scheme=s"), "f", context)
        .jobs[0]
        .placement.by_offset;
  };
  const auto ranges = ranges_of("0,1048576,3\n\n 1m, 2m, 5\n");
  REQUIRE(ranges.size() == 2);
  CHECK((ranges[0].end_bytes == kMiB && ranges[0].stream == 3 && ranges[1].first_bytes == kMiB && ranges[1].stream == 5));
  for (const char* bad : {"", "1,2", "2,1,0", "0,1,200", "0,x,1"}) CHECK_THROWS_AS(ranges_of(bad), ConfigError);
  CHECK(noted(parse(job_text("rw=write\ndp_scheme=s")), "dp_scheme has no effect"));
  CHECK(one_job("rw=write\nwrite_hint=long").names_placement());
  CHECK_FALSE(one_job("rw=read\nfdp=1\nplids=1").names_placement());
}

TEST_CASE("each range of a trim is a separate request", "[workload]") {
  CHECK(one_job("rw=randtrim\niodepth=32\nnum_range=8").depth == 256);
  CHECK(one_job("rw=randread\niodepth=32\nnum_range=8").depth == 32);
  CHECK(noted(parse(job_text("rw=randread\nnum_range=8")), "num_range has no effect"));
  CHECK(refused("rw=trim\nnum_range=0", "out of range"));
}

TEST_CASE("SCSI's VERIFY is a read, WRITE SAME a write of constant content", "[workload]") {
  const std::string lines = "ioengine=sg\nrw=write\nbs=,512\nnumber_ios=20\nsg_write_mode=";
  const std::vector<Access> verified = sequence(one_job(lines + "verify_bytchk_01"));
  CHECK(verified.size() == 20);
  CHECK((verified[7].direction == Direction::read && verified[7].length_bytes == 512));
  const std::vector<Access> same = sequence(one_job(lines + "write_same"));
  CHECK((same[0].direction == Direction::write && same[0].content.id == same[19].content.id && same[0].content.id != 0));
  CHECK(refused("rw=read\nsg_write_mode=write_same", "stands for writes"));
  const std::vector<Access> zeroes = sequence(one_job("ioengine=io_uring_cmd\nrw=write\nnumber_ios=2\nwrite_mode=zeroes"));
  CHECK(zeroes[0].content.id == zeroes[1].content.id);
  CHECK(sequence(one_job("rw=write\nnumber_ios=1\nwrite_mode=verify"))[0].direction == Direction::read);
}

TEST_CASE("jobs with dedupe_global repeat each other's contents", "[workload]") {
  const auto shared = [](const std::string& global) {
    const JobFile file = parse(
        "[global]\nioengine=libaio\ndirect=1\nsize=8m\nbs=4k\nrw=write\ndedupe_mode=working_set\ndedupe_percentage=50\n"
        "dedupe_working_set_percentage=10\n" +
        global + "\n[a]\n[b]\n");
    std::map<std::uint64_t, std::set<std::size_t>> jobs_of;
    for (std::size_t job = 0; job < 2; ++job)
      for (const Access& access : sequence(file.jobs[job])) jobs_of[access.content.id].insert(job);
    std::size_t both = 0;
    for (const auto& [content, jobs] : jobs_of) both += jobs.size() == 2;
    return both;
  };
  CHECK(shared("dedupe_global=0") == 0);
  CHECK(shared("dedupe_global=1") > 300);  // 2 x 204 contents, each drawn about 2.5 times by each job
  CHECK(refused("rw=write\ndedupe_percentage=50\ndedupe_global=1", "dedupe_mode=working_set"));
}

TEST_CASE("a steady state may use latency, and writefua forces writes to the flash", "[workload]") {
  const Job job = one_job("rw=randread\ntime_based\nruntime=60\nss=lat_slope:2%\nss_dur=10\nratemin=1k");
  CHECK(job.flow.steady->figure == SteadyCriterion::Figure::latency);
  CHECK(job.flow.steady->slope);
  CHECK(job.flow.least_bytes_per_s[0] == 1024);
  CHECK(one_job("rw=write\nwritefua=1").flow.forced_writes);
  CHECK_FALSE(one_job("rw=write\nwritefua=0").flow.forced_writes);
}

TEST_CASE("sizes meant for a larger drive are divided on request", "[workload]") {
  const std::string text = "[j]\nioengine=libaio\ndirect=1\nfilename=/dev/ssd\nrw=randread\nbs=4k\noffset=1g\nsize=10g\n";
  CHECK(contains(job_refusal(text), "begins beyond the end"));
  const JobFile shrunk = read_with(text, true, 200);
  CHECK(shrunk.jobs[0].region_first_bytes == 5365760);  // 2^30 / 200 in whole blocks
  CHECK(shrunk.jobs[0].region_end_bytes > 50 * kMiB);
  CHECK(noted(shrunk, "divided by 200"));
  CHECK(read_with("[j]\nrw=write\nbs=64k\nsize=64k\nfilesize=1m\n", false, 1000).jobs[0].region_end_bytes == 64 * kKiB);
}

TEST_CASE("a section named after a device, or an engine that names its device, needs no filename", "[workload]") {
  CHECK(parse("[/dev/sdb]\nrw=read\n").jobs[0].region_end_bytes == 64 * kMiB);
  CHECK(parse("[j]\nioengine=nbd\nuri=nbd://host\nrw=read\n").jobs[0].region_end_bytes == 64 * kMiB);
  CHECK(parse("[j]\nrw=randwrite\nsprandom=1\n").jobs[0].region_end_bytes == 64 * kMiB);
  CHECK(*parse("[/dev/sdb]\nrw=read\nwrite_bw_log\n").jobs[0].bandwidth_log == "sdb");
  CHECK(contains(job_refusal("[j]\nrw=read\n"), "filename=NAME (any name) for the whole drive"));
}

TEST_CASE("a size in kib that is not a multiple of a sector is refused with fio's rule of units", "[workload]") {
  CHECK(refused("bs=4KiB",
                "4000 bytes is not a multiple of 512; fio's rule of units: with kb_base=1024, its default, k is "
                "1024 bytes and kib is 1000: write k, m, g"));
  CHECK(refused("kb_base=1000\nbs=4k", "with kb_base=1000 k is 1000 bytes and kib is 1024: write kib"));
  CHECK(one_job("kb_base=1000\nbs=4KiB").block_bytes[0] == 4096);
}
