#include "validation/compare/reading/measurement.h"

#include <algorithm>
#include <filesystem>

#include "sim/config/file.h"
#include "sim/config/refusal.h"
#include "sim/testing/files.h"
#include "sim/testing/test.h"
#include "validation/compare/reading/fio_log.h"

using namespace ftlab;

namespace {

const std::string kChecks = std::string(FTLAB_SOURCE_DIR) + "/validation/checks/";
const std::string kMeasured = std::string(FTLAB_SOURCE_DIR) + "/validation/measured/";

// A fio job entry; `options` and `directions` are the inner text of objects.
std::string job(const std::string& name, const std::string& options, const std::string& directions) {
  return R"({"jobname": ")" + name + R"(", "groupid": 0, "error": 0, "job options": {)" + options + "}, " + directions + "}";
}

std::string direction(const std::string& name, double iops, double mean_ns, const std::string& more = "") {
  return "\"" + name + R"(": {"bw_bytes": )" + std::to_string(iops * 4096) + R"(, "iops": )" + std::to_string(iops) +
         R"(, "runtime": 2000, "total_ios": 100, "clat_ns": {"mean": )" + std::to_string(mean_ns) + R"(, "N": 100)" + more +
         "}}";
}

std::string result(const std::string& jobs) { return R"({"fio version": "fio-3.33", "jobs": [)" + jobs + "]}"; }

Measurement read_text(const std::string& text) {
  const TestFolder folder;
  return read_measurement(folder.write("a.json", text));
}

std::string problem(const std::string& text) {
  const TestFolder folder;
  const std::string path = folder.write("a.json", text);
  const std::string message = refusal([&path] { read_measurement(path); });
  const std::size_t at = message.find(path);
  return at == 0 ? message.substr(path.size() - std::string("a.json").size()) : message;
}

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a sweep measured by fio 3.33 is read point by point, with clones added up") {
  const Measurement sweep = read_measurement(kChecks + "data/fio-results/sweep.json");
  REQUIRE(sweep.points.size() == 5);
  const Point& first = sweep.points[0];
  CHECK(first.label == "qd1");
  CHECK(first.workload == Workload{"randread", 0, 4096, "", 1, 1});
  CHECK(first.iops == 499.750125);
  CHECK(first.bytes_per_s == 2046976);
  CHECK(first.latency_mean_ns == Approx(134216.115));
  CHECK(first.percentile_ns(99) == 1810432);
  CHECK(first.duration_s == 2.001);
  CHECK(sweep.points[2].workload.depth == 16);
  const Point& mixed = sweep.points[4];
  CHECK(mixed.direction == Direction::write);
  CHECK(mixed.workload == Workload{"randrw", 70, 4096, "", 8, 2});
  CHECK(mixed.iops == Approx(2 * 499.750125));
  CHECK(mixed.latency_mean_ns == Approx((511419.043 + 268348.861) / 2));
  REQUIRE(mixed.percentile_ns(99));  // from the bins of both, so it lies between theirs
  CHECK(*mixed.percentile_ns(99) >= 3948544);
  CHECK(*mixed.percentile_ns(99) <= 4423680);
}

TEST_CASE("grouped clones are one point, of depth 1 with a synchronous engine, with sizes by direction") {
  const Measurement grouped = read_measurement(kChecks + "data/fio-results/grouped.json");
  REQUIRE(grouped.points.size() == 2);
  CHECK(grouped.points[0].workload == Workload{"rw", 50, 8192, "", 1, 2});
  CHECK(grouped.points[1].workload == Workload{"rw", 50, 16384, "", 1, 2});
  CHECK(grouped.points[0].iops == 1416.666667);
}

TEST_CASE("a folder of fio results and logs is read whole, and other files are named") {
  const Measurement all = read_measurement(kChecks + "data/fio-results");
  CHECK(all.points.size() == 7);
  CHECK(std::count_if(all.curves.begin(), all.curves.end(), [](const TimeCurve& c) { return c.label == "sweep.1"; }) == 3);
  REQUIRE(all.notes.size() == 1);
  CHECK(says(all.notes[0], "make.sh: was not read"));
  const Measurement histogram = read_measurement(kChecks + "data/fio-results/sweep_clat_hist.1.log");
  const Measurement mean = read_measurement(kChecks + "data/fio-results/sweep_clat.1.log");
  REQUIRE(histogram.curves.at(0).intervals.size() >= 3);
  // 29 coarse bins are accurate to a factor of two.
  CHECK(histogram.curves[0].intervals[1].value > mean.curves[0].intervals[1].value / 2);
  CHECK(histogram.curves[0].intervals[1].value < mean.curves[0].intervals[1].value * 2);
}

TEST_CASE("every figure file of validation/measured is read") {
  std::size_t points = 0, curves = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kMeasured)) {
    if (entry.path().extension() != ".json") continue;
    const Measurement figures = read_measurement(entry.path().string());
    CHECK_FALSE(figures.what.empty());
    CHECK(says(figures.source, "fio-plot"));
    points += figures.points.size();
    curves += figures.curves.size();
  }
  CHECK(points == 72 + 6 * 98);
  CHECK(curves == 4);
}

TEST_CASE("a figure file gives numbers in their units, and minutes as intervals") {
  const Measurement pm883 = read_measurement(kMeasured + "samsung_pm883_sata3g.json");
  const Point& first = pm883.points.at(0);
  CHECK(first.workload == Workload{"randread", 0, 4096, "", 1, 1});
  CHECK(first.iops == 8707.0);
  CHECK(first.bytes_per_s == 8707.0 * 4096);
  CHECK(first.latency_mean_ns == Approx(103250));
  CHECK(first.percentile_ns(99.9) == Approx(158720));
  CHECK_FALSE(first.percentile_ns(90));
  const Measurement series = read_measurement(kMeasured + "series_intel_d3_s4610_sata3g.json");
  const TimeCurve& writes = series.curves.at(1);
  CHECK(writes.direction == Direction::write);
  REQUIRE(writes.intervals.size() == 198);
  CHECK(writes.intervals[1].begin_s == 60);
  CHECK(writes.intervals[1].end_s == 120);
  CHECK(writes.intervals[1].value == 4883.9);
}

TEST_CASE("series.csv gives rates and latencies of the active directions") {
  const TestFolder folder;
  folder.write("series.csv",
               "t_s,length_s,read_MB_per_s,write_MB_per_s,read_iops,write_iops,latency_read_us_mean,latency_write_us_mean\n"
               "1.0,1.0,0,4.096,0,1000,,12.5\n1.5,0.5,0,8.192,0,2000,,25\n");
  const Measurement run = read_measurement(folder / "series.csv");
  REQUIRE(run.curves.size() == 3);
  CHECK(run.curves[0].quantity == Quantity::iops);
  CHECK(run.curves[0].intervals.at(1).begin_s == 1);
  CHECK(run.curves[0].intervals.at(1).value == 2000);
  CHECK(run.curves[1].intervals.at(0).value == 4.096e6);
  CHECK(run.curves[2].intervals.at(1).value == 25000);
  folder.write("series.csv", "t_s,length_s,read_iops\n1,1,5\n1.2,1,5\n");
  CHECK(says(refusal([&folder] { read_measurement(folder / "series.csv"); }),
             "series.csv:3: t_s: lies within the interval before it"));
  folder.write("series.csv", "t_s,length_s,read_iops\n1,1,five\n");
  CHECK(says(refusal([&folder] { read_measurement(folder / "series.csv"); }),
             "series.csv:2: read_iops: is not a number (got five"));
  folder.write("series.csv", "a,b\n");
  CHECK(says(refusal([&folder] { read_measurement(folder / "series.csv"); }), "series.csv:1: t_s: column is missing"));
}

TEST_CASE("steps of a procedure are points with their folder in the label") {
  const TestFolder folder;
  std::filesystem::create_directories(folder.path() / "02-read");
  folder.write("result.json", R"({"procedure": "p", "steps": [], "ftlab": {"drive": {"name": "D"}}})");
  folder.write("02-read/result.json", result(job("j", R"("rw": "randread")", direction("read", 100, 50))));
  folder.write("02-read/series.csv", "t_s,length_s,read_iops\n1,1,100\n");
  const Measurement procedure = read_measurement(folder.path().string());
  CHECK(procedure.what == "D");
  REQUIRE(procedure.points.size() == 1);
  CHECK(procedure.points[0].label == "02-read/j");
  REQUIRE(procedure.curves.size() == 1);
  CHECK(procedure.curves[0].label == "02-read");
}

TEST_CASE("logs are labelled with the job of their number, and logs of clones are joined") {
  const TestFolder folder;
  const std::string clone = job("b", R"("rw": "randread", "numjobs": "2")", direction("read", 1, 1));
  folder.write("out.json", result(job("a", R"("rw": "randread")", direction("read", 1, 1)) + ", " + clone + ", " + clone));
  for (const char* const number : {"1", "2", "3"}) {
    folder.write("x_iops." + std::string(number) + ".log",
                 "1000, " + std::string(number) + "0, 0, 0, 0\n2000, 70, 0, 0, 0\n");
    folder.write("x_lat." + std::string(number) + ".log", "1000, " + std::string(number) + "0, 0, 0, 0\n");
  }
  folder.write("series.csv", "t_s,length_s,read_iops\n1,1,60\n2,1,210\n");
  const Measurement run = read_measurement(folder.path().string());
  REQUIRE(run.curves.size() == 5);
  CHECK(run.curves[0].label.empty());
  CHECK(run.curves[1].label == "a");
  CHECK(run.curves[1].intervals.at(0).value == 10);
  CHECK(run.curves[2].label == "b");
  CHECK(run.curves[2].intervals.at(0).value == 50);
  CHECK(run.curves[2].intervals.at(1).value == 140);
  CHECK(run.curves[4].quantity == Quantity::latency_mean_ns);
  CHECK(run.curves[4].intervals.at(0).value == 25);    // their mean
  folder.write("x_iops.4.log", "1000, 1, 0, 0, 0\n");  // a job that the result does not have
  CHECK(read_measurement(folder.path().string()).curves[1].label == "x.1");
}

TEST_CASE("clones are joined over the times that all of them cover") {
  TimeCurve first{Quantity::iops, Direction::read, "j", {{0, 1, 10}, {1, 2, 20}, {3, 4, 30}}, "f"};
  TimeCurve second{Quantity::iops, Direction::read, "j", {{0, 1.5, 1}, {1.5, 3.5, 2}}, "g"};
  const auto joined = with_clones_joined({first, second});
  REQUIRE(joined.size() == 1);
  std::vector<double> values, ends;
  for (const TimeCurve::Interval& interval : joined[0].intervals) {
    values.push_back(interval.value);
    ends.push_back(interval.end_s);
  }
  CHECK(values == std::vector<double>{11, 21, 22, 32});
  CHECK(ends == std::vector<double>{1, 1.5, 2, 3.5});
}

TEST_CASE("job options become the workload: synonyms, sizes by direction, varying sizes, the mix") {
  const auto workload = [](const std::string& options, const std::string& name) {
    return read_text(result(job("j", options, direction(name, 1, 1)))).points.at(0).workload;
  };
  CHECK(workload(R"("rw": "readwrite", "rwmixwrite": "80", "bs": "8k")", "read") == Workload{"rw", 20, 8192, "", 1, 1});
  CHECK(workload(R"("readwrite": "write", "blocksize": "4k,16k", "ioengine": "io_uring", "iodepth": "7")", "write") ==
        Workload{"write", 0, 16384, "", 7, 1});
  CHECK(workload(R"("rw": "trim", "bs": "4k,8k")", "trim").block_bytes == 8192);
  CHECK(workload(R"("rw": "write", "bs": "8k,")", "write").block_bytes == 4096);
  CHECK(workload(R"("rw": "randwrite", "bssplit": "4k/50:8k/50")", "write") ==
        Workload{"randwrite", 0, 0, "bssplit=4k/50:8k/50", 1, 1});
  CHECK(workload(R"("bs": "4k", "kb_base": "1000")", "read") == Workload{"read", 0, 4000, "", 1, 1});
  const std::string global =
      R"({"fio version": "fio-3.33", "global options": {"rw": "randread", "iodepth": "4", "bs": "8k"}, "jobs": [)" +
      job("j", R"("iodepth": "16", "ioengine": "libaio")", direction("read", 1, 1)) + "]}";
  CHECK(read_text(global).points.at(0).workload == Workload{"randread", 0, 8192, "", 16, 1});
}

TEST_CASE("fio's notes before its JSON are skipped, and line numbers are kept") {
  const std::string notes = "note: both iodepth >= 1 and synchronous I/O engine are selected\n\n";
  CHECK(read_text(notes + result(job("j", "", direction("read", 5, 1)))).points.at(0).iops == 5);
  CHECK(problem("note\n{\"fio version\": \"3\",\n \"jobs\": 7}").find("a.json:3: jobs: must be a list") == 0);
}

TEST_CASE("a simulated request's latency starts at the end of its submission, like fio's") {
  const std::string jobs = R"("fio version": "fio-3.33", "jobs": [)" + job("j", "", direction("read", 5, 20000)) + "]";
  const auto mean = [&jobs](const std::string& ftlab) {
    return *read_text("{\"ftlab\": " + ftlab + ", " + jobs + "}").points.at(0).latency_mean_ns;
  };
  CHECK(mean(R"({"simulator": {}, "host": {"submit_ns": {"value": 6000, "from": "assumed"}}})") == 14000);
  CHECK(mean(R"({"simulator": {}, "host": {"read_submit_ns": 6000, "write_submit_ns": 9000}})") == 14000);
  CHECK(mean(R"({"simulator": {}, "host": {"submit_ns": 21000}})") == 0);
  CHECK(mean(R"({"simulator": {}, "drive": {"name": "no host"}})") == 20000);
  CHECK(mean(R"({"host": {"submit_ns": 6000}})") == 20000);
}

TEST_CASE("notes list errors, directions without requests and requests in unexpected directions") {
  const Measurement odd = read_text(R"({"fio version": "fio-3.33", "jobs": [{"jobname": "j", "groupid": 0, "error": 5, )"
                                    R"("job options": {"rw": "randread"}, )" +
                                    direction("read", 1, 1) + ", " + direction("write", 1, 1) + "}]}");
  REQUIRE(odd.notes.size() == 2);
  CHECK(says(odd.notes[0], "job \"j\" ended with error 5"));
  CHECK(says(odd.notes[1], "writes of job \"j\" are left out"));
  CHECK(odd.points.size() == 1);
}

TEST_CASE("hostile and broken JSON is refused with file, line and key") {
  const auto with = [](const std::string& clat) {
    return problem(
        result("\n" + job("j", R"("rw": "read")",
                          R"("read": {"bw_bytes": 1, "iops": 1, "runtime": 1, "total_ios": 1, "clat_ns": )" + clat + "}")));
  };
  CHECK(says(with(R"({"mean": "12", "N": 1})"), "a.json:2: jobs[0].read.clat_ns.mean: must be a number (got \"12\""));
  CHECK(says(with(R"({"mean": -1, "N": 1})"), "jobs[0].read.clat_ns.mean: is out of range (got -1"));
  CHECK(says(with(R"({"mean": 1e300, "N": 1})"), "is out of range (got 1e300"));
  CHECK(says(with(R"({"mean": 1e999, "N": 1})"), "is a number too large for a double"));
  CHECK(says(with(R"({"mean": NaN, "N": 1})"), "is not JSON here"));
  CHECK(says(with(R"({"N": 1})"), "jobs[0].read.clat_ns.mean: is missing"));
  CHECK(says(with(R"({"mean": 1, "N": 1, "percentile": {"x": 1}})"), "is named by no number in range"));
  CHECK(says(with(R"({"mean": 1, "N": 1, "percentile": {"101.0": 1}})"), "is named by no number in range"));
  CHECK(says(problem(std::string(100000, '[')), "is nested more than 64 levels deep"));
  CHECK(says(problem(result(job("j", R"("rw": "sideways")", direction("read", 1, 1)))), "unknown kind of access"));
  CHECK(says(problem(result(job("j", R"("iodepth": "0")", direction("read", 1, 1)))), "iodepth"));
  CHECK(says(problem(result(job("j", R"("iodepth": 4)", direction("read", 1, 1)))), "must be a text (got 4"));
  CHECK(says(problem(result(job("j", R"("numjobs": "99999999999")", direction("read", 1, 1)))), "numjobs"));
  CHECK(says(problem(result(job("j", "", R"("read": {"iops": 1})"))), "has no bw_bytes, so this is not a result of fio 3"));
  CHECK(says(problem(result("7")), "jobs[0]"));
  CHECK(says(problem("{}"), "is not a measurement"));
  CHECK(says(problem("[]"), "is not a measurement"));
  CHECK(says(problem("{\"fio version\": \"3\", \"jobs\": []}"), "holds nothing that was measured"));
  CHECK(says(problem("{\"jobs\": ["), "ends before"));
  CHECK(says(problem(""), "is empty"));
}

TEST_CASE("entries that are some but not all clones of a job are refused") {
  const std::string clone = job("j", R"("numjobs": "3")", direction("read", 1, 1));
  CHECK(says(problem(result(clone + ", " + clone)), "is one of 2 entries of a job with numjobs=3"));
  CHECK(read_text(result(clone + ", " + clone + ", " + clone)).points.at(0).iops == 3);
  CHECK(read_text(result(clone)).points.at(0).iops == 1);
}

TEST_CASE("broken figure files are refused with the key") {
  const auto with = [](const std::string& point) {
    return problem(R"({"what": "w", "source": "s", "points": [{)" + point + "}]}");
  };
  const std::string whole = R"("rw": "randread", "direction": "read", "bs": "4k", "iodepth": 1, "numjobs": 1)";
  CHECK(says(with(whole + R"(, "iops": "fast")"), "points[0].iops: must be a number"));
  CHECK(says(with(whole + R"(, "iopses": 1)"), "points[0].iopses: is not a known key (got 1"));
  CHECK(says(with(whole + R"(, "iopses": 1)"), "did you mean iops?"));
  CHECK(says(with(whole + R"(, "p200_us": 1)"), "is not a known key"));
  CHECK(says(with(R"("rw": "randread", "direction": "read", "bs": "4k", "numjobs": 1)"), "points[0].iodepth: is missing"));
  CHECK(says(with(R"("rw": "randread", "direction": "write", "bs": "4k", "iodepth": 1, "numjobs": 1)"),
             "is not a direction of this rw"));
  CHECK(says(with(R"("rw": "randread", "direction": "read", "bs": "4k", "iodepth": -1, "numjobs": 1)"),
             "iodepth: is out of range (got -1"));
  CHECK(says(problem(R"({"what": "w", "points": []})"), "source: is missing"));
  const auto series = [](const std::string& lists) { return problem(R"({"what": "w", "source": "s", )" + lists + "}"); };
  CHECK(says(series(R"("minute": [0, 1], "read_iops_mean": [1])"), "read_iops_mean: has 1 values"));
  CHECK(says(series(R"("minute": [0, 0], "read_iops_mean": [1, 1])"), "does not come after the minute before it"));
}

TEST_CASE("a missing path and an empty folder are refused") {
  const TestFolder folder;
  CHECK(says(refusal([&folder] { read_measurement(folder / "none"); }), "does not exist"));
  CHECK(says(refusal([&folder] { read_measurement(folder.path().string()); }), "holds nothing that was measured"));
}
