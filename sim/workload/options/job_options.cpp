#include <bit>
#include <cmath>

#include "sim/workload/options/kinds.h"

namespace ftlab {
namespace {

constexpr std::uint64_t kMostClones = 4096;
constexpr std::uint64_t kMostDepth = 65536;
constexpr std::uint64_t kMostFiles = 4096;
constexpr std::uint64_t kMostBacklog = std::uint64_t{1} << 32;
constexpr std::uint64_t kMostOpenZones = std::uint64_t{1} << 32;
constexpr std::uint64_t kMostRate = std::uint64_t{1} << 40;
constexpr std::uint64_t kMost32Bits = 0xffffffff;
constexpr std::size_t kMostHandles = 128;  // reclaim unit handles of NVMe
constexpr std::uint64_t kMostHandle = 127;

void set_kilo(Draft& d, const Setting& w) {
  if (w.value != "1000" && w.value != "1024") refuse(w, "must be one of two numbers", "1000, 1024");
  d.kilo = w.value == "1000" ? 1000 : 1024;
}

template <std::optional<Amount> Draft::*member>
void amount(Draft& d, const Setting& w) {
  const Amount written = parse_amount(w, d.kilo);
  d.*member = written.number == 0 ? std::nullopt : std::optional(written);  // as in fio, 0 means not given
}

void set_filename(Draft& d, const Setting& w) {
  std::vector<std::string> names = names_of(w);
  if (names.size() > kMostFiles) refuse(w, "too many files", "at most 4096");
  d.filenames = std::move(names);
}

// Parses "roundrobin", "random:8" or "zipf:1.2".
void set_file_service(Draft& d, const Setting& w) {
  FileService& service = d.file_service;
  service = {FileService::Kind::roundrobin, {}, 1, service.open};
  if (const std::optional<Spread> skew = parse_skew(w)) {
    service.kind = FileService::Kind::skewed;
    service.spread = *skew;
    service.spread.scattered = false;
    return;
  }
  const std::size_t colon = w.value.find(':');
  service.kind = static_cast<FileService::Kind>(choice_of(
      w, w.value.substr(0, colon), "roundrobin sequential random zipf pareto normal", "unknown way to choose a file"));
  if (colon != w.value.npos)
    service.requests = parse_number(w, w.value.substr(colon + 1), d.kilo, 1, std::uint64_t{1} << 40);
}

// Parses "64m", or "64m-128m", which is a random size for each file.
void set_filesize(Draft& d, const Setting& w) {
  const std::string_view value = w.value;
  const std::size_t dash = value.find('-', 1);
  const std::uint64_t least = parse_number(w, value.substr(0, dash), d.kilo, kSectorBytes, kLargestNumber);
  std::uint64_t most = 0;
  if (dash != value.npos) most = parse_number(w, value.substr(dash + 1), d.kilo, kSectorBytes, kLargestNumber);
  if (dash != value.npos && most < least) refuse(w, "the range ends before it begins", "LEAST-MOST");
  d.file_bytes = least;
  d.most_file_bytes = most == least ? 0 : most;
}

void set_request_limit(Draft& d, const Setting& w) {
  const std::uint64_t limit = number_between(d, w, 0, kLargestNumber);
  d.request_limit = limit == 0 ? std::nullopt : std::optional(limit);
}

void set_loops(Draft& d, const Setting& w) { d.loops = std::max<std::uint64_t>(number_between(d, w, 0, 1u << 31), 1); }

void set_zone_mode(Draft& d, const Setting& w) {
  const std::size_t mode = choice_of(w, "none strided zbd");
  d.zoned = mode == 1;
  d.zbd.on = mode == 2;
}

// As in fio, every 1/frequency-th write resets a zone.
void set_zone_reset_frequency(Draft& d, const Setting& w) {
  const double share = parse_decimal(w, w.value, 0, 1);
  d.zbd.writes_per_reset = share == 0 ? 0 : static_cast<std::uint64_t>(std::floor(std::min(1 / share, 1e15)));
}

void set_spare(Draft& d, const Setting& w) {
  const double spare = parse_fraction(w, w.value, "the spare capacity");
  if (!(spare >= 0.001 && spare <= 10))
    refuse(w, "the spare capacity is out of range", "0.001 to 10, as a part: 0.15 is 15 %");
  d.steady_fill.spare_millionths = static_cast<std::uint64_t>(spare * 1e6 + 0.5);
}

// An option of the content of writes.
template <void (*set)(Draft&, const Setting&)>
void content(Draft& d, const Setting& w) {
  set(d, w);
  d.content.asked_for = true;
}

// As in fio, this one also refills the buffers.
template <auto member>
void content_percent(Draft& d, const Setting& w) {
  content<number<0, 100, &Draft::content, member>>(d, w);
  d.content.refill = true;
}

void set_pattern(Draft& d, const Setting& w) { d.content.pattern = parse_byte_pattern(w); }

void set_zeros(Draft& d, const Setting& w) {
  d.content.pattern = parse_switch(w) ? std::optional(std::string(1, '\0')) : std::nullopt;
}

void set_data_placement(Draft& d, const Setting& w) {
  const std::size_t choice = choice_of(w, "none fdp streams");
  d.placed = choice > 0;
  d.by_stream_ids = choice == 2;
}

// Parses "0,1,4" or "0,2-4": indices of placement identifiers (fdp), or stream numbers.
void set_handles(Draft& d, const Setting& w) {
  std::vector<std::uint8_t> streams;
  for (const std::string_view part : split(w.value, ',')) {
    const std::size_t dash = part.find('-', 1);
    const std::uint64_t first = parse_number(w, part.substr(0, dash), d.kilo, 0, kMostHandle);
    const std::uint64_t last = dash == part.npos ? first : parse_number(w, part.substr(dash + 1), d.kilo, 0, kMostHandle);
    if (last < first) refuse(w, "a range ends before it begins", "as 2-4");
    for (std::uint64_t one = first; one <= last; ++one) streams.push_back(static_cast<std::uint8_t>(one));
  }
  if (streams.size() > kMostHandles) refuse(w, "too many placement identifiers", "at most 128");
  d.placement.streams = std::move(streams);
}

void set_handle_choice(Draft& d, const Setting& w) {
  const std::size_t choice = choice_of(w, "roundrobin random scheme");
  d.placement.by_chance = choice == 1;
  d.placed_by_scheme = choice == 2;
}

// Checksums differ only in the bytes that they add to a block; here versions stand for all of them.
void set_verify(Draft& d, const Setting& w) {
  d.verify.on = w.value != "0" && w.value != "null";
  if (w.value != "0")
    choice_of(w, w.value,
              "md5 crc64 crc32c crc32c-intel crc32 crc16 crc7 xxhash sha512 sha256 sha1 sha3-224 sha3-256 sha3-384 sha3-512 "
              "meta pattern pattern_hdr null",
              "unknown way to verify");
}

void set_trim_verify(Draft&, const Setting& w) {
  if (!parse_switch(w)) refuse(w, "would leave trimmed blocks out of what is read back", "1, as by default");
}

void set_verify_interval(Draft& d, const Setting& w) {
  if (number_between(d, w, 1, std::uint64_t{1} << 30) % kSectorBytes != 0)
    refuse(w, "versions are kept for whole sectors", "a multiple of 512");
}

void set_runtime(Draft& d, const Setting& w) {
  const Nanoseconds time = parse_time(w);
  d.runtime = time == Nanoseconds{0} ? std::nullopt : std::optional(time);  // as in fio, 0 means unlimited
}

template <PerDirection<std::uint64_t> Flow::*rates>
void rate(Draft& d, const Setting& w) {
  set_by_direction(w, w.value, d.flow.*rates, "values",
                   [&](std::string_view part) { return parse_number(w, part, d.kilo, 0, kMostRate); });
}

void set_longest(Draft& d, const Setting& w) {
  set_by_direction(w, w.value, d.flow.longest, "values", [&](std::string_view part) { return parse_time(w, part, "us"); });
}

SteadyCriterion& criterion(Draft& d) { return d.flow.steady ? *d.flow.steady : d.flow.steady.emplace(); }

template <Nanoseconds SteadyCriterion::*time>
void steady_time(Draft& d, const Setting& w) {
  criterion(d).*time = parse_time(w);
}

// Parses "iops_slope:10.5%"; without the percent sign the limit is absolute, for "lat" in nanoseconds.
void set_steady(Draft& d, const Setting& w) {
  const std::size_t colon = w.value.find(':');
  Setting kind = w;
  kind.value = w.value.substr(0, colon);
  const std::size_t choice = choice_of(kind, "iops iops_slope bw bw_slope lat lat_slope");
  if (colon == w.value.npos) refuse(w, "the limit is missing", "as in iops:20% or bw_slope:1000");
  std::string_view limit = std::string_view(w.value).substr(colon + 1);
  SteadyCriterion& steady = criterion(d);
  steady.figure = static_cast<SteadyCriterion::Figure>(choice / 2);
  steady.slope = choice % 2 == 1;
  steady.percent = limit.ends_with('%');
  if (steady.percent) limit.remove_suffix(1);
  steady.limit = parse_decimal(w, limit, 0, 1e12);
}

void set_delay(Draft& d, const Setting& w) {
  const std::string_view value = w.value;
  const std::size_t dash = value.find('-', 1);
  d.start_delay = parse_time(w, value.substr(0, dash), "s");
  d.flow.start_delay_most = dash == value.npos ? Nanoseconds{0} : parse_time(w, value.substr(dash + 1), "s");
  if (dash != value.npos && d.flow.start_delay_most < d.start_delay) refuse(w, "the range ends before it begins");
}

using Command = Draft::WriteCommand;

// How the engine sg executes a write.
void set_scsi_writes(Draft& d, const Setting& w) {
  constexpr Command kMeant[] = {Command::plain,  Command::same,   Command::same,
                                Command::verify, Command::verify, Command::verify};
  d.write_command =
      kMeant[choice_of(w, "write write_same write_same_ndob verify_bytchk_00 verify_bytchk_01 verify_bytchk_11")];
}

// How the engine io_uring_cmd executes a write. Write Zeroes is a write of constant content.
void set_nvme_writes(Draft& d, const Setting& w) {
  if (w.value.find_first_of("/:") != w.value.npos)
    refuse(w, "a mix of commands is fio's, but not supported here", "one of write zeroes verify");
  if (w.value == "uncor") refuse(w, "sectors that are marked as unreadable are not modelled", "write zeroes verify");
  choice<"write zeroes verify", &Draft::write_command>(d, w);
}

// As in fio, a log without a prefix is named after the job.
template <auto... members>
void log_prefix(Draft& d, const Setting& w) {
  assign<members...>(d, w.has_value ? text_of(w) : std::string());
}

// Parses a list like "write,trim".
void set_skips(Draft& d, const Setting& w) {
  d.replay_rules.skips = {};
  for (const std::string_view part : split(w.value, ',')) {
    Setting one = w;
    one.value = part;
    d.replay_rules.skips[choice_of(one, "read write trim sync")] = true;
  }
}

void set_replay_align(Draft& d, const Setting& w) {
  number<0, kMost32Bits, &Draft::replay_rules, &ReplayRules::align>(d, w);
  if (d.replay_rules.align != 0 && !std::has_single_bit(d.replay_rules.align))
    refuse(w, "is not a power of two, which fio requires", "0, 512, 1k, 2k, 4k, ...");
}

void set_sequence_log(Draft& d, const Setting& w) {
  if (text_of(w).find('/') != std::string::npos)
    refuse(w, "would leave the result folder; the sequence is written there as NAME_iolog.N.log", "a name without /");
  d.sequence_log = {w.value, {}};
}

using D = Draft;
constexpr Option kJobOptions[] = {
    // Access: directions, places and amounts.
    {"kb_base", "", Form::value, set_kilo},
    {"rw", "readwrite", Form::value, [](D& d, const Setting& w) { d.pattern = parse_pattern(w, d.kilo), d.rw = w.value; }},
    {"size", "", Form::value, amount<&D::size>},
    {"io_size", "io_limit", Form::value, amount<&D::io_size>},
    {"offset", "fileoffset", Form::value, [](D& d, const Setting& w) { d.offset = parse_amount(w, d.kilo); }},
    {"offset_increment", "", Form::value, [](D& d, const Setting& w) { d.offset_increment = parse_amount(w, d.kilo); }},
    {"offset_align", "", Form::value, sectors<0, &D::offset_align>},
    {"filesize", "", Form::value, set_filesize},
    {"fill_device", "fill_fs", Form::flag, on_off<&D::fill_device>},
    {"nrfiles", "nr_files", Form::value, number<1, kMostFiles, &D::file_count>},
    {"openfiles", "", Form::value, number<1, kMostFiles, &D::file_service, &FileService::open>},
    {"file_service_type", "", Form::value, set_file_service},
    {"zonemode", "", Form::value, set_zone_mode},
    {"zonesize", "", Form::value, sectors<kSectorBytes, &D::zones, &StridedZones::bytes>},
    {"zonerange", "", Form::value, sectors<kSectorBytes, &D::zones, &StridedZones::range_bytes>, "zonemode=strided"},
    {"zoneskip", "", Form::value, sectors<0, &D::zones, &StridedZones::skip_bytes>, "zonemode=strided"},
    {"number_ios", "", Form::value, set_request_limit},
    {"loops", "", Form::value, set_loops},
    {"filename", "", Form::text, set_filename},
    {"directory", "", Form::text, text<>},
    {"rwmixread", "", Form::value, number<0, 100, &D::read_percent>},
    {"rwmixwrite", "", Form::value,
     [](D& d, const Setting& w) { d.read_percent = static_cast<std::uint32_t>(100 - number_between(d, w, 0, 100)); }},

    // Zones that are written in order.
    {"zonecapacity", "", Form::value, sectors<kSectorBytes, &D::zbd, &ZbdRules::capacity_bytes>, "zonemode=zbd"},
    {"max_open_zones", "", Form::value, number<0, kMostOpenZones, &D::zbd, &ZbdRules::most_open>, "zonemode=zbd"},
    {"job_max_open_zones", "", Form::value, number<0, kMostOpenZones, &D::zbd, &ZbdRules::job_most_open>, "zonemode=zbd"},
    {"ignore_zone_limits", "", Form::flag, on_off<&D::zbd, &ZbdRules::ignores_limits>, "zonemode=zbd"},
    {"read_beyond_wp", "", Form::flag, on_off<&D::zbd, &ZbdRules::reads_beyond_pointer>, "zonemode=zbd"},
    {"zone_reset_threshold", "", Form::value, decimal<0, 1, &D::zbd, &ZbdRules::reset_threshold>, "zonemode=zbd"},
    {"zone_reset_frequency", "", Form::value, set_zone_reset_frequency, "zonemode=zbd"},
    {"zone_append", "", Form::flag, on_off<&D::zbd, &ZbdRules::appends>, "zonemode=zbd"},  // this and the next: of SPDK
    {"initial_zone_reset", "", Form::flag, on_off<&D::zbd, &ZbdRules::resets_first>, "zonemode=zbd"},

    // Block sizes and alignment.
    {"bs", "blocksize", Form::value, set_block_sizes},
    {"bsrange", "blocksize_range", Form::value, set_block_range},
    {"bssplit", "", Form::value, set_block_split},
    {"ba", "blockalign", Form::value, set_alignment},
    {"bs_unaligned", "blocksize_unaligned", Form::flag, on_off<&D::any_size>},
    {"bs_is_seq_rand", "", Form::flag, on_off<&D::sizes_by_order>},

    // Randomness: distributions, maps, generators, seeds.
    {"random_sequence_stride", "", Form::flag, on_off<&D::spread, &Spread::sequence_advances>},
    {"sprandom", "", Form::flag, on_off<&D::steady_fill, &SteadyFillRules::on>},
    {"spr_op", "", Form::value, set_spare, "sprandom=1"},
    {"spr_num_regions", "", Form::value, number<1, 1'000'000, &D::steady_fill, &SteadyFillRules::parts>, "sprandom=1"},
    {"spr_cs", "", Form::value, number<0, kLargestNumber, &D::steady_fill, &SteadyFillRules::cache_bytes>, "sprandom=1"},
    {"norandommap", "", Form::flag, [](D& d, const Setting& w) { d.random_map = !parse_switch(w); }},
    {"softrandommap", "", Form::flag, on_off<>},
    {"random_generator", "", Form::value,
     [](D& d, const Setting& w) {
       d.random_kind = static_cast<RandomKind>(choice_of(w, w.value, "tausworthe lfsr tausworthe64", "unknown generator"));
     }},
    {"random_distribution", "", Form::value, set_spread},
    {"percentage_random", "", Form::value, set_random_percent},
    {"rw_sequencer", "", Form::value,
     [](D& d, const Setting& w) {
       d.repeat_offset = choice_of(w, w.value, "sequential identical", "unknown order after a random start") == 1;
     }},
    {"randrepeat", "", Form::value, on_off<&D::repeat_order>},
    {"allrandrepeat", "", Form::value, on_off<>},
    {"randseed", "", Form::value, [](D& d, const Setting& w) { d.seed = parse_number(w, w.value, d.kilo); }},

    // Content and placement of writes.
    {"fdp", "", Form::flag, on_off<&D::placed>},
    {"dataplacement", "", Form::value, set_data_placement},
    {"plids", "fdp_pli", Form::value, set_handles},
    {"plid_select", "fdp_pli_select", Form::value, set_handle_choice},
    {"dp_scheme", "", Form::text, text<>},
    {"dedupe_global", "", Form::flag, on_off<&D::content, &ContentRules::shared>},
    // Lifetimes as Linux passes them on. A drive with streams uses them as stream numbers; an unknown lifetime is 0.
    {"write_hint", "", Form::value, choice<"none short medium long extreme", &D::stream>},
    {"zero_buffers", "", Form::flag, content<set_zeros>},
    {"refill_buffers", "", Form::flag, content<on_off<&D::content, &ContentRules::refill>>},
    {"scramble_buffers", "", Form::value, content<on_off<&D::content, &ContentRules::scramble>>},
    {"buffer_compress_percentage", "", Form::value, content_percent<&ContentRules::compress_percent>},
    {"buffer_compress_chunk", "", Form::value, content<number<1, 1 << 30, &D::content, &ContentRules::chunk_bytes>>},
    {"buffer_pattern", "", Form::text, content<set_pattern>},
    {"dedupe_percentage", "", Form::value, content_percent<&ContentRules::dedupe_percent>},
    {"dedupe_mode", "", Form::value,
     [](D& d, const Setting& w) {
       d.content.dedupe =
           static_cast<ContentRules::Dedupe>(choice_of(w, w.value, "repeat working_set", "unknown way to repeat content"));
     }},
    {"dedupe_working_set_percentage", "", Form::value, number<0, 100, &D::content, &ContentRules::working_set_percent>},

    // Verification of written data.
    {"verify", "", Form::value, set_verify},
    {"do_verify", "", Form::value, on_off<&D::verify, &VerifyRules::read_back>},
    {"verify_only", "", Form::flag, on_off<&D::verify, &VerifyRules::only>},
    {"verify_fatal", "", Form::value, on_off<&D::verify, &VerifyRules::fatal>},
    {"verify_backlog", "", Form::value, number<0, kMostBacklog, &D::verify, &VerifyRules::backlog>},
    {"verify_backlog_batch", "", Form::value, number<0, kMostBacklog, &D::verify, &VerifyRules::backlog_batch>},
    {"trim_percentage", "", Form::value, number<0, 100, &D::verify, &VerifyRules::trim_percent>},
    {"trim_backlog", "", Form::value, number<0, kMostBacklog, &D::verify, &VerifyRules::trim_backlog>},
    {"trim_backlog_batch", "", Form::value, number<0, kMostBacklog, &D::verify, &VerifyRules::trim_batch>},
    {"trim_verify_zero", "", Form::value, set_trim_verify},
    {"verify_pattern", "", Form::text, [](D&, const Setting& w) { parse_byte_pattern(w, true); }},
    {"verify_interval", "", Form::value, set_verify_interval},
    {"verify_offset", "", Form::value, number<0, 1 << 30>},
    {"verify_dump", "", Form::value, on_off<>},
    {"verify_async", "", Form::value, number<0, 65536>},
    {"verify_async_cpus", "", Form::text, text<>},
    {"verify_state_save", "", Form::value, on_off<>},
    {"verify_header_seed", "", Form::value, on_off<>},
    {"verify_write_sequence", "", Form::value, on_off<>},

    // Issue of requests: engines, depth, time, the order of jobs.
    {"ioengine", "", Form::value, set_engine},
    {"iodepth", "", Form::value, number<1, kMostDepth, &D::depth>},
    {"numjobs", "", Form::value, number<1, kMostClones, &D::clones>},
    {"direct", "", Form::value, on_off<&D::direct>},
    {"buffered", "", Form::value, [](D& d, const Setting& w) { d.direct = !parse_switch(w); }},
    {"runtime", "timeout", Form::value, set_runtime},
    {"time_based", "", Form::flag, on_off<&D::time_based>},
    {"ramp_time", "", Form::value, seconds<&D::ramp>},
    {"stonewall", "wait_for_previous", Form::flag, on_off<&D::stonewall>},
    {"thread", "", Form::flag, on_off<>},
    {"invalidate", "", Form::value, on_off<>},

    // Pace: rates, pauses, targets, steady state, and how jobs share or end a run.
    {"rate", "", Form::value, rate<&Flow::rate_bytes_per_s>},
    {"rate_iops", "", Form::value, rate<&Flow::rate_iops>},
    {"rate_min", "ratemin", Form::value, rate<&Flow::least_bytes_per_s>},
    {"rate_iops_min", "", Form::value, rate<&Flow::least_iops>},
    {"rate_process", "", Form::value, choice<"linear poisson", &D::flow, &Flow::poisson>, "a rate"},
    {"rate_cycle", "ratecycle", Form::value, milliseconds<1, &D::flow, &Flow::rate_cycle>},
    {"rate_ignore_thinktime", "", Form::flag, on_off<&D::flow, &Flow::rate_ignores_thinking>, "a rate"},
    {"thinktime", "", Form::value, microseconds<&D::flow, &Flow::think>},
    {"thinktime_spin", "", Form::value, microseconds<&D::flow, &Flow::spin>, "thinktime"},
    {"thinktime_iotime", "", Form::value, microseconds<&D::flow, &Flow::think_every>, "thinktime"},
    {"thinktime_blocks", "", Form::value, number<1, kLargestNumber, &D::flow, &Flow::think_blocks>, "thinktime"},
    {"thinktime_blocks_type", "", Form::value, choice<"complete issue", &D::flow, &Flow::think_counts_issued>, "thinktime"},
    {"latency_target", "", Form::value, microseconds<&D::flow, &Flow::target, &LatencyTarget::latency>},
    {"latency_window", "", Form::value, microseconds<&D::flow, &Flow::target, &LatencyTarget::window>, "latency_target"},
    {"latency_percentile", "", Form::value, decimal<0, 100, &D::flow, &Flow::target, &LatencyTarget::percentile>,
     "latency_target"},
    {"latency_run", "", Form::flag, on_off<&D::flow, &Flow::target, &LatencyTarget::keeps_running>, "latency_target"},
    {"max_latency", "", Form::value, set_longest},
    {"steadystate", "ss", Form::value, set_steady},
    {"steadystate_duration", "ss_dur", Form::value, steady_time<&SteadyCriterion::duration>, "steadystate"},
    {"steadystate_ramp_time", "ss_ramp", Form::value, steady_time<&SteadyCriterion::ramp>, "steadystate"},
    {"steadystate_check_interval", "ss_interval", Form::value, steady_time<&SteadyCriterion::interval>, "steadystate"},
    {"startdelay", "", Form::value, set_delay},
    {"wait_for", "", Form::text, text<&D::flow, &Flow::waits_for>},
    {"exitall", "", Form::flag, on_off<&D::flow, &Flow::exit_all>},
    {"exitall_on_error", "", Form::flag, on_off<&D::flow, &Flow::exit_all_on_error>},
    {"exit_what", "", Form::value, choice<"group stonewall all", &D::flow, &Flow::exit_scope>},
    {"new_group", "", Form::flag, on_off<&D::new_group>},
    {"flow", "", Form::value, number<0, 1000, &D::flow, &Flow::weight>},
    {"flow_id", "", Form::value, number<0, 1u << 31, &D::flow, &Flow::flow_id>, "flow"},
    {"flow_sleep", "", Form::value, microseconds<&D::flow, &Flow::flow_sleep>, "flow"},

    // Queue and durability: batches, overlaps, flushes.
    {"iodepth_low", "", Form::value, number<0, kMostDepth, &D::flow, &Flow::low_depth>},
    {"iodepth_batch", "iodepth_batch_submit", Form::value, number<0, kMostDepth, &D::flow, &Flow::submit_batch>},
    {"iodepth_batch_complete_min", "iodepth_batch_complete", Form::value,
     number<0, kMostDepth, &D::flow, &Flow::reap_least>},
    {"iodepth_batch_complete_max", "", Form::value, number<0, kMostDepth, &D::flow, &Flow::reap_most>},
    {"io_submit_mode", "", Form::value, choice<"inline offload", &D::flow, &Flow::offload>},
    {"serialize_overlap", "", Form::flag, on_off<&D::flow, &Flow::serialize_overlap>},
    {"fsync", "", Form::value, number<0, kLargestNumber, &D::flow, &Flow::flush_every>},
    {"fdatasync", "", Form::value, number<0, kLargestNumber, &D::flow, &Flow::data_flush_every>},
    {"write_barrier", "", Form::value, number<0, kLargestNumber, &D::flow, &Flow::barrier_every>},
    {"sync", "", Form::value,
     [](D& d, const Setting& w) { d.flow.forced_writes = choice_of(w, "none 0 sync 1 dsync") >= 2; }},
    {"writefua", "", Form::flag, on_off<&D::writes_to_flash>},
    {"sg_write_mode", "", Form::value, set_scsi_writes},
    {"write_mode", "", Form::value, set_nvme_writes},
    {"num_range", "", Form::value, number<1, 256, &D::ranges_of_trim>},
    {"end_fsync", "", Form::value, on_off<&D::end_flush>},
    {"fsync_on_close", "", Form::value, on_off<&D::close_flush>},

    // Content and form of the report.
    {"name", "", Form::text, text<&D::name>},
    {"description", "", Form::text, any_value},
    {"group_reporting", "", Form::flag, on_off<&D::group_reporting>},
    {"percentile_list", "", Form::value, [](D& d, const Setting& w) { d.percentiles = parse_percentiles(w); }},
    {"clat_percentiles", "", Form::value, on_off<&D::completion_percentiles>},
    {"lat_percentiles", "", Form::value, on_off<&D::total_percentiles>},
    {"slat_percentiles", "", Form::value, on_off<&D::submission_percentiles>},
    {"write_bw_log", "", Form::optional, log_prefix<&D::bandwidth_log>},
    {"write_iops_log", "", Form::optional, log_prefix<&D::iops_log>},
    {"write_lat_log", "", Form::optional, log_prefix<&D::latency_log>},
    {"log_avg_msec", "", Form::value, milliseconds<0, &D::log_interval>},
    {"write_hist_log", "", Form::optional, log_prefix<&D::choices, &ReportOptions::histogram_log>},
    {"log_hist_msec", "", Form::value, milliseconds<0, &D::choices, &ReportOptions::histogram_interval>},
    {"log_hist_coarseness", "", Form::value, number<0, 6, &D::choices, &ReportOptions::histogram_coarseness>},
    {"log_max_value", "", Form::flag, on_off<&D::choices, &ReportOptions::log_largest>},
    {"log_window_value", "", Form::value, [](D& d, const Setting& w) { d.choices.log_largest = choice_of(w, "avg max") == 1; }},
    {"log_offset", "", Form::flag, on_off<&D::choices, &ReportOptions::log_offset>},
    {"log_prio", "", Form::flag, on_off<&D::choices, &ReportOptions::log_priority>},
    {"per_job_logs", "", Form::value, on_off<&D::choices, &ReportOptions::logs_by_job>},
    {"bwavgtime", "", Form::value, milliseconds<1, &D::choices, &ReportOptions::bandwidth_window>},
    {"iopsavgtime", "", Form::value, milliseconds<1, &D::choices, &ReportOptions::iops_window>},
    {"stats", "", Form::value, on_off<&D::choices, &ReportOptions::reported>},
    {"unified_rw_reporting", "", Form::value,
     [](D& d, const Setting& w) { d.choices.unified = static_cast<Unified>(choice_of(w, "none 0 mixed 1 both 2") / 2); }},

    // Replay of logs, and logs for a replay.
    {"read_iolog", "", Form::text, [](D& d, const Setting& w) { d.logs = names_of(w); }},
    {"read_iolog_chunked", "", Form::flag, on_off<>, "read_iolog"},
    {"replay_no_stall", "", Form::flag, [](D& d, const Setting& w) { d.replay_rules.at_recorded_times = !parse_switch(w); },
     "read_iolog"},
    {"replay_time_scale", "", Form::value, number<1, 1'000'000, &D::replay_rules, &ReplayRules::time_percent>, "read_iolog"},
    {"replay_scale", "", Form::value, number<1, kMost32Bits, &D::replay_rules, &ReplayRules::scale>, "read_iolog"},
    {"replay_align", "", Form::value, set_replay_align, "read_iolog"},
    {"replay_redirect", "", Form::text, [](D& d, const Setting& w) { d.replay_rules.one_device = !text_of(w).empty(); },
     "read_iolog"},
    {"replay_skip", "", Form::value, set_skips, "read_iolog"},
    {"write_iolog", "", Form::text, set_sequence_log},
};

}  // namespace

std::span<const Option> job_options() { return kJobOptions; }

}  // namespace ftlab
