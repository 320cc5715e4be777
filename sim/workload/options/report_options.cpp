#include "sim/workload/options/option.h"

namespace ftlab {
namespace {

// As in fio, a log without a prefix is named after the job.
std::string log_prefix(const Setting& written) { return written.has_value ? text_of(written) : std::string(); }

void set_log_interval(Settings& s, const Setting& w) {
  s.log_interval = Nanoseconds{number_between(s, w, 0, 1u << 31) * 1'000'000};
}

Nanoseconds window_of(const Settings& s, const Setting& w) {
  return Nanoseconds{number_between(s, w, 1, 1u << 31) * 1'000'000};
}

void set_histogram_interval(Settings& s, const Setting& w) {
  s.choices.histogram_interval = Nanoseconds{number_between(s, w, 0, 1u << 31) * 1'000'000};
}

void set_unified(Settings& s, const Setting& w) {
  constexpr Unified kMeant[] = {Unified::apart, Unified::apart, Unified::mixed,
                                Unified::mixed, Unified::both,  Unified::both};
  s.choices.unified = kMeant[choice_of(w, "none 0 mixed 1 both 2")];
}

constexpr Option kReportOptions[] = {
    {"name", "", Form::text, [](Settings& s, const Setting& w) { s.name = text_of(w); }},
    {"description", "", Form::text, [](Settings&, const Setting&) {}},
    {"group_reporting", "", Form::flag, [](Settings& s, const Setting& w) { s.group_reporting = parse_switch(w); }},
    {"percentile_list", "", Form::value, [](Settings& s, const Setting& w) { s.percentiles = parse_percentiles(w); }},
    {"clat_percentiles", "", Form::value, [](Settings& s, const Setting& w) { s.completion_percentiles = parse_switch(w); }},
    {"lat_percentiles", "", Form::value, [](Settings& s, const Setting& w) { s.total_percentiles = parse_switch(w); }},
    {"slat_percentiles", "", Form::value, [](Settings& s, const Setting& w) { s.submission_percentiles = parse_switch(w); }},
    {"write_bw_log", "", Form::optional, [](Settings& s, const Setting& w) { s.bandwidth_log = log_prefix(w); }},
    {"write_iops_log", "", Form::optional, [](Settings& s, const Setting& w) { s.iops_log = log_prefix(w); }},
    {"write_lat_log", "", Form::optional, [](Settings& s, const Setting& w) { s.latency_log = log_prefix(w); }},
    {"log_avg_msec", "", Form::value, set_log_interval},
    {"write_hist_log", "", Form::optional, [](Settings& s, const Setting& w) { s.choices.histogram_log = log_prefix(w); }},
    {"log_hist_msec", "", Form::value, set_histogram_interval},
    {"log_hist_coarseness", "", Form::value,
     [](Settings& s, const Setting& w) {
       s.choices.histogram_coarseness = static_cast<std::uint32_t>(number_between(s, w, 0, 6));
     }},
    {"log_max_value", "", Form::flag, [](Settings& s, const Setting& w) { s.choices.log_largest = parse_switch(w); }},
    {"log_offset", "", Form::flag, [](Settings& s, const Setting& w) { s.choices.log_offset = parse_switch(w); }},
    {"log_prio", "", Form::flag, [](Settings& s, const Setting& w) { s.choices.log_priority = parse_switch(w); }},
    {"per_job_logs", "", Form::value, [](Settings& s, const Setting& w) { s.choices.logs_by_job = parse_switch(w); }},
    {"bwavgtime", "", Form::value, [](Settings& s, const Setting& w) { s.choices.bandwidth_window = window_of(s, w); }},
    {"iopsavgtime", "", Form::value, [](Settings& s, const Setting& w) { s.choices.iops_window = window_of(s, w); }},
    {"stats", "", Form::value, [](Settings& s, const Setting& w) { s.choices.reported = parse_switch(w); }},
    {"unified_rw_reporting", "", Form::value, set_unified},
};

}  // namespace

std::span<const Option> report_options() { return kReportOptions; }

}  // namespace ftlab
