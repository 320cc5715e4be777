// Linux block events as text: ftrace (trace, trace_pipe), trace-cmd report and perf script, which differ before the time.
// "task-pid [cpu] flags seconds: EVENT: major,minor rwbs [bytes] [(command)] sector + sectors [process]". A request has
// several events; one of them is picked, named by blkparse's letter for it.
#include <algorithm>

#include "sim/traces/formats/format.h"
#include "sim/traces/formats/rwbs.h"

namespace ftlab {
namespace {

constexpr char kForm[] = "task-pid [cpu] flags seconds: EVENT: major,minor rwbs sector + sectors [process]";

char action_of(std::string_view event) {
  if (event == "block_bio_queue") return 'Q';
  if (event == "block_rq_issue") return 'D';
  return event == "block_rq_complete" ? 'C' : '\0';
}

bool ends_in_colon(std::string_view text) { return text.size() > 1 && text.back() == ':'; }

class Ftrace : public LineParser {
 public:
  explicit Ftrace(char action) : action_(action) {}

  LineKind parse(std::string_view line, std::uint64_t, ParsedLine& parsed, LineFault& fault) override {
    Taker take(parsed, fault);
    split_at_blanks(line, field_);
    if (field_.count == 0 || field_[0].front() == '#') return LineKind::nothing;
    if (line.starts_with("cpus=") || line.starts_with("version =")) return LineKind::nothing;  // header of trace-cmd
    if (is_loss(line)) return take.other("lost events");
    const std::size_t time = time_field();
    if (time == 0) return take.wrong_count(field_, line, kForm);
    const std::string_view event = event_at(time + 1);
    parsed.action = action_of(event);
    if (!is_picked(action_, parsed.action)) return take.other(event);
    return take_request(take, parsed, line, time);
  }

 private:
  static bool is_loss(std::string_view line) {
    return line.starts_with("CPU") && (line.find(" EVENTS]") != line.npos || line.find(" EVENTS DROPPED]") != line.npos);
  }

  // Index of the first timestamp that is followed by an event; 0 if none.
  std::size_t time_field() const {
    const std::size_t count = std::min(field_.count, kMostFields);
    for (std::size_t i = 1; i + 1 < count; ++i) {
      std::uint64_t ns = 0;
      const std::string_view text = field_[i];
      if (ends_in_colon(text) && ends_in_colon(field_[i + 1]) && read_time(text.substr(0, text.size() - 1), kSecondNs, ns))
        return i;
    }
    return 0;
  }

  // Name of the event, without the colon and without perf's prefix "block:".
  std::string_view event_at(std::size_t i) const {
    std::string_view event = field_[i].substr(0, field_[i].size() - 1);
    if (event.starts_with("block:")) event.remove_prefix(6);
    return event;
  }

  // The fields between rwbs and the sector differ by event and version; the sector is before the first +.
  LineKind take_request(Taker& take, ParsedLine& parsed, std::string_view line, std::size_t time) {
    const std::size_t device = time + 2, rwbs = time + 3, count = std::min(field_.count, kMostFields);
    if (count <= rwbs) return take.wrong_count(field_, line, kForm);
    if (!is_device_number(field_[device]))
      return kind_of(take.no("device", "is not a device number", field_[device], "MAJOR,MINOR"));
    const std::string_view seconds = field_[time].substr(0, field_[time].size() - 1);
    if (!take.time("time", seconds, kSecondNs) || !take.volume("device", field_[device])) return LineKind::bad;
    std::size_t plus = rwbs + 1;
    while (plus < count && field_[plus] != "+") ++plus;
    const bool has_sectors = plus + 1 < count && plus > rwbs + 1;
    return take_rwbs(take, parsed, field_[rwbs], has_sectors ? field_[plus - 1] : line, has_sectors ? field_[plus + 1] : "");
  }

  char action_;
  Fields field_;
};

}  // namespace

std::vector<TraceFormat> trace_ftrace_format() {
  return {{.name = "ftrace",
           .description = "block events of ftrace, trace-cmd and perf script; one event is taken",
           .make = [](const FormatOptions& options) { return std::make_unique<Ftrace>(options.action); },
           .has_actions = true}};
}

}  // namespace ftlab
