// A block trace as a source of requests, read line by line. Memory does not depend on its length: two buffers, the volume
// names and, when sorting, a window of records.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sim/traces/formats/format.h"
#include "sim/traces/formats/line_reader.h"

namespace ftlab {

// Numbers the volumes of a trace in order of appearance.
inline constexpr std::size_t kMostVolumes = 65536;

class VolumeNames {
 public:
  // Returns the number of a name, adding it if new; kMostVolumes if that is one too many.
  std::uint32_t number_of(std::string_view name) {
    if (last_ < names_.size() && names_[last_] == name) return last_;
    const auto [place, is_new] = numbers_.try_emplace(std::string(name), static_cast<std::uint32_t>(names_.size()));
    if (is_new && names_.size() < kMostVolumes) names_.emplace_back(name);
    return last_ = place->second;
  }
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::uint32_t last_ = 0;  // most records name the same volume as the record before
};

// Handling of a record that is earlier than the one before it.
enum class TraceOrder : std::uint8_t {
  refuse,
  clamp,  // moved to the time of the latest record before it
  sort,   // sorted, within a window of kSortWindow records
};
inline constexpr std::size_t kSortWindow = 65536;
inline constexpr std::size_t kMostEventNames = 64;

struct TraceOptions {
  std::string path;
  std::string format;                // format name; empty: recognised from the first lines
  std::optional<ColumnMap> columns;  // only for "csv", which needs it
  char action = 0;                   // for formats with actions: Q, D or C; 0: D if the file has one, else Q, else C
  std::string volume;                // as named in the trace; empty: all volumes
  TraceOrder order = TraceOrder::refuse;
  bool round_to_sectors = false;  // widen requests to whole sectors instead of treating them as bad
  bool any_bytes = false;         // accept requests that are not whole sectors; the caller checks them
  bool skip_bad_lines = false;    // count bad lines instead of refusing the trace
  // Source of the bytes, from their beginning at each call; `path` then only names them. Empty: read the file at `path`.
  std::function<std::unique_ptr<ByteStream>()> bytes;

  LineReader lines() const { return bytes ? LineReader(path, bytes()) : LineReader(path); }
};

struct TraceRecord {
  std::uint64_t at_ns = 0;         // since the first record
  std::uint64_t offset_bytes = 0;  // in its volume; whole sectors
  std::uint64_t length_bytes = 0;  // more than 0, except for a flush
  std::uint64_t line = 0;
  std::uint32_t volume = 0;  // index into volumes()
  Op op = Op::read;
  bool fua = false;
  std::optional<std::uint64_t> response_ns = std::nullopt;  // as recorded, if the trace has it
  PowerEvent power{};                                       // instead of a request; `op` is then flush
};

// At the end: lines == requests - flushes_before + power_events + other_volumes + other_events + without_request + bad.
struct TraceCounts {
  std::uint64_t lines = 0;
  std::uint64_t requests = 0;        // returned by next()
  std::uint64_t flushes_before = 0;  // included in requests: flushes from the line of the write they precede
  std::uint64_t power_events = 0;    // also returned by next()
  std::uint64_t other_volumes = 0;
  std::uint64_t other_events = 0;     // other actions, and events that are not block requests
  std::uint64_t without_request = 0;  // blank lines, comments, headings
  std::uint64_t bad = 0;
  std::uint64_t out_of_order = 0;                            // records earlier than one before them in the file
  std::uint64_t rounded = 0;                                 // records widened to whole sectors
  std::string first_bad;                                     // the fault of the first bad line
  std::map<std::string, std::uint64_t, std::less<>> events;  // other events by name, the first kMostEventNames names
};

class Trace {
 public:
  // Opens the file and determines its format. Throws ConfigError if the file cannot be read, or its format is unknown or
  // ambiguous.
  explicit Trace(const TraceOptions& options);

  // False at the end. Throws ConfigError, naming the line.
  bool next(TraceRecord& record);

  const TraceFormat& format() const { return *format_; }
  // Recorded time of the first record, which is at_ns 0; 0 before it was read.
  std::uint64_t origin_ns() const { return origin_.value_or(0); }
  char action() const { return action_; }
  // Why the first lines look wrong in the format that the user named; empty if they do not.
  const std::string& doubt() const { return doubt_; }
  const TraceCounts& counts() const { return counts_; }
  // In order of appearance, including filtered ones.
  const std::vector<std::string>& volumes() const { return volumes_.names(); }

 private:
  bool next_in_file(TraceRecord& record);
  bool parse_line(std::string_view line, TraceRecord& record);
  bool fits(const ParsedLine& parsed, LineFault& fault, TraceRecord& record);
  void count_other(std::string_view event);
  void count_bad(const LineFault& fault);
  bool next_sorted(TraceRecord& record);
  void enforce_order(TraceRecord& record);

  TraceOptions options_;
  const TraceFormat* format_ = nullptr;
  char action_ = 0;
  std::string doubt_;
  std::unique_ptr<LineReader> lines_;
  std::unique_ptr<LineParser> parser_;
  TraceCounts counts_;
  VolumeNames volumes_;
  std::optional<TraceRecord> pending_;   // the write whose flush was just returned
  std::vector<TraceRecord> window_;      // heap, earliest record first
  std::optional<std::uint64_t> origin_;  // recorded time of the first record
  std::uint64_t latest_ = 0;             // recorded time of the latest record returned
  std::uint64_t latest_in_file_ = 0;
  bool file_ended_ = false;
};

}  // namespace ftlab
