// What `ftlab compare` and the report read: fio's JSON and logs, series and published figures.
#include "sim/core/error.h"
#include "validation/compare/comparison.h"
#include "validation/compare/reading/fio_log.h"
#include "validation/compare/reading/text_table.h"
#include "validation/fuzz/door.h"
#include "validation/fuzz/parts.h"
#include "validation/fuzz/seeds.h"

namespace ftlab::fuzz {
namespace {

void read_and_compare(std::string_view input) {
  try {
    const Measurement measurement = measurement_in(std::string(input), kInputName);
    const Comparison comparison = compare(measurement, measurement, {});
    comparison_text(comparison);
    curves_csv(comparison);
  } catch (const ConfigError&) {
  }
}

// fio's JSON, read as a complete result and compared with itself.
constexpr char kJob[] = R"({"fio version":"fio-3.33","global options":{"bs":"4k","direct":"1"},"jobs":[{"jobname":"a",
"groupid":0,"error":0,"job options":{"name":"a","rw":"randrw","iodepth":"4","numjobs":"1"},"job_runtime":1000,
"read":{"io_bytes":4096000,"bw_bytes":4096000,"iops":1000.5,"runtime":1000,"total_ios":1000,"clat_ns":{"min":1,"max":9,
"mean":5.5,"stddev":1,"N":1000,"percentile":{"50.000000":5,"99.000000":9},"bins":{"5":500,"9":500}}},
"write":{"io_bytes":0,"bw_bytes":0,"iops":0,"runtime":0,"total_ios":0}}]})";

std::vector<std::string> fio_result_seeds() {
  const std::string job = kJob;
  std::string simulated = job;
  simulated.insert(
      1,
      R"("ftlab":{"drive":{"name":"d"},"host":{"submit_ns":{"value":5}},"simulator":{},"problems":[{"code":"not_steady","text":"x","remedy":"y"}],"failed_checks":["x"]},)");
  std::string twice = job;
  const std::string one = job.substr(job.find("{\"jobname"), job.rfind("]}") - job.find("{\"jobname"));
  twice.insert(twice.rfind("]}"), "," + one);
  return {job, simulated, twice, "fio: a note\n" + job, text_of("validation/checks/data/fio-results/grouped.json")};
}

// A fio log of bandwidth, IOPS, latency or histograms. The first byte chooses the kind.
constexpr const char* kNames[] = {"x_bw.1.log", "x_iops.1.log", "x_clat.1.log", "x_clat_hist.1.log"};

void enter_fio_log(std::string_view input) {
  const auto name = fio_log_name(kNames[next_byte(input) & 3]);
  try {
    read_fio_log(input, kInputName, *name);
  } catch (const ConfigError&) {
  }
}

std::vector<std::string> fio_log_seeds() {
  const std::string folder = "validation/checks/data/fio-results/sweep_";
  std::vector<std::string> all;
  for (const auto& [name, which] : {std::pair("bw.1.log", '\0'), {"iops.1.log", '\1'}, {"clat.1.log", '\2'}})
    all.push_back(which + text_of(folder + name).substr(0, 600));
  std::string bins;
  for (int i = 0; i < 29; ++i) bins += ", " + std::to_string(i * i);
  all.push_back(
      "\3"
      "1000, 0, 4096" +
      bins + "\n2000, 1, 4096" + bins + "\n");
  all.push_back(
      std::string("\0"
                  "1, 2, 0, 0, 0\n5, 2, 1, 0, 0\n9, 3, 0, 0, 0\n",
                  43));
  all.push_back(
      "\2"
      "1, 2000, 0, 4096, 0\n5, 2000, 1, 4096, 512\n");
  return all;
}

// A result's series.csv.
void enter_series_file(std::string_view input) {
  try {
    read_series(input, kInputName);
  } catch (const ConfigError&) {
  }
}

std::vector<std::string> series_file_seeds() {
  return {
      "t_s,length_s,read_MB_per_s,write_MB_per_s,read_iops,write_iops,wa,latency_read_us_mean,latency_write_us_mean\n"
      "1,1,0.02,0,5,0,,100.5,\n2,1,0,7.5,0,1831,1.25,,20.125\n4,2,0,0,0,0,,,\n",
      "t_s,length_s\n1,1\n", "a\n1\n"};
}

// A file of published or measured figures.
std::vector<std::string> figure_file_seeds() {
  return {R"({"what":"d","source":"s","tool":"fio","points":[{"rw":"randread","direction":"read","bs":"4k","iodepth":32,
"numjobs":1,"runtime_ms":60001,"iops":52600,"bw_bytes":215449600,"clat_mean_us":600.5,"p99_us":900,"p99_9_us":1200}]})",
          R"({"what":"d","source":"s","minute":[0,1,2],"read_iops_mean":[1,2,3],"write_iops_mean":[3,2,1]})",
          R"({"what":"d","source":"s","points":[{"rw":"rw","direction":"write","bs":"128k","iodepth":1,"numjobs":2,"iops":1},
{"rw":"rw","direction":"write","bs":"128k","iodepth":2,"numjobs":2,"iops":2},{"rw":"rw","direction":"write","bs":"128k",
"iodepth":4,"numjobs":2,"iops":2}]})"};
}

}  // namespace

Door fio_result() { return {"fio_result", read_and_compare, fio_result_seeds, 4096, 3}; }
Door fio_log() { return {"fio_log", enter_fio_log, fio_log_seeds, 1024, 8}; }
Door series_file() { return {"series_file", enter_series_file, series_file_seeds, 1024, 8}; }
Door figure_file() { return {"figure_file", read_and_compare, figure_file_seeds, 1024, 3}; }

}  // namespace ftlab::fuzz
