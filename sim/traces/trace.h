// A block trace as a source of requests, read line by line. Memory does not depend on its length: two buffers, the names of
// the volumes and, when times are put in order, a window of records.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/traces/formats/format.h"
#include "sim/traces/formats/line_reader.h"
#include "sim/traces/volume_names.h"

namespace ftlab {

// What happens to a record that is earlier than the one before it.
enum class TraceOrder : std::uint8_t {
  refuse,
  clamp,  // it comes at the time of the latest one before it
  sort,   // it is put in its place, as far as a window of kSortWindow records allows
};
inline constexpr std::size_t kSortWindow = 65536;
inline constexpr std::size_t kMostEventNames = 64;

struct TraceOptions {
  std::string path;
  std::string format;                // a name; empty: recognised from the first lines
  std::optional<ColumnMap> columns;  // for "csv", and only for it
  char action = 0;                   // of formats with actions: Q, D or C; 0: D where there is one, else Q, else C
  std::string volume;                // as named in the trace; empty: all of them
  TraceOrder order = TraceOrder::refuse;
  bool round_to_sectors = false;  // requests that are not whole sectors are widened to them, instead of being bad
  bool any_bytes = false;         // requests need not be whole sectors: whoever reads the records sees to it
  bool skip_bad_lines = false;    // bad lines are counted, instead of being refused
  // Nothing: the file. Otherwise its bytes from elsewhere, from their beginning at each call; `path` is their name then.
  std::function<std::unique_ptr<ByteStream>()> bytes;

  LineReader lines() const { return bytes ? LineReader(path, bytes()) : LineReader(path); }
};

struct TraceRecord {
  std::uint64_t at_ns = 0;         // from the first record
  std::uint64_t offset_bytes = 0;  // in its volume; whole sectors
  std::uint64_t length_bytes = 0;  // more than 0, except for a flush
  std::uint64_t line = 0;
  std::uint32_t volume = 0;  // index into volumes()
  Op op = Op::read;
  bool fua = false;
  std::optional<std::uint64_t> response_ns = std::nullopt;  // as recorded; nothing: the trace does not tell
  PowerEvent power{};                                       // instead of a request; `op` is flush then
};

// lines == requests - flushes_before + power_events + other_volumes + other_events + without_request + bad, once the end is
// reached.
struct TraceCounts {
  std::uint64_t lines = 0;
  std::uint64_t requests = 0;        // returned
  std::uint64_t flushes_before = 0;  // of them: flushes that stand in the line of a write and precede it
  std::uint64_t power_events = 0;    // returned, too
  std::uint64_t other_volumes = 0;
  std::uint64_t other_events = 0;     // other actions, and events that are no requests for blocks
  std::uint64_t without_request = 0;  // blank lines, comments, headings
  std::uint64_t bad = 0;
  std::uint64_t out_of_order = 0;                            // records earlier than one before them in the file
  std::uint64_t rounded = 0;                                 // records widened to whole sectors
  std::string first_bad;                                     // what was wrong with the first bad line
  std::map<std::string, std::uint64_t, std::less<>> events;  // the other events by name, the first kMostEventNames of them
};

class Trace {
 public:
  // Opens the file and settles its format. Throws ConfigError: the file cannot be read, its format is not known, or could be
  // one of several.
  explicit Trace(const TraceOptions& options);

  // The next record; false at the end. Throws ConfigError, naming the line.
  bool next(TraceRecord& record);

  const TraceFormat& format() const { return *format_; }
  // Recorded time of the first record, from which at_ns counts; 0 before it was read.
  std::uint64_t origin_ns() const { return origin_.value_or(0); }
  char action() const { return action_; }
  // Why the values of the first lines look wrong in the format that the user named; empty: they do not.
  const std::string& doubt() const { return doubt_; }
  const TraceCounts& counts() const { return counts_; }
  // In order of appearance; those that were filtered out are among them.
  const std::vector<std::string>& volumes() const { return volumes_.names(); }

 private:
  bool next_in_file(TraceRecord& record);
  bool parse_line(std::string_view line, TraceRecord& record);
  bool fits(const ParsedLine& parsed, LineFault& fault, TraceRecord& record);
  void count_other(std::string_view event);
  void count_bad(const LineFault& fault);
  bool next_sorted(TraceRecord& record);
  void append_in_order(TraceRecord& record);

  TraceOptions options_;
  const TraceFormat* format_ = nullptr;
  char action_ = 0;
  std::string doubt_;
  std::unique_ptr<LineReader> lines_;
  std::unique_ptr<LineParser> parser_;
  TraceCounts counts_;
  VolumeNames volumes_;
  std::optional<TraceRecord> pending_;   // the write whose flush was returned just now
  std::vector<TraceRecord> window_;      // a heap, earliest first
  std::optional<std::uint64_t> origin_;  // recorded time of the first record
  std::uint64_t latest_ = 0;             // recorded time of the latest record returned
  std::uint64_t latest_in_file_ = 0;
  bool file_ended_ = false;
};

}  // namespace ftlab
