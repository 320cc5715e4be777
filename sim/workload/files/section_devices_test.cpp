// Job files whose devices are drives of their own: the jobs of one device, and what would make drives depend on each other.
#include "sim/workload/files/job_file.h"
#include "sim/workload/testing/jobs.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

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
