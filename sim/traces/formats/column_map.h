// Meaning of the columns of a CSV file: a map that the user writes for a trace in another format.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/types.h"

namespace ftlab {

struct ColumnMap {
  std::size_t time = 0;  // columns count from 0
  std::size_t op = 0;
  std::size_t offset = 0;
  std::size_t size = 0;
  std::optional<std::size_t> volume;  // absent: one volume
  std::uint64_t time_unit_ns = 1;
  std::uint64_t offset_unit_bytes = 1;
  std::uint64_t size_unit_bytes = 1;
  char separator = ',';  // ' ': any number of blanks and tabs
  std::uint64_t heading_lines = 0;
  std::vector<std::string> read{"r", "read"};  // compared without regard to case
  std::vector<std::string> write{"w", "write"};
  std::vector<std::string> trim{"d", "t", "trim", "discard", "unmap"};
  std::vector<std::string> flush{"f", "flush"};
  std::optional<std::size_t> event;  // only rows with one of `events` in this column are read; the others are counted
  std::vector<std::string> events;

  std::size_t last_column() const;
};

// Name of a unit as column maps spell it. REQUIRES: 1 s, 1 ms, 1 us, 100 ns or 1 ns.
const char* time_unit_name(std::uint64_t unit_ns);

// Reads a map, JSON with comments. Throws ConfigError for unknown keys or values, an operation with two meanings or a column
// with two meanings.
ColumnMap read_column_map(std::string_view text, const std::string& file_name);

}  // namespace ftlab
