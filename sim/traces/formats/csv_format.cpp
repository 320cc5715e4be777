#include <algorithm>

#include "sim/traces/formats/format.h"

namespace ftlab {
namespace {

bool is_among(std::string_view text, const std::vector<std::string>& words) {
  return std::any_of(words.begin(), words.end(), [text](const std::string& word) { return same_word(text, word); });
}

class MappedColumns : public LineParser {
 public:
  explicit MappedColumns(const ColumnMap& map) : map_(map) {}

  LineKind parse(std::string_view line, std::uint64_t number, ParsedLine& parsed, LineFault& fault) override {
    if (without_blanks(line).empty() || line.front() == '#') return LineKind::nothing;
    if (number <= map_.heading_lines) return LineKind::heading;
    Taker take(parsed, fault);
    if (map_.separator == ' ')
      split_at_blanks(line, field_);
    else
      split_at(line, map_.separator, field_);
    if (map_.event && *map_.event < field_.count && !is_among(field_[*map_.event], map_.events))
      return take.other(field_[*map_.event]);
    if (field_.count <= map_.last_column())
      return take.wrong_count(field_, line, std::to_string(map_.last_column() + 1) + " or more, says the column map");
    parsed.volume = "csv";
    if (map_.volume && !take.volume("volume", field_[*map_.volume])) return LineKind::bad;
    if (!take.time("time", field_[map_.time], map_.time_unit_ns) || !take_op(take, field_[map_.op], parsed))
      return LineKind::bad;
    if (parsed.op == Op::flush) return LineKind::request;
    return kind_of(take.offset("offset", field_[map_.offset], map_.offset_unit_bytes) &&
                   take.length("size", field_[map_.size], map_.size_unit_bytes));
  }

 private:
  bool take_op(Taker& take, std::string_view text, ParsedLine& parsed) const {
    if (is_among(text, map_.read))
      parsed.op = Op::read;
    else if (is_among(text, map_.write))
      parsed.op = Op::write;
    else if (is_among(text, map_.trim))
      parsed.op = Op::trim;
    else if (is_among(text, map_.flush))
      parsed.op = Op::flush;
    else
      return take.no("op", "is not an operation of the column map", text, "its read, write, trim and flush");
    return true;
  }

  ColumnMap map_;
  Fields field_;
};

}  // namespace

std::vector<TraceFormat> trace_csv_format() {
  return {{.name = "csv",
           .description = "any columns, with a map of them",
           .make = [](const FormatOptions& options) { return std::make_unique<MappedColumns>(options.columns); },
           .recognisable = false}};
}

}  // namespace ftlab
