#include "sim/traces/trace.h"

#include <algorithm>
#include <tuple>

#include "sim/config/names.h"
#include "sim/config/split.h"
#include "sim/traces/formats/recognise.h"

namespace ftlab {
namespace {

const TraceFormat& named_format(const std::string& name) {
  if (const TraceFormat* format = find_trace_format(name)) return *format;
  refuse_name({"--trace-format", 0}, "", "is not a format of traces", name, trace_format_names());
}

std::vector<std::string> names_with_actions() {
  std::vector<std::string> names;
  for (const TraceFormat& format : trace_formats())
    if (format.has_actions) names.emplace_back(format.name);
  return names;
}

std::vector<std::string> first_lines(const TraceOptions& options) {
  std::vector<std::string> lines;
  LineReader reader = options.lines();
  append_first_lines(reader, lines);
  return lines;
}

[[noreturn]] void refuse_values(const std::string& path, const std::vector<Recognised>& found) {
  std::vector<std::string> problems, remedies;
  for (const Recognised& one : found) {
    problems.push_back(one.problem());
    remedies.push_back(one.remedy());
  }
  throw ConfigError({path, 0}, "", joined(problems, "; "), {}, joined(remedies, "; or "));
}

const TraceFormat& recognised_format(const TraceOptions& options) {
  const std::string& path = options.path;
  const std::vector<Recognised> found = recognise_format(first_lines(options));
  if (found.empty()) {
    throw ConfigError({path, 0}, "", "its first lines fit no known format of traces; name it with --trace-format", {},
                      joined(trace_format_names()));
  }
  if (!found.front().problem().empty()) refuse_values(path, found);
  if (found.size() == 1) return *found.front().format;
  std::vector<std::string> names;
  for (const Recognised& one : found) names.emplace_back(one.format->name);
  throw ConfigError({path, 0}, "", "its first lines fit several formats of traces; name one with --trace-format", {},
                    joined(names));
}

std::string doubt_of(const TraceFormat& format, const TraceOptions& options) {
  return format.doubt == nullptr ? "" : judge(format, first_lines(options)).problem();
}

// Returns D if the file has one, else Q, else C. Stops reading at the first D.
char action_in(const TraceOptions& options, const TraceFormat& format) {
  LineReader lines = options.lines();
  const std::unique_ptr<LineParser> parser = format.make({});
  bool has_q = false;
  for (std::string_view line; lines.next(line);) {
    ParsedLine parsed;
    LineFault fault;
    if (parser->parse(line, lines.number(), parsed, fault) != LineKind::request) continue;
    if (parsed.action == 'D') return 'D';
    has_q = has_q || parsed.action == 'Q';
  }
  return has_q ? 'Q' : 'C';
}

// Heap order. A flush from the same line as a write precedes the write.
bool later(const TraceRecord& a, const TraceRecord& b) {
  return std::tuple(a.at_ns, a.line, a.op != Op::flush) > std::tuple(b.at_ns, b.line, b.op != Op::flush);
}

bool whole_sectors(const ParsedLine& parsed) {
  return parsed.offset_bytes % kSectorBytes == 0 && parsed.length_bytes % kSectorBytes == 0;
}

std::string described(const LineFault& fault) {
  const std::string value = fault.value.empty() ? "" : " (got " + printable(fault.value) + ")";
  return (fault.key.empty() ? "" : fault.key + ": ") + fault.problem + value;
}

}  // namespace

Trace::Trace(const TraceOptions& options) : options_(options) {
  const bool named_csv = options.format == "csv" || (options.format.empty() && options.columns);
  format_ = named_csv                ? find_trace_format("csv")
            : options.format.empty() ? &recognised_format(options)
                                     : &named_format(options.format);
  const std::string name = format_->name;
  if (named_csv && !options.columns)
    throw ConfigError({"--trace-format", 0}, "", "csv needs --trace-columns, a map that says what its columns mean");
  if (!named_csv && options.columns) throw ConfigError({"--trace-columns", 0}, "", "is only for the format csv", name);
  if (!format_->has_actions && options.action != 0)
    throw ConfigError({"--trace-action", 0}, "", "is only for formats with actions", name, joined(names_with_actions()));
  if (format_->has_actions) action_ = options.action != 0 ? options.action : action_in(options, *format_);
  if (!options.format.empty()) doubt_ = doubt_of(*format_, options);
  parser_ = format_->make({action_, options.columns.value_or(ColumnMap{})});
  lines_ = std::make_unique<LineReader>(options.lines());
}

bool Trace::next(TraceRecord& record) {
  if (!(options_.order == TraceOrder::sort ? next_sorted(record) : next_in_file(record))) return false;
  enforce_order(record);
  if (!origin_) origin_ = record.at_ns;
  latest_ = record.at_ns;
  record.at_ns -= *origin_;
  ++(record.power ? counts_.power_events : counts_.requests);
  return true;
}

// Applies options_.order. With TraceOrder::sort, only records that the window could not reorder are still early here.
void Trace::enforce_order(TraceRecord& record) {
  if (!origin_ || record.at_ns >= latest_) return;
  const std::string early = "is " + std::to_string(latest_ - record.at_ns) + " ns earlier than a record ";
  if (options_.order == TraceOrder::refuse) {
    throw ConfigError({options_.path, record.line}, "", early + "before it", {},
                      "--trace-order clamp, or --trace-order sort");
  }
  if (options_.order == TraceOrder::sort) {
    throw ConfigError({options_.path, record.line}, "", early + std::to_string(kSortWindow) + " places before it", {},
                      "--trace-order clamp");
  }
  record.at_ns = latest_;
}

bool Trace::next_sorted(TraceRecord& record) {
  while (!file_ended_ && window_.size() < kSortWindow) {
    TraceRecord read;
    file_ended_ = !next_in_file(read);
    if (file_ended_) break;
    window_.push_back(read);
    std::push_heap(window_.begin(), window_.end(), later);
  }
  if (window_.empty()) return false;
  std::pop_heap(window_.begin(), window_.end(), later);
  record = window_.back();
  window_.pop_back();
  return true;
}

bool Trace::next_in_file(TraceRecord& record) {
  if (pending_) {
    record = *pending_;
    pending_.reset();
    return true;
  }
  for (std::string_view line; lines_->next(line);) {
    ++counts_.lines;
    if (!parse_line(line, record)) continue;
    if (record.at_ns < latest_in_file_) ++counts_.out_of_order;
    latest_in_file_ = std::max(latest_in_file_, record.at_ns);
    return true;
  }
  return false;
}

bool Trace::parse_line(std::string_view line, TraceRecord& record) {
  ParsedLine parsed;
  LineFault fault;
  const LineKind kind = parser_->parse(line, lines_->number(), parsed, fault);
  if (kind == LineKind::other) count_other(parsed.event);
  if (kind == LineKind::nothing || kind == LineKind::heading) ++counts_.without_request;
  if (kind != LineKind::request && kind != LineKind::bad) return false;
  if (kind == LineKind::bad || !fits(parsed, fault, record)) {
    count_bad(fault);
    return false;
  }
  record.volume = volumes_.number_of(parsed.volume);
  if (record.volume == kMostVolumes)
    throw ConfigError({options_.path, lines_->number()}, "volume", "is one too many", parsed.volume,
                      "up to 65536 volumes in a file");
  if (!options_.volume.empty() && parsed.volume != options_.volume) {
    ++counts_.other_volumes;
    return false;
  }
  if (options_.round_to_sectors && !whole_sectors(parsed)) ++counts_.rounded;
  if (!parsed.flush_before) return true;
  pending_ = record;
  record.op = Op::flush;
  record.offset_bytes = record.length_bytes = 0;
  record.fua = false;
  record.response_ns = std::nullopt;
  ++counts_.flushes_before;
  return true;
}

// Checks the limits of a line; widens it to whole sectors if the user allows that.
bool Trace::fits(const ParsedLine& parsed, LineFault& fault, TraceRecord& record) {
  record = {parsed.time_ns, parsed.offset_bytes, parsed.length_bytes, lines_->number(), 0,
            parsed.op,      parsed.fua,          parsed.response_ns,  parsed.power};
  if (!is_within_limits(parsed, fault)) return false;
  if (parsed.op == Op::flush || parsed.power) {
    record.op = Op::flush;
    record.offset_bytes = record.length_bytes = 0;
    return true;
  }
  if (whole_sectors(parsed) || options_.any_bytes) return true;
  if (!options_.round_to_sectors) {
    const bool offset = parsed.offset_bytes % kSectorBytes != 0;
    fault = {offset ? "offset" : "length", "is not a multiple of 512 bytes",
             std::to_string(offset ? parsed.offset_bytes : parsed.length_bytes), "whole sectors, or --trace-round"};
    return false;
  }
  const std::uint64_t end = (parsed.offset_bytes + parsed.length_bytes + kSectorBytes - 1) / kSectorBytes * kSectorBytes;
  record.offset_bytes = parsed.offset_bytes / kSectorBytes * kSectorBytes;
  record.length_bytes = end - record.offset_bytes;
  return true;
}

void Trace::count_other(std::string_view event) {
  ++counts_.other_events;
  const auto found = counts_.events.find(event);
  if (found != counts_.events.end())
    ++found->second;
  else if (counts_.events.size() < kMostEventNames)
    counts_.events.emplace(event, 1);
}

void Trace::count_bad(const LineFault& fault) {
  if (!options_.skip_bad_lines)
    throw ConfigError({options_.path, lines_->number()}, fault.key, fault.problem, fault.value, fault.allowed);
  if (counts_.bad++ == 0) counts_.first_bad = "line " + std::to_string(lines_->number()) + ": " + described(fault);
}

}  // namespace ftlab
