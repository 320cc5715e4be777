// How much memory a drive takes, from its configuration alone: what can be held against the machine's before it is taken.
#pragma once

#include <cstdint>
#include <vector>

#include "ftl/drive/config/drive_config.h"

namespace ftlab {

struct TableSize {
  const char* table;
  std::uint64_t bytes = 0;
};

// All that grows with the drive, when all of it was written. `versions`: whether the drive keeps the versions of its data,
// which Drive::forget_versions() spares. Lists that grow with the workload (held pages, trims to be carried out) are not
// among them, nor is what takes less than a thousandth.
std::vector<TableSize> table_sizes(const DriveConfig& config, bool versions = true);

// Their sum.
std::uint64_t table_bytes(const DriveConfig& config, bool versions = true);

// Additional memory of Drive::age_by_counting(): lists of the mapped pages and of the written ones.
std::uint64_t counted_aging_bytes(const DriveConfig& config, std::uint64_t mapped_pages);

}  // namespace ftlab
