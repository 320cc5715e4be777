// A result's series.csv.
#include "validation/compare/reading/series_file.h"
#include "sim/core/error.h"
#include "validation/fuzz/door.h"
#include "validation/fuzz/seeds.h"

namespace ftlab::fuzz {
namespace {

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

}  // namespace

Door series_file() { return {"series_file", enter_series_file, series_file_seeds, 1024, 8}; }

}  // namespace ftlab::fuzz
