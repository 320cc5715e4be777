#include <string>

#include "sim/workload/options/option.h"

namespace ftlab {
namespace {

constexpr std::uint64_t kMostRate = std::uint64_t{1} << 40;
constexpr std::uint64_t kMostMilliseconds = std::uint64_t{1} << 31;
constexpr Nanoseconds kSecond{1'000'000'000};

void set_rates(const Settings& s, const Setting& w, PerDirection<std::uint64_t>& rates) {
  set_by_direction(w, rates, [&](std::string_view part) { return parse_number(w, part, s.kilo, 0, kMostRate); });
}

Nanoseconds microseconds_of(const Setting& w) { return parse_time(w, w.value, "us"); }

Nanoseconds milliseconds_of(const Settings& s, const Setting& w) {
  return Nanoseconds{number_between(s, w, 1, kMostMilliseconds) * 1'000'000};
}

void set_longest(Settings& s, const Setting& w) {
  set_by_direction(w, s.flow.longest, [&](std::string_view part) { return parse_time(w, part, "us"); });
}

SteadyCriterion& criterion(Settings& s) {
  if (!s.flow.steady) s.flow.steady.emplace();
  return *s.flow.steady;
}

// Parses "iops_slope:10.5%"; without the percent sign the limit is absolute, for "lat" in nanoseconds.
void set_steady(Settings& s, const Setting& w) {
  const std::size_t colon = w.value.find(':');
  Setting kind = w;
  kind.value = w.value.substr(0, colon);
  const std::size_t choice = choice_of(kind, "iops iops_slope bw bw_slope lat lat_slope");
  if (colon == w.value.npos) refuse(w, "the limit is missing", "as in iops:20% or bw_slope:1000");
  std::string_view limit = std::string_view(w.value).substr(colon + 1);
  SteadyCriterion& steady = criterion(s);
  steady.figure = static_cast<SteadyCriterion::Figure>(choice / 2);
  steady.slope = choice % 2 == 1;
  steady.percent = limit.ends_with('%');
  if (steady.percent) limit.remove_suffix(1);
  steady.limit = parse_decimal(w, limit, 0, 1e12);
}

void set_delay(Settings& s, const Setting& w) {
  const std::string_view text = w.value;
  const std::size_t dash = text.find('-', 1);
  s.start_delay = parse_time(w, text.substr(0, dash), "s");
  s.flow.start_delay_most = dash == text.npos ? Nanoseconds{0} : parse_time(w, text.substr(dash + 1), "s");
  if (dash != text.npos && s.flow.start_delay_most < s.start_delay) refuse(w, "the range ends before it begins");
}

void set_think_blocks(Settings& s, const Setting& w) { s.flow.think_blocks = number_between(s, w, 1, kLargestNumber); }

constexpr Option kPaceOptions[] = {
    {"rate", "", Form::value, [](Settings& s, const Setting& w) { set_rates(s, w, s.flow.rate_bytes_per_s); }},
    {"rate_iops", "", Form::value, [](Settings& s, const Setting& w) { set_rates(s, w, s.flow.rate_iops); }},
    {"rate_min", "ratemin", Form::value, [](Settings& s, const Setting& w) { set_rates(s, w, s.flow.least_bytes_per_s); }},
    {"rate_iops_min", "", Form::value, [](Settings& s, const Setting& w) { set_rates(s, w, s.flow.least_iops); }},
    {"rate_process", "", Form::value,
     [](Settings& s, const Setting& w) { s.flow.poisson = choice_of(w, "linear poisson") == 1; }},
    {"rate_cycle", "ratecycle", Form::value,
     [](Settings& s, const Setting& w) { s.flow.rate_cycle = milliseconds_of(s, w); }},
    {"rate_ignore_thinktime", "", Form::flag,
     [](Settings& s, const Setting& w) { s.flow.rate_ignores_thinking = parse_switch(w); }},
    {"thinktime", "", Form::value, [](Settings& s, const Setting& w) { s.flow.think = microseconds_of(w); }},
    {"thinktime_spin", "", Form::value, [](Settings& s, const Setting& w) { s.flow.spin = microseconds_of(w); }},
    {"thinktime_iotime", "", Form::value, [](Settings& s, const Setting& w) { s.flow.think_every = microseconds_of(w); }},
    {"thinktime_blocks", "", Form::value, set_think_blocks},
    {"thinktime_blocks_type", "", Form::value,
     [](Settings& s, const Setting& w) { s.flow.think_counts_issued = choice_of(w, "complete issue") == 1; }},
    {"latency_target", "", Form::value, [](Settings& s, const Setting& w) { s.flow.target.latency = microseconds_of(w); }},
    {"latency_window", "", Form::value, [](Settings& s, const Setting& w) { s.flow.target.window = microseconds_of(w); }},
    {"latency_percentile", "", Form::value,
     [](Settings& s, const Setting& w) { s.flow.target.percentile = parse_decimal(w, w.value, 0, 100); }},
    {"latency_run", "", Form::flag, [](Settings& s, const Setting& w) { s.flow.target.keeps_running = parse_switch(w); }},
    {"max_latency", "", Form::value, set_longest},
    {"steadystate", "ss", Form::value, set_steady},
    {"steadystate_duration", "ss_dur", Form::value,
     [](Settings& s, const Setting& w) { criterion(s).duration = parse_time(w); }},
    {"steadystate_ramp_time", "ss_ramp", Form::value,
     [](Settings& s, const Setting& w) { criterion(s).ramp = parse_time(w); }},
    {"steadystate_check_interval", "ss_interval", Form::value,
     [](Settings& s, const Setting& w) { criterion(s).interval = parse_time(w); }},
    {"startdelay", "", Form::value, set_delay},
    {"wait_for", "", Form::text, [](Settings& s, const Setting& w) { s.flow.waits_for = text_of(w); }},
    {"exitall", "", Form::flag, [](Settings& s, const Setting& w) { s.flow.exit_all = parse_switch(w); }},
    {"exitall_on_error", "", Form::flag, [](Settings& s, const Setting& w) { s.flow.exit_all_on_error = parse_switch(w); }},
    {"exit_what", "", Form::value,
     [](Settings& s, const Setting& w) { s.flow.exit_scope = static_cast<ExitScope>(choice_of(w, "group stonewall all")); }},
    {"new_group", "", Form::flag, [](Settings& s, const Setting& w) { s.new_group = parse_switch(w); }},
    {"flow", "", Form::value, [](Settings& s, const Setting& w) { s.flow.weight = number_between(s, w, 0, 1000); }},
    {"flow_id", "", Form::value, [](Settings& s, const Setting& w) { s.flow.flow_id = number_between(s, w, 0, 1u << 31); }},
    {"flow_sleep", "", Form::value, [](Settings& s, const Setting& w) { s.flow.flow_sleep = microseconds_of(w); }},
};

}  // namespace

std::span<const Option> pace_options() { return kPaceOptions; }

}  // namespace ftlab
