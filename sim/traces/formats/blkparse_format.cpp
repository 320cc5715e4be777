// The default text of blkparse: "major,minor cpu sequence time pid action rwbs sector + sectors [process]". One request goes
// through several actions, each with a line of its own, so one action is picked. Messages (action m) are for people, but for
// those of our own recordings: they say where the power failed.
#include "sim/traces/formats/format.h"

namespace ftlab {
namespace {

constexpr std::size_t kFirstFields = 7;  // up to rwbs, which every request has

class Blkparse : public LineParser {
 public:
  explicit Blkparse(char action) : action_(action) {}

  LineKind parse(std::string_view line, std::uint64_t, ParsedLine& parsed, LineFault& fault) override {
    Taker take(parsed, fault);
    split_at_blanks(line, field_);
    if (in_totals_ || field_.count == 0 || field_[0].front() == '#' || line.starts_with("Input file"))
      return LineKind::nothing;
    if (line.starts_with("CPU") || line.starts_with("Total (")) {
      in_totals_ = true;  // the table with which blkparse ends its output
      return LineKind::nothing;
    }
    if (field_.count < kFirstFields || field_[0].find(',') == field_[0].npos) {
      return take.wrong_count(field_, line, "major,minor cpu sequence time pid action rwbs sector + sectors [process]");
    }
    if (field_[5] == "m" && field_.count > 7 && field_[7] == kPowerMessage) return kind_of(take_power(take, parsed));
    if (!is_picked(field_[5])) return LineKind::nothing;
    return take_request(take, parsed);
  }

 private:
  bool is_picked(std::string_view action) const {
    if (action.size() != 1) return false;
    return action_ == 0 ? std::string_view("QDC").find(action) != std::string_view::npos : action.front() == action_;
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

  // rwbs: an F before the letter of the operation asks for a flush first, one behind it for a forced unit access; S, M and A
  // (synchronous, metadata, read-ahead) change nothing for the drive; N is a command that is no request for blocks.
  LineKind take_request(Taker& take, ParsedLine& parsed) {
    const std::string_view rwbs = field_[6];
    const std::size_t letter = rwbs.find_first_of("RWDN");
    const bool flush_first = rwbs.starts_with('F');
    const bool has_sectors = field_.count > 9 && field_[8] == "+";
    if (letter == rwbs.npos && !flush_first)
      return kind_of(take.no("rwbs", "names no operation", rwbs, "R, W, D (discard), F (flush) or N, and further letters"));
    if (letter != rwbs.npos && rwbs[letter] == 'N') return LineKind::nothing;
    if (!take.time("time", field_[3], kSecondNs) || !take.volume("device", field_[0])) return LineKind::bad;
    if (flush_first && (letter == rwbs.npos || !has_sectors || field_[9] == "0")) {
      parsed.op = Op::flush;
      return LineKind::request;
    }
    if (!has_sectors)
      return kind_of(take.no("sector", "is not followed by + and a number of sectors", field_.count > 7 ? field_[7] : "",
                             "SECTOR + SECTORS"));
    parsed.op = rwbs[letter] == 'R' ? Op::read : rwbs[letter] == 'W' ? Op::write : Op::trim;
    parsed.flush_before = flush_first;
    parsed.fua = parsed.op == Op::write && rwbs.find('F', letter) != rwbs.npos;
    return kind_of(take.offset("sector", field_[7], kSectorBytes) && take.length("sectors", field_[9], kSectorBytes));
  }

  char action_;
  Fields field_;
  bool in_totals_ = false;
};

}  // namespace

// Without an action any of Q, D and C is a request.
std::vector<TraceFormat> trace_blkparse_format() {
  return {{"blkparse", "blkparse's default text; one action is taken (Q, D or C)",
           [](const FormatOptions& options) -> std::unique_ptr<LineParser> {
             return std::make_unique<Blkparse>(options.action);
           }}};
}

}  // namespace ftlab
