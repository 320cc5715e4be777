#include "sim/workload/option.h"

namespace ftlab {
namespace {

// fio's name for a log with no prefix of its own is the job's name.
std::string log_prefix(const Setting& written) { return written.has_value ? text_of(written) : std::string(); }

void set_log_interval(Settings& s, const Setting& w) {
  s.log_interval = Nanoseconds{number_between(s, w, 0, 1u << 31) * 1'000'000};
}

constexpr Option kOptions[] = {
    {"name", "", Form::text, [](Settings& s, const Setting& w) { s.name = text_of(w); }},
    {"description", "", Form::text, [](Settings&, const Setting&) {}},
    {"group_reporting", "", Form::flag, [](Settings& s, const Setting& w) { s.group_reporting = parse_switch(w); }},
    {"percentile_list", "", Form::value,
     [](Settings& s, const Setting& w) { s.percentiles = parse_percentiles(w); }},
    {"clat_percentiles", "", Form::value,
     [](Settings& s, const Setting& w) { s.completion_percentiles = parse_switch(w); }},
    {"lat_percentiles", "", Form::value, [](Settings& s, const Setting& w) { s.total_percentiles = parse_switch(w); }},
    {"slat_percentiles", "", Form::value,
     [](Settings& s, const Setting& w) { s.submission_percentiles = parse_switch(w); }},
    {"write_bw_log", "", Form::optional, [](Settings& s, const Setting& w) { s.bandwidth_log = log_prefix(w); }},
    {"write_iops_log", "", Form::optional, [](Settings& s, const Setting& w) { s.iops_log = log_prefix(w); }},
    {"write_lat_log", "", Form::optional, [](Settings& s, const Setting& w) { s.latency_log = log_prefix(w); }},
    {"log_avg_msec", "", Form::value, set_log_interval},
};

}  // namespace

std::span<const Option> report_options() { return kOptions; }

}  // namespace ftlab
