#include "sim/traces/iolog.h"

#include "sim/core/error.h"

namespace ftlab {
namespace {

__extension__ using Wide = unsigned __int128;

// The same limit as for replays of other traces.
constexpr Nanoseconds kLongestLog = std::chrono::hours(24 * 100);

TraceOptions reading_options(const ReplayRules& rules) {
  TraceOptions options;
  options.path = rules.path;
  options.format = rules.version == 2 ? "fio-v2" : "fio-v3";
  options.order = TraceOrder::clamp;  // like fio, which does not wait for a time already past
  options.any_bytes = true;           // checked after scaling and aligning
  return options;
}

// True for blktrace's magic number, 0x65617400 and a version, in either byte order.
bool begins_like_blktrace(std::string_view bytes) {
  return bytes.size() >= 4 && (bytes.substr(1, 3) == "tae" || bytes.substr(0, 3) == "eat");
}

std::string first_bytes(const std::string& path) {
  std::string bytes(256, '\0');
  const auto stream = open_bytes(path);
  std::size_t size = 0;
  for (std::size_t count = 1; count > 0 && size < bytes.size(); size += count)
    count = stream->read({bytes.data() + size, bytes.size() - size});
  bytes.resize(size);
  return bytes;
}

}  // namespace

std::uint64_t iolog_version(const std::string& path) {
  const std::string bytes = first_bytes(path);
  if (begins_like_blktrace(bytes))
    throw ConfigError({path, 0}, "read_iolog",
                      "is a binary log of blktrace; blkparse makes a text of it, and ftlab run TRACE replays that", {},
                      "a log that fio wrote with write_iolog");
  const std::string_view text = bytes;
  const std::string_view line = text.substr(0, text.find_first_of("\r\n"));
  for (const std::uint64_t version : {2, 3})
    if (line == "fio version " + std::to_string(version) + " iolog") return version;
  throw ConfigError({path, 1}, "read_iolog",
                    "is not the first line of a log of fio; other traces are replayed by ftlab run TRACE", line,
                    "fio version 2 iolog, fio version 3 iolog");
}

Iolog::Iolog(const ReplayRules& rules) : rules_(rules), trace_(reading_options(rules)) {}

bool Iolog::next(Entry& entry) {
  TraceRecord record;
  while (trace_.next(record)) {
    if (rules_.skips[static_cast<std::size_t>(record.op)]) {
      ++skipped_;
      continue;
    }
    entry = {time_of(record), record.op, 0, 0};
    if (record.op != Op::flush) place(record, entry);
    return true;
  }
  return false;
}

// Like fio, version 3 issues its first request immediately; a wait of version 2 counts from the start.
Nanoseconds Iolog::time_of(const TraceRecord& record) const {
  if (!rules_.at_recorded_times) return Nanoseconds{0};
  const Wide at =
      rules_.version == 2 ? Wide{record.at_ns} + trace_.origin_ns() : Wide{record.at_ns} * 100 / rules_.time_percent;
  if (at > static_cast<Wide>(kLongestLog.count()))
    throw ConfigError({rules_.path, record.line}, "", "comes more than 100 days after the first request", {},
                      "replay_time_scale, or replay_no_stall=1");
  return Nanoseconds{static_cast<std::uint64_t>(at)};
}

// Scales, then aligns, like fio.
void Iolog::place(const TraceRecord& record, Entry& entry) {
  const ReplayFile& file = file_of(record);
  std::uint64_t offset = record.offset_bytes / rules_.scale;
  if (rules_.align != 0) offset -= offset % rules_.align;
  const ConfigError::Place line{rules_.path, record.line};
  if (offset % kSectorBytes != 0)
    throw ConfigError(line, "offset", "is not a multiple of 512 bytes", std::to_string(offset),
                      "whole sectors, or replay_align=512");
  if (record.length_bytes % kSectorBytes != 0)
    throw ConfigError(line, "length", "is not a multiple of 512 bytes", std::to_string(record.length_bytes),
                      "whole sectors");
  const std::uint64_t room = file.end_bytes - file.first_bytes;
  if (record.length_bytes > room || offset > room - record.length_bytes)
    throw ConfigError(line, "offset",
                      "reaches beyond the end of " + (rules_.files.empty() ? "the drive" : printable(file.name)),
                      std::to_string(offset) + " + " + std::to_string(record.length_bytes),
                      "up to " + std::to_string(room) + " bytes, or replay_scale");
  entry.offset_bytes = file.first_bytes + offset;
  entry.length_bytes = record.length_bytes;
}

const ReplayFile& Iolog::file_of(const TraceRecord& record) {
  while (files_.size() <= record.volume) files_.push_back(file_named(trace_.volumes()[files_.size()], record.line));
  return files_[record.volume];
}

ReplayFile Iolog::file_named(const std::string& name, std::uint64_t line) const {
  if (rules_.files.empty()) {
    if (files_.empty() || rules_.one_device) return {name, 0, rules_.drive_bytes};
    throw ConfigError({rules_.path, line}, "file", "is a second one beside " + printable(files_.front().name), name,
                      "replay_redirect=DEVICE, or all files of the log in filename");
  }
  std::vector<std::string> names;
  for (const ReplayFile& file : rules_.files) {
    if (file.name == name) return file;
    names.push_back(file.name);
  }
  throw ConfigError({rules_.path, line}, "file", "is not among the job's files", name,
                    "those of filename, or replay_redirect=DEVICE", nearest_name(name, names));
}

IologSummary summarise_iolog(const ReplayRules& rules) {
  Iolog log(rules);
  IologSummary summary;
  Iolog::Entry entry;
  while (log.next(entry)) {
    ++summary.requests[static_cast<std::size_t>(entry.op)];
    summary.bytes += entry.length_bytes;
    summary.last = entry.at;
  }
  summary.skipped = log.skipped();
  summary.out_of_order = log.out_of_order();
  if (summary.all() == 0)
    throw ConfigError({rules.path, 0}, "read_iolog",
                      summary.skipped > 0 ? "replay_skip leaves nothing of it" : "holds no request");
  return summary;
}

}  // namespace ftlab
