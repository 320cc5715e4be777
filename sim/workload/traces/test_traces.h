// For tests: traces as texts.
#pragma once

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "sim/workload/traces/trace.h"

namespace ftlab {

// A file that is gone again when the test ends.
class TraceFile {
 public:
  explicit TraceFile(const std::string& content) {
    std::string name = (std::filesystem::temp_directory_path() / "trace-XXXXXX").string();
    const int opened = ::mkstemp(name.data());
    if (opened < 0) throw std::runtime_error("no temporary file");
    path_ = name;
    std::FILE* file = ::fdopen(opened, "wb");
    const bool whole = std::fwrite(content.data(), 1, content.size(), file) == content.size();
    if (std::fclose(file) != 0 || !whole) throw std::runtime_error("temporary file was not written");
  }
  ~TraceFile() { std::filesystem::remove(path_); }
  TraceFile(const TraceFile&) = delete;
  TraceFile& operator=(const TraceFile&) = delete;

  const std::string& path() const { return path_; }
  TraceOptions options(const std::string& format = {}) const {
    TraceOptions options;
    options.path = path_;
    options.format = format;
    return options;
  }

 private:
  std::string path_;
};

inline const char* letter_of(Op op) { return op == Op::read ? "R" : op == Op::write ? "W" : op == Op::trim ? "T" : "F"; }

// "at_ns op offset+length @volume :line", one for each record; FUA writes are marked with a !.
inline std::vector<std::string> shown(Trace& trace) {
  std::vector<std::string> lines;
  for (TraceRecord record; trace.next(record);) {
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
