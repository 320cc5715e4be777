// Recognises the format of a file from the form and the column values of its first lines.
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
  std::uint64_t heading_line = 0;  // the last heading line; 0 if none
  std::uint64_t bad = 0;           // bad lines

  // Why the values are implausible, and what to do; problem() is empty if they are plausible.
  std::string problem() const;
  std::string remedy() const;
};

// Appends enough first lines to recognise the format. On a fault, throws LineReader's ConfigError after the lines before it.
void append_first_lines(LineReader& reader, std::vector<std::string>& lines);

// Parses `lines` in this format. REQUIRES: the format is recognisable.
Recognised judge(const TraceFormat& format, const std::vector<std::string>& lines);

// Formats with a heading in `lines`, or with requests and at most half of the lines bad; of these, those with the fewest bad
// lines, and only plausible ones if there are any. Empty: not a trace of a known format. Several: ambiguous.
std::vector<Recognised> recognise_format(const std::vector<std::string>& lines);

}  // namespace ftlab
