// Test helpers: trace files from text, and records as text.
#pragma once

#include <string>
#include <vector>

#include "sim/testing/files.h"
#include "sim/traces/trace.h"

namespace ftlab {

class TraceFile : public TestFile {
 public:
  using TestFile::TestFile;
  TraceOptions options(const std::string& format = {}) const {
    TraceOptions options;
    options.path = path();
    options.format = format;
    return options;
  }
};

inline const char* letter_of(Op op) { return op == Op::read ? "R" : op == Op::write ? "W" : op == Op::trim ? "T" : "F"; }

// One line for each record: "at_ns op offset+length @volume :line", with a ! after the op of FUA writes, "at_ns watch-flash"
// or "at_ns power-cut FATES".
inline std::vector<std::string> shown(Trace& trace) {
  std::vector<std::string> lines;
  for (TraceRecord record; trace.next(record);) {
    if (record.power) {
      const bool cut = record.power.kind == PowerEvent::Kind::cut;
      lines.push_back(std::to_string(record.at_ns) +
                      (cut ? " power-cut " + std::to_string(record.power.fates) : " watch-flash"));
      continue;
    }
    lines.push_back(std::to_string(record.at_ns) + " " + letter_of(record.op) + (record.fua ? "! " : " ") +
                    std::to_string(record.offset_bytes) + "+" + std::to_string(record.length_bytes) + " @" +
                    trace.volumes()[record.volume] + " :" + std::to_string(record.line));
  }
  return lines;
}

inline std::vector<std::string> shown(const TraceOptions& options) {
  Trace trace(options);
  return shown(trace);
}

}  // namespace ftlab
