#include "models/nand/timing/timing.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string>

#include "sim/core/check.h"

namespace ftlab {
namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;

Nanoseconds time_of(Reader& reader, const std::string& key) { return Nanoseconds{reader.sourced(key, 1, kSecond).value}; }

// Names of the kinds of page of each `cell`, in the order of data sheets. A single kind has no name.
using KindNames = std::initializer_list<const char*>;
KindNames kind_names(std::size_t cell) {
  static constexpr KindNames kNames[] = {
      {""}, {"lower_", "upper_"}, {"lower_", "middle_", "upper_"}, {"lower_", "upper_", "extra_", "top_"}};
  return kNames[cell];
}

std::vector<Nanoseconds> times_by_kind(Reader& reader, KindNames kinds, const std::string& operation) {
  std::vector<Nanoseconds> times;
  for (const char* const kind : kinds) times.push_back(time_of(reader, operation + kind + "ns"));
  return times;
}

// One read time for all pages, or one for each kind.
void read_read_times(Reader& reader, KindNames kinds, NandTiming& t) {
  const auto known = [&reader](const char* kind) { return reader.has("read_" + std::string(kind) + "ns"); };
  const char* const first = kinds.size() > 1 ? *std::find_if(kinds.begin(), kinds.end() - 1, known) : "";
  if (kinds.size() == 1 || !known(first)) {
    t.read = time_of(reader, "read_ns");
    return;
  }
  if (reader.has("read_ns")) {
    reader.refuse("read_ns", "is the time of all kinds of page, and read_" + std::string(first) + "ns of one of them",
                  "one of the two");
  }
  t.read_by_kind = times_by_kind(reader, kinds, "read_");
  t.read = *std::min_element(t.read_by_kind.begin(), t.read_by_kind.end());
}

// Eight data lines: bytes per second equal transfers per second. ONFI 5.1, timing mode tables (the cycle's length, rounded
// to 10 ps, gives the rate); Toggle 1.0 and 2.0 as announced by Samsung and Toshiba, July 2010: 133 and 400 Mbit/s a line.
constexpr std::array<std::uint64_t, 16> kBusBytesPerS = {
    20'000'000,  28'571'428,  33'333'333,  40'000'000,    50'000'000,    133'333'333,   166'666'667, 200'000'000,
    400'000'000, 533'333'333, 800'000'000, 1'200'000'000, 1'600'000'000, 2'400'000'000, 133'000'000, 400'000'000};

std::uint64_t read_bus(Reader& reader) {
  if (!reader.has("bus")) return reader.sourced("bus_bytes_per_s", 1'000'000, 10'000'000'000).value;
  if (reader.has("bus_bytes_per_s")) {
    reader.refuse("bus", "names a bus whose rate is known, and bus_bytes_per_s states one", "one of the two");
  }
  return kBusBytesPerS[reader.choice("bus", {"sdr-20", "sdr-28", "sdr-33", "sdr-40", "sdr-50", "nv-ddr-133", "nv-ddr-166",
                                             "nv-ddr-200", "nv-ddr2-400", "nv-ddr2-533", "nv-ddr3-800", "nv-ddr3-1200",
                                             "nv-ddr3-1600", "nv-lpddr4-2400", "toggle1-133", "toggle2-400"})];
}

Suspension read_suspension(Reader reader) {
  Suspension s;
  s.program = reader.boolean("program");
  s.erase = reader.boolean("erase");
  s.suspend = Nanoseconds{reader.sourced("suspend_ns", 0, kSecond).value};
  s.resume = Nanoseconds{reader.sourced("resume_ns", 0, kSecond).value};
  s.most_suspends = static_cast<std::uint32_t>(reader.sourced("most_suspends_per_operation", 1, 1'000'000).value);
  if (!s.any()) reader.refuse("program", "is false like erase: nothing is suspended", "true for one of them, or no suspend");
  reader.finish();
  return s;
}

std::uint32_t optional(Reader& reader, const char* key, std::uint64_t high) {
  return reader.has(key) ? static_cast<std::uint32_t>(reader.sourced(key, 0, high).value) : 0;
}

BlockVariation read_variation(Reader reader) {
  constexpr std::uint64_t kMost = 200;  // -3 sigma: 400 permille
  BlockVariation v;
  v.read_permille = optional(reader, "read_permille", kMost);
  v.program_permille = optional(reader, "program_permille", kMost);
  v.erase_permille = optional(reader, "erase_permille", kMost);
  reader.finish();
  return v;
}

WearTimes read_wear(Reader reader) {
  constexpr std::uint64_t kLeastLeft = 500, kMostSlower = 20'000;  // permille
  WearTimes w;
  w.program_faster_permille = optional(reader, "program_faster_permille_per_1000_erases", 100'000);
  w.erase_slower_permille = optional(reader, "erase_slower_permille_per_1000_erases", 100'000);
  w.until_erases = static_cast<std::uint32_t>(reader.sourced("until_erases", 1, 100'000'000).value);
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
  t.scheduling.policy = reader.has("scheduling") ? reader.choice_of("scheduling", names) : 0;
  for (const SchedulingParameter& parameter : kinds[t.scheduling.policy].parameters)
    t.scheduling.values.push_back(reader.sourced(parameter.key, parameter.low, parameter.high).value);
  t.independent_plane_reads = reader.choice_or("plane_reads", {"same-page", "independent"}, 0) == 1;
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
  if (order == PageOrder::interleaved) return page % kinds;
  const std::uint32_t together = order == PageOrder::even_odd ? 2 : 1;
  const std::uint32_t step = page / together;
  if (step == 0) return 0;
  return step % 2 == 0 || page + together >= pages_per_block;
}

NandTiming read_nand_timing(Reader reader) {
  NandTiming t;
  const std::size_t cell = reader.choice("cell", {"slc", "mlc", "tlc", "qlc"});
  read_read_times(reader, kind_names(cell), t);
  t.program = times_by_kind(reader, kind_names(cell), "program_");
  if (reader.has("program_slc_ns")) t.program_slc = time_of(reader, "program_slc_ns");
  if (reader.has("read_slc_ns")) t.read_slc = time_of(reader, "read_slc_ns");
  t.erase = time_of(reader, "erase_ns");
  t.bus_bytes_per_s = read_bus(reader);
  t.bus_command = Nanoseconds{reader.sourced("bus_command_ns", 0, 1'000'000).value};
  t.cache_program = reader.boolean_or("cache_program", false);
  t.cache_read = reader.boolean_or("cache_read", false);
  t.page_order = static_cast<PageOrder>(reader.choice_or("page_order", {"interleaved", "all-bit-line", "even-odd"}, 0));
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
