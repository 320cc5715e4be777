// Default text of blkparse: "major,minor cpu sequence time pid action rwbs sector + sectors [process]". A request has one
// line for each action, so one action is picked. Messages (action m) are counted as other events, except those of ftlab's
// own recordings, which mark power events.
#include "sim/traces/formats/format.h"
#include "sim/traces/formats/rwbs.h"

namespace ftlab {
namespace {

constexpr std::size_t kFirstFields = 7;  // up to rwbs, which every request has
constexpr char kForm[] = "major,minor cpu sequence time pid action rwbs sector + sectors [process]";

class Blkparse : public LineParser {
 public:
  explicit Blkparse(char action) : action_(action) {}

  LineKind parse(std::string_view line, std::uint64_t, ParsedLine& parsed, LineFault& fault) override {
    Taker take(parsed, fault);
    split_at_blanks(line, field_);
    if (field_.count == 0 || field_[0].front() == '#') return LineKind::nothing;
    if (!is_device_number(field_[0])) return beside_events(take, line);
    in_totals_ = false;
    if (field_.count < kFirstFields) return take.wrong_count(field_, line, kForm);
    if (field_[5] == "m" && field_.count > 7 && field_[7] == kPowerMessage) return kind_of(take_power(take, parsed));
    parsed.action = field_[5].size() == 1 ? field_[5].front() : '\0';
    if (!is_picked(action_, parsed.action)) return take.other(field_[5]);
    return take_request(take, parsed);
  }

 private:
  // Accepts the totals that end blkparse's output; the output of another run may follow.
  LineKind beside_events(Taker& take, std::string_view line) {
    in_totals_ = in_totals_ || line.starts_with("CPU") || line.starts_with("Total (");
    return in_totals_ || line.starts_with("Input file") ? LineKind::nothing : take.wrong_count(field_, line, kForm);
  }

  bool take_power(Taker& take, ParsedLine& parsed) {
    if (!take.time("time", field_[3], kSecondNs) || !take.volume("device", field_[0])) return false;
    const std::string_view event = field_.count > 8 ? field_[8] : "", value = field_.count > 9 ? field_[9] : "";
    const bool cut = event == kPowerCut;
    if (!cut && event != kWatchFlash)
      return take.no("message", "is none of ftlab's", event, "watch-flash, power-cut fates=SEED");
    parsed.power.kind = cut ? PowerEvent::Kind::cut : PowerEvent::Kind::watch_flash;
    const bool has_seed = cut && value.starts_with(kFates) && read_number(value.substr(kFates.size()), parsed.power.fates);
    if (cut && !has_seed) return take.no("power-cut", "has no seed of fates", value, "fates=SEED, below 2^64");
    if (field_.count > (cut ? 10u : 9u))
      return take.no(event, "is followed by more than belongs to it", field_[cut ? 10 : 9], "");
    return true;
  }

  LineKind take_request(Taker& take, ParsedLine& parsed) {
    if (!take.time("time", field_[3], kSecondNs) || !take.volume("device", field_[0])) return LineKind::bad;
    const bool has_sectors = field_.count > 9 && field_[8] == "+";
    return take_rwbs(take, parsed, field_[6], field_.count > 7 ? field_[7] : "", has_sectors ? field_[9] : "");
  }

  char action_;
  Fields field_;
  bool in_totals_ = false;
};

}  // namespace

std::vector<TraceFormat> trace_blkparse_format() {
  return {{.name = "blkparse",
           .description = "blkparse's default text; one action is taken (Q, D or C)",
           .make = [](const FormatOptions& options) { return std::make_unique<Blkparse>(options.action); },
           .has_actions = true}};
}

}  // namespace ftlab
