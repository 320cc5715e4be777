// fio's JSON, read as a complete result and compared with itself.
#include "validation/fuzz/door.h"
#include "validation/fuzz/doors/measured.h"
#include "validation/fuzz/seeds.h"

namespace ftlab::fuzz {
namespace {

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

}  // namespace

Door fio_result() { return {"fio_result", read_and_compare, fio_result_seeds, 4096, 3}; }

}  // namespace ftlab::fuzz
