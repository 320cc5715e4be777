// One line of a trace as parsed by its format. A fault is a value, not an exception: the user may want millions of bad lines
// skipped.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/power_event.h"
#include "sim/request.h"

namespace ftlab {

// Describes a bad line, in the parts of a ConfigError.
struct LineFault {
  std::string key;
  std::string problem;
  std::string value;
  std::string allowed;
};

enum class LineKind : std::uint8_t {
  request,
  heading,  // a line that occurs only in files of this format
  other,    // not a block request, or another action of one
  nothing,  // blank or a comment
  bad
};

// One line as parsed, not yet checked against limits, order or the drive.
struct ParsedLine {
  std::uint64_t time_ns = 0;
  std::optional<std::uint64_t> response_ns;  // recorded duration of the request, if any
  Op op = Op::read;
  std::uint64_t offset_bytes = 0;
  std::uint64_t length_bytes = 0;
  std::string_view volume;   // as written; a view of the line, like the next two
  std::string_view op_text;  // requests in columns only
  std::string_view event;    // name of an event that is not a request
  char action = 0;           // requests in formats with actions: Q, D or C
  bool fua = false;
  bool flush_before = false;  // writes only
  PowerEvent power;           // instead of a request
};

inline LineKind kind_of(bool taken) { return taken ? LineKind::request : LineKind::bad; }

}  // namespace ftlab
