// Logs that fio writes with write_iolog and reads with read_iolog. Lines have a time in version 3; version 2 has only waits.
#include <algorithm>

#include "sim/traces/formats/format.h"

namespace ftlab {
namespace {

constexpr char kActions[] = "add, open, close, wait, read, write, trim, sync, datasync";

class FioLog : public LineParser {
 public:
  explicit FioLog(int version) : version_(version) {}

  LineKind parse(std::string_view line, std::uint64_t number, ParsedLine& parsed, LineFault& fault) override {
    Taker take(parsed, fault);
    if (number == 1) return first_line(take, line);
    split_at_blanks(line, field_);
    if (field_.count == 0) return LineKind::nothing;
    const std::size_t before_file = version_ == 3 ? 1 : 0;
    if (field_.count < before_file + 2) return take.wrong_count(field_, line, form());
    if (version_ == 3 && !take.time("timestamp", field_[0], kMicrosecondNs)) return LineKind::bad;
    if (version_ == 2) parsed.time_ns = waited_ns_;
    parsed.volume = field_[before_file];
    return act(take, parsed, line, field_[before_file + 1], before_file + 2);
  }

 private:
  const char* form() const {
    return version_ == 3 ? "TIMESTAMP FILE ACTION, or TIMESTAMP FILE ACTION OFFSET LENGTH"
                         : "FILE ACTION, or FILE ACTION OFFSET LENGTH";
  }

  LineKind first_line(Taker& take, std::string_view line) const {
    const std::string wanted = "fio version " + std::to_string(version_) + " iolog";
    return without_blanks(line) == wanted ? LineKind::heading
                                          : kind_of(take.no("", "is not the first line of such a log", line, wanted));
  }

  // `first` is the index of the field after the action.
  LineKind act(Taker& take, ParsedLine& parsed, std::string_view line, std::string_view action, std::size_t first) {
    if (action == "add" || action == "open" || action == "close") return LineKind::nothing;
    const bool is_sync = action == "sync" || action == "datasync";
    const bool is_wait = action == "wait" && version_ == 2;
    if (is_sync && field_.count == first) {
      parsed.op = Op::flush;
      return LineKind::request;
    }
    if (field_.count != first + 2) {
      if (!is_sync && !is_wait && action != "read" && action != "write" && action != "trim")
        return kind_of(take.no("action", "is not known", action, kActions));
      return take.wrong_count(field_, line, form());
    }
    if (is_wait) return wait(take, field_[first]);
    if (is_sync)
      parsed.op = Op::flush;
    else if (action == "read")
      parsed.op = Op::read;
    else if (action == "write")
      parsed.op = Op::write;
    else if (action == "trim")
      parsed.op = Op::trim;
    else
      return kind_of(take.no("action", "is not known", action, kActions));
    return kind_of(take.offset("offset", field_[first], 1) && take.length("length", field_[first + 1], 1));
  }

  // The manual says relative microseconds, but fio 3.33 waits until this many milliseconds after the start.
  LineKind wait(Taker& take, std::string_view text) {
    std::uint64_t until = 0;
    if (!read_time(text, kMillisecondNs, until))
      return kind_of(take.no("wait", "is not a number of milliseconds", text, "digits"));
    waited_ns_ = std::max(waited_ns_, until);
    return LineKind::nothing;
  }

  int version_;
  Fields field_;
  std::uint64_t waited_ns_ = 0;
};

template <int kVersion>
std::unique_ptr<LineParser> make_fio(const FormatOptions&) {
  return std::make_unique<FioLog>(kVersion);
}

}  // namespace

std::vector<TraceFormat> trace_fio_format() {
  return {{"fio-v2", "fio iolog, version 2", make_fio<2>}, {"fio-v3", "fio iolog, version 3", make_fio<3>}};
}

}  // namespace ftlab
