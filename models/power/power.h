// Energy of a drive: energy of each operation, power of each state. It is a linear function of the counters
// (sim/counters.h), time included; so its parts sum exactly, and the energies of two intervals sum to that of both.
//
//   idle         idle_mw while the drive is awake, busy or not
//   sleep        sleep.power_mw while it sleeps: from sleep.after_ns after its last request until the next one
//   active       active_mw - idle_mw while a request is outstanding
//   dram         dram_mw while the drive is awake: refresh
//   controller   controller_mw while the firmware works on a command
//   link         link_pj_per_byte of the host's reads and writes
//   flash_bus    flash_bus_pj_per_byte between flash and controller, spare bytes included
//   read         read_nj for each page of an array read
//   program      for each page, by its kind
//   erase        erase_nj for each block, also when the erase fails
//
// Milliwatts times nanoseconds are picojoules: integers throughout. Programs and GC after the last request has been
// completed cost the energy of their operations, but no active power.
// Not modelled: temperature (see models/README.md), supply voltage and losses of its regulators, inrush current,
// energy that depends on the data or on wear.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "models/nand/schedule/flash_work.h"
#include "sim/config/reader.h"
#include "sim/core/types.h"
#include "sim/core/uint128.h"
#include "sim/counters.h"

namespace ftlab {

struct SleepConfig {
  Nanoseconds after{0};  // idle time before it sleeps
  std::uint64_t power_mw = 0;
  Nanoseconds wake{0};  // delay of the request that wakes the drive
};

struct PowerConfig {
  std::uint64_t idle_mw = 0;
  std::uint64_t active_mw = 0;  // not below idle_mw
  std::uint64_t dram_mw = 0;
  std::uint64_t controller_mw = 0;
  std::uint64_t link_pj_per_byte = 0;
  std::uint64_t flash_bus_pj_per_byte = 0;
  std::uint64_t read_pj = 0;
  std::array<std::uint64_t, kMostPageKinds> program_pj{};
  std::optional<std::uint64_t> program_slc_pj;  // empty: no pSLC mode
  std::uint64_t erase_pj = 0;
  std::optional<SleepConfig> sleep;
};

// Reads the object `power` of a drive file. `page_kinds`: kinds of page of the flash; each needs a program energy. Throws
// ConfigError.
PowerConfig read_power(Reader reader, std::size_t page_kinds);

enum class EnergyPart : std::uint8_t { idle, sleep, active, dram, controller, link, flash_bus, read, program, erase };
inline constexpr std::size_t kEnergyPartCount = 10;
inline constexpr std::array<const char*, kEnergyPartCount> kEnergyPartNames = {
    "idle", "sleep", "active", "dram", "controller", "link", "flash_bus", "read", "program", "erase"};

using EnergyParts = std::array<Uint128, kEnergyPartCount>;  // picojoules

// `counted`: counters of an interval, or since power-on.
EnergyParts energy_parts(const PowerConfig& power, const Counters& counted);
Uint128 energy(const EnergyParts& parts);

}  // namespace ftlab
