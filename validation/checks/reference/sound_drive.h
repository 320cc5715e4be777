// For tests: conditions that hold for drives of any design.
#pragma once

#include <string>

#include "sim/testing/test.h"
#include "validation/checks/reference/shadow.h"

namespace ftlab::testing {

// The FTL's write counters equal the programs of the medium plus pages that wait in RAM.
inline void require_counted(const Drive& drive) {
  std::uint64_t pages = drive.medium().pages().programmed();
  for (const Stage& stage : drive.ftl().store().stages()) pages += stage.slots_in_ram();
  REQUIRE(drive.counters().media_write_bytes() == pages * drive.config().ftl.slot_bytes());
}

// Clears counters that depend on time, to compare timed and untimed runs of the same work: the operations in progress at
// their ends may differ.
inline Counters without_times(Counters all) {
  all.powered_ns = all.controller_busy_ns = 0;
  all.die_host_read_ns = all.die_internal_read_ns = all.die_erase_ns = 0;
  all.die_host_program_ns = all.die_relocation_program_ns = all.die_suspension_ns = all.buffered_reads = 0;
  return all;
}

inline void require_sound(const ShadowedDrive& shadow, const Drive& drive) {
  for (const std::string& sentence : inspect(drive.ftl())) FAIL(sentence);
  require_counted(drive);
  const std::vector<Version> expected = shadow.expected();
  for (std::uint32_t l = 0; l < expected.size(); ++l) REQUIRE(drive.ftl().pages().version(Lpn{l}) == expected[l]);
  if (drive.flash().deduplication.has_value()) REQUIRE(shadow.check_contents() == "");
}

}  // namespace ftlab::testing
