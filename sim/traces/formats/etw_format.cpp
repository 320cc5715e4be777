// Event Tracing for Windows as written by xperf and published by SNIA for Microsoft's servers: lines "EVENT, TimeStamp,
// ...", times in us, hexadecimal numbers. The lines before EndHeader name the columns of each event. DiskRead, DiskWrite and
// DiskFlush are requests; TimeStamp is the time at which one began.
#include <algorithm>
#include <array>

#include "sim/traces/formats/format.h"

namespace ftlab {
namespace {

struct EventColumns {
  const char* event;
  Op op;
  std::size_t offset, size, elapsed, disk;  // column; 0 if absent
};

constexpr std::array<EventColumns, 3> kUsualColumns = {
    {{"DiskRead", Op::read, 5, 6, 7, 8}, {"DiskWrite", Op::write, 5, 6, 7, 8}, {"DiskFlush", Op::flush, 0, 0, 5, 6}}};

class EtwEvents : public LineParser {
 public:
  LineKind parse(std::string_view line, std::uint64_t, ParsedLine& parsed, LineFault& fault) override {
    Taker take(parsed, fault);
    split_at(line, ',', field_);
    const std::string_view event = field_[0];
    if (without_blanks(line).empty() || event.starts_with('#')) return LineKind::nothing;
    if (field_.count == 1 && (event == "BeginHeader" || event == "EndHeader")) return LineKind::heading;
    EventColumns* columns = columns_of(event);
    if (field_.count > 1 && field_[1] == "TimeStamp")
      return columns == nullptr ? LineKind::heading : heading(take, *columns);
    if (event.starts_with("OS Version")) return take.other("OS Version");
    if (columns == nullptr) return other_event(take, line);
    return take_request(take, parsed, line, *columns);
  }

 private:
  EventColumns* columns_of(std::string_view event) {
    for (EventColumns& columns : columns_)
      if (event == columns.event) return &columns;
    return nullptr;
  }

  std::size_t column(std::string_view name) const {
    for (std::size_t i = 2; i < std::min(field_.count, kMostFields); ++i)
      if (field_[i] == name) return i;
    return 0;
  }

  LineKind heading(Taker& take, EventColumns& columns) {
    columns = {columns.event, columns.op, column("ByteOffset"), column("IOSize"), column("ElapsedTime"), column("DiskNum")};
    const bool has_place = columns.op == Op::flush || (columns.offset > 0 && columns.size > 0);
    if (has_place && columns.disk > 0) return LineKind::heading;
    return kind_of(take.no("heading", "names no columns of a request", columns.event, "ByteOffset, IOSize and DiskNum"));
  }

  LineKind other_event(Taker& take, std::string_view line) {
    std::uint64_t time = 0;
    const char first = field_[0].empty() ? '\0' : lower(field_[0].front());
    if (first < 'a' || first > 'z' || field_.count < 2 || !read_number(field_[1], time))
      return take.wrong_count(field_, line, "EVENT, TimeStamp, and the columns that the heading names");
    return take.other(field_[0]);
  }

  LineKind take_request(Taker& take, ParsedLine& parsed, std::string_view line, const EventColumns& columns) {
    if (field_.count <= std::max({columns.offset, columns.size, columns.disk}))
      return take.wrong_count(field_, line, "EVENT, TimeStamp, and the columns that the heading names");
    parsed.op = columns.op;
    if (columns.elapsed > 0 && columns.elapsed < field_.count) take.response(field_[columns.elapsed], kMicrosecondNs);
    if (!take.time("TimeStamp", field_[1], kMicrosecondNs) || !take.volume("DiskNum", field_[columns.disk]))
      return LineKind::bad;
    return kind_of(columns.op == Op::flush ||
                   (take.offset("ByteOffset", field_[columns.offset], 1) && take.length("IOSize", field_[columns.size], 1)));
  }

  std::array<EventColumns, 3> columns_ = kUsualColumns;
  Fields field_;
};

}  // namespace

std::vector<TraceFormat> trace_etw_format() {
  return {{.name = "etw",
           .description = "Windows events as xperf writes them, with the columns TimeStamp, ByteOffset and IOSize",
           .make = [](const FormatOptions&) { return std::make_unique<EtwEvents>(); }}};
}

}  // namespace ftlab
