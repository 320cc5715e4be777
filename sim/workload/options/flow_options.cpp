#include "sim/workload/options/engine.h"
#include "sim/workload/options/option.h"

namespace ftlab {
namespace {

constexpr std::uint64_t kMostClones = 4096;
constexpr std::uint64_t kMostDepth = 65536;

void set_runtime(Settings& s, const Setting& w) {
  const Nanoseconds time = parse_time(w);
  s.runtime = time == Nanoseconds{0} ? std::nullopt : std::optional(time);  // as in fio, 0 means unlimited
}

void set_engine(Settings& s, const Setting& w) {
  s.engine = engine_traits(w);
  s.engine_names_device = w.value == "nbd" || w.value == "libblkio" || s.engine.over_network;
  s.flow.flush_keeps_queue = w.value.starts_with("io_uring");
}

constexpr Option kFlowOptions[] = {
    {"ioengine", "", Form::value, set_engine},
    {"iodepth", "", Form::value, [](Settings& s, const Setting& w) { s.depth = number_between(s, w, 1, kMostDepth); }},
    {"numjobs", "", Form::value, [](Settings& s, const Setting& w) { s.clones = number_between(s, w, 1, kMostClones); }},
    {"direct", "", Form::value, [](Settings& s, const Setting& w) { s.direct = parse_switch(w); }},
    {"buffered", "", Form::value, [](Settings& s, const Setting& w) { s.direct = !parse_switch(w); }},
    {"runtime", "timeout", Form::value, set_runtime},
    {"time_based", "", Form::flag, [](Settings& s, const Setting& w) { s.time_based = parse_switch(w); }},
    {"ramp_time", "", Form::value, [](Settings& s, const Setting& w) { s.ramp = parse_time(w); }},
    {"stonewall", "wait_for_previous", Form::flag, [](Settings& s, const Setting& w) { s.stonewall = parse_switch(w); }},
    {"thread", "", Form::flag, [](Settings&, const Setting& w) { parse_switch(w); }},
    {"invalidate", "", Form::value, [](Settings&, const Setting& w) { parse_switch(w); }},
};

}  // namespace

std::span<const Option> flow_options() { return kFlowOptions; }

}  // namespace ftlab
