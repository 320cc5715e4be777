#include "models/nand/timing/timing.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string>

#include "sim/config/keys.h"
#include "sim/core/check.h"

namespace ftlab {
namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;

// Names of the kinds of page of each `cell`, in the order of data sheets. A single kind has no name.
using KindNames = std::initializer_list<const char*>;
KindNames kind_names(std::size_t cell) {
  static constexpr KindNames kNames[] = {
      {""}, {"lower_", "upper_"}, {"lower_", "middle_", "upper_"}, {"lower_", "upper_", "extra_", "top_"}};
  return kNames[cell];
}

std::vector<Nanoseconds> times_by_kind(Reader& reader, KindNames kinds, const std::string& operation) {
  std::vector<Nanoseconds> times;
  times.reserve(kinds.size());  // each key has its own member
  for (const std::string kind : kinds) {
    const std::string pages = kind.empty() ? "pages" : kind.substr(0, kind.size() - 1) + " pages";
    read_sourced(reader, operation + "_" + kind + "ns", times.emplace_back(), 1, kSecond, operation + " of " + pages);
  }
  return times;
}

// One read time for all pages, or one for each kind.
void read_read_times(Reader& reader, KindNames kinds, NandTiming& t) {
  const auto known = [&reader](const char* kind) { return reader.has("read_" + std::string(kind) + "ns"); };
  const char* const first = kinds.size() > 1 ? *std::find_if(kinds.begin(), kinds.end() - 1, known) : "";
  if (kinds.size() == 1 || !known(first)) {
    read_sourced(reader, "read_ns", t.read, 1, kSecond, "read of a page of any kind");
    return;
  }
  if (reader.has("read_ns")) {
    reader.refuse("read_ns", "is the time of all kinds of page, and read_" + std::string(first) + "ns of one of them",
                  "one of the two");
  }
  t.read_by_kind = times_by_kind(reader, kinds, "read");
  t.read = *std::min_element(t.read_by_kind.begin(), t.read_by_kind.end());
}

// Eight data lines: bytes per second equal transfers per second. ONFI 5.1, timing mode tables (the cycle's length, rounded
// to 10 ps, gives the rate); Toggle 1.0 and 2.0 as announced by Samsung and Toshiba, July 2010: 133 and 400 Mbit/s a line.
constexpr std::array<std::uint64_t, 16> kBusBytesPerS = {
    20'000'000,  28'571'428,  33'333'333,  40'000'000,    50'000'000,    133'333'333,   166'666'667, 200'000'000,
    400'000'000, 533'333'333, 800'000'000, 1'200'000'000, 1'600'000'000, 2'400'000'000, 133'000'000, 400'000'000};

void read_bus(Reader& reader, std::uint64_t& bytes_per_s) {
  if (!reader.has("bus"))
    return read_sourced(reader, "bus_bytes_per_s", bytes_per_s, 1'000'000, 10'000'000'000, "or its rate");
  if (reader.has("bus_bytes_per_s")) {
    reader.refuse("bus", "names a bus whose rate is known, and bus_bytes_per_s states one", "one of the two");
  }
  std::size_t bus = 0;
  read_choice(reader, "bus", bus,
              {"sdr-20", "sdr-28", "sdr-33", "sdr-40", "sdr-50", "nv-ddr-133", "nv-ddr-166", "nv-ddr-200", "nv-ddr2-400",
               "nv-ddr2-533", "nv-ddr3-800", "nv-ddr3-1200", "nv-ddr3-1600", "nv-lpddr4-2400", "toggle1-133", "toggle2-400"},
              "flash bus by name");
  bytes_per_s = kBusBytesPerS[bus];
}

Suspension read_suspension(Reader reader) {
  Suspension s;
  read_boolean(reader, "program", s.program, "host reads suspend programs");
  read_boolean(reader, "erase", s.erase, "host reads suspend erases");
  read_sourced_or(reader, "step_ns", s.step, 0, kSecond, "they stop at the end of such a step; 0: anywhere");
  read_sourced(reader, "suspend_ns", s.suspend, 0, kSecond, "time to stop");
  read_sourced(reader, "resume_ns", s.resume, 0, kSecond, "time to resume");
  read_sourced(reader, "most_suspends_per_operation", s.most_suspends, 1, 1'000'000, "limit");
  if (!s.any()) reader.refuse("program", "is false like erase: nothing is suspended", "true for one of them, or no suspend");
  reader.finish();
  return s;
}

BlockVariation read_variation(Reader reader) {
  constexpr std::uint64_t kMost = 200;  // -3 sigma: 400 permille
  BlockVariation v;
  read_sourced_or(reader, "read_permille", v.read_permille, 0, kMost, "of read times");
  read_sourced_or(reader, "program_permille", v.program_permille, 0, kMost, "of program times");
  read_sourced_or(reader, "erase_permille", v.erase_permille, 0, kMost, "standard deviation of erase times between blocks");
  reader.finish();
  return v;
}

WearTimes read_wear(Reader reader) {
  constexpr std::uint64_t kLeastLeft = 500, kMostSlower = 20'000;  // permille
  WearTimes w;
  read_sourced_or(reader, "program_faster_permille_per_1000_erases", w.program_faster_permille, 0, 100'000,
                  "programs speed up with wear");
  read_sourced_or(reader, "erase_slower_permille_per_1000_erases", w.erase_slower_permille, 0, 100'000,
                  "erases slow down with wear");
  read_sourced(reader, "until_erases", w.until_erases, 1, 100'000'000, "linear up to here");
  if (!w.any()) reader.refuse("until_erases", "is the end of no change", "with a key of a change, or no wear");
  const auto reached = [&w](std::uint64_t permille) { return permille * w.until_erases / 1000; };
  if (reached(w.program_faster_permille) > 1000 - kLeastLeft) {
    reader.refuse("program_faster_permille_per_1000_erases",
                  "comes to " + std::to_string(reached(w.program_faster_permille)) + " permille at until_erases",
                  "at most " + std::to_string(1000 - kLeastLeft) + " there");
  }
  if (reached(w.erase_slower_permille) > kMostSlower) {
    reader.refuse("erase_slower_permille_per_1000_erases",
                  "comes to " + std::to_string(reached(w.erase_slower_permille)) + " permille at until_erases",
                  "at most " + std::to_string(kMostSlower) + " there");
  }
  reader.finish();
  return w;
}

// How a die orders its operations.
void read_scheduling(Reader& reader, NandTiming& t) {
  const std::vector<SchedulingPolicyKind>& kinds = scheduling_policy_kinds();
  std::vector<std::string> names;
  for (const SchedulingPolicyKind& kind : kinds) names.push_back(kind.name);
  explain(reader, "scheduling", &t.scheduling.policy, "which operation of a die is next");
  t.scheduling.policy = reader.has("scheduling") ? reader.choice_of("scheduling", names) : 0;
  for (const SchedulingParameter& parameter : kinds[t.scheduling.policy].parameters)
    t.scheduling.values.push_back(reader.sourced(parameter.key, parameter.low, parameter.high).value);
  read_choice_or(reader, "plane_reads", t.independent_plane_reads, {"same-page", "independent"},
                 "reads of different planes together or independent");
  auto suspend = reader.object_if_present("suspend");
  if (!suspend) return;
  t.suspension = read_suspension(std::move(*suspend));
  if (!t.scheduling.make(1)->suspends()) {
    reader.refuse("suspend", "requires a scheduling policy that suspends programs and erases", "with scheduling read-first");
  }
}

}  // namespace

// The two MLC orders differ in what a word line holds: one page of each kind, or two.
std::uint32_t page_kind(PageOrder order, std::uint32_t kinds, std::uint32_t page, std::uint32_t pages_per_block) {
  FTLAB_CHECK(page < pages_per_block, "page " + std::to_string(page) + " of a block of " + std::to_string(pages_per_block));
  FTLAB_CHECK(kinds > 0 && (order == PageOrder::interleaved || kinds == 2), "an order of other kinds of page");
  if (order == PageOrder::interleaved) return page % kinds;
  const std::uint32_t together = order == PageOrder::even_odd ? 2 : 1;
  const std::uint32_t step = page / together;
  if (step == 0) return 0;
  return step % 2 == 0 || page + together >= pages_per_block;
}

NandTiming read_nand_timing(Reader reader) {
  NandTiming t;
  std::size_t cell = 0;
  read_choice(reader, "cell", cell, {"slc", "mlc", "tlc", "qlc"}, "bits of a cell");
  read_read_times(reader, kind_names(cell), t);
  t.program = times_by_kind(reader, kind_names(cell), "program");
  read_sourced_or(reader, "program_slc_ns", t.program_slc, 1, kSecond, "program with one bit a cell");
  read_sourced_or(reader, "read_slc_ns", t.read_slc, 1, kSecond, "read of a page with one bit a cell");
  read_sourced(reader, "erase_ns", t.erase, 1, kSecond, "time of an erase");
  read_bus(reader, t.bus_bytes_per_s);
  read_sourced(reader, "bus_command_ns", t.bus_command, 0, 1'000'000, "command and address cycles of an operation");
  read_boolean_or(reader, "cache_program", t.cache_program, "transfer beside the array's program");
  read_boolean_or(reader, "cache_read", t.cache_read, "array read beside the transfer");
  read_choice_or(reader, "page_order", t.page_order, {"interleaved", "all-bit-line", "even-odd"}, "order of kinds of page");
  if (t.page_order != PageOrder::interleaved && t.program.size() != 2) {
    reader.refuse("page_order", "is an order of lower and upper pages", "interleaved, or cell mlc");
  }
  read_scheduling(reader, t);
  if (auto variation = reader.object_if_present("variation")) t.variation = read_variation(std::move(*variation));
  if (auto wear = reader.object_if_present("wear")) t.wear = read_wear(std::move(*wear));
  reader.finish();
  return t;
}

}  // namespace ftlab
