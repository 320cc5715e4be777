#include <algorithm>
#include <array>
#include <charconv>

#include "sim/workload/options/option.h"

namespace ftlab {
namespace {

constexpr std::size_t kMostZones = 64;  // as in fio

std::size_t index_of_name(const Setting& w, std::string_view name, std::span<const char* const> names, const char* problem) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  std::string allowed;
  for (const char* known : names) allowed += (allowed.empty() ? "" : " ") + std::string(known);
  refuse(w, problem, allowed, nearest_name(name, {names.begin(), names.end()}));
}

void set_random_generator(Settings& s, const Setting& w) {
  constexpr std::array<const char*, 3> kNames = {"tausworthe", "lfsr", "tausworthe64"};
  s.random_kind = static_cast<RandomKind>(index_of_name(w, w.value, kNames, "unknown generator"));
}

double parse_fraction(const Setting& w, std::string_view text, const char* what) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  if (error != std::errc() || end != text.data() + text.size()) refuse(w, std::string(what) + " is not a number");
  return number;
}

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
Spread::Zone parse_zone(const Settings& s, const Setting& w, std::string_view text, bool in_bytes, bool& open) {
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

std::vector<Spread::Zone> parse_zones(const Settings& s, const Setting& w, std::string_view rest, bool in_bytes) {
  std::vector<Spread::Zone> zones;
  std::vector<std::size_t> open;
  std::uint32_t access = 0;
  while (true) {
    const std::size_t colon = rest.find(':');
    bool is_open = false;
    zones.push_back(parse_zone(s, w, rest.substr(0, colon), in_bytes, is_open));
    if (is_open) open.push_back(zones.size() - 1);
    access += zones.back().access_percent;
    if (zones.size() > kMostZones) refuse(w, "too many zones", "at most 64");
    if (colon == rest.npos) break;
    rest.remove_prefix(colon + 1);
  }
  if (access != 100)
    refuse(w, "the shares of the zones add to " + std::to_string(access), "shares that add to 100, as in zoned:60/10:40/90");
  if (!in_bytes) divide_rest(w, zones, open);
  return zones;
}

void parse_all_zones(const Settings& s, const Setting& w, Spread& spread, std::string_view rest) {
  for (std::size_t direction = 0; direction < kDirectionCount; ++direction) {
    const std::size_t comma = rest.find(',');
    const auto zones = parse_zones(s, w, rest.substr(0, comma), spread.kind == Spread::Kind::zoned_abs);
    std::fill(spread.zones.begin() + direction,
              comma == rest.npos ? spread.zones.end() : spread.zones.begin() + direction + 1, zones);
    if (comma == rest.npos) return;
    rest.remove_prefix(comma + 1);
  }
  refuse(w, "too many lists of zones", "up to three: read,write,trim");
}

// Parses block numbers like "2,0,1".
void parse_sequence(const Settings& s, const Setting& w, Spread& spread, std::string_view rest) {
  for (bool last = false; !last;) {
    const std::size_t comma = rest.find(',');
    last = comma == rest.npos;
    spread.sequence.push_back(parse_number(w, rest.substr(0, comma), s.kilo, 0, std::uint64_t{1} << 53));
    if (!last) rest.remove_prefix(comma + 1);
  }
}

void set_spread(Settings& s, const Setting& w) {
  constexpr std::array<const char*, 7> kNames = {"random", "zipf", "pareto", "normal", "zoned", "zoned_abs", "sequence"};
  const std::string_view value = w.value;
  const std::size_t colon = value.find(':');
  const std::string_view rest = colon == value.npos ? std::string_view() : value.substr(colon + 1);
  Spread spread;
  spread.kind = static_cast<Spread::Kind>(index_of_name(w, value.substr(0, colon), kNames, "unknown distribution"));
  if (spread.kind == Spread::Kind::uniform && colon != value.npos) refuse(w, "random takes no parameter", "random");
  spread.sequence_advances = s.spread.sequence_advances;
  if (spread.kind == Spread::Kind::sequence)
    parse_sequence(s, w, spread, rest);
  else if (spread.kind >= Spread::Kind::zoned)
    parse_all_zones(s, w, spread, rest);
  else if (spread.kind != Spread::Kind::uniform)
    parse_law(w, spread, rest);
  s.spread = spread;
}

// Parses "25" or "0,50,100".
void set_random_percent(Settings& s, const Setting& w) {
  std::string_view rest = w.value;
  for (std::size_t direction = 0; direction < kDirectionCount; ++direction) {
    const std::size_t comma = rest.find(',');
    const auto percent = static_cast<std::uint32_t>(parse_number(w, rest.substr(0, comma), s.kilo, 0, 100));
    std::fill(s.random_percent.begin() + direction,
              comma == rest.npos ? s.random_percent.end() : s.random_percent.begin() + direction + 1, percent);
    if (comma == rest.npos) return;
    rest.remove_prefix(comma + 1);
  }
  refuse(w, "too many percentages", "up to three: read,write,trim");
}

void set_sequencer(Settings& s, const Setting& w) {
  constexpr std::array<const char*, 2> kNames = {"sequential", "identical"};
  s.repeat_offset = index_of_name(w, w.value, kNames, "unknown order after a random start") == 1;
}

void set_seed(Settings& s, const Setting& w) {
  s.seed = parse_number(w, w.value, s.kilo);
  s.seed_given = true;
}

void set_spare(Settings& s, const Setting& w) {
  const double spare = parse_fraction(w, w.value, "the spare capacity");
  if (!(spare >= 0.001 && spare <= 10))
    refuse(w, "the spare capacity is out of range", "0.001 to 10, as a part: 0.15 is 15 %");
  s.steady_fill.spare_millionths = static_cast<std::uint64_t>(spare * 1e6 + 0.5);
}

constexpr Option kRandomOptions[] = {
    {"random_sequence_stride", "", Form::flag,
     [](Settings& s, const Setting& w) { s.spread.sequence_advances = parse_switch(w); }},
    {"sprandom", "", Form::flag, [](Settings& s, const Setting& w) { s.steady_fill.on = parse_switch(w); }},
    {"spr_op", "", Form::value, set_spare},
    {"spr_num_regions", "", Form::value,
     [](Settings& s, const Setting& w) {
       s.steady_fill.parts = static_cast<std::uint32_t>(number_between(s, w, 1, 1'000'000));
     }},
    {"spr_cs", "", Form::value,
     [](Settings& s, const Setting& w) { s.steady_fill.cache_bytes = number_between(s, w, 0, kLargestNumber); }},
    {"norandommap", "", Form::flag, [](Settings& s, const Setting& w) { s.random_map = !parse_switch(w); }},
    {"softrandommap", "", Form::flag, [](Settings&, const Setting& w) { parse_switch(w); }},
    {"random_generator", "", Form::value, set_random_generator},
    {"random_distribution", "", Form::value, set_spread},
    {"percentage_random", "", Form::value, set_random_percent},
    {"rw_sequencer", "", Form::value, set_sequencer},
    {"randrepeat", "", Form::value, [](Settings& s, const Setting& w) { s.repeat_order = parse_switch(w); }},
    {"allrandrepeat", "", Form::value, [](Settings&, const Setting& w) { parse_switch(w); }},
    {"randseed", "", Form::value, set_seed},
};

}  // namespace

std::span<const Option> random_options() { return kRandomOptions; }

}  // namespace ftlab
