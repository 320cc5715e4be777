#include <algorithm>
#include <cmath>

#include "sim/workload/options/option.h"

namespace ftlab {
namespace {

constexpr std::uint64_t kMostOpenZones = std::uint64_t{1} << 32;

std::uint64_t number_of_zones(const Settings& s, const Setting& w) { return number_between(s, w, 0, kMostOpenZones); }

void set_zone_capacity(Settings& s, const Setting& w) {
  s.zbd.capacity_bytes = number_between(s, w, kSectorBytes, kLargestNumber);
  check_whole_sectors(w, s.zbd.capacity_bytes, s.kilo);
}

// As in fio, every 1/frequency-th write resets a zone.
void set_zone_reset_frequency(Settings& s, const Setting& w) {
  const double share = parse_decimal(w, w.value, 0, 1);
  s.zbd.writes_per_reset = share == 0 ? 0 : static_cast<std::uint64_t>(std::floor(std::min(1 / share, 1e15)));
}

constexpr Option kZoneOptions[] = {
    {"zonecapacity", "", Form::value, set_zone_capacity},
    {"max_open_zones", "", Form::value, [](Settings& s, const Setting& w) { s.zbd.most_open = number_of_zones(s, w); }},
    {"job_max_open_zones", "", Form::value,
     [](Settings& s, const Setting& w) { s.zbd.job_most_open = number_of_zones(s, w); }},
    {"ignore_zone_limits", "", Form::flag, [](Settings& s, const Setting& w) { s.zbd.ignores_limits = parse_switch(w); }},
    {"read_beyond_wp", "", Form::flag, [](Settings& s, const Setting& w) { s.zbd.reads_beyond_pointer = parse_switch(w); }},
    {"zone_reset_threshold", "", Form::value,
     [](Settings& s, const Setting& w) { s.zbd.reset_threshold = parse_decimal(w, w.value, 0, 1); }},
    {"zone_reset_frequency", "", Form::value, set_zone_reset_frequency},
    // Of SPDK's plug-in:
    {"zone_append", "", Form::flag, [](Settings& s, const Setting& w) { s.zbd.appends = parse_switch(w); }},
    {"initial_zone_reset", "", Form::flag, [](Settings& s, const Setting& w) { s.zbd.resets_first = parse_switch(w); }},
};

}  // namespace

std::span<const Option> zone_options() { return kZoneOptions; }

}  // namespace ftlab
