#include "sim/traces/formats/recognise.h"

#include <algorithm>

namespace ftlab {
namespace {

constexpr std::size_t kLinesToRecognise = 1024;  // a Windows trace has several hundred heading lines
constexpr std::size_t kBytesToRecognise = std::size_t{1} << 20;

struct Tally {
  std::vector<ParsedLine> requests;
  std::uint64_t headings = 0, others = 0;

  bool fits(std::uint64_t bad) const { return headings > 0 || (!requests.empty() && bad <= requests.size() + others); }
};

Recognised read_as(const TraceFormat& format, const std::vector<std::string>& lines, Tally& tally) {
  Recognised read{&format, {}, 0, 0};
  const std::unique_ptr<LineParser> parser = format.make({});
  for (std::size_t i = 0; i < lines.size(); ++i) {
    ParsedLine parsed;
    LineFault fault;
    const LineKind kind = parser->parse(lines[i], i + 1, parsed, fault);
    const bool is_request = kind == LineKind::request && is_within_limits(parsed, fault);
    if (is_request) tally.requests.push_back(parsed);
    if (kind == LineKind::heading) read.heading_line = i + 1;
    tally.headings += kind == LineKind::heading ? 1 : 0;
    tally.others += kind == LineKind::other ? 1 : 0;
    read.bad += kind == LineKind::bad || (kind == LineKind::request && !is_request) ? 1 : 0;
  }
  if (format.doubt != nullptr) read.doubt = format.doubt(tally.requests);
  return read;
}

bool is_possible(const Recognised& read) { return read.doubt.reason.empty(); }

template <class Keep>
void keep(std::vector<Recognised>& all, Keep which) {
  all.erase(std::remove_if(all.begin(), all.end(), [&](const Recognised& one) { return !which(one); }), all.end());
}

std::string unit_key(const char* key, std::uint64_t bytes) {
  return bytes == 1 ? "" : std::string(",\"") + key + "\":\"sector\"";
}

std::string map_of(const Recognised& read) {
  if (!read.doubt.units) return "a map of its columns";
  const TraceUnits& units = *read.doubt.units;
  return std::string("{") + read.format->columns + ",\"time_unit\":\"" + time_unit_name(units.time) + "\"" +
         unit_key("offset_unit", units.offset) + unit_key("size_unit", units.size) +
         (read.heading_line > 0 ? ",\"heading_lines\":" + std::to_string(read.heading_line) : "") + "}";
}

}  // namespace

std::string Recognised::problem() const {
  return is_possible(*this) ? "" : std::string("its columns are those of ") + format->name + ", but " + doubt.reason;
}

std::string Recognised::remedy() const {
  return "--trace-columns MAP.json with " + map_of(*this) + ", or --trace-format " + format->name +
         " if the values are right";
}

void append_first_lines(LineReader& reader, std::vector<std::string>& lines) {
  std::size_t bytes = 0;
  for (std::string_view line; lines.size() < kLinesToRecognise && bytes < kBytesToRecognise && reader.next(line);) {
    lines.emplace_back(line);
    bytes += line.size();
  }
}

Recognised judge(const TraceFormat& format, const std::vector<std::string>& lines) {
  Tally tally;
  return read_as(format, lines, tally);
}

std::vector<Recognised> recognise_format(const std::vector<std::string>& lines) {
  std::vector<Recognised> found;
  for (const TraceFormat& format : trace_formats()) {
    if (!format.recognisable) continue;
    Tally tally;
    Recognised read = read_as(format, lines, tally);
    if (tally.fits(read.bad)) found.push_back(std::move(read));
  }
  std::uint64_t fewest = ~std::uint64_t{0};
  for (const Recognised& read : found) fewest = std::min(fewest, read.bad);
  keep(found, [fewest](const Recognised& read) { return read.bad == fewest; });
  if (std::any_of(found.begin(), found.end(), is_possible)) keep(found, is_possible);
  return found;
}

}  // namespace ftlab
