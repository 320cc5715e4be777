#include "sim/workload/files/replay_job.h"

#include <filesystem>

#include "sim/config/split.h"

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

std::string counted(const IologSummary& log) {
  constexpr const char* kNames[] = {" reads", " writes", " trims", " flushes"};
  std::string text;
  for (std::size_t op = 0; op < kOpCount; ++op)
    if (log.requests[op] > 0) text += (text.empty() ? "" : ", ") + std::to_string(log.requests[op]) + kNames[op];
  return text;
}

void note_determined(const Draft& s, Notes& notes) {
  std::vector<std::string_view> names;
  for (const std::string_view option : kIdle)
    if (s.is_set(option.data()) && (s.filenames.size() <= 1 || option != "size")) names.push_back(option);
  if (!names.empty()) s.note(notes, "read_iolog", "beside read_iolog these count for nothing: " + joined(names));
}

std::string pace_text(const ReplayRules& rules) {
  if (!rules.at_recorded_times) return "as fast as the queue depth allows";
  std::string text =
      rules.version == 2 ? "waits are milliseconds from the start, as fio 3.33 reads them" : "at the recorded times";
  if (rules.time_percent == 100) return text;
  return text + (rules.version == 2 ? ", and replay_time_scale has no effect, as in fio"
                                    : " at " + std::to_string(rules.time_percent) + " % of their speed");
}

}  // namespace

void check_replay_options(const Draft& s) {
  for (const char* option : kRefused)
    if (s.is_set(option))
      s.refuse(option, "has no meaning beside read_iolog: a log is replayed once, as it is", "no " + std::string(option));
  if (s.content.asked_for)
    s.refuse("read_iolog", "the content of replayed writes is unknown; content options need generated writes");
  if (s.file_count > 1 && s.filenames.empty())
    s.refuse("nrfiles", "a log names its files, so the job must name them too", "filename=A:B");
}

IologSummary set_replay(Job& job, const Draft& s, const std::vector<ReplayFile>& files, const std::string& folder,
                        std::uint64_t drive_bytes) {
  ReplayRules rules = s.replay_rules;
  rules.path = (std::filesystem::path(folder) / s.logs[job.clone % s.logs.size()]).string();
  if (!std::filesystem::exists(rules.path)) s.refuse("read_iolog", rules.path + ": does not exist");
  rules.version = iolog_version(rules.path);
  rules.drive_bytes = drive_bytes;
  if (!rules.one_device) rules.files = files;
  const IologSummary log = summarise_iolog(rules);
  job.amount_bytes = log.bytes;
  job.pattern = {false, log.requests[0] > 0, log.requests[1] > 0, log.requests[2] > 0, false, 1, 0};
  job.loops = 1;
  job.time_based = false;
  job.request_limit.reset();
  job.sequence_log.reset();  // as in fio, read_iolog overrides it
  job.replay = std::move(rules);
  return log;
}

void note_replay(const Draft& s, const Job& job, const IologSummary& log, Notes& notes) {
  const ReplayRules& rules = *job.replay;
  std::string text = "replays " + counted(log) + ", " + pace_text(rules);
  if (log.skipped > 0) text += "; replay_skip leaves out " + std::to_string(log.skipped);
  if (rules.at_recorded_times && log.out_of_order > 0)
    text += "; " + std::to_string(log.out_of_order) + " are earlier than one before them and follow it at once, as in fio";
  s.note(notes, "read_iolog", text);
  if (rules.at_recorded_times && job.depth == 1)
    s.note(notes, "read_iolog",
           "with a queue of 1 a request that is due waits for the one before it; iodepth lets more go at their times");
  note_determined(s, notes);
}

void name_files(Job& job, const Draft& s) {
  std::vector<std::string>& files = job.sequence_log->files = s.filenames;
  for (std::size_t i = files.size(); i < (s.filenames.empty() ? s.file_count : 0); ++i)
    files.push_back(job.name + "." + std::to_string(job.clone) + "." + std::to_string(i));
  for (const std::string& name : files)
    if (name.find_first_of(" \t") != name.npos)
      s.refuse("write_iolog", "a log of fio cannot name the file \"" + printable(name) + "\": it separates by blanks",
               "filename without blanks");
}

}  // namespace ftlab
