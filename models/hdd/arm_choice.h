// Chooses the arm's next work: a pending command or a piece of the write cache. Reads go first unless a command waits for
// the cache to be written; commands that have waited for too long precede everything.
#pragma once

#include "models/hdd/command_table.h"
#include "models/hdd/disk_arm.h"
#include "models/hdd/disk_config.h"
#include "models/hdd/write_back.h"

namespace ftlab {

// The work to choose from.
struct ArmWork {
  const DiskQueueConfig& config;
  const DiskArm& arm;
  const CommandTable& commands;
  const std::vector<CommandTable::Slot>& pending;
  const WriteBack& write_back;
  Nanoseconds writing_from;  // earliest time to write from the cache
};

struct ArmChoice {
  bool from_cache = false;
  std::size_t index = 0;  // in `pending`, or in the write cache's pieces
};

// True if the head is already reading towards the command's sectors.
bool continues_stream(const DiskArm& arm, const DiskCommand& command, Nanoseconds now);
// REQUIRES: something is ready at `now`.
ArmChoice choose(const ArmWork& work, Nanoseconds now);

}  // namespace ftlab
