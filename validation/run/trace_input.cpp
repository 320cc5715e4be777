#include "validation/run/trace_input.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <spdlog/fmt/fmt.h>

#include "sim/config/file.h"
#include "sim/config/names.h"
#include "sim/config/split.h"
#include "sim/core/check.h"
#include "sim/core/error.h"
#include "sim/host/host.h"
#include "sim/traces/address_map.h"
#include "sim/traces/formats/recognise.h"
#include "sim/traces/trace.h"
#include "validation/run/power_cuts.h"
#include "validation/run/simulated_device.h"

namespace ftlab {
namespace {

constexpr std::uint64_t kPageBytes = kFootprintPageBytes;
constexpr std::uint64_t kMostBytes = 1 << 20;  // per request

void write(Drive& drive, std::uint64_t first_bytes, std::uint64_t end_bytes) {
  std::array<Completion, 1> done;
  for (std::uint64_t at = first_bytes; at < end_bytes; at += kMostBytes) {
    const Request request{0, Op::write, at, std::min(kMostBytes, end_bytes - at), drive.latest()};
    drive.submit({&request, 1});
    FTLAB_CHECK(drive.wait(kNever, done) == 1, "a write without a clock did not end at once");
  }
}

// For each 4 KiB page of the drive, after address mapping: true if a read touches it before any write. Reads the whole
// trace; uses two bits per page.
std::vector<bool> pages_read_first(const TraceOptions& options, AddressMap addresses, std::uint64_t capacity_bytes) {
  const std::uint64_t pages = (capacity_bytes + kPageBytes - 1) / kPageBytes;
  std::vector<bool> read_first(pages), written(pages);
  Trace trace(options);
  for (TraceRecord record; trace.next(record);) {
    if (record.op != Op::read && record.op != Op::write) continue;
    const std::uint64_t at = addresses.place(record);
    const std::uint64_t end = (at + record.length_bytes + kPageBytes - 1) / kPageBytes;
    for (std::uint64_t page = at / kPageBytes; page < end; ++page) {
      if (record.op == Op::write) written[page] = true;
      if (!written[page]) read_first[page] = true;
    }
  }
  return read_first;
}

// Restores the data that a trace expects: writes the pages that it reads before it writes them in order, in requests of up to
// 1 MiB, untimed. Returns a note about the amount. Throws ConfigError for a disk, Interrupted. REQUIRES: no request
// outstanding.
std::string prefill_for_trace(SimulatedDevice& device, const TraceOptions& trace, const AddressMap& addresses,
                              std::uint64_t capacity_bytes, const std::atomic<bool>* interrupted) {
  Drive* const drive = device.ssd();
  if (drive == nullptr)
    throw ConfigError({"--precondition", 0}, "", "is for SSDs; a disk has no state that its speed depends on", "trace");
  const std::vector<bool> pages = pages_read_first(trace, addresses, capacity_bytes);
  const bool timed = drive->info().timed;
  drive->set_clock(Clock::untimed);
  std::uint64_t written = 0;
  for (std::size_t first = 0; first < pages.size();) {
    if (!pages[first]) {
      ++first;
      continue;
    }
    if (interrupted != nullptr && interrupted->load(std::memory_order_relaxed)) throw Interrupted();
    const std::size_t end = static_cast<std::size_t>(
        std::find(pages.begin() + static_cast<std::ptrdiff_t>(first), pages.end(), false) - pages.begin());
    write(*drive, first * kPageBytes, std::min(end * kPageBytes, capacity_bytes));
    written += end - first;
    first = end;
  }
  if (timed) drive->set_clock(Clock::timed);
  return fmt::format(
      "before the run {} pages of 4 KiB, which the trace reads before it writes them, were written once in "
      "order (--precondition trace)",
      written);
}

constexpr std::uint64_t kMostLoops = 1'000'000;
constexpr std::uint64_t kDeepest = 65536;      // requests in flight, as for jobs
constexpr std::uint64_t kFastest = 1'000'000;  // percent
constexpr char kAllVolumes[] = "all";

// Index of `text` in `names`; 0 if empty.
std::size_t choice(const char* option, const std::string& text, const std::vector<std::string>& names) {
  return text.empty() ? 0 : index_of_name({option, 0}, "", "is not known", text, names);
}

bool begins_section(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) {
    const std::string_view text = without_blanks(line);
    if (!text.empty() && text.front() != ';' && text.front() != '#') return text.front() == '[';
  }
  return false;
}

// The readable lines at the start; none if not a regular file.
std::vector<std::string> first_lines(const std::string& path) {
  std::vector<std::string> lines;
  std::error_code unused;
  if (!std::filesystem::is_regular_file(path, unused)) return lines;
  try {
    LineReader reader(path);
    append_first_lines(reader, lines);
  } catch (const ConfigError&) {
    // Too long a line or damage further on: the lines before it show the format, and the trace reader reports the error.
  }
  return lines;
}

ReplayOptions replay_options(const TraceArguments& arguments, bool timed) {
  if (arguments.depth > 0 && arguments.speed > 0)
    throw ConfigError({"--trace-speed", 0}, "", "has no meaning in a closed loop (--closed-loop)");
  if (arguments.depth == 0 && !timed) {
    throw ConfigError({"--untimed", 0}, "",
                      "an untimed run has no clock for the recorded times of a trace; give --closed-loop DEPTH");
  }
  return {arguments.speed > 0 ? arguments.speed : 100, arguments.depth, std::max<std::uint64_t>(arguments.loops, 1)};
}

TraceSummary checked_summary(const TraceOptions& options, const TraceArguments& arguments, const ReplayOptions& replay) {
  TraceSummary summary = summarise_trace(options);
  if (arguments.volume.empty()) refuse_several_volumes(summary, options.path);
  check_replay(summary, replay, options.path);
  return summary;
}

std::string rw_of(const TraceSummary& summary) {
  const bool reads = summary.requests[static_cast<std::size_t>(Op::read)] > 0;
  const bool writes = summary.requests[static_cast<std::size_t>(Op::write)] > 0;
  return reads && writes ? "randrw" : reads ? "randread" : writes ? "randwrite" : "randtrim";
}

// The trace in terms of a fio job, for tools that read fio's results; bs is the most frequent size.
Job described(const std::string& path, const TraceSummary& summary, const ReplayOptions& replay) {
  Job job;
  const auto sizes = summary.most_frequent_sizes(1);
  job.name = std::filesystem::path(path).filename().string();
  job.depth = static_cast<std::size_t>(std::max<std::uint64_t>(replay.depth, 1));
  job.loops = replay.loops;
  job.rw = rw_of(summary);
  job.percentiles = {1, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99, 99.5, 99.9, 99.95, 99.99};
  job.options = {{"read_iolog", job.name},
                 {"rw", job.rw},
                 {"bs", std::to_string(sizes.empty() ? 0 : sizes.front().first)},
                 {"iodepth", std::to_string(job.depth)},
                 {"numjobs", "1"},
                 {"loops", std::to_string(job.loops)}};
  return job;
}

std::string percent(std::uint64_t part, std::uint64_t whole) {
  const std::uint64_t tenths = static_cast<std::uint64_t>(static_cast<double>(part) / static_cast<double>(whole) * 1000);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " %";
}

// A mostly empty drive has more effective over-provisioning than its maker intended.
std::string footprint_note(const TraceSummary& summary, std::uint64_t capacity) {
  const std::uint64_t written = summary.pages.written() * kFootprintPageBytes;
  if (summary.pages_written == 0 || written >= capacity / 2) return {};
  return "the trace writes to " + percent(written, capacity) +
         " of the drive's capacity, so the drive never fills: its write " +
         "amplification says little about a full drive (fill it first, or take a smaller drive)";
}

}  // namespace

std::string TraceArguments::any() const {
  if (!format.empty()) return "--trace-format";
  if (!volume.empty()) return "--trace-volume";
  if (!columns.empty()) return "--trace-columns";
  if (!action.empty()) return "--trace-action";
  if (!order.empty()) return "--trace-order";
  if (round) return "--trace-round";
  if (skip_bad_lines) return "--skip-bad-lines";
  if (!address.empty()) return "--trace-address";
  if (speed > 0) return "--trace-speed";
  if (depth > 0) return "--closed-loop";
  return loops > 0 ? "--trace-loops" : "";
}

void add_reading_options(CLI::App& command, TraceArguments& arguments) {
  const char* group = "Traces";
  command
      .add_option("--trace-format", arguments.format,
                  joined(trace_format_names()) + "; default: recognised from the first lines")
      ->group(group);
  command.add_option("--trace-columns", arguments.columns, "for csv: JSON file that describes the columns")->group(group);
  command
      .add_option("--trace-volume", arguments.volume,
                  "volume to replay, as the trace names it, or `all`: laid out side by side")
      ->group(group);
  command
      .add_option("--trace-action", arguments.action,
                  "event of blkparse or ftrace to replay: Q, D or C; default: the first of D, Q, C that occurs")
      ->group(group);
  command
      .add_option("--trace-order", arguments.order,
                  "records out of time order: refuse (default), clamp to the latest time, or sort (window of 65536)")
      ->group(group);
  command.add_flag("--trace-round", arguments.round, "widen requests to whole sectors; default: refuse others")
      ->group(group);
  command.add_flag("--skip-bad-lines", arguments.skip_bad_lines, "count unreadable lines instead of stopping at the first")
      ->group(group);
}

void add_replay_options(CLI::App& command, TraceArguments& arguments) {
  const char* group = "Traces";
  command
      .add_option("--trace-address", arguments.address,
                  "addresses beyond the drive: error (default), modulo, scale, or compact")
      ->group(group);
  command.add_option("--trace-speed", arguments.speed, "per cent of the recorded speed; 200 halves all gaps")
      ->check(CLI::Range(std::uint64_t{1}, kFastest))
      ->group(group);
  command.add_option("--closed-loop", arguments.depth, "ignore the recorded times: keep this many requests outstanding")
      ->check(CLI::Range(std::uint64_t{1}, kDeepest))
      ->group(group);
  command.add_option("--trace-loops", arguments.loops, "number of times the trace is replayed")
      ->check(CLI::Range(std::uint64_t{1}, kMostLoops))
      ->group(group);
}

bool is_trace(const std::string& path, const TraceArguments& arguments) {
  if (!arguments.format.empty() || !arguments.columns.empty()) return true;
  if (is_compressed(path)) return true;
  const std::vector<std::string> lines = first_lines(path);
  if (begins_section(lines)) return false;
  return !arguments.any().empty() || !recognise_format(lines).empty();
}

TraceOptions trace_options(const std::string& path, const TraceArguments& arguments) {
  TraceOptions options;
  options.path = path;
  options.format = arguments.format;
  if (!arguments.columns.empty()) options.columns = read_column_map(read_text_file(arguments.columns), arguments.columns);
  if (!arguments.action.empty()) options.action = "QDC"[choice("--trace-action", arguments.action, {"Q", "D", "C"})];
  if (arguments.volume != kAllVolumes) options.volume = arguments.volume;
  options.order = static_cast<TraceOrder>(choice("--trace-order", arguments.order, {"refuse", "clamp", "sort"}));
  options.round_to_sectors = arguments.round;
  options.skip_bad_lines = arguments.skip_bad_lines;
  return options;
}

AddressPolicy address_policy(const TraceArguments& arguments) {
  const std::vector<std::string> names = {"error", "modulo", "scale", "compact"};  // as the enumerators
  return static_cast<AddressPolicy>(choice("--trace-address", arguments.address, names));
}

TraceRun::TraceRun(const std::string& path, const TraceArguments& arguments, std::uint64_t capacity_bytes, bool timed)
    : path_(path),
      options_(trace_options(path, arguments)),
      replay_(replay_options(arguments, timed)),
      policy_(address_policy(arguments)),
      capacity_(capacity_bytes),
      summary_(checked_summary(options_, arguments, replay_)),
      addresses_(policy_, capacity_bytes, summary_, path) {
  jobs_.jobs.push_back(described(path, summary_, replay_));
  std::vector<std::string> texts = trace_notes(summary_, options_);
  if (const std::string note = footprint_note(summary_, capacity_); !note.empty()) texts.push_back(note);
  for (const std::string& text : texts) jobs_.notes.push_back({path, 0, text});
}

std::uint64_t TraceRun::request_count() const { return summary_.counts.requests * replay_.loops; }

RunStats TraceRun::run(Device& device, const HostOptions& host, CutDevice* cuts) {
  RunStats stats = replay_trace(device, options_, summary_, addresses_, replay_, jobs_.jobs.front(), host, cuts);
  if (cuts != nullptr) {
    power_cuts_ = cuts->report();
    held_up_ = cuts->requests_held_up();
  }
  return stats;
}

Nanoseconds TraceRun::series_interval() const {
  constexpr std::uint64_t kMostRows = 10'000;
  constexpr std::uint64_t kSecond = 1'000'000'000;
  const std::uint64_t duration = replay_.depth > 0 ? 0 : last_arrival(summary_, replay_).count();
  return Nanoseconds{std::max<std::uint64_t>(1, (duration + kMostRows * kSecond - 1) / (kMostRows * kSecond)) * kSecond};
}

std::string TraceRun::prefill(SimulatedDevice& device, const std::atomic<bool>* interrupted) const {
  return prefill_for_trace(device, options_, addresses_, capacity_, interrupted);
}

nlohmann::ordered_json TraceRun::report(const RunStats& stats) const {
  constexpr const char* kOrderNames[] = {"refuse", "clamp", "sort"};
  nlohmann::ordered_json json = {{"address", name_of(policy_)},
                                 {"moved_to_end_of_drive", addresses_.moved()},
                                 {"volume", options_.volume.empty() ? "all" : printable(options_.volume)},
                                 {"order", kOrderNames[static_cast<std::size_t>(options_.order)]},
                                 {"loops", replay_.loops}};
  if (replay_.depth > 0)
    json["closed_loop_depth"] = replay_.depth;
  else
    json["speed_percent"] = replay_.speed_percent;
  json.update(trace_json(summary_));
  if (const nlohmann::ordered_json times = response_times_json(summary_, stats); !times.empty())
    json["response_times"] = times;
  if (power_line() > 0) {
    json["power_cuts"] = power_cuts_;
    json["requests_held_up"] = held_up_;
  }
  return json;
}

std::vector<std::string> TraceRun::problems(const RunStats& stats) const {
  const std::uint64_t expected = request_count();
  if (stats.requests == expected) return {};
  return {"the trace holds " + std::to_string(expected) + " requests, " + std::to_string(stats.requests) + " were served"};
}

}  // namespace ftlab
