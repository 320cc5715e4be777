#include "sim/traces/formats/format.h"

#include <algorithm>

namespace ftlab {

const std::vector<TraceFormat>& trace_formats() {
  static const std::vector<TraceFormat> formats = [] {
    std::vector<TraceFormat> all;
    for (std::vector<TraceFormat>& some : collected_trace_formats()) all.insert(all.end(), some.begin(), some.end());
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return std::string_view(a.name) < b.name; });
    return all;
  }();
  return formats;
}

const TraceFormat* find_trace_format(std::string_view name) {
  for (const TraceFormat& format : trace_formats()) {
    if (name == format.name) return &format;
  }
  return nullptr;
}

std::vector<std::string> trace_format_names() {
  std::vector<std::string> names;
  for (const TraceFormat& format : trace_formats()) names.emplace_back(format.name);
  return names;
}

namespace {

bool is_bad(LineFault& fault, const char* key, const char* problem, std::uint64_t value, const char* allowed) {
  fault = {key, problem, std::to_string(value), allowed};
  return false;
}

}  // namespace

bool is_within_limits(const ParsedLine& parsed, LineFault& fault) {
  if (parsed.volume.size() > kLongestVolumeName) {
    fault = {"volume", "has too long a name", std::string(parsed.volume), "up to 4096 characters"};
    return false;
  }
  if (parsed.op == Op::flush || parsed.power) return true;
  if (parsed.length_bytes == 0) return is_bad(fault, "length", "is too small", 0, "more than 0 bytes");
  if (parsed.length_bytes > kLongestRequestBytes)
    return is_bad(fault, "length", "is too large", parsed.length_bytes, "up to 4294967296 bytes");
  if (parsed.offset_bytes > kHighestAddress)
    return is_bad(fault, "offset", "is too large", parsed.offset_bytes, "up to 2^47 bytes (128 TiB)");
  return true;
}

}  // namespace ftlab
