#include "validation/calibrate/priors.h"

#include <algorithm>

#include "sim/core/check.h"

namespace ftlab {
namespace {

constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;
constexpr char kUsualDie[] = "usual of the class";

// A read suspends a program or erase on its die, so it costs the die the time to suspend, read and resume. The times were
// set by hand, in round numbers, to SSD-iq's measurements of three drives (Solidigm D7-P5520, Micron 7450 PRO and MAX):
// step_ns and suspend_ns to the latency of reads beside writes, resume_ns to the load at which latency rises.
constexpr char kReadsFirst[] = R"json({
  "plane_reads": "independent", "scheduling": "read-first",
  "suspend": {
    "program": true, "erase": true,
    "most_suspends_per_operation": {"value": 100, "from": "assumed", "source": "so many that no read waits for a program"},
    "step_ns": {"value": 370000, "from": "fitted", "source": "p99 of reads beside writes, three drives (SSD-iq)"},
    "suspend_ns": {"value": 20000, "from": "fitted", "source": "latency of reads beside writes, three drives (SSD-iq)"},
    "resume_ns": {"value": 500000, "from": "fitted", "source": "load at which the latency of three drives rises (SSD-iq)"}
  }
})json";

// Times of the pages of a cell, those of pSLC blocks, and erase. All pages of a cell take as long to program.
NandTimes times_of(std::initializer_list<const char*> pages, const std::vector<std::uint64_t>& read, std::uint64_t program,
                   std::uint64_t program_slc, std::uint64_t read_slc, std::uint64_t erase) {
  NandTimes times;
  auto of_page = read.begin();
  for (const char* const page : pages) times.emplace_back("read_" + std::string(page) + "_ns", *of_page++);
  for (const char* const page : pages) times.emplace_back("program_" + std::string(page) + "_ns", program);
  times.insert(times.end(), {{"program_slc_ns", program_slc}, {"read_slc_ns", read_slc}, {"erase_ns", erase}});
  return times;
}

NandTimes tlc_times(const std::vector<std::uint64_t>& read, std::uint64_t program, std::uint64_t program_slc,
                    std::uint64_t read_slc) {
  return times_of({"lower", "middle", "upper"}, read, program, program_slc, read_slc, 10'000'000);
}

NandTimes qlc_times(const std::vector<std::uint64_t>& read, std::uint64_t program, std::uint64_t program_slc,
                    std::uint64_t read_slc) {
  return times_of({"lower", "upper", "extra", "top"}, read, program, program_slc, read_slc, 15'000'000);
}

}  // namespace

const std::vector<NandClass>& flash_classes() {
  static const std::vector<NandClass> all = {
      {"slc", "", "slc", 1, 2, 64, 4096, 4 * kGiB, kUsualDie,
       "class of SLC flash of 34 to 50 nm",
       {{"read_ns", 25'000}, {"program_ns", 250'000}, {"erase_ns", 2'000'000}},
       "sdr-40", ""},
      {"mlc", "", "mlc", 2, 2, 256, 8192, 8 * kGiB, kUsualDie,
       "class of 25 nm MLC flash, as Micron L74A",
       {{"read_ns", 75'000}, {"program_lower_ns", 500'000}, {"program_upper_ns", 2'100'000}, {"erase_ns", 3'800'000}},
       "nv-ddr-200", ""},
      {"tlc", "64", "tlc", 3, 2, 768, 16384, 32 * kGiB, kUsualDie,
       "class of 3D TLC flash of 64 layers",
       tlc_times({60'000, 70'000, 80'000}, 700'000, 200'000, 40'000),
       "nv-ddr3-800", ""},
      {"tlc-96", "96", "tlc", 3, 2, 1152, 16384, 64 * kGiB, kUsualDie,
       "class of 3D TLC flash of 96 layers (Toshiba at ISSCC 2018: 512 Gbit, two planes, 57 MB/s a die, tR 58 us)",
       tlc_times({58'000, 62'000, 66'000}, 575'000, 200'000, 40'000),
       "nv-ddr3-800", ""},
      // Dies of 512 Gbit, as Micron's and SK hynix's of 176 layers and Kioxia's of 112 (announcements of 2020). With dies of
      // 256 Gbit, twice as many, latency rises at twice the load that SSD-iq measured.
      {"tlc-176", "112 to 176", "tlc", 3, 4, 1536, 16384, 64 * kGiB, "chosen beside three drives that SSD-iq measured",
       "class of 3D TLC flash of 112 to 176 layers, sold from 2020 on",
       tlc_times({55'000, 60'000, 65'000}, 600'000, 150'000, 30'000),
       "nv-ddr3-1200", kReadsFirst},
      // The bus: Micron's announcement of 232 layers, July 2022: 2.4 GB/s.
      {"tlc-232", "218 to 238", "tlc", 3, 4, 1536, 16384, 128 * kGiB,
       "1 Tbit, as Micron's of 232 layers (2022) and Kioxia's of 218 (2023)",
       "class of 3D TLC flash of 218 to 238 layers, sold from 2022 on; times of tlc-176",
       tlc_times({55'000, 60'000, 65'000}, 600'000, 150'000, 30'000),
       "nv-lpddr4-2400", kReadsFirst},
      {"qlc", "96 to 128", "qlc", 4, 4, 1024, 16384, 128 * kGiB, kUsualDie,
       "class of 3D QLC flash of 96 to 128 layers",
       qlc_times({70'000, 90'000, 110'000, 130'000}, 2'000'000, 250'000, 40'000),
       "nv-ddr3-1200", ""},
      {"qlc-144", "144 to 176", "qlc", 4, 4, 1536, 16384, 128 * kGiB, kUsualDie,
       "class of 3D QLC flash of 144 to 176 layers (Intel at ISSCC 2021: 1 Tbit, four planes, 40 MB/s a die)",
       qlc_times({70'000, 80'000, 90'000, 100'000}, 1'640'000, 200'000, 40'000),
       "nv-ddr3-1200", ""}};
  return all;
}

std::uint64_t NandClass::program_ns() const {
  const auto is_program = [](const auto& time) { return time.first.starts_with("program"); };
  return std::find_if(times.begin(), times.end(), is_program)->second;
}

const NandClass& flash_class(const std::string& name) {
  const auto found = std::find_if(flash_classes().begin(), flash_classes().end(),
                                  [&](const NandClass& one) { return one.name == name; });
  FTLAB_CHECK(found != flash_classes().end(), "no class of flash: " + name);
  return *found;
}

std::vector<std::string> flash_class_names() {
  std::vector<std::string> names;
  for (const NandClass& one : flash_classes()) names.emplace_back(one.name);
  return names;
}

std::string flash_class_list() {
  std::string list;
  for (const NandClass& one : flash_classes()) {
    list += (list.empty() ? "" : ", ") + std::string(one.name);
    if (*one.layers != 0) list += " (" + std::string(one.layers) + " layers)";
  }
  return list;
}

// The cache is a share s of the free space. On an empty drive with N superblocks and b bits a cell, it is full when
// s N / (b + s) superblocks of data have been written. Sheets do not state it; these are medians of the reviewed drives of
// validation/measured/nvme/sustained_writes.csv.
PslcPrior pslc_prior(const NandClass& flash, std::uint32_t channels) {
  FTLAB_CHECK(flash.bits > 1, "a pSLC cache needs flash of two bits a cell or more");
  constexpr std::uint32_t kMainstream = 4;  // channels
  const bool qlc = flash.bits > 3;
  const PriorNumber all{1000 * flash.bits / (flash.bits - 1),
                  "all flash: 3 of 4 reviewed drives of four channels, full after 23 (QLC) to 35 % of the capacity"};
  const PriorNumber part{310, "reviews of five drives of eight channels: full after 4 to 30 % of the capacity, median 10 %"};
  const PriorNumber fold_qlc{2 * flash.program_ns(),
                             "a review of a QLC drive: folding at 0.34 of the rate of direct writes"};
  const PriorNumber fold{flash.program_ns(),
                         "reviews of five TLC drives: folding at 0.4 to 0.5 of the rate of direct writes"};
  return {channels <= kMainstream || qlc ? all : part, qlc ? fold_qlc : fold};
}

PriorNumber command_ns(bool nvme) {
  return nvme ? PriorNumber{2000, "some 500,000 commands a second"} : PriorNumber{10'000, "some 100,000 commands a second"};
}

}  // namespace ftlab
