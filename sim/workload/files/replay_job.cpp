#include "sim/workload/files/replay_job.h"

#include <algorithm>
#include <filesystem>

namespace ftlab {
namespace {

constexpr const char* kRefused[] = {"rate",        "rate_iops",      "time_based", "loops",         "number_ios",
                                    "io_size",     "fsync",          "fdatasync",  "write_barrier", "verify",
                                    "fill_device", "latency_target", "zonemode"};
// Ignored, because the log determines them.
constexpr const char* kIdle[] = {"rw",
                                 "bs",
                                 "bsrange",
                                 "bssplit",
                                 "size",
                                 "offset",
                                 "norandommap",
                                 "randrepeat",
                                 "randseed",
                                 "rwmixread",
                                 "rwmixwrite",
                                 "random_distribution",
                                 "read_iolog_chunked",
                                 "write_iolog"};

void add_note(const Settings& s, const Section& section, const char* option, const std::string& text,
              std::vector<Note>& notes) {
  const Setting line = line_of(s, section, option);
  notes.push_back({line.place.file, line.place.line, "[" + printable(section.name) + "] " + text});
}

std::string counted(const IologSummary& log) {
  constexpr const char* kNames[] = {" reads", " writes", " trims", " flushes"};
  std::string text;
  for (std::size_t op = 0; op < kOpCount; ++op)
    if (log.requests[op] > 0) text += (text.empty() ? "" : ", ") + std::to_string(log.requests[op]) + kNames[op];
  return text;
}

void note_idle(const Settings& s, const Section& section, std::vector<Note>& notes) {
  std::string names;
  for (const char* option : kIdle) {
    if (s.written.count(option) == 0 || (s.filenames.size() > 1 && std::string(option) == "size")) continue;
    names += (names.empty() ? "" : ", ") + std::string(option);
  }
  if (!names.empty()) add_note(s, section, "read_iolog", "beside read_iolog these count for nothing: " + names, notes);
}

std::string pace_text(const Settings& s, const ReplayRules& rules) {
  if (s.replay.no_stall) return "as fast as the queue depth allows";
  std::string text =
      rules.version == 2 ? "waits are milliseconds from the start, as fio 3.33 reads them" : "at the recorded times";
  if (s.replay.time_percent == 100) return text;
  return text + (rules.version == 2 ? ", and replay_time_scale has no effect, as in fio"
                                    : " at " + std::to_string(s.replay.time_percent) + " % of their speed");
}

}  // namespace

void check_replay_options(const Settings& s, const Section& section) {
  for (const char* option : kRefused)
    if (s.written.count(option) != 0)
      refuse(line_of(s, section, option), "has no meaning beside read_iolog: a log is replayed once, as it is",
             "no " + std::string(option));
  if (s.content.asked_for)
    refuse(line_of(s, section, "read_iolog"),
           "the content of replayed writes is unknown; content options need generated writes");
  if (s.file_count > 1 && s.filenames.empty())
    refuse(line_of(s, section, "nrfiles"), "a log names its files, so the job must name them too", "filename=A:B");
}

IologSummary set_replay(Job& job, const Settings& s, const std::vector<ReplayFile>& files, const std::string& folder,
                        std::uint64_t drive_bytes) {
  const std::string& name = s.replay.logs[job.clone % s.replay.logs.size()];
  ReplayRules rules;
  rules.path = (std::filesystem::path(folder) / name).string();
  if (!std::filesystem::exists(rules.path)) refuse(s.written.at("read_iolog"), rules.path + ": does not exist");
  rules.version = iolog_version(rules.path);
  rules.at_recorded_times = !s.replay.no_stall;
  rules.time_percent = s.replay.time_percent;
  rules.scale = s.replay.scale;
  rules.align = s.replay.align;
  rules.skips = s.replay.skips;
  rules.one_device = !s.replay.redirect.empty();
  rules.drive_bytes = drive_bytes;
  if (!rules.one_device) rules.files = files;
  const IologSummary log = summarise_iolog(rules);
  job.amount_bytes = log.bytes;
  job.pattern = {false, log.requests[0] > 0, log.requests[1] > 0, log.requests[2] > 0, false, 1, 0};
  job.loops = 1;
  job.time_based = false;
  job.request_limit.reset();
  job.replay = std::move(rules);
  return log;
}

void note_replay(const Settings& s, const Section& section, const Job& job, const IologSummary& log,
                 std::vector<Note>& notes) {
  const ReplayRules& rules = *job.replay;
  std::string text = "replays " + counted(log) + ", " + pace_text(s, rules);
  if (log.skipped > 0) text += "; replay_skip leaves out " + std::to_string(log.skipped);
  if (rules.at_recorded_times && log.out_of_order > 0)
    text += "; " + std::to_string(log.out_of_order) + " are earlier than one before them and follow it at once, as in fio";
  add_note(s, section, "read_iolog", text, notes);
  if (rules.at_recorded_times && job.depth == 1)
    add_note(s, section, "read_iolog",
             "with a queue of 1 a request that is due waits for the one before it; iodepth lets more go at their times",
             notes);
  note_idle(s, section, notes);
}

SequenceLog sequence_log(const Settings& s, const Section& section, const Job& job) {
  SequenceLog log{*s.replay.sequence_log, s.filenames};
  const std::uint64_t count = s.filenames.empty() ? s.file_count : s.filenames.size();
  for (std::size_t i = log.files.size(); i < count; ++i)
    log.files.push_back(job.name + "." + std::to_string(job.clone) + "." + std::to_string(i));
  for (const std::string& name : log.files)
    if (name.find_first_of(" \t") != name.npos)
      refuse(line_of(s, section, "write_iolog"),
             "a log of fio cannot name the file \"" + printable(name) + "\": it separates by blanks",
             "filename without blanks");
  return log;
}

}  // namespace ftlab
