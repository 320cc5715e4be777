// Options that pace, end and report a job: their effect, units, aliases and checks.
#include "sim/workload/options/options.h"
#include "sim/workload/testing/jobs.h"

using namespace ftlab;
using namespace ftlab::testing;

namespace {

bool refused(const std::string& lines, const std::string& by) {
  return job_refusal(job_text(lines)).find(by) != std::string::npos;
}

bool noted(const std::string& text, const std::string& words, std::uint64_t capacity = 64 * kMiB) {
  for (const Note& note : parse(text, capacity).notes)
    if (note.text.find(words) != std::string::npos) return true;
  return false;
}

using Numbers = PerDirection<std::uint64_t>;

}  // namespace

TEST_CASE("a job without these options is not paced", "[workload]") {
  CHECK_FALSE(one_job("rw=write").flow.paced());
  CHECK_FALSE(one_job("rw=write\nfsync=0\niodepth_batch=1\niodepth_batch_complete_min=1\nsync=0\nrate=0").flow.paced());
  for (const char* line : {"rate=1m", "thinktime=5", "fsync=4", "sync=1", "end_fsync=1", "max_latency=5", "flow=2"})
    CHECK(one_job(line).flow.paced());
}

TEST_CASE("rates go to read, write and trim in turn", "[workload]") {
  CHECK(one_job("rate=1m").flow.rate_bytes_per_s == Numbers{kMiB, kMiB, kMiB});
  CHECK(one_job("rate=1m,500k").flow.rate_bytes_per_s == Numbers{kMiB, 500 * kKiB, 500 * kKiB});
  CHECK(one_job("rate=,500k,").flow.rate_bytes_per_s == Numbers{0, 500 * kKiB, 0});
  CHECK(one_job("rate_iops=5,,7").flow.rate_iops == Numbers{5, 0, 7});
  CHECK(refused("rate=1,2,3,4", "too many values"));
  CHECK(refused("rate=", "number missing"));
}

TEST_CASE("short times are in microseconds, long ones in seconds, windows in milliseconds", "[workload]") {
  CHECK(one_job("thinktime=10").flow.think == std::chrono::microseconds(10));
  CHECK(one_job("thinktime=10ms").flow.think == std::chrono::milliseconds(10));
  CHECK(one_job("max_latency=1s,2").flow.longest ==
        PerDirection<Nanoseconds>{std::chrono::seconds(1), std::chrono::microseconds(2), std::chrono::microseconds(2)});
  CHECK(one_job("steadystate=iops:1%\nss_dur=1m").flow.steady->duration == std::chrono::minutes(1));
  CHECK(one_job("rate=1m\nrate_cycle=250").flow.rate_cycle == std::chrono::milliseconds(250));
  CHECK(one_job("bwavgtime=250\niopsavgtime=100").choices.bandwidth_window == std::chrono::milliseconds(250));
  CHECK(one_job("startdelay=5-10").flow.start_delay_most == std::chrono::seconds(10));
  CHECK(one_job("startdelay=5").flow.start_delay_most == Nanoseconds{0});
}

TEST_CASE("a steady state has a figure and a limit", "[workload]") {
  const SteadyCriterion slope = *one_job("ss=bw_slope:10.5%\nsteadystate_duration=5").flow.steady;
  CHECK((slope.figure == SteadyCriterion::Figure::bandwidth && slope.slope && slope.percent));
  CHECK(slope.limit == 10.5);
  const SteadyCriterion absolute = *one_job("steadystate=iops:300\nsteadystate_duration=5").flow.steady;
  CHECK((absolute.figure == SteadyCriterion::Figure::iops && !absolute.slope && !absolute.percent));
  CHECK(refused("steadystate=iosp:3%", "did you mean iops"));
}

TEST_CASE("options that have no effect on their own are noted, because fio accepts them", "[workload]") {
  for (const char* line :
       {"thinktime_spin=5", "thinktime_blocks=4", "rate_process=poisson", "rate_ignore_thinktime=1", "latency_window=5",
        "latency_run=1", "flow_id=3", "steadystate=iops:3%", "steadystate_duration=5"}) {
    INFO(line);
    CHECK(noted(job_text(line), "has no effect without"));
    CHECK_FALSE(one_job(line).flow.paced());
  }
}

TEST_CASE("no setting of the queue exceeds the queue depth", "[workload]") {
  const std::string lines =
      "iodepth=8\niodepth_low=9\niodepth_batch=16\niodepth_batch_complete_min=12\n"
      "iodepth_batch_complete_max=2";
  const Flow flow = one_job(lines).flow;
  CHECK((flow.low_depth == 8 && flow.submit_batch == 8 && flow.reap_least == 8 && flow.reap_most == 8));
  CHECK(noted(job_text(lines), "iodepth_low is above the queue depth and counts as 8"));
  CHECK(noted(job_text(lines), "iodepth_batch_complete_max is below the min"));
  CHECK(one_job("iodepth=8\niodepth_batch=0").flow.submit_batch == 8);
}

TEST_CASE("jobs fall into groups by stonewall and new_group, and group_reporting keeps to them", "[workload]") {
  const JobFile file = parse(
      "[global]\nfilename=d\ngroup_reporting\n[a]\nnumjobs=2\nnew_group\n[b]\n[c]\nnew_group\n"
      "[d]\nstonewall\n");
  std::vector<std::size_t> groups, job_groups, reports;
  for (const Job& job : file.jobs) {
    groups.push_back(job.group);
    job_groups.push_back(job.job_group);
    reports.push_back(job.report_group);
  }
  using List = std::vector<std::size_t>;
  CHECK(groups == List{0, 0, 0, 1, 2});
  CHECK(job_groups == List{0, 0, 0, 0, 1});
  CHECK(reports == List{0, 0, 0, 1, 2});
}

TEST_CASE("exitall in one section applies to all jobs, and wait_for needs one earlier job of that name", "[workload]") {
  for (const Job& job : parse("[a]\nfilename=d\nexitall\n[b]\nfilename=d\n").jobs) CHECK(job.flow.exit_all);
  CHECK(job_refusal("[fill]\nfilename=d\n[b]\nfilename=d\n"
                    "wait_for=fil\n")
            .find("no such job above this one (got fil; did you mean fill?)") != std::string::npos);
  CHECK(job_refusal("[a]\nfilename=d\nwait_for=a\n").find("no such job") != std::string::npos);
}

TEST_CASE("options of the host are accepted, checked, and noted once with their lines", "[workload]") {
  const JobFile file = parse(
      "[global]\nfilename=d\ndirect=1\ncpus_allowed=0-3\n[a]\nnice=-5\n[b]\nnice=5\n"
      "exec_prerun=rm -r /\n");
  REQUIRE(file.notes.size() == 2);
  CHECK(file.notes[0].line == 4);
  CHECK(file.notes[0].text == "no effect on the simulated drive: cpus_allowed (line 4), nice (line 6, 8)");
  CHECK(file.notes[1].text ==
        "no effect on the simulated drive: exec_prerun (line 9); the figures do not show the command before the job, which "
        "is not "
        "executed");
  CHECK(refused("nice=-21", "-20 to 19"));
  CHECK(refused("prio=8", "0 to 7"));
  CHECK(refused("mem=mmaphug", "did you mean mmaphuge"));
  CHECK(refused("gtod_reduce=yes", "on or off"));
  for (const char* line :
       {"mem=mmaphuge:/x", "clocksource=cpu", "fallocate=none", "continue_on_error", "gtod_reduce", "mem_align=4k",
        "unlink=1", "disable_bw=1", "significant_figures=6", "unit_base=8", "cmdprio_percentage=10,20", "priohint=3",
        "cmdprio_hint=1", "thinkcycles=1000000", "deac=1", "num_cqes=64", "log_unix_epoch=1"})
    CHECK(noted(job_text(line), "no effect on the simulated drive"));
}

TEST_CASE("log_window_value is another name of log_max_value", "[workload]") {
  const auto largest = [](const char* line) { return parse(job_text(line)).jobs.front().choices.log_largest; };
  CHECK(largest("log_window_value=max"));
  CHECK_FALSE(largest("log_window_value=avg"));
  CHECK(refused("log_window_value=both", "avg max"));
}

TEST_CASE("an ignored option is a problem if it would change the figures", "[workload]") {
  for (const Option& option : host_options()) {
    INFO(option.name);
    if (option.missed == nullptr) continue;
    const std::string name = option.name;
    const std::vector<Note> set = parse(job_text(name + (name == "cgroup_weight" ? "=100" : "=1"))).notes;
    REQUIRE(set.size() == 1);
    CHECK((set[0].problem == ProblemCode::option_ignored && !set[0].remedy.empty()));
    CHECK(set[0].text.find(option.missed) != std::string::npos);
  }
  for (const char* line : {"hipri=0", "unlink=1", "thread", "gtod_reduce=1", "mem=malloc"})
    for (const Note& note : parse(job_text(line)).notes) CHECK_FALSE(note.problem);
}

TEST_CASE("a queue depth that the engine ignores is a problem with a remedy", "[workload]") {
  for (const char* engine : {"", "ioengine=sync\n", "ioengine=pvsync2\n"}) {
    const std::vector<Note> notes = parse(std::string("[j]\nfilename=d\ndirect=1\niodepth=4\n") + engine).notes;
    REQUIRE(notes.size() == 1);
    CHECK(notes[0].problem == ProblemCode::depth_counted_as_1);
    CHECK(notes[0].remedy == "ioengine=libaio or ioengine=io_uring");
  }
  CHECK(parse(job_text("iodepth=4")).notes.empty());
}

TEST_CASE("a steady state on a drive that is never filled is noted", "[workload]") {
  const std::string steady = "steadystate=iops:20%\nsteadystate_duration=100\n";
  CHECK(noted(job_text("rw=randwrite\nio_size=1m\n" + steady), "still being filled"));
  CHECK_FALSE(noted(job_text("rw=randwrite\n" + steady), "steady"));
  CHECK_FALSE(noted(job_text("rw=randread\nio_size=1m\n" + steady), "steady"));
  CHECK(noted(job_text("rw=randwrite\ntime_based\nruntime=100\nss=iops:20%\nss_dur=5"), "says little about random writes"));
}
