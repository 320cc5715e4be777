#include "validation/measure/contents/durability_log.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <sstream>
#include <unistd.h>

#include "sim/config/split.h"
#include "sim/core/check.h"
#include "sim/core/error.h"
#include "validation/measure/device/content.h"
#include "validation/measure/device/stamps.h"

namespace ftlab {

// Splits the run, if any, that contains both `sector` and the sector before it.
void SectorVersions::split(std::uint64_t sector) {
  auto run = runs_.upper_bound(sector);
  if (run == runs_.begin()) return;
  --run;
  if (run->first == sector || run->second.end <= sector) return;
  runs_.emplace_hint(std::next(run), sector, Run{run->second.end, version_at(run, sector)});
  run->second.end = sector;
}

// All runs have the same step, so of two overlapping runs the same one is later in every shared sector.
void SectorVersions::raise(std::uint64_t first, std::uint64_t end, std::uint64_t version) {
  has_last_ = false;
  split(first);
  split(end);
  std::uint64_t at = first;  // done up to here
  for (auto run = runs_.lower_bound(first); at < end;) {
    const std::uint64_t next = run == runs_.end() ? end : std::min(end, run->first);
    if (next > at) runs_.emplace_hint(run, at, Run{next, version + step_ * (at - first)});
    at = next;
    if (at >= end) break;
    run->second.version = std::max(run->second.version, version + step_ * (at - first));
    at = run->second.end;
    ++run;
  }
}

std::optional<std::uint64_t> SectorVersions::at(std::uint64_t sector) const {
  const auto holds = [&](Runs::const_iterator run) {
    return run != runs_.end() && run->first <= sector && sector < run->second.end;
  };
  if (has_last_ && holds(last_)) return version_at(last_, sector);
  if (has_last_ && sector >= last_->second.end) {
    const auto next = std::next(last_);
    if (next == runs_.end() || sector < next->first) return std::nullopt;
    if (holds(next)) return version_at(last_ = next, sector);
  }
  auto run = runs_.upper_bound(sector);
  if (run == runs_.begin()) return std::nullopt;
  last_ = --run;
  has_last_ = true;
  if (!holds(run)) return std::nullopt;
  return version_at(run, sector);
}

std::uint64_t SectorVersions::sectors() const {
  std::uint64_t sum = 0;
  for (const auto& [first, run] : runs_) sum += run.end - first;
  return sum;
}

namespace {

constexpr const char* kTitle = "ftlab-promises-1";
constexpr std::size_t kMostLines = 10;
constexpr std::size_t kReadBytes = 1 << 20;

std::string line(std::initializer_list<std::string> words) { return joined(words, " ") + "\n"; }

}  // namespace

DurabilityLog::DurabilityLog(Device& device, const std::string& file, std::uint64_t run, const std::string& serial,
                             const ByteRange& range)
    : PassingDevice(device), file_(file, O_CREAT | O_EXCL | O_APPEND, file) {
  file_.write(line({kTitle, std::to_string(run), std::to_string(range.first), std::to_string(range.end), serial}));
  file_.sync();
}

void DurabilityLog::announce(std::uint64_t versions) {
  if (versions <= announced_) return;
  announced_ = std::max(versions, announced_ + kBlock);
  file_.write(line({"issued", std::to_string(announced_)}));
  file_.sync();
}

void DurabilityLog::submit(std::span<const Request> batch) {
  for (const Request& request : batch) {
    Outstanding entry{request, {versions_, request.offset_bytes, request.length_bytes}, 0};
    if (request.op == Op::write) announce(versions_ += request.length_bytes / kSectorBytes);
    if (request.op == Op::trim) {
      file_.write(line(
          {"trim", std::to_string(versions_), std::to_string(request.offset_bytes), std::to_string(request.length_bytes)}));
      file_.sync();
    }
    if (request.op == Op::flush) entry.promises = promised_ + completed_.size();
    outstanding_[request.tag] = entry;
  }
  behind().submit(batch);
}

std::size_t DurabilityLog::wait(Nanoseconds until, std::span<Completion> out) {
  const std::size_t count = behind().wait(until, out);
  for (const Completion& done : out.first(count)) completed(done);
  return count;
}

void DurabilityLog::completed(const Completion& done) {
  const auto found = outstanding_.find(done.tag);
  if (found == outstanding_.end()) return;
  const Outstanding entry = found->second;
  outstanding_.erase(found);
  if (done.status != Status::ok) return;
  if (entry.request.op == Op::write && entry.request.fua) {
    file_.write(held_line(entry.write));
    file_.sync();
  } else if (entry.request.op == Op::write) {
    completed_.push_back(entry.write);
  } else if (entry.request.op == Op::flush) {
    promise(entry.promises);
  }
}

std::string DurabilityLog::held_line(const Write& write) {
  return line(
      {"held", std::to_string(write.version), std::to_string(write.offset_bytes), std::to_string(write.length_bytes)});
}

// Logs all completed writes up to the `count`-th as durable.
void DurabilityLog::promise(std::size_t count) {
  std::string lines;
  for (; promised_ < count; ++promised_) {
    lines += held_line(completed_.front());
    completed_.pop_front();
  }
  if (lines.empty()) return;
  file_.write(lines);
  file_.sync();
}

namespace {

// True for whole sectors inside the host's range. Our logs name nothing else; foreign ones could name endless ranges.
bool lies_in_range(const Promises& promises, std::uint64_t offset, std::uint64_t length) {
  const std::uint64_t size = promises.range.end - promises.range.first;
  return offset % kSectorBytes == 0 && length % kSectorBytes == 0 && offset <= size && length <= size - offset;
}

void raise(SectorVersions& versions, const Promises& promises, std::uint64_t offset, std::uint64_t length,
           std::uint64_t version) {
  const std::uint64_t first = (promises.range.first + offset) / kSectorBytes;
  if (length > 0) versions.raise(first, first + length / kSectorBytes, version);
}

void read_line(Promises& promises, std::istringstream& words, const std::string& file, std::size_t number) {
  std::string kind;
  std::uint64_t a = 0, b = 0, c = 0;
  words >> kind >> a;
  if (kind == "issued" && words) {
    promises.issued = a;
  } else if (kind == "held" && words >> b >> c && lies_in_range(promises, b, c)) {
    raise(promises.held, promises, b, c, a + 1);
  } else if (kind == "trim" && words >> b >> c && lies_in_range(promises, b, c)) {
    raise(promises.trimmed, promises, b, c, a);
  } else {
    throw ConfigError({file, number}, "", "is not a line of a durability log of this range");
  }
}

}  // namespace

Promises read_promises(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw ConfigError({file, 0}, "", "cannot be read");
  return parse_promises(stream, file);
}

Promises parse_promises(std::istream& stream, const std::string& file) {
  Promises promises;
  std::string text, title;
  std::getline(stream, text);
  std::istringstream first(text);
  if (!(first >> title >> promises.run >> promises.range.first >> promises.range.end) || title != kTitle)
    throw ConfigError({file, 1}, "", "does not begin as a log of promises");
  const ByteRange& range = promises.range;
  if (range.first > range.end || range.first % kSectorBytes != 0 || range.end % kSectorBytes != 0)
    throw ConfigError({file, 1}, "", "its range is none", std::to_string(range.first) + " " + std::to_string(range.end),
                      "whole sectors, the end behind the first");
  std::getline(first >> std::ws, promises.serial);
  for (std::size_t number = 2; std::getline(stream, text) && !stream.eof(); ++number) {
    std::istringstream words(text);
    read_line(promises, words, file, number);
  }
  return promises;
}

void judge_sector(AfterCut& after, const Promises& promises, std::uint64_t place,
                  std::span<const std::byte, kSectorBytes> bytes) {
  using Found = ContentLog::Found;
  ++after.sectors;
  const SectorRead read = read_stamp(bytes, place, promises.run);
  const auto report = [&](std::uint64_t& count, const std::string& what) {
    ++count;
    if (after.lines.size() < kMostLines) after.lines.push_back("byte " + std::to_string(place) + ": " + what);
  };
  if (read.found == Found::whole && read.stamp.version > promises.issued)
    return report(after.never_issued, "version " + std::to_string(read.stamp.version) + " was never issued");
  const auto held = promises.held.at(place / kSectorBytes);
  if (read.found == Found::misplaced)
    return report(after.misplaced, "belongs to byte " + std::to_string(read.stamp.offset_bytes));
  const auto trimmed = promises.trimmed.at(place / kSectorBytes);
  const bool open = trimmed && held && *held <= *trimmed;
  if (!held || open) {
    after.unpromised_torn += read.found == Found::torn;
    return;
  }
  ++after.promised;
  const std::string instead = " in the place of version " + std::to_string(*held);
  if (read.found == Found::torn) return report(after.torn, "a part of a sector" + instead);
  if (read.found == Found::zero) return report(after.zero, "zeros" + instead);
  if (read.found == Found::foreign) return report(after.foreign, "bytes of an unknown writer" + instead);
  if (read.stamp.version < *held) return report(after.stale, "version " + std::to_string(read.stamp.version) + instead);
  ++after.kept;
}

AfterCut check_against(const Promises& promises, int descriptor) {
  AfterCut after;
  const Buffers buffer(1, kReadBytes);
  for (std::uint64_t at = promises.range.first; at < promises.range.end;) {
    const std::size_t length = std::min<std::uint64_t>(kReadBytes, promises.range.end - at);
    const ssize_t got = ::pread(descriptor, buffer.at(0), length, static_cast<off_t>(at));
    if (got < static_cast<ssize_t>(kSectorBytes)) {
      throw TargetError("byte " + std::to_string(at) +
                        " cannot be read: " + (got < 0 ? std::strerror(errno) : "the device ends there"));
    }
    const std::size_t whole = static_cast<std::size_t>(got) / kSectorBytes * kSectorBytes;
    for (std::size_t s = 0; s < whole; s += kSectorBytes) {
      const std::span<const std::byte, kSectorBytes> sector(buffer.at(0) + s, kSectorBytes);
      judge_sector(after, promises, at + s, sector);
    }
    at += whole;
  }
  return after;
}

std::string AfterCut::text() const {
  std::string all = std::to_string(sectors) + " sectors read, " + std::to_string(promised) + " promised, " +
                    std::to_string(kept) + " of them kept\n";
  const std::pair<const char*, std::uint64_t> wrong[] = {{"stale", stale},
                                                         {"zeros", zero},
                                                         {"foreign", foreign},
                                                         {"torn", torn},
                                                         {"misplaced", misplaced},
                                                         {"never issued", never_issued},
                                                         {"torn where no promise was given (allowed)", unpromised_torn}};
  for (const auto& [name, count] : wrong)
    if (count > 0) all += "  " + std::to_string(count) + " " + name + "\n";
  for (const std::string& each : lines) all += "  " + each + "\n";
  return all;
}

}  // namespace ftlab
