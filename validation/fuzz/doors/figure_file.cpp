// A file of published or measured figures.
#include "validation/fuzz/door.h"
#include "validation/fuzz/doors/measured.h"

namespace ftlab::fuzz {
namespace {

std::vector<std::string> figure_file_seeds() {
  return {R"({"what":"d","source":"s","tool":"fio","points":[{"rw":"randread","direction":"read","bs":"4k","iodepth":32,
"numjobs":1,"runtime_ms":60001,"iops":52600,"bw_bytes":215449600,"clat_mean_us":600.5,"p99_us":900,"p99_9_us":1200}]})",
          R"({"what":"d","source":"s","minute":[0,1,2],"read_iops_mean":[1,2,3],"write_iops_mean":[3,2,1]})",
          R"({"what":"d","source":"s","points":[{"rw":"rw","direction":"write","bs":"128k","iodepth":1,"numjobs":2,"iops":1},
{"rw":"rw","direction":"write","bs":"128k","iodepth":2,"numjobs":2,"iops":2},{"rw":"rw","direction":"write","bs":"128k",
"iodepth":4,"numjobs":2,"iops":2}]})"};
}

}  // namespace

Door figure_file() { return {"figure_file", read_and_compare, figure_file_seeds, 1024, 3}; }

}  // namespace ftlab::fuzz
