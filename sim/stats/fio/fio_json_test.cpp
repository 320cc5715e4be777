#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/stats/fio/fio_report.h"
#include "sim/stats/testing/run.h"
#include "sim/testing/test.h"

namespace ftlab {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string> keys(const Json& object) {
  std::vector<std::string> names;
  for (const auto& item : object.items()) names.push_back(item.key());
  return names;
}

// One job that wrote 2000 blocks of 4 KiB, one per millisecond.
Json written_job() {
  TestRun test;
  Job& job = test.add_job("w", 0);
  job.options = {{"rw", "randwrite"}, {"iodepth", "4"}};
  job.global_options = {{"bs", "4k"}};
  job.depth = 4;
  test.record(job, Direction::write, 2000);
  return fio_json(test.run);
}

TEST_CASE("the_document_has_the_keys_of_fio_in_fios_order") {
  const Json document = written_job();
  CHECK(keys(document) ==
        std::vector<std::string>{"fio version", "timestamp", "timestamp_ms", "time", "global options", "jobs", "disk_util"});
  const Json& job = document["jobs"][0];
  CHECK(keys(job) == std::vector<std::string>{"jobname",
                                              "groupid",
                                              "error",
                                              "eta",
                                              "elapsed",
                                              "job options",
                                              "read",
                                              "write",
                                              "trim",
                                              "sync",
                                              "job_runtime",
                                              "usr_cpu",
                                              "sys_cpu",
                                              "ctx",
                                              "majf",
                                              "minf",
                                              "iodepth_level",
                                              "iodepth_submit",
                                              "iodepth_complete",
                                              "latency_ns",
                                              "latency_us",
                                              "latency_ms",
                                              "latency_depth",
                                              "latency_target",
                                              "latency_percentile",
                                              "latency_window"});
  CHECK(keys(job["write"]) == std::vector<std::string>{"io_bytes",  "io_kbytes",   "bw_bytes",    "bw",       "iops",
                                                       "runtime",   "total_ios",   "short_ios",   "drop_ios", "slat_ns",
                                                       "clat_ns",   "lat_ns",      "bw_min",      "bw_max",   "bw_agg",
                                                       "bw_mean",   "bw_dev",      "bw_samples",  "iops_min", "iops_max",
                                                       "iops_mean", "iops_stddev", "iops_samples"});
  CHECK(keys(job["write"]["clat_ns"]) ==
        std::vector<std::string>{"min", "max", "mean", "stddev", "N", "percentile", "bins"});
  CHECK(keys(job["read"]["clat_ns"]) == std::vector<std::string>{"min", "max", "mean", "stddev", "N"});
}

TEST_CASE("amounts_and_rates_are_those_of_the_job") {
  const Json write = written_job()["jobs"][0]["write"];
  CHECK(write["io_bytes"] == 8192000);
  CHECK(write["io_kbytes"] == 8000);
  CHECK(write["runtime"] == 2000);
  CHECK(write["bw_bytes"] == 4096000);
  CHECK(write["bw"] == 4000);
  CHECK(write["iops"].dump() == "1000.0");
  CHECK(write["total_ios"] == 2000);
  CHECK(write["bw_samples"] == 4);
  CHECK(write["bw_mean"] == 4000.0);
  CHECK(write["bw_agg"] == 100.0);
  CHECK(write["iops_min"] == 1000);
  CHECK(write["iops_stddev"] == 0.0);
}

TEST_CASE("latency_has_moments_percentiles_and_bins") {
  const Json clat = written_job()["jobs"][0]["write"]["clat_ns"];
  CHECK(clat["min"] == 1000);
  CHECK(clat["max"] == 2000000);
  CHECK(clat["mean"] == 1000500.0);
  CHECK(clat["stddev"] == 577494.588719);  // deviation of 1000 to 2000000 in steps of 1000
  CHECK(keys(clat["percentile"]) == std::vector<std::string>{"50.000000", "99.000000", "99.900000"});
  CHECK(clat["percentile"]["50.000000"] == Histogram::bin_value(Histogram::bin_of(1000000)));
  std::uint64_t counted = 0;
  std::uint64_t before = 0;
  for (const auto& bin : clat["bins"].items()) {
    CHECK(std::stoull(bin.key()) > before);
    before = std::stoull(bin.key());
    counted += bin.value().get<std::uint64_t>();
  }
  CHECK(counted == 2000);
}

TEST_CASE("percentiles_are_in_the_latencies_for_which_the_job_requests_them") {
  TestRun test;
  Job& job = test.add_job("r", 0);
  job.completion_percentiles = false;
  job.total_percentiles = true;
  test.record(job, Direction::read, 10);
  const Json read = fio_json(test.run)["jobs"][0]["read"];
  CHECK_FALSE(read["clat_ns"].contains("percentile"));
  CHECK_FALSE(read["clat_ns"].contains("bins"));
  CHECK(read["lat_ns"].contains("percentile"));
  CHECK(read["lat_ns"].contains("bins"));
  CHECK_FALSE(read["slat_ns"].contains("bins"));
}

TEST_CASE("depths_and_batches_are_percentages") {
  const Json job = written_job()["jobs"][0];
  CHECK(job["iodepth_level"].dump() == R"({"1":0.1,"2":0.1,"4":99.85,"8":0.0,"16":0.0,"32":0.0,">=64":0.0})");
  CHECK(job["iodepth_submit"].dump() == R"({"0":0.0,"4":100.0,"8":0.0,"16":0.0,"32":0.0,"64":0.0,">=64":0.0})");
  CHECK(job["iodepth_complete"] == job["iodepth_submit"]);
}

TEST_CASE("latency_classes_end_below_the_limit_in_their_name") {
  TestRun test;
  const Job& job = test.add_job("r", 0);
  JobRecorder recorder(job);
  recorder.begin(Nanoseconds{0});
  const std::vector<std::uint64_t> latencies = {1,     2,       499,     500,     999,       1'000,         1'999,
                                                2'000, 249'000, 251'000, 990'000, 1'010'000, 1'990'000'000, 2'010'000'000};
  for (std::size_t i = 0; i < latencies.size(); ++i) {
    LatencyParts parts{};
    parts[0] = Nanoseconds{latencies[i]};
    const Nanoseconds at{3'000'000'000 + i};
    recorder.add(Direction::read, 0, 4096, at - parts[0], at, Status::ok, parts);
  }
  test.run.jobs.push_back(recorder.finish(Nanoseconds{4'000'000'000}));
  const Json entry = fio_json(test.run)["jobs"][0];
  const auto count = [&](const char* unit, const char* name) {
    return std::lround(entry[unit][name].get<double>() * 14 / 100);
  };
  CHECK(count("latency_ns", "2") == 1);
  CHECK(count("latency_ns", "4") == 1);
  CHECK(count("latency_ns", "500") == 1);
  CHECK(count("latency_ns", "750") == 1);
  CHECK(count("latency_us", "2") + count("latency_ns", "1000") == 3);
  CHECK(count("latency_us", "4") == 1);
  CHECK(count("latency_us", "250") == 1);
  CHECK(count("latency_us", "500") == 1);
  CHECK(count("latency_us", "1000") == 1);
  CHECK(count("latency_ms", "2") == 1);
  CHECK(count("latency_ms", "2000") == 1);
  CHECK(count("latency_ms", ">=2000") == 1);
}

TEST_CASE("a_rare_latency_is_shown_as_at_least_a_hundredth_of_a_percent") {
  TestRun test;
  Job& job = test.add_job("r", 0);
  test.record(job, Direction::read, 20000);  // one of them in 1 us
  CHECK(fio_json(test.run)["jobs"][0]["latency_us"]["2"] == 0.01);
}

TEST_CASE("options_are_strings_with_invalid_utf8_replaced") {
  TestRun test;
  Job& job = test.add_job("j\xff", 0);
  job.options = {{"description", "d\xe9"}, {"bs", "4k"}};
  job.global_options = {{"direct", "1"}};
  test.record(job, Direction::read, 1);
  const Json document = fio_json(test.run);
  CHECK(document["jobs"][0]["job options"]["bs"] == "4k");
  CHECK(document["jobs"][0]["jobname"] == "j\xef\xbf\xbd");
  CHECK(document["jobs"][0]["desc"] == "d\xef\xbf\xbd");
  CHECK(document["global options"]["direct"] == "1");
  CHECK_NOTHROW(document.dump());
}

TEST_CASE("elapsed_counts_delay_and_ramp_and_rounds_up") {
  TestRun test;
  Job& job = test.add_job("j", 0);
  job.start_delay = kMillisecond * 1000;
  job.ramp = kMillisecond * 1500;
  test.record(job, Direction::read, 10, kMillisecond * 5000);
  CHECK(fio_json(test.run)["jobs"][0]["elapsed"] == 3);
}

TEST_CASE("a_job_that_did_nothing_is_reported_as_zeros") {
  TestRun test;
  test.record(test.add_job("idle", 0), Direction::read, 0);
  const Json entry = fio_json(test.run)["jobs"][0];
  CHECK(entry["read"] == entry["trim"]);
  CHECK(entry["read"]["iops"] == 0.0);
  CHECK(entry["iodepth_submit"]["4"] == 0.0);
}

TEST_CASE("failed_requests_are_an_error_of_the_job") {
  TestRun test;
  test.record(test.add_job("j", 0), Direction::write, 5);
  CHECK(fio_json(test.run)["jobs"][0]["error"] == 0);
  test.run.jobs[0].failed[1] = 1;
  CHECK(fio_json(test.run)["jobs"][0]["error"] == 5);
}

TEST_CASE("a_job_shorter_than_a_millisecond_has_a_runtime_of_1_ms") {
  TestRun test;
  Job& job = test.add_job("j", 0);
  JobRecorder recorder(job);
  recorder.begin(Nanoseconds{0});
  LatencyParts parts{};
  parts[0] = Nanoseconds{1000};
  recorder.add(Direction::read, 0, 4096, Nanoseconds{0}, Nanoseconds{1000}, Status::ok, parts);
  test.run.jobs.push_back(recorder.finish(Nanoseconds{1000}));
  const Json read = fio_json(test.run)["jobs"][0]["read"];
  CHECK(read["runtime"] == 1);
  CHECK(read["bw_bytes"] == 4096000000);
}

TEST_CASE("percentile_0_is_omitted") {
  TestRun test;
  Job& job = test.add_job("j", 0);
  job.percentiles = {0, 50};
  test.record(job, Direction::read, 10);
  CHECK(keys(fio_json(test.run)["jobs"][0]["read"]["clat_ns"]["percentile"]) == std::vector<std::string>{"50.000000"});
}

TEST_CASE("runtimes_are_rounded_to_the_nearest_millisecond") {
  for (const std::uint64_t end_ns : {1'499'999u, 1'500'000u}) {
    TestRun test;
    JobRecorder recorder(test.add_job("j", 0));
    recorder.begin(Nanoseconds{0});
    recorder.add(Direction::read, 0, 4096, Nanoseconds{0}, Nanoseconds{0}, Status::ok, {});
    test.run.jobs.push_back(recorder.finish(Nanoseconds{end_ns}));
    const Json entry = fio_json(test.run)["jobs"][0];
    CHECK(entry["read"]["runtime"] == (end_ns < 1'500'000 ? 1 : 2));
    CHECK(entry["job_runtime"] == entry["read"]["runtime"]);
  }
}

TEST_CASE("bw_agg_is_the_share_among_jobs_up_to_the_next_stonewall") {
  TestRun test;
  test.record(test.add_job("a", 0, 0), Direction::read, 1000);
  test.record(test.add_job("b", 1, 0), Direction::read, 1000);
  test.record(test.add_job("c", 2, 1), Direction::read, 1000, kMillisecond * 1000);
  const Json jobs = fio_json(test.run)["jobs"];
  CHECK(jobs[0]["read"]["bw_agg"] == 50.0);
  CHECK(jobs[1]["read"]["bw_agg"] == 50.0);
  CHECK(jobs[2]["read"]["bw_agg"] == 100.0);
}

TEST_CASE("bw_agg_is_at_most_100_percent") {
  TestRun test;
  test.record(test.add_job("j", 0), Direction::read, 500);
  test.run.jobs[0].ended = kMillisecond * 900;  // no completions after the only full window
  CHECK(fio_json(test.run)["jobs"][0]["read"]["bw_agg"] == 100.0);
}

TEST_CASE("the_same_run_gives_the_same_json_bytes") { CHECK(written_job().dump() == written_job().dump()); }

TEST_CASE("flushes_are_reported_as_sync_with_their_bins") {
  TestRun test;
  Job& job = test.add_job("f", 0);
  test.record(job, Direction::write, 4);
  test.run.jobs[0].flushes.full = 1;
  test.run.jobs[0].flushes.latency.add(Nanoseconds{100});
  test.run.jobs[0].flushes.latency.add(Nanoseconds{100});
  const Json sync = fio_json(test.run)["jobs"][0]["sync"];
  CHECK(sync["total_ios"] == 1);
  CHECK(sync["lat_ns"]["N"] == 2);
  CHECK(sync["lat_ns"]["percentile"]["99.000000"] == 100);
  CHECK(sync["lat_ns"]["bins"]["100"] == 2);
}

TEST_CASE("the_steady_state_is_reported_in_fios_format") {
  TestRun test;
  test.record(test.add_job("s", 0), Direction::write, 4);
  SteadyCriterion wanted;
  wanted.percent = true;
  wanted.limit = 20;
  wanted.duration = Nanoseconds{3'000'000'000};
  test.run.jobs[0].steady = SteadyResult{wanted, true, 1.5, 15, 0, {4096, 8192, 4096}, {1, 2, 1}, {}};
  const Json steady = fio_json(test.run)["jobs"][0]["steadystate"];
  CHECK(steady.dump() == R"({"ss":"iops:20.000000%","duration":3,"attained":1,"criterion":"1.500000%","max_deviation":15.0,)"
                         R"("slope":0.0,"data":{"bw_mean":5461,"iops_mean":1,"iops":[1,2,1],"bw":[4096,8192,4096]}})");
}

TEST_CASE("unified_reporting_adds_up_the_directions") {
  TestRun test;
  Job& job = test.add_job("u", 0);
  test.record(job, Direction::read, 100);
  test.run.jobs[0].directions[1] = test.run.jobs[0].directions[0];
  CHECK_FALSE(fio_json(test.run)["jobs"][0].contains("mixed"));
  job.choices.unified = Unified::mixed;
  const Json mixed = fio_json(test.run)["jobs"][0];
  CHECK_FALSE((mixed.contains("read") || mixed.contains("sync")));
  CHECK(mixed["mixed"]["total_ios"] == 200);
  CHECK(mixed["mixed"]["clat_ns"]["N"] == 200);
  job.choices.unified = Unified::both;
  const Json both = fio_json(test.run)["jobs"][0];
  CHECK(both["read"]["total_ios"] == 100);
  CHECK(both["mixed"]["total_ios"] == 200);
}

TEST_CASE("a_job_that_ended_itself_reports_its_error") {
  TestRun test;
  test.record(test.add_job("e", 0), Direction::read, 1);
  test.run.jobs[0].error = 110;
  CHECK(fio_json(test.run)["jobs"][0]["error"] == 110);
}

}  // namespace
}  // namespace ftlab
