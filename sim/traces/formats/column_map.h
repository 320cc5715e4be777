// Which column of a CSV file holds what: the map that a user writes for a trace in a form of its own.
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
  char separator = ',';  // a blank stands for any number of blanks and tabs
  std::uint64_t heading_lines = 0;
  std::vector<std::string> read{"r", "read"};  // compared without regard to case
  std::vector<std::string> write{"w", "write"};
  std::vector<std::string> trim{"d", "t", "trim", "discard", "unmap"};
  std::vector<std::string> flush{"f", "flush"};
  std::optional<std::size_t> event;  // only rows with one of `events` in this column are read; the others are counted
  std::vector<std::string> events;

  std::size_t last_column() const;
};

// As maps have it. REQUIRES: 1 s, 1 ms, 1 us, 100 ns or 1 ns.
const char* time_unit_name(std::uint64_t unit_ns);

// Reads a map, JSON with comments. Throws ConfigError for what it does not understand, for an operation with two meanings
// and for two things in one column.
ColumnMap read_column_map(std::string_view text, const std::string& file_name);

}  // namespace ftlab
