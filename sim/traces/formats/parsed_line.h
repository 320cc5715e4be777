// One line of a trace as its format reads it. A fault is a value, not an exception: a trace may hold millions of lines that
// the user wants skipped.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/power_event.h"
#include "sim/request.h"

namespace ftlab {

// What is wrong with a line, in the parts of a ConfigError.
struct LineFault {
  std::string key;
  std::string problem;
  std::string value;
  std::string allowed;
};

enum class LineKind : std::uint8_t {
  request,
  heading,  // a line that stands only in files of this format
  other,    // an event that is no request for blocks, or another action of one
  nothing,  // blank or a comment
  bad
};

// One line as the file says it, before anything is held against limits, order or the drive.
struct ParsedLine {
  std::uint64_t time_ns = 0;
  std::optional<std::uint64_t> response_ns;  // how long it took where it was recorded, if the format tells
  Op op = Op::read;
  std::uint64_t offset_bytes = 0;
  std::uint64_t length_bytes = 0;
  std::string_view volume;   // as written; views the line, as the next two
  std::string_view op_text;  // of a request in columns
  std::string_view event;    // of another event: what it is called
  char action = 0;           // of a request in a format with actions: Q, D or C
  bool fua = false;
  bool flush_before = false;  // of a write
  PowerEvent power;           // instead of a request
};

inline LineKind kind_of(bool taken) { return taken ? LineKind::request : LineKind::bad; }

}  // namespace ftlab
