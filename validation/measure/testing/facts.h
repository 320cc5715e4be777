// For tests: facts about targets that the guard accepts.
#pragma once

#include <algorithm>
#include <string>

#include "sim/testing/test.h"
#include "validation/measure/target/guard.h"

namespace ftlab::testing {

// An idle, empty drive of 100 GB that is fully known.
inline DeviceFacts idle_drive() {
  DeviceFacts facts;
  facts.path = "/dev/disk/by-id/ata-DRIVE_S1";
  facts.resolved = "/dev/sdb";
  facts.kind = TargetKind::block_device;
  facts.identity = FileIdentity{6, 300, 0x810};
  facts.size_bytes = 100'030'242'816;
  facts.direct = facts.exclusive = facts.whole_device = facts.discard_supported = true;
  facts.read_only = false;
  facts.logical_sector_bytes = facts.direct_offset_bytes = facts.direct_memory_bytes = 512;
  facts.physical_sector_bytes = 4096;
  facts.serial = "S1";
  facts.mounts = facts.swaps = facts.holders = facts.openers = facts.systems = Findings{};
  facts.slaves = facts.partitions = facts.signatures = facts.same_serial = Findings{};
  return facts;
}

// A file of 1 GiB without other users; `created`: by this run.
inline DeviceFacts idle_file(bool created) {
  DeviceFacts facts;
  facts.path = facts.resolved = "/home/tester/target";
  facts.kind = TargetKind::regular_file;
  facts.identity = FileIdentity{0x801, 77, 0};
  facts.size_bytes = std::uint64_t{1} << 30;
  facts.direct = facts.exclusive = facts.discard_supported = true;
  facts.read_only = false;
  facts.logical_sector_bytes = facts.direct_offset_bytes = facts.direct_memory_bytes = 512;
  facts.serial = "target";
  facts.mounts = facts.swaps = facts.holders = facts.openers = Findings{};
  facts.created_here = created;
  facts.links = 1;
  facts.unwritten_bytes = 0;
  facts.file_system = "ext4";
  return facts;
}

inline Intent reading(const DeviceFacts& facts) {
  Intent intent;
  intent.reads = true;
  intent.range = {0, *facts.size_bytes};
  intent.unit_bytes = 4096;
  intent.memory_alignment_bytes = 4096;
  intent.depth = 32;
  return intent;
}

// With all required confirmations.
inline Intent writing(const DeviceFacts& facts) {
  Intent intent = reading(facts);
  intent.writes = true;
  intent.destroy = facts.serial;
  return intent;
}

inline Intent discarding(const DeviceFacts& facts) {
  Intent intent = writing(facts);
  intent.discards = intent.discard_consent = true;
  return intent;
}

inline bool permitted(const DeviceFacts& facts, const Intent& intent) {
  return std::holds_alternative<Permit>(decide(facts, intent));
}

inline Permit permit_for(const DeviceFacts& facts, const Intent& intent) {
  Decision decision = decide(facts, intent);
  if (const auto* refusal = std::get_if<Refusal>(&decision)) FAIL(refusal->text());
  return std::move(std::get<Permit>(decision));
}

// True if it is refused by that rule, with these words in the reason.
inline bool refused(const DeviceFacts& facts, const Intent& intent, const std::string& rule, const std::string& words = "") {
  const Decision decision = decide(facts, intent);
  const auto* refusal = std::get_if<Refusal>(&decision);
  if (refusal == nullptr) return false;
  return std::any_of(refusal->reasons.begin(), refusal->reasons.end(), [&](const Reason& reason) {
    return reason.rule == rule && reason.text.find(words) != std::string::npos;
  });
}

}  // namespace ftlab::testing
