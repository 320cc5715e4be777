#include "sim/workload/options/option.h"

namespace ftlab {
namespace {

constexpr std::uint64_t kMostBatch = 65536;

// How the engine sg executes a write.
void set_scsi_writes(Settings& s, const Setting& w) {
  using Kind = Settings::ScsiWrites;
  constexpr Kind kMeant[] = {Kind::plain, Kind::same, Kind::same, Kind::verify, Kind::verify, Kind::verify};
  s.scsi_writes =
      kMeant[choice_of(w, "write write_same write_same_ndob verify_bytchk_00 verify_bytchk_01 verify_bytchk_11")];
}

// How the engine io_uring_cmd executes a write. Write Zeroes is a write of constant content.
void set_nvme_writes(Settings& s, const Setting& w) {
  using Kind = Settings::ScsiWrites;
  constexpr Kind kMeant[] = {Kind::plain, Kind::same, Kind::verify};
  if (w.value.find_first_of("/:") != w.value.npos)
    refuse(w, "a mix of commands is fio's, but not supported here", "one of write zeroes verify");
  if (w.value == "uncor") refuse(w, "sectors that are marked as unreadable are not modelled", "write zeroes verify");
  s.scsi_writes = kMeant[choice_of(w, "write zeroes verify")];
}

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
    {"writefua", "", Form::flag, [](Settings& s, const Setting& w) { s.writes_to_flash = parse_switch(w); }},
    {"sg_write_mode", "", Form::value, set_scsi_writes},
    {"write_mode", "", Form::value, set_nvme_writes},
    {"num_range", "", Form::value, [](Settings& s, const Setting& w) { s.ranges_of_trim = number_between(s, w, 1, 256); }},
    {"end_fsync", "", Form::value, [](Settings& s, const Setting& w) { s.end_flush = parse_switch(w); }},
    {"fsync_on_close", "", Form::value, [](Settings& s, const Setting& w) { s.close_flush = parse_switch(w); }},
};

}  // namespace

std::span<const Option> queue_options() { return kQueueOptions; }

}  // namespace ftlab
