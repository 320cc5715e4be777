// Memory that a drive needs, computed from its configuration alone, so that it can be checked before allocation.
#pragma once

#include <cstdint>
#include <vector>

#include "ftl/drive/config/drive_config.h"

namespace ftlab {

struct TableSize {
  const char* table;
  std::uint64_t bytes = 0;
};

// All tables that grow with the drive, once it is fully written. `versions`: true if the drive keeps the versions of its
// data, false after Drive::discard_versions(). Excludes lists that grow with the workload (held pages, waiting trims) and
// tables below a thousandth of the sum.
std::vector<TableSize> table_sizes(const DriveConfig& config, bool versions = true);

// Sum of table_sizes().
std::uint64_t table_bytes(const DriveConfig& config, bool versions = true);

// Additional memory of Lifecycle::age_by_counting() with `writes` of whole or partial pages: a bit for each page, and a list
// of the pages that stay. An upper bound.
std::uint64_t counted_aging_bytes(const DriveConfig& config, std::uint64_t mapped_pages, std::uint64_t writes);

}  // namespace ftlab
