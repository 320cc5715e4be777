// What the arm does next: a command that waits for it, or a piece of the write cache. Reads go first unless a command waits
// for the cache to be written; what has waited for too long goes before all else.
#pragma once

#include "models/hdd/command_table.h"
#include "models/hdd/disk_arm.h"
#include "models/hdd/disk_config.h"
#include "models/hdd/write_back.h"

namespace ftlab {

// What there is to choose from.
struct ArmWork {
  const DiskQueueConfig& config;
  const DiskArm& arm;
  const CommandTable& commands;
  const std::vector<CommandTable::Slot>& pending;
  const WriteBack& write_back;
  Nanoseconds writing_from;  // from when on the cache may be written
};

struct ArmChoice {
  bool from_cache = false;
  std::size_t index = 0;  // of `pending`, or of the write cache's pieces
};

// Whether the head reads towards this command's sectors already.
bool continues_stream(const DiskArm& arm, const DiskCommand& command, Nanoseconds now);
// REQUIRES: something is ready at `now`.
ArmChoice choose(const ArmWork& work, Nanoseconds now);

}  // namespace ftlab
