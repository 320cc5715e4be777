// The formats of block traces, by name. Each is a parser of lines; docs/workloads.md has their columns and units. A file
// NAME_format.cpp in this folder that defines trace_NAME_format() adds its formats.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/traces/formats/column_map.h"
#include "sim/traces/formats/fields.h"

namespace ftlab {

// Reads the lines of one file, in order. May remember earlier ones.
class LineParser {
 public:
  virtual ~LineParser() = default;
  // `number` counts from 1. A line that asks for nothing (blank, a comment beginning with #, a heading, another action) is
  // no fault. Fills `fault` when the line is bad.
  virtual LineKind parse(std::string_view line, std::uint64_t number, ParsedLine& parsed, LineFault& fault) = 0;
};

// What some formats have to be told.
struct FormatOptions {
  char action = 0;    // blkparse: Q, D or C
  ColumnMap columns;  // csv
};

struct TraceFormat {
  const char* name;
  const char* description;
  std::unique_ptr<LineParser> (*make)(const FormatOptions&);
  bool recognisable = true;  // by a file's first lines; not csv, for only the user's map says what its columns mean
};

// By file, from the table that the build makes.
std::vector<std::vector<TraceFormat>> collected_trace_formats();

// All of them, by name.
const std::vector<TraceFormat>& trace_formats();

// nullptr: no such format.
const TraceFormat* find_trace_format(std::string_view name);

std::vector<std::string> trace_format_names();

// The formats that the first lines of a file fit: a line that asks for something narrows the choice, unless it fits none of
// those that are left. None: the file is no trace in any known format. Several: it could be any of them.
std::vector<const TraceFormat*> recognise_format(const std::vector<std::string>& first_lines);

}  // namespace ftlab
