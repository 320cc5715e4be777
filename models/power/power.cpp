#include "models/power/power.h"

#include <string>

#include "sim/core/check.h"

namespace ftlab {
namespace {

constexpr std::uint64_t kMostMilliwatts = 100'000;
constexpr std::uint64_t kMostNanojoules = 1'000'000'000;
constexpr std::uint64_t kMostPicojoulesPerByte = 1'000'000;
constexpr std::uint64_t kDay = 86'400'000'000'000;  // ns

// By number of kinds of page and kind. Names are those of nand's program times.
const char* const kProgramKeys[kMostPageKinds][kMostPageKinds] = {
    {"program_nj"},
    {"program_lower_nj", "program_upper_nj"},
    {"program_lower_nj", "program_middle_nj", "program_upper_nj"},
    {"program_lower_nj", "program_upper_nj", "program_extra_nj", "program_top_nj"}};

std::uint64_t milliwatts(Reader& reader, const char* key) { return reader.sourced(key, 0, kMostMilliwatts).value; }

std::uint64_t picojoules(Reader& reader, const char* key_nj) {
  return 1000 * reader.sourced(key_nj, 0, kMostNanojoules).value;
}

std::uint64_t optional(Reader& reader, const char* key, std::uint64_t most) {
  return reader.has(key) ? reader.sourced(key, 0, most).value : 0;
}

SleepConfig read_sleep(Reader reader) {
  SleepConfig sleep;
  sleep.after = Nanoseconds{reader.sourced("after_ns", 1, kDay).value};
  sleep.power_mw = milliwatts(reader, "power_mw");
  sleep.wake = Nanoseconds{reader.sourced("wake_ns", 0, 10'000'000'000).value};
  reader.finish();
  return sleep;
}

// Checks the powers of the states against each other.
void check_states(const Reader& reader, const PowerConfig& power) {
  const std::string idle = std::to_string(power.idle_mw);
  if (power.active_mw < power.idle_mw) {
    reader.refuse("active_mw", "is the whole floor of a busy drive, which is not below idle_mw", idle + " or more");
  }
  if (power.sleep && power.sleep->power_mw > power.idle_mw + power.dram_mw) {
    reader.refuse("sleep.power_mw",
                  "is more than the " + std::to_string(power.idle_mw + power.dram_mw) + " mW of an idle drive that is awake",
                  "0 to " + std::to_string(power.idle_mw + power.dram_mw));
  }
}

}  // namespace

PowerConfig read_power(Reader reader, std::size_t page_kinds) {
  FTLAB_CHECK(page_kinds >= 1 && page_kinds <= kMostPageKinds, "a flash has 1 to 4 kinds of page");
  PowerConfig power;
  power.idle_mw = milliwatts(reader, "idle_mw");
  power.active_mw = milliwatts(reader, "active_mw");
  power.dram_mw = optional(reader, "dram_mw", kMostMilliwatts);
  power.controller_mw = optional(reader, "controller_mw", kMostMilliwatts);
  power.link_pj_per_byte = optional(reader, "link_pj_per_byte", kMostPicojoulesPerByte);
  power.flash_bus_pj_per_byte = optional(reader, "flash_bus_pj_per_byte", kMostPicojoulesPerByte);
  power.read_pj = picojoules(reader, "read_nj");
  for (std::size_t kind = 0; kind < page_kinds; ++kind) {
    power.program_pj[kind] = picojoules(reader, kProgramKeys[page_kinds - 1][kind]);
  }
  if (reader.has("program_slc_nj")) power.program_slc_pj = picojoules(reader, "program_slc_nj");
  power.erase_pj = picojoules(reader, "erase_nj");
  if (auto sleep = reader.object_if_present("sleep")) power.sleep = read_sleep(std::move(*sleep));
  check_states(reader, power);
  reader.finish();
  return power;
}

EnergyParts energy_parts(const PowerConfig& power, const Counters& counted) {
  const Uint128 awake_ns = counted.powered_ns - counted.asleep_ns;
  const std::array<std::uint64_t, kMostPageKinds> pages = {counted.first_pages_programmed, counted.second_pages_programmed,
                                                           counted.third_pages_programmed, counted.fourth_pages_programmed};
  Uint128 program = Uint128{counted.slc_pages_programmed} * power.program_slc_pj.value_or(0);
  for (std::size_t kind = 0; kind < kMostPageKinds; ++kind) program += Uint128{pages[kind]} * power.program_pj[kind];
  EnergyParts parts{};
  const auto part = [&parts](EnergyPart of) -> Uint128& { return parts[static_cast<std::size_t>(of)]; };
  part(EnergyPart::idle) = awake_ns * power.idle_mw;
  part(EnergyPart::sleep) = Uint128{counted.asleep_ns} * (power.sleep ? power.sleep->power_mw : 0);
  part(EnergyPart::active) = Uint128{counted.active_ns} * (power.active_mw - power.idle_mw);
  part(EnergyPart::dram) = awake_ns * power.dram_mw;
  part(EnergyPart::controller) = Uint128{counted.controller_busy_ns} * power.controller_mw;
  part(EnergyPart::link) = (Uint128{counted.host_read_bytes} + counted.host_write_bytes) * power.link_pj_per_byte;
  part(EnergyPart::flash_bus) = Uint128{counted.flash_bus_bytes} * power.flash_bus_pj_per_byte;
  part(EnergyPart::read) = Uint128{counted.array_pages_read} * power.read_pj;
  part(EnergyPart::program) = program;
  part(EnergyPart::erase) = Uint128{counted.array_blocks_erased} * power.erase_pj;
  return parts;
}

Uint128 energy(const EnergyParts& parts) {
  Uint128 sum = 0;
  for (const Uint128 part : parts) sum += part;
  return sum;
}

}  // namespace ftlab
