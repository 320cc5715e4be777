// The formats of block traces, by name. Each is a parser of lines; docs/workloads.md has their columns and units. A file
// NAME_format.cpp in this folder that defines trace_NAME_format() adds its formats.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/traces/formats/column_map.h"
#include "sim/traces/formats/fields.h"
#include "sim/traces/formats/plausibility.h"

namespace ftlab {

inline constexpr std::size_t kLongestVolumeName = 4096;
inline constexpr std::uint64_t kLongestRequestBytes = std::uint64_t{1} << 32;
inline constexpr std::uint64_t kHighestAddress = std::uint64_t{1} << 47;  // 128 TiB; all volumes together fit 64 bits

// Reads the lines of one file, in order. May remember earlier ones.
class LineParser {
 public:
  virtual ~LineParser() = default;
  // `number` counts from 1. Fills `fault` when the line is bad, and names the event of a line that is `other`.
  virtual LineKind parse(std::string_view line, std::uint64_t number, ParsedLine& parsed, LineFault& fault) = 0;
};

// What some formats have to be told.
struct FormatOptions {
  char action = 0;    // of formats with actions: Q, D or C; 0: any of them
  ColumnMap columns;  // csv
};

struct TraceFormat {
  const char* name;
  const char* description;
  std::unique_ptr<LineParser> (*make)(const FormatOptions&);
  bool recognisable = true;               // by a file's first lines; not csv, whose columns only the user's map names
  bool has_actions = false;               // a request has several lines: Q (queued), D (dispatched) and C (completed)
  Doubt (*doubt)(TraceSample) = nullptr;  // absent: no other columns look like these
  const char* columns = "";               // the same columns as keys of a column map, without units
};

// By file, from the table that the build makes.
std::vector<std::vector<TraceFormat>> collected_trace_formats();

// All of them, by name.
const std::vector<TraceFormat>& trace_formats();

// nullptr: no such format.
const TraceFormat* find_trace_format(std::string_view name);

std::vector<std::string> trace_format_names();

// Holds a line against the limits that all formats share.
bool is_within_limits(const ParsedLine& parsed, LineFault& fault);

}  // namespace ftlab
