// One run: a drive, its faults, its host's actions and power cuts. Everything is a named number, so that a plan can be drawn
// from two numbers, printed, stored as a small file, and shrunk one number at a time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ftl/drive/config/drive_config.h"

namespace ftlab::soak {

struct HostPlan {
  std::uint32_t read = 30, write = 60, trim = 9, flush = 1;  // weights of the request types
  std::uint32_t longest_sectors = 64;
  std::uint32_t aligned_percent = 50;    // share of requests that begin and end at mapping page boundaries
  std::uint32_t sequential_percent = 0;  // share that continues where the last one ended
  std::uint32_t hot_percent = 0;         // share that goes to the first part of the drive
  std::uint32_t hot_part = 16;           // that part is 1 / hot_part of the drive
  std::uint32_t fua_percent = 0;         // share of writes
  std::uint32_t streams = 1;             // number of streams of the host
  std::uint32_t contents = 0;            // distinct contents of writes, besides unknown; for deduplication
  std::uint32_t stored_permille = 1000;  // least size after compression; up to 1000
  std::uint32_t batch = 1;               // requests submitted at once
  std::uint32_t depth = 1;               // most requests outstanding
  std::uint32_t rest_every = 0;          // batches between idle times of the host; 0: none
  std::uint64_t rest_ns = 0;             // length of an idle time
};

struct RunPlan {
  DriveConfig drive;
  bool timed = false;
  bool errs = false;                    // bit errors occur, all of them correctable by a retry
  std::uint32_t pools = 1;              // for placement by pools, which divide the drive evenly
  std::uint32_t gc_d = 1;               // d-choices: superblocks drawn
  std::uint32_t gc_window = 0;          // windowed-greedy: number of oldest superblocks; 0: all
  bool smallest_map = false;            // the least RAM for a map that does not fit into it
  bool fill_first = false;              // writes the drive once, in order, before anything else
  std::uint64_t seed = 1;               // for the host's random numbers
  std::uint64_t operations = 0;         // requests with faults, then
  bool trim_all = false;                // everything is trimmed between the two phases
  std::uint64_t calm = 0;               // then requests without any further flash failure
  std::uint64_t inspect_every = 1'000;  // requests
  std::uint64_t cut_every = 0;          // requests between power cuts, on average; 0: none. Timed drives only
  HostPlan host;
};

// A number of a plan. `off`: the value that turns its feature off, if any.
struct PlanField {
  const char* name;
  std::uint64_t (*get)(const RunPlan&);
  void (*set)(RunPlan&, std::uint64_t);
  std::optional<std::uint64_t> off;
  std::uint64_t most;
};
std::span<const PlanField> plan_fields();

// The plan of a run of the swarm with this seed. Without power cuts.
RunPlan drawn_plan(std::uint64_t seed, std::uint64_t run);

// Adjusts what depends on the rest of a drive: the sizes of maps and pools, the buffer, GC watermarks, and fewer user pages
// if the flash is too small. Returns false if no such drive is possible.
bool refit(RunPlan& plan);

// All fields by name as JSON, one per line, and the reverse. Missing fields have the values of a default plan. Throws
// ConfigError for an unknown name or a number out of range. A file holds one plan, or `plans`, each with a `name`.
std::string plan_json(const RunPlan& plan, const std::string& reported);
struct NamedPlan {
  std::string name;  // that of the file, if it holds one plan
  RunPlan plan;
};
std::vector<NamedPlan> read_plans(const std::filesystem::path& file);

}  // namespace ftlab::soak
