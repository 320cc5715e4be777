// Jobs that name several devices or files: all of them are the one simulated drive.
#include <algorithm>

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
