// Summary of a whole trace, read once before the replay. Finds every fault of the file and everything needed to place its
// addresses on a drive. Memory follows the footprint (see page_set.h), not the length.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sim/stats/histogram.h"
#include "sim/traces/page_set.h"
#include "sim/traces/trace.h"

namespace ftlab {

struct VolumeSummary {
  std::string name;
  std::uint64_t requests = 0;
  std::uint64_t end_bytes = 0;  // highest address used
  std::uint64_t end_line = 0;   // the line that uses it
};

struct TraceSummary {
  std::string format;
  char action = 0;    // formats with actions only
  std::string doubt;  // Trace::doubt()
  TraceCounts counts;
  std::array<std::uint64_t, kOpCount> requests{};  // by Op
  std::array<std::uint64_t, kOpCount> bytes{};
  std::uint64_t power_cuts = 0;
  std::uint64_t power_line = 0;                  // first line with a power event; 0 if none
  std::uint64_t duration_ns = 0;                 // from the first record to the last
  std::uint64_t unaligned = 0;                   // reads, writes and trims that are not whole 4 KiB pages
  std::uint64_t pages_written = 0;               // by all writes, rewrites included
  std::map<std::uint64_t, std::uint64_t> sizes;  // number of requests by length, without flushes
  std::vector<VolumeSummary> volumes;            // with records, by index in Trace::volumes()
  std::array<Histogram, kOpCount> responses;     // as recorded, by Op; empty if the format has none
  PageSet pages;

  std::uint64_t footprint_bytes() const { return pages.touched() * kFootprintPageBytes; }
  // Total length of the volumes, each up to its highest address rounded up to 4 KiB.
  std::uint64_t span_bytes() const;
  // Number of volumes with requests.
  std::size_t volumes_used() const;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> most_frequent_sizes(std::size_t count) const;  // (length, requests)
};

// Throws ConfigError like Trace, and for a file without requests.
TraceSummary summarise_trace(const TraceOptions& options);

// Throws ConfigError, naming the volumes, if several volumes have requests and none was chosen.
void refuse_several_volumes(const TraceSummary& summary, const std::string& path);

}  // namespace ftlab
