// Jobs that name several devices or files: all of them are the one simulated drive, or drives of their own.
#include <algorithm>

#include "sim/workload/files/job_file.h"
#include "sim/workload/testing/jobs.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

// Notes of jobs with one of these filenames each, without the notes of single sections.
std::vector<Note> notes_of(const std::vector<std::string>& filenames, const std::string& engine = "libaio") {
  std::string text = "[global]\ndirect=1\nioengine=" + engine + "\nsize=1m\n";
  for (const std::string& name : filenames) text += "[j]\nfilename=" + name + "\n";
  std::vector<Note> notes = parse(text).notes;
  std::erase_if(notes, [](const Note& note) { return note.text.starts_with("[j]"); });
  return notes;
}

constexpr const char* kTwo =
    "[global]\nioengine=libaio\ndirect=1\nrw=randread\nsize=1m\n"
    "[a]\nfilename=/dev/nvme1n1\n[b]\nfilename=/dev/ng0n1\n[/dev/nvme1n1]\nnumjobs=2\n";

JobContext context_for(const std::string& device) {
  JobContext context;
  context.capacity_bytes = 64 * kMiB;
  context.device = device;
  return context;
}

std::vector<std::string> names(const std::string& device) {
  std::vector<std::string> all;
  for (const Job& job : parse_job_file(kTwo, "two.fio", context_for(device)).jobs) all.push_back(job.name);
  return all;
}

// Message of the refusal for device /dev/a; empty if the jobs are accepted.
std::string refusal(const std::string& text) {
  try {
    parse_job_file("[global]\nioengine=libaio\ndirect=1\nrw=randwrite\nsize=1m\n" + text, "f", context_for("/dev/a"));
    return "";
  } catch (const ConfigError& error) {
    return error.what();
  }
}

bool refuses(const std::string& text, const std::string& words) { return refusal(text).find(words) != std::string::npos; }

}  // namespace

TEST_CASE("several devices in one file are a problem", "[workload]") {
  const std::vector<std::vector<std::string>> cases = {
      {"/dev/sdc", "/dev/sdd"},
      {"/dev/sda1", "/dev/sda1", "/dev/sda2"},
      {"/dev/nvme0n1:/dev/nvme1n1"},
      {"trtype=PCIe traddr=0000.01.00.0 ns=1", "trtype=PCIe traddr=0000.02.00.0 ns=1"},
      {"\\\\.\\PhysicalDrive1", "\\\\.\\PhysicalDrive2"}};
  for (const auto& names : cases) {
    INFO(names[0]);
    const std::vector<Note> notes = notes_of(names);
    REQUIRE(notes.size() == 1);
    CHECK((notes[0].problem == ProblemCode::several_devices && !notes[0].remedy.empty()));
    CHECK(notes[0].text.starts_with("2 devices are named ("));
  }
  CHECK(notes_of({"Nvme0n1", "Nvme1n1"}, "spdk_bdev").at(0).problem == ProblemCode::several_devices);
  CHECK(notes_of({"/dev/a", "/dev/b", "/dev/c", "/dev/d", "/dev/e", "/dev/f"}).at(0).text.find("/dev/d and 2 more") !=
        std::string::npos);
}

TEST_CASE("several names of one device count as one", "[workload]") {
  CHECK(notes_of({"/dev/sdc", "/dev/sdc"}).empty());
  CHECK(notes_of({"/dev/ng0n1", "/dev/nvme0n1"}).empty());
  CHECK(notes_of({"drive"}).empty());
}

TEST_CASE("overlapping files of several jobs are noted, but not a problem", "[workload]") {
  const std::vector<Note> notes = notes_of({"a", "b"});
  REQUIRE(notes.size() == 1);
  CHECK_FALSE(notes[0].problem);
  CHECK(notes[0].text.starts_with("2 files are named (a, b)"));
}

TEST_CASE("a job on several whole devices is one on the simulated drive", "[workload]") {
  for (const char* size : {"", "size=100%\n"}) {
    const JobFile file = parse(std::string("[j]\nioengine=libaio\nrw=read\nfilename=/dev/a:/dev/b\n") + size);
    CHECK((file.jobs[0].files.empty() && file.jobs[0].region_end_bytes == 64 * kMiB));
    CHECK(std::any_of(file.notes.begin(), file.notes.end(),
                      [](const Note& note) { return note.problem == ProblemCode::several_devices; }));
  }
  CHECK(parse("[j]\nrw=read\nfilename=/dev/a:/dev/b\nsize=2m\n").jobs[0].files.size() == 2);
}

TEST_CASE("devices are listed in the order in which jobs name them", "[workload]") {
  using Names = std::vector<std::string>;
  CHECK(devices_in_job_file(kTwo, "two.fio", context_for("")) == Names{"/dev/nvme1n1", "/dev/nvme0n1"});
  CHECK(devices_in_job_file("[j]\nrw=read\nfilename=/dev/b:/dev/a\n", "f", context_for("")) == Names{"/dev/b", "/dev/a"});
  CHECK(devices_in_job_file("[j]\nrw=read\nsize=1m\n", "f", context_for("")).empty());
}

TEST_CASE("a device has its own jobs alone", "[workload]") {
  using Names = std::vector<std::string>;
  CHECK(names("/dev/nvme1n1") == Names{"a", "/dev/nvme1n1", "/dev/nvme1n1"});
  CHECK(names("/dev/nvme0n1") == Names{"b"});
  CHECK(names("") == Names{"a", "b", "/dev/nvme1n1", "/dev/nvme1n1"});
}

TEST_CASE("the jobs of a device are numbered as if they were alone", "[workload]") {
  const JobFile file = parse_job_file(kTwo, "two.fio", context_for("/dev/nvme0n1"));
  CHECK((file.jobs[0].number == 0 && file.jobs[0].report_group == 0));
  CHECK(file.notes.empty());
}

TEST_CASE("jobs of several drives that depend on each other are refused, whichever device they are on", "[workload]") {
  CHECK(refusal("[a]\nfilename=/dev/a\nstonewall\n[b]\nfilename=/dev/b\n").empty());  // nothing to wait for
  CHECK(refuses("[a]\nfilename=/dev/a\n[b]\nfilename=/dev/b\nstonewall\n", "stonewall: would make jobs"));
  CHECK(refuses("[a]\nfilename=/dev/a\n[b]\nfilename=/dev/b\nwait_for=a\n", "wait_for: would make jobs"));
  CHECK(refuses("[a]\nfilename=/dev/a\n[b]\nfilename=/dev/b\nexitall\n", "exitall: would make jobs"));
  CHECK(refuses("[a]\nfilename=/dev/a\n[b]\nfilename=/dev/b\nexitall_on_error\n", "exitall_on_error: would make jobs"));
  CHECK(refuses("[a]\nfilename=/dev/a\nflow=1\n[b]\nfilename=/dev/b\n", "flow: would make jobs"));
  CHECK(refuses("[a]\nfilename=/dev/a\ndedupe_global=1\ndedupe_percentage=50\n[b]\nfilename=/dev/b\n", "dedupe_global"));
  CHECK(refuses("[a]\nfilename=/dev/a\nread_iolog=x\n[b]\nfilename=/dev/b\n", "read_iolog: would make jobs"));
}

TEST_CASE("a job on no device, or on several, is refused when each device is a drive", "[workload]") {
  CHECK(refuses("[a]\nfilename=/dev/a\n[b]\n", "f:8: b: names no device"));
  CHECK(refuses("[a]\nfilename=/dev/a:/dev/b\n", "f:7: filename: one job would share its iodepth among 2 drives"));
  CHECK(refusal("[a]\nfilename=/dev/a:/dev/a\n").empty());
}

TEST_CASE("an invalid option of any section is reported, whichever device it is for", "[workload]") {
  CHECK(refuses("[a]\nfilename=/dev/a\n[b]\nfilename=/dev/b\nrv=read\n", "rv"));
}
