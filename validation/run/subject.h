// The drive of a run: new from its file, or taken up from a saved state, under its own design or another.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ftl/drive/drive.h"
#include "ftl/gc/user_policies.h"
#include "models/hdd/disk.h"
#include "sim/config/document.h"
#include "sim/workload/jobs/job.h"

namespace ftlab {

// An SSD or a disk: exactly one of them is there.
struct Subject {
  std::unique_ptr<Drive> drive;
  Node document;  // that its result shows
  std::unique_ptr<Disk> disk = nullptr;

  Device& device() const { return drive ? static_cast<Device&>(*drive) : *disk; }
  std::uint64_t user_bytes() const { return device().info().capacity_bytes; }
  Nanoseconds idle_from() { return drive ? drive->idle_from() : disk->idle_from(); }
};

// Throws ConfigError.
Subject new_drive(const std::string& drive, const std::vector<std::string>& settings, Clock clock, std::uint64_t seed);
// The same of a document that was read already. `own` is for SSDs.
Subject new_drive(Node document, Clock clock, std::uint64_t seed, const UserPolicies& own = {});

// The drive of the state file `load`; with `drive` or `settings` under the design that these describe. What the user should
// know of its past goes to `notes`. Throws ConfigError.
Subject loaded_drive(const std::string& load, const std::string& drive, const std::vector<std::string>& settings,
                     Clock clock, std::vector<Note>& notes, const UserPolicies& own = {});

}  // namespace ftlab
