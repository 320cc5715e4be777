// Which format a file is in, by what its first lines can be: their form, and the values of their columns.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/traces/formats/format.h"
#include "sim/traces/formats/line_reader.h"

namespace ftlab {

struct Recognised {
  const TraceFormat* format;
  Doubt doubt;
  std::uint64_t heading_line = 0;  // the last one that is a heading
  std::uint64_t bad = 0;           // lines

  // Why the values are not possible, and what to do; empty: they are possible.
  std::string problem() const;
  std::string remedy() const;
};

// Appends as many lines as show the format. Throws ConfigError as LineReader does, after the lines before the fault.
void append_first_lines(LineReader& reader, std::vector<std::string>& lines);

// `lines` as a file in this format. REQUIRES: the format is recognisable.
Recognised judge(const TraceFormat& format, const std::vector<std::string>& lines);

// The formats whose form fits most of the lines, or that a heading shows; those with the fewest bad lines. If values are
// possible in some of them, only those. None: the file is no trace in any known format. Several: it could be any of them.
std::vector<Recognised> recognise_format(const std::vector<std::string>& lines);

}  // namespace ftlab
