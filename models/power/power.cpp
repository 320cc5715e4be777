#include "models/power/power.h"

#include <string>

#include "sim/config/keys.h"
#include "sim/core/check.h"

namespace ftlab {
namespace {

constexpr std::uint64_t kMostMilliwatts = 100'000;
constexpr std::uint64_t kMostNanojoules = 1'000'000'000;
constexpr std::uint64_t kMostPerByte = 1'000'000;   // pJ
constexpr std::uint64_t kDay = 86'400'000'000'000;  // ns

// By number of kinds of page and kind. Names are those of nand's program times.
const char* const kProgramKeys[kMostPageKinds][kMostPageKinds] = {
    {"program_nj"},
    {"program_lower_nj", "program_upper_nj"},
    {"program_lower_nj", "program_middle_nj", "program_upper_nj"},
    {"program_lower_nj", "program_upper_nj", "program_extra_nj", "program_top_nj"}};

SleepConfig read_sleep(Reader reader) {
  SleepConfig sleep;
  read_sourced(reader, "after_ns", sleep.after, 1, kDay, "silence before sleep");
  read_sourced(reader, "power_mw", sleep.power_mw, 0, kMostMilliwatts, "power asleep");
  read_sourced(reader, "wake_ns", sleep.wake, 0, 10'000'000'000, "time that the next request waits");
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
  PowerConfig p;
  read_sourced(reader, "idle_mw", p.idle_mw, 0, kMostMilliwatts, "floor of an awake drive");
  read_sourced(reader, "active_mw", p.active_mw, 0, kMostMilliwatts, "floor with a request outstanding");
  read_sourced_or(reader, "dram_mw", p.dram_mw, 0, kMostMilliwatts, "DRAM while awake");
  read_sourced_or(reader, "controller_mw", p.controller_mw, 0, kMostMilliwatts, "firmware at work, on top");
  read_sourced_or(reader, "link_pj_per_byte", p.link_pj_per_byte, 0, kMostPerByte, "energy of a byte on the link");
  read_sourced_or(reader, "flash_bus_pj_per_byte", p.flash_bus_pj_per_byte, 0, kMostPerByte, "energy of a byte on the bus");
  read_sourced(reader, "read_nj", p.read_pj, 0, kMostNanojoules, "energy of a page's read");
  for (std::size_t kind = 0; kind < page_kinds; ++kind) {
    read_sourced(reader, kProgramKeys[page_kinds - 1][kind], p.program_pj[kind], 0, kMostNanojoules,
                 "energy of a page's program of this kind");
  }
  read_sourced_or(reader, "program_slc_nj", p.program_slc_pj, 0, kMostNanojoules,
                  "energy of a program with one bit a cell; needed with pSLC");
  read_sourced(reader, "erase_nj", p.erase_pj, 0, kMostNanojoules, "energy of a block's erase");
  if (auto sleep = reader.object_if_present("sleep")) p.sleep = read_sleep(std::move(*sleep));
  check_states(reader, p);
  reader.finish();
  return p;
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
