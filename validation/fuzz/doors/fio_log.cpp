// A fio log of bandwidth, IOPS, latency or histograms. The first byte chooses the kind.
#include "validation/compare/reading/fio_log.h"
#include "sim/core/error.h"
#include "validation/fuzz/door.h"
#include "validation/fuzz/parts.h"
#include "validation/fuzz/seeds.h"

namespace ftlab::fuzz {
namespace {

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

}  // namespace

Door fio_log() { return {"fio_log", enter_fio_log, fio_log_seeds, 1024, 8}; }

}  // namespace ftlab::fuzz
