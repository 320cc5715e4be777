#include "sim/workload/options/option.h"

namespace ftlab {
namespace {

constexpr std::uint64_t kMostBatch = 65536;

constexpr Option kQueueOptions[] = {
    {"iodepth_low", "", Form::value,
     [](Settings& s, const Setting& w) { s.flow.low_depth = number_between(s, w, 0, kMostBatch); }},
    {"iodepth_batch", "iodepth_batch_submit", Form::value,
     [](Settings& s, const Setting& w) { s.flow.submit_batch = number_between(s, w, 0, kMostBatch); }},
    {"iodepth_batch_complete_min", "iodepth_batch_complete", Form::value,
     [](Settings& s, const Setting& w) { s.flow.reap_least = number_between(s, w, 0, kMostBatch); }},
    {"iodepth_batch_complete_max", "", Form::value,
     [](Settings& s, const Setting& w) { s.flow.reap_most = number_between(s, w, 0, kMostBatch); }},
    {"io_submit_mode", "", Form::value,
     [](Settings& s, const Setting& w) { s.flow.offload = choice_of(w, "inline offload") == 1; }},
    {"serialize_overlap", "", Form::flag, [](Settings& s, const Setting& w) { s.flow.serialize_overlap = parse_switch(w); }},
    {"fsync", "", Form::value,
     [](Settings& s, const Setting& w) { s.flow.flush_every = number_between(s, w, 0, kLargestNumber); }},
    {"fdatasync", "", Form::value,
     [](Settings& s, const Setting& w) { s.flow.data_flush_every = number_between(s, w, 0, kLargestNumber); }},
    {"write_barrier", "", Form::value,
     [](Settings& s, const Setting& w) { s.flow.barrier_every = number_between(s, w, 0, kLargestNumber); }},
    {"sync", "", Form::value,
     [](Settings& s, const Setting& w) { s.flow.forced_writes = choice_of(w, "none 0 sync 1 dsync") >= 2; }},
    {"end_fsync", "", Form::value, [](Settings& s, const Setting& w) { s.end_flush = parse_switch(w); }},
    {"fsync_on_close", "", Form::value, [](Settings& s, const Setting& w) { s.close_flush = parse_switch(w); }},
};

}  // namespace

std::span<const Option> queue_options() { return kQueueOptions; }

}  // namespace ftlab
