// Semantics of a whole file: inheritance, clones, waves, report groups, regions, overrides, and notes to the user.
#include <algorithm>
#include <map>
#include <string>

#include "sim/config/file.h"
#include "sim/testing/bad_inputs.h"
#include "sim/workload/files/job_file.h"
#include "sim/workload/testing/jobs.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

const std::string kDrive = "ioengine=libaio\ndirect=1\nfilename=/dev/ssd\n";

struct Bounds {
  std::uint64_t first, end, amount;
  bool operator==(const Bounds&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Bounds& b) { return out << b.first << ".." << b.end << " " << b.amount; }

Bounds bounds(const Job& job) { return {job.region_first_bytes, job.region_end_bytes, job.amount_bytes}; }
Bounds bounds(const std::string& lines) { return bounds(one_job(lines)); }

std::string notes_of(const std::string& text) {
  std::string all;
  for (const Note& note : parse(text).notes) all += note.text + "\n";
  return all;
}

bool noted(const std::string& lines, const std::string& words) {
  const std::string notes = notes_of(job_text(lines));
  return notes.find(words) != std::string::npos;
}

bool refused(const std::string& lines, const std::string& by) {
  return job_refusal(job_text(lines)).find(by) != std::string::npos;
}

template <class Get>
auto column(const JobFile& file, Get get) {
  std::vector<std::size_t> values;
  for (const Job& job : file.jobs) values.push_back(get(job));
  return values;
}

std::vector<std::size_t> job_groups(const JobFile& file) {
  return column(file, [](const Job& job) { return job.job_group; });
}
std::vector<std::size_t> groups(const JobFile& file) {
  return column(file, [](const Job& job) { return job.report_group; });
}

using Numbers = std::vector<std::size_t>;

}  // namespace

TEST_CASE("a job inherits the global sections above it, and only those", "[workload]") {
  const JobFile file = parse("[global]\n" + kDrive + "bs=8k\n[a]\n[global]\nbs=16k\niodepth=4\n[b]\nbs=32k\n[c]\n");
  REQUIRE(file.jobs.size() == 3);
  CHECK(file.jobs[0].block_bytes[0] == 8192);
  CHECK(file.jobs[0].depth == 1);
  CHECK(file.jobs[1].block_bytes[0] == 32768);
  CHECK(file.jobs[1].depth == 4);
  CHECK(file.jobs[2].block_bytes[0] == 16384);
}

TEST_CASE("clones share a section and are numbered", "[workload]") {
  const JobFile file = parse("[global]\n" + kDrive + "[a]\nnumjobs=2\n[b]\n");
  REQUIRE(file.jobs.size() == 3);
  CHECK(file.jobs[1].name == "a");
  CHECK(file.jobs[1].clone == 1);
  CHECK(file.jobs[1].number == 1);
  CHECK(file.jobs[2].number == 2);
  CHECK(file.jobs[2].clone == 0);
  CHECK(file.jobs[2].line == 7);
}

TEST_CASE("the number of jobs has a limit", "[workload]") {
  CHECK(parse("[global]\n" + kDrive + "[a]\nnumjobs=4096\n").jobs.size() == 4096);
  CHECK(job_refusal("[global]\n" + kDrive + "[a]\nnumjobs=4096\n[b]\n").find("too many jobs in all") != std::string::npos);
}

TEST_CASE("the memory for the options of thousands of jobs has a limit", "[workload]") {
  const std::string options = "description=" + std::string(4000, 'x') + "\nbuffer_pattern=\"" + std::string(500, 'x') +
                              "\"\nfilename=/dev/" + std::string(4000, 'x') + "\n";
  const auto with_jobs = [&](int jobs) {
    return "[global]\nioengine=libaio\ndirect=1\n" + options + "[j]\nrw=read\nnumjobs=" + std::to_string(jobs) + "\n" +
           options;
  };
  CHECK(parse(with_jobs(3900)).jobs.size() == 3900);
  CHECK(job_refusal(with_jobs(4096)).find("j: its options and those of the jobs before it are too long in all (got 6") !=
        std::string::npos);
}

TEST_CASE("a name in a section renames its job, a name in global does not", "[workload]") {
  CHECK(one_job("name=other").name == "other");
  CHECK(parse("[global]\nname=other\n" + kDrive + "[j]\n").jobs.at(0).name == "j");
}

TEST_CASE("a stonewall begins a wave, but not for the first job or between clones", "[workload]") {
  CHECK(job_groups(parse("[global]\n" + kDrive + "stonewall\n[a]\nnumjobs=2\n[b]\n[c]\n")) == Numbers{0, 0, 1, 2});
  CHECK(job_groups(parse("[global]\n" + kDrive + "[a]\n[b]\n[c]\nwait_for_previous\n[d]\n")) == Numbers{0, 0, 1, 1});
}

TEST_CASE("group reporting joins the jobs of a wave", "[workload]") {
  const std::string global = "[global]\n" + kDrive;
  CHECK(groups(parse(global + "[a]\nnumjobs=2\n[b]\n")) == Numbers{0, 1, 2});
  CHECK(groups(parse(global + "group_reporting\n[a]\nnumjobs=2\n[b]\n")) == Numbers{0, 0, 0});
  CHECK(groups(parse(global + "group_reporting\n[a]\n[b]\nstonewall\n[c]\n")) == Numbers{0, 1, 1});
}

TEST_CASE("size bounds region and amount on a drive", "[workload]") {
  CHECK(bounds("rw=write") == Bounds{0, 64 * kMiB, 64 * kMiB});
  CHECK(bounds("size=16m") == Bounds{0, 16 * kMiB, 16 * kMiB});
  CHECK(bounds("offset=16m\nsize=16m") == Bounds{16 * kMiB, 32 * kMiB, 16 * kMiB});
  CHECK(bounds("offset=16m") == Bounds{16 * kMiB, 64 * kMiB, 48 * kMiB});
  CHECK(bounds("fileoffset=16m") == Bounds{16 * kMiB, 64 * kMiB, 48 * kMiB});
  CHECK(bounds("size=0") == Bounds{0, 64 * kMiB, 64 * kMiB});
}

TEST_CASE("io_size bounds the amount only", "[workload]") {
  CHECK(bounds("size=16m\nio_size=4m") == Bounds{0, 16 * kMiB, 4 * kMiB});
  CHECK(bounds("size=16m\nio_limit=40m") == Bounds{0, 16 * kMiB, 40 * kMiB});
  CHECK(bounds("size=16m\nio_size=50%") == Bounds{0, 16 * kMiB, 8 * kMiB});
  CHECK(one_job("io_size=4m").amount_given);
  CHECK_FALSE(one_job("size=4m").amount_given);
}

TEST_CASE("with filesize, the region is the file and size the amount", "[workload]") {
  CHECK(bounds("filesize=32m\nsize=16m") == Bounds{0, 32 * kMiB, 16 * kMiB});
  CHECK(bounds("filesize=64m\noffset=16m\nsize=16m") == Bounds{16 * kMiB, 64 * kMiB, 16 * kMiB});
  CHECK(refused("filesize=128m", "larger than the drive"));
  CHECK(refused("filesize=1000", "not a multiple of 512"));
  CHECK(refused("filesize=32m\noffset=48m", "the file has"));
}

TEST_CASE("percentages refer to the drive, in whole blocks", "[workload]") {
  CHECK(bounds("size=25%") == Bounds{0, 16 * kMiB, 16 * kMiB});
  CHECK(bounds("offset=50%\nsize=25%") == Bounds{32 * kMiB, 48 * kMiB, 16 * kMiB});
  CHECK(bounds("offset=75%\nsize=50%") == Bounds{48 * kMiB, 64 * kMiB, 16 * kMiB});
  CHECK(bounds("bs=12k\nsize=25%").end == 16 * kMiB / 12288 * 12288);
  CHECK(refused("bs=64k\nsize=0%\noffset=100%", "begins beyond the end"));
  CHECK(job_refusal(job_text("bs=4k\nsize=1%"), 64 * kKiB).find("less than one block") != std::string::npos);
}

TEST_CASE("a region must lie on the drive and hold a block", "[workload]") {
  CHECK(refused("offset=64m", "begins beyond the end"));
  CHECK(refused("size=65m", "reaches beyond the end"));
  CHECK(refused("offset=32m\nsize=33m", "the offset is 33554432"));
  CHECK(refused("offset=1000", "not a multiple of 512"));
  CHECK(refused("size=1000", "not a multiple of 512"));
  CHECK(refused("size=100kib", "write k"));
  CHECK(refused("bs=8k\nsize=4k", "larger than the region"));
  CHECK(bounds("rw=read\nbs=4k,1m\nsize=4k").end == 4096);  // only directions in use must fit
}

TEST_CASE("jobs without filename get separate, consecutive files", "[workload]") {
  const JobFile file = parse("[global]\nioengine=libaio\ndirect=1\n[a]\nsize=10000k\nnumjobs=2\n[b]\noffset=1m\nsize=1m\n");
  REQUIRE(file.jobs.size() == 3);
  CHECK(bounds(file.jobs[0]) == Bounds{0, 10'240'000, 10'240'000});
  CHECK(file.jobs[1].region_first_bytes == 10'240'000);
  CHECK(file.jobs[2].file_first_bytes == 20'480'000);
  CHECK(file.jobs[2].region_first_bytes == 20'480'000 + kMiB);
  CHECK(file.jobs[2].file_end_bytes == 20'480'000 + 2 * kMiB);
  CHECK(file.notes.size() == 2);
  CHECK(file.notes[0].text.find("2 file(s) of 10240000 bytes") != std::string::npos);
}

TEST_CASE("own files need a size in bytes and room on the drive", "[workload]") {
  const auto problem = [](const std::string& lines) { return job_refusal("[j]\nioengine=libaio\ndirect=1\n" + lines); };
  CHECK(problem("rw=read").find("needs a size") != std::string::npos);
  CHECK(problem("size=50%").find("percent of what?") != std::string::npos);
  CHECK(problem("size=1m\noffset=50%").find("percent of what?") != std::string::npos);
  CHECK(problem("size=65m").find("offset + size") != std::string::npos);
  CHECK(problem("size=20m\nnumjobs=4").find("do not fit") != std::string::npos);
  CHECK(problem("filesize=16m") == "");
}

TEST_CASE("job files without a job are refused", "[workload]") {
  CHECK(job_refusal("").find("no section, so no job") != std::string::npos);
  CHECK(job_refusal("# nothing\n").find("no section, so no job") != std::string::npos);
  CHECK(job_refusal("[global]\nbs=4k\n").find("only [global] sections") != std::string::npos);
}

TEST_CASE("an override replaces the value of the file, everywhere or in one section", "[workload]") {
  const std::string text = "[global]\n" + kDrive + "bs=4k\n[a]\n[b]\nbs=8k\n";
  const JobFile all = parse(text, 64 * kMiB, {{"", "bs", "64k"}});
  CHECK(all.jobs[0].block_bytes[0] == 65536);
  CHECK(all.jobs[1].block_bytes[0] == 65536);
  const JobFile one = parse(text, 64 * kMiB, {{"b", "blocksize", "64k"}});
  CHECK(one.jobs[0].block_bytes[0] == 4096);
  CHECK(one.jobs[1].block_bytes[0] == 65536);
}

TEST_CASE("an override is checked like a line of the file", "[workload]") {
  const auto problem = [](const JobOverride& override) {
    try {
      parse("[job]\n" + kDrive, 64 * kMiB, {override});
    } catch (const ConfigError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  CHECK(problem({"jbo", "bs", "4k"}) == "--set-job: jbo: no such section in test.fio (did you mean job?)");
  CHECK(problem({"", "bs", "4q"}).find("--set-job: bs: unknown unit") == 0);
  CHECK(problem({"", "sb", "4k"}).find("--set-job: sb: unknown option") == 0);
}

TEST_CASE("an override is KEY=VALUE, with or without a section", "[workload]") {
  const JobOverride plain = parse_job_override("filename=/dev/a:b=c");
  CHECK(plain.section.empty());
  CHECK(plain.key == "filename");
  CHECK(plain.value == "/dev/a:b=c");
  const JobOverride named = parse_job_override("a:b: iodepth = 4");
  CHECK(named.section == "a:b");
  CHECK(named.key == "iodepth");
  CHECK(named.value == "4");
  CHECK_THROWS_AS(parse_job_override("iodepth"), ConfigError);
  CHECK_THROWS_AS(parse_job_override("a:=4"), ConfigError);
  CHECK_THROWS_AS(parse_job_override(""), ConfigError);
}

TEST_CASE("combinations that cannot be carried out are refused", "[workload]") {
  CHECK(refused("rw=randrw\nbs=4k,8k\nrandom_generator=lfsr", "issues nothing at all"));
  CHECK(refused("rw=trimwrite\nbs=4k,4k,8k", "the two sizes differ"));
  CHECK(refused("rw=write:64k\nsize=64k", "the skip is as long as the region"));
}

TEST_CASE("a plain job produces no notes", "[workload]") {
  CHECK(notes_of(job_text("rw=randwrite\nbs=4k\niodepth=4\nnorandommap\nrandrepeat=0\nio_size=96m")) == "");
}

TEST_CASE("differences from fio on a real host are noted", "[workload]") {
  CHECK(notes_of("[j]\nfilename=d\n").find("direct=1 is not written") != std::string::npos);
  CHECK(notes_of("[j]\nfilename=d\niodepth=4\n").find("psync, as none is named") != std::string::npos);
  CHECK(noted("ioengine=sync\niodepth=4", "iodepth=4 counts as 1"));
  CHECK(noted("bs=512kib\nkb_base=1000", "kib, mib and so on in thousands"));
}

TEST_CASE("options without effect are noted", "[workload]") {
  CHECK(noted("time_based", "without a runtime has no effect"));
  CHECK(noted("time_based\nruntime=5\nnumber_ios=3", "number_ios has no effect"));
  CHECK(noted("rw=randrw\nrwmixread=70\nrwmixwrite=60", "the later one counts: 40 % reads"));
  CHECK(noted("rw=randwrite\nrandom_generator=lfsr\nnorandommap", "norandommap has no effect"));
}

TEST_CASE("random writes that repeat their order are noted", "[workload]") {
  const std::string words = "identical order";
  CHECK(noted("rw=randwrite\nloops=2", words));
  CHECK(noted("rw=randwrite\nio_size=128m", words));
  CHECK(noted("rw=randwrite\nrandom_generator=lfsr\nrandseed=1\nloops=2", words));
  CHECK(noted("rw=randwrite\nrandom_generator=lfsr\ntime_based\nruntime=5", words));
  CHECK_FALSE(noted("rw=randwrite", words));
  CHECK_FALSE(noted("rw=randread\nloops=2", words));
  CHECK_FALSE(noted("rw=write\nloops=2", words));
  CHECK_FALSE(noted("rw=randwrite\nloops=2\nrandrepeat=0", words));
  CHECK_FALSE(noted("rw=randwrite\nloops=2\nrandseed=1", words));
  CHECK_FALSE(noted("rw=randwrite\nloops=2\nnorandommap", words));
  CHECK_FALSE(noted("rw=randwrite\ntime_based\nruntime=5", words));
}

TEST_CASE("different block sizes on one map are noted", "[workload]") {
  CHECK(noted("rw=randrw\nbs=4k,8k", "share one random map"));
  CHECK_FALSE(noted("rw=randrw\nbs=4k,8k\nnorandommap", "share one random map"));
}

// Every bad job file of validation/checks/bad_inputs must be refused with exactly the message in its table, as printed by
// `ftlab check`: the messages are part of the interface.

namespace {

constexpr std::uint64_t kCapacity = 64'023'257'088;  // capacity of the drive that the files are written for

class BadJobs {
 public:
  BadJobs() { inputs_.unpack("job", folder_); }

  BadInputs::ByName files() const { return inputs_.of("job/job-", ".fio"); }

  std::string message_for(const std::string& file) const {
    JobContext context;
    context.capacity_bytes = kCapacity;
    context.environment = [](const std::string&) -> const char* { return nullptr; };
    context.folder = folder_ / "job";
    context.include = [this](const std::string& name) { return read("job/" + name); };
    try {
      parse_job_file(read(file), file, context);
    } catch (const ConfigError& error) {
      return without_folder(error.what());  // logs are read by their full path
    }
    return "accepted";
  }

 private:
  std::string without_folder(std::string text) const {
    const std::size_t at = text.find(folder_ / "");
    return at == text.npos ? text : text.erase(at, (folder_ / "").size());
  }
  // Reads like a process whose working directory is this folder.
  std::string read(const std::string& name) const {
    try {
      return read_text_file(folder_ / name);
    } catch (const ConfigError& error) {
      throw ConfigError({}, {}, without_folder(error.what()));
    }
  }

  BadInputs inputs_;
  TestFolder folder_;
};

}  // namespace

TEST_CASE("malformed job files are refused with the expected line", "[workload][bad]") {
  const BadJobs jobs;
  CHECK(jobs.files().size() >= 270);
  for (const auto& [file, input] : jobs.files()) {
    INFO(file);
    CHECK(jobs.message_for(file) + "\n" == input.message);
  }
}

TEST_CASE("every malformed job file has a different fault", "[workload][bad]") {
  std::map<std::string, std::string> files;  // by message, without its place
  const BadJobs jobs;
  for (const auto& [file, input] : jobs.files()) {
    std::string message = jobs.message_for(file);
    for (std::size_t at = message.find(file); at != message.npos; at = message.find(file)) message.erase(at, file.size());
    const auto [other, is_new] = files.emplace(message, file);
    INFO(file << " and " << other->second << message);
    CHECK((is_new || message.find("no section") != message.npos));  // the empty file, and the one with only comments
  }
}
