// What a trace is like as a whole: read once before it is replayed. Finds every fault of the file, and everything that
// placing its addresses on a drive needs. Memory follows the footprint (see page_set.h), not the length.
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
  std::uint64_t end_bytes = 0;  // the highest address that is used
  std::uint64_t end_line = 0;   // and the line that uses it
};

struct TraceSummary {
  std::string format;
  char action = 0;    // of formats with actions
  std::string doubt;  // as Trace::doubt()
  TraceCounts counts;
  std::array<std::uint64_t, kOpCount> requests{};  // by Op
  std::array<std::uint64_t, kOpCount> bytes{};
  std::uint64_t power_cuts = 0;
  std::uint64_t power_line = 0;                  // the first that says something of power
  std::uint64_t duration_ns = 0;                 // from the first record to the last
  std::uint64_t unaligned = 0;                   // reads, writes and trims that are not whole pages of 4 KiB
  std::uint64_t pages_written = 0;               // by all writes together
  std::map<std::uint64_t, std::uint64_t> sizes;  // how many requests of each length; flushes left out
  std::vector<VolumeSummary> volumes;            // those that requests were taken from, in order of Trace::volumes()
  std::array<Histogram, kOpCount> responses;     // as recorded, by Op; empty where the format does not tell
  PageSet pages;

  std::uint64_t footprint_bytes() const { return pages.touched() * kFootprintPageBytes; }
  // Volumes side by side, each up to its highest address.
  std::uint64_t span_bytes() const;
  // How many volumes have requests.
  std::size_t volumes_used() const;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> most_frequent_sizes(std::size_t count) const;  // (length, requests)
};

// Throws ConfigError as Trace does, and for a file without any request.
TraceSummary summarise_trace(const TraceOptions& options);

// Throws ConfigError when several volumes have requests and none was chosen; names them.
void refuse_several_volumes(const TraceSummary& summary, const std::string& path);

}  // namespace ftlab
