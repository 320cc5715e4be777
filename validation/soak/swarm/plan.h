// One run of the swarm: a drive, and what its host does to it. All of it is numbers with names, so that a plan is drawn from
// two numbers, printed, kept as a small file, and made smaller one number at a time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "ftl/drive/config/drive_config.h"

namespace ftlab::soak {

struct HostPlan {
  std::uint32_t read = 30, write = 60, trim = 9, flush = 1;  // weights of the kinds of requests
  std::uint32_t longest_sectors = 64;
  std::uint32_t aligned_percent = 50;    // of requests that begin and end where mapping pages do
  std::uint32_t sequential_percent = 0;  // that go on where the last one ended
  std::uint32_t hot_percent = 0;         // that go to the first part of the drive ...
  std::uint32_t hot_part = 16;           // ... one of so many
  std::uint32_t fua_percent = 0;         // of writes
  std::uint32_t streams = 1;             // that the host tells apart
  std::uint32_t contents = 0;            // that writes have, one more of which nothing is known; for deduplication
  std::uint32_t stored_permille = 1000;  // what is left of data after compression, at least; up to 1000
  std::uint32_t batch = 1;               // requests handed over at once
  std::uint32_t depth = 1;               // outstanding at most
  std::uint32_t rest_every = 0;          // after so many batches the host is silent ...
  std::uint64_t rest_ns = 0;             // ... for so long
};

struct SwarmPlan {
  DriveConfig drive;
  bool timed = false;
  bool errs = false;                    // bits go wrong, all of them within reach of a retry
  std::uint32_t pools = 1;              // of placement by pools, which divide the drive evenly
  std::uint32_t gc_d = 1;               // d-choices: superblocks drawn
  std::uint32_t gc_window = 0;          // windowed-greedy: the oldest so many superblocks; 0: all
  bool smallest_map = false;            // the least RAM for a map that cannot hold all of it
  bool fill_first = false;              // the drive is written once, in order, before anything else
  std::uint64_t seed = 1;               // of the host's chance
  std::uint64_t operations = 0;         // requests with faults, then
  bool trim_all = false;                // all is trimmed between the two
  std::uint64_t calm = 0;               // ... requests after them: no operation of the flash fails any more
  std::uint64_t inspect_every = 1'000;  // requests
  HostPlan host;
};

// A number of a plan. `off`: the value at which the feature that it belongs to is absent, where there is one.
struct PlanField {
  const char* name;
  std::uint64_t (*get)(const SwarmPlan&);
  void (*set)(SwarmPlan&, std::uint64_t);
  std::optional<std::uint64_t> off;
  std::uint64_t most;
};
std::span<const PlanField> plan_fields();

// The plan of one run of the swarm that `seed` names.
SwarmPlan drawn_plan(std::uint64_t seed, std::uint64_t run);

// Makes what depends on the rest of a drive fit it again: the sizes of maps and pools, buffer, water marks, and fewer user
// pages where there is not enough flash. False: there is no such drive.
bool refit(SwarmPlan& plan);

// All fields by name, as JSON, one a line; and back. Fields that are missing have their values in a default plan. Throws
// ConfigError for an unknown name or a number out of range.
std::string plan_json(const SwarmPlan& plan, const std::string& reported);
SwarmPlan read_plan(const std::filesystem::path& file);

}  // namespace ftlab::soak
