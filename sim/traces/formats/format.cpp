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

struct Candidate {
  const TraceFormat* format;
  std::unique_ptr<LineParser> parser;
};

std::vector<Candidate> all_candidates() {
  FormatOptions any_action;
  std::vector<Candidate> candidates;
  for (const TraceFormat& format : trace_formats()) {
    if (format.recognisable) candidates.push_back({&format, format.make(any_action)});
  }
  return candidates;
}

// A heading that a format knows speaks for it as a request does, but a line that any file may hold says nothing.
bool says_nothing(std::string_view line) {
  const std::string_view text = without_blanks(line);
  return text.empty() || text.front() == '#';
}

}  // namespace

std::vector<const TraceFormat*> recognise_format(const std::vector<std::string>& first_lines) {
  std::vector<Candidate> left = all_candidates();
  bool any_fits = false;
  for (std::size_t i = 0; i < first_lines.size(); ++i) {
    if (says_nothing(first_lines[i])) continue;
    std::vector<bool> fits;
    for (Candidate& candidate : left) {
      ParsedLine parsed;
      LineFault fault;
      fits.push_back(candidate.parser->parse(first_lines[i], i + 1, parsed, fault) != LineKind::bad);
    }
    if (std::find(fits.begin(), fits.end(), true) == fits.end()) continue;
    any_fits = true;
    std::size_t kept = 0;
    for (std::size_t c = 0; c < left.size(); ++c) {
      if (fits[c]) std::swap(left[kept++], left[c]);
    }
    left.resize(kept);
  }
  std::vector<const TraceFormat*> found;
  for (const Candidate& candidate : left) {
    if (any_fits) found.push_back(candidate.format);
  }
  return found;
}

}  // namespace ftlab
