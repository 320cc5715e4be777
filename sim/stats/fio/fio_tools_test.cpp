// Tests the reports with the real tools. A test does nothing if its tool is not installed.
#include <filesystem>
#include <nlohmann/json.hpp>

#include "sim/config/file.h"
#include "sim/stats/fio/fio_report.h"
#include "sim/stats/testing/run.h"
#include "sim/testing/commands.h"
#include "sim/testing/files.h"
#include "sim/testing/test.h"

namespace ftlab {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

bool installed(const char* tool) {
  const bool found = succeeds(std::string("command -v ") + tool);
  if (!found) SUCCEED(tool << " is not installed");
  return found;
}

// A mixed run of two reported jobs, one of them with total latencies as well.
TestRun mixed_run() {
  TestRun test;
  Job& first = test.add_job("first", 0);
  first.options = {{"rw", "randwrite"}, {"iodepth", "4"}, {"numjobs", "1"}, {"bs", "4k"}};
  first.global_options = {{"ioengine", "libaio"}};
  test.record(first, Direction::write, 1500);
  Job& second = test.add_job("second", 1, 1);
  second.total_percentiles = true;
  second.options = {{"rw", "randread"}, {"iodepth", "1"}, {"numjobs", "1"}, {"bs", "4k"}};
  test.record(second, Direction::read, 700, kMillisecond * 1500);
  return test;
}

// fio's own report of a job with these options on its null engine.
Json fio_says(const TestFolder& folder, const char* options) {
  const std::string output = folder / "fio.json";
  const std::string command = "fio --name=j --ioengine=null --size=64m --output-format=json+ ";
  REQUIRE(succeeds(command + options + " --output=" + output));
  return Json::parse(read_text_file(output));
}

// Paths and types of everything in a document, except bins, percentiles and options, which differ by content.
void outline(const Json& value, const std::string& path, std::vector<std::string>& lines) {
  if (!value.is_object()) {
    lines.push_back(path + " " + (value.is_number_float() ? "float" : value.type_name()));
    return;
  }
  lines.push_back(path);
  for (const auto& item : value.items()) {
    const bool free = item.key() == "bins" || item.key() == "percentile" || item.key() == "job options";
    if (!free) outline(item.value(), path + "/" + item.key(), lines);
  }
}

std::vector<std::string> outline(const Json& value) {
  std::vector<std::string> lines;
  outline(value, "", lines);
  return lines;
}

TEST_CASE("fio_jsonplus_clat2csv_reads_our_document_and_finds_every_bin", "[fio]") {
  if (!installed("fio_jsonplus_clat2csv")) return;
  const TestFolder folder;
  folder.write("ours.json", fio_json(mixed_run().run).dump(2));
  const std::string command = "fio_jsonplus_clat2csv " + (folder / "ours.json") + " " + (folder / "out.csv");
  CHECK(succeeds(command));
  CHECK(fs::exists(folder / "out_job0.csv"));
  CHECK(fs::exists(folder / "out_job1.csv"));
  CHECK(succeeds(command + " --validate | grep -c validated | grep -qx 2"));
}

TEST_CASE("fio_plot_plots_our_document", "[fio]") {
  if (!installed("fio-plot")) return;
  const TestFolder folder;
  folder.write("randwrite-4-1.json", fio_json(mixed_run().run).dump(2));
  CHECK(succeeds("fio-plot -i " + folder.path().string() + " -T t -l -r randwrite -d 4 -n 1 -o " + (folder / "plot.png")));
  CHECK(fs::exists(folder / "plot.png"));
}

TEST_CASE("a_job_in_our_document_has_the_keys_order_and_types_of_fios", "[fio]") {
  if (!installed("fio") || !succeeds("fio --version | grep -qx fio-3.33")) return;
  const TestFolder folder;
  const Json theirs = fio_says(folder, "--rw=read --bs=4k --number_ios=700 --lat_percentiles=1");
  TestRun test;
  Job& job = test.add_job("j", 0);
  job.total_percentiles = true;
  test.record(job, Direction::read, 700);
  CHECK(outline(fio_json(test.run)["jobs"][0]) == outline(theirs["jobs"][0]));
}

TEST_CASE("steady_states_flushes_and_mixed_reports_have_the_keys_and_types_of_fios", "[fio]") {
  if (!installed("fio") || !succeeds("fio --version | grep -qx fio-3.33")) return;
  const TestFolder folder;
  const Json theirs = fio_says(folder,
                               "--rw=randrw --time_based --runtime=4 --rate_iops=500 --fsync=8 --unified_rw_reporting=both "
                               "--steadystate=bw_slope:50% --steadystate_duration=2");
  TestRun test;
  Job& job = test.add_job("j", 0);
  job.choices.unified = Unified::both;
  test.record(job, Direction::read, 700);
  JobStats& stats = test.run.jobs[0];
  stats.directions[1] = stats.directions[0];
  stats.flushes.latency.add(Nanoseconds{100});
  SteadyCriterion wanted;
  wanted.duration = Nanoseconds{2'000'000'000};
  stats.steady = SteadyResult{wanted, true, 0, 0, 0, {1, 1}, {1, 1}, {}};
  CHECK(outline(fio_json(test.run)["jobs"][0]) == outline(theirs["jobs"][0]));
}

TEST_CASE("percentiles_from_fios_bins_are_fios_percentiles", "[fio]") {
  if (!installed("fio")) return;
  const TestFolder folder;
  const Json clat = fio_says(folder, "--rw=randread --bs=4k --number_ios=16000")["jobs"][0]["read"]["clat_ns"];
  Histogram histogram;
  for (const auto& bin : clat["bins"].items()) {
    const std::uint64_t value = std::stoull(bin.key());
    CHECK(Histogram::bin_value(Histogram::bin_of(value)) == value);
    for (std::uint64_t i = 0; i < bin.value().get<std::uint64_t>(); ++i) histogram.add(Nanoseconds{value});
  }
  REQUIRE(histogram.count() == clat["N"].get<std::uint64_t>());
  for (const auto& percentile : clat["percentile"].items()) {
    CHECK(histogram.percentile_ns(std::stod(percentile.key())) == percentile.value().get<std::uint64_t>());
  }
}

}  // namespace
}  // namespace ftlab
