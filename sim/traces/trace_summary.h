// Summary of a whole trace, read once before the replay. Finds every fault of the file and everything needed to place its
// addresses on a drive. Memory follows the footprint (PageSet), not the length.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/stats/histogram.h"
#include "sim/traces/trace.h"

namespace ftlab {

// Set of the 4 KiB pages that a trace touches and writes, over several volumes. One bit for each page, in chunks of 2 MiB:
// memory follows the footprint (about 80 bytes for each densely used MiB), not the length of the trace.
inline constexpr std::uint64_t kFootprintPageBytes = 4096;

class PageSet {
 public:
  // Adds pages [first, end) of a volume. REQUIRES: volume < 2^16, end <= 2^52.
  void touch(std::uint32_t volume, std::uint64_t first, std::uint64_t end, bool written);

  std::uint64_t touched() const { return touched_; }  // pages
  std::uint64_t written() const { return written_; }
  std::size_t chunks() const { return chunks_.size(); }  // each covers 2 MiB of addresses; they determine the memory

  // Numbers the touched pages by volume and address. Call after the last touch().
  void rank();
  // Number of touched pages before this one. REQUIRES: rank() was called after the page was touched.
  std::uint64_t rank_of(std::uint32_t volume, std::uint64_t page) const;

 private:
  static constexpr std::uint64_t kWords = 8;
  static constexpr std::uint64_t kChunkPages = kWords * 64;
  struct Chunk {
    std::uint64_t key = 0;  // volume and address; orders the chunks
    std::uint64_t rank = 0;
    std::array<std::uint64_t, kWords> touched{};
    std::array<std::uint64_t, kWords> written{};
  };

  static std::uint64_t key_of(std::uint32_t volume, std::uint64_t page);
  Chunk& chunk_at(std::uint64_t key);

  std::vector<Chunk> chunks_;
  std::unordered_map<std::uint64_t, std::size_t> places_;  // key to index in chunks_; never iterated
  std::size_t last_ = 0;
  std::uint64_t touched_ = 0;
  std::uint64_t written_ = 0;
};

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
