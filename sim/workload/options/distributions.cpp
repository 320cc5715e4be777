
#include "sim/config/split.h"
#include "sim/workload/options/kinds.h"

namespace ftlab {
namespace {

constexpr std::size_t kMostZones = 64;  // as in fio

void check_parameter(const Setting& w, const Spread& spread) {
  const double p = spread.parameter;
  if (spread.kind == Spread::Kind::zipf && p == 1)
    refuse(w, "fio refuses zipf with theta 1", "another theta, as 0.99 or 1.01");
  if (spread.kind == Spread::Kind::zipf && !(p >= 0 && p <= 100)) refuse(w, "theta out of range", "0 to 100, but not 1");
  if (spread.kind == Spread::Kind::pareto && !(p > 0 && p < 1)) refuse(w, "h out of range", "above 0, below 1");
  if (spread.kind == Spread::Kind::normal && !(p >= 0 && p < 100))
    refuse(w, "the deviation is out of range", "0 to 99 (percent)");
}

// Parses "1.2", "1.2:0.25", or an empty text.
void parse_law(const Setting& w, Spread& spread, std::string_view text) {
  constexpr double kDefaults[] = {0, 1.1, 0.2, 0};  // fio's defaults
  spread.parameter = kDefaults[static_cast<std::size_t>(spread.kind)];
  const std::size_t colon = text.find(':');
  if (!text.empty()) spread.parameter = parse_fraction(w, text.substr(0, colon), "the parameter of the distribution");
  check_parameter(w, spread);
  if (colon == text.npos) return;
  const double centre = parse_fraction(w, text.substr(colon + 1), "the centre of the distribution");
  if (centre == -1) return;  // as in fio, -1 means no centre
  if (!(centre >= 0 && centre <= 1)) refuse(w, "the centre is out of range", "0 to 1");
  spread.centre = centre;
}

}  // namespace

double parse_fraction(const Setting& w, std::string_view text, const char* what) {
  const auto number = parsed<double>(text, std::chars_format::fixed);
  if (!number) refuse(w, std::string(what) + " is not a number");
  return *number;
}

std::optional<Spread> parse_skew(const Setting& w) {
  const std::string_view value = w.value;
  const std::size_t colon = value.find(':');
  const std::string_view name = value.substr(0, colon);
  Spread spread;
  if (name == "zipf") spread.kind = Spread::Kind::zipf;
  if (name == "pareto") spread.kind = Spread::Kind::pareto;
  if (name == "normal" || name == "gauss") spread.kind = Spread::Kind::normal;
  if (spread.kind == Spread::Kind::uniform) return std::nullopt;
  parse_law(w, spread, colon == value.npos ? std::string_view() : value.substr(colon + 1));
  return spread;
}

namespace {

// Parses "50/5": 50 % of the requests go to the next 5 % of the region, or to the next 5 bytes. Zones without a size share
// what the others leave.
Spread::Zone parse_zone(const Draft& s, const Setting& w, std::string_view text, bool in_bytes, bool& open) {
  const std::size_t slash = text.find('/');
  open = slash == text.npos || slash + 1 == text.size();
  if (open && in_bytes) refuse(w, "size of a zone missing", "SHARE/SIZE, as in 60/20g:40/100g");
  Spread::Zone zone;
  zone.access_percent = static_cast<std::uint32_t>(parse_number(w, text.substr(0, slash), s.kilo, 1, 100));
  if (!open) zone.size = parse_number(w, text.substr(slash + 1), s.kilo, 1, in_bytes ? kLargestNumber : 100);
  return zone;
}

void divide_rest(const Setting& w, std::vector<Spread::Zone>& zones, const std::vector<std::size_t>& open) {
  std::uint64_t sum = 0;
  for (const Spread::Zone& zone : zones) sum += zone.size;
  if (sum > 100) refuse(w, "the sizes of the zones add to " + std::to_string(sum) + " %", "at most 100");
  if (!open.empty() && (100 - sum) / open.size() == 0) refuse(w, "nothing is left for the zones without a size");
  for (const std::size_t index : open) zones[index].size = (100 - sum) / open.size();
}

std::vector<Spread::Zone> parse_zones(const Draft& s, const Setting& w, std::string_view text, bool in_bytes) {
  std::vector<Spread::Zone> zones;
  std::vector<std::size_t> open;
  std::uint32_t access = 0;
  for (const std::string_view part : split(text, ':')) {
    bool is_open = false;
    zones.push_back(parse_zone(s, w, part, in_bytes, is_open));
    if (is_open) open.push_back(zones.size() - 1);
    access += zones.back().access_percent;
    if (zones.size() > kMostZones) refuse(w, "too many zones", "at most 64");
  }
  if (access != 100)
    refuse(w, "the shares of the zones add to " + std::to_string(access), "shares that add to 100, as in zoned:60/10:40/90");
  if (!in_bytes) divide_rest(w, zones, open);
  return zones;
}

}  // namespace

void set_spread(Draft& s, const Setting& w) {
  using Kind = Spread::Kind;
  const std::string_view value = w.value;
  const std::size_t colon = value.find(':');
  const std::string_view rest = colon == value.npos ? std::string_view() : value.substr(colon + 1);
  Spread spread;
  spread.kind = static_cast<Kind>(
      choice_of(w, value.substr(0, colon), "random zipf pareto normal zoned zoned_abs sequence", "unknown distribution"));
  if (spread.kind == Kind::uniform && colon != value.npos) refuse(w, "random takes no parameter", "random");
  spread.sequence_advances = s.spread.sequence_advances;
  if (spread.kind == Kind::sequence) {
    for (const std::string_view block : split(rest, ','))
      spread.sequence.push_back(parse_number(w, block, s.kilo, 0, std::uint64_t{1} << 53));
  } else if (spread.kind >= Kind::zoned) {
    const auto parse = [&](std::string_view part) { return parse_zones(s, w, part, spread.kind == Kind::zoned_abs); };
    set_by_direction(w, rest, spread.zones, "lists of zones", parse, false);
  } else if (spread.kind != Kind::uniform) {
    parse_law(w, spread, rest);
  }
  s.spread = spread;
}

// Parses "25" or "0,50,100".
void set_random_percent(Draft& s, const Setting& w) {
  const auto parse = [&](std::string_view part) {
    return static_cast<std::uint32_t>(parse_number(w, part, s.kilo, 0, 100));
  };
  set_by_direction(w, w.value, s.random_percent, "percentages", parse, false);
}

}  // namespace ftlab
