#include "sim/host/stack/verifier.h"

#include <algorithm>

#include "sim/core/check.h"
#include "sim/core/error.h"

namespace ftlab {
namespace {

constexpr std::size_t kMostLines = 10;

std::string shown(std::uint64_t version) { return version == 0 ? "nothing" : "version " + std::to_string(version); }

using Found = ContentLog::Found;

std::string shown(const ContentLog::Returned& returned) {
  switch (returned.found) {
    case Found::zero: return "zeros";
    case Found::foreign: return "bytes that were not written in this run";
    case Found::torn: return "a part of a sector only (torn)";
    case Found::misplaced: return "the content of another address (misplaced)";
    case Found::whole: break;
  }
  return shown(returned.version);
}

bool is_damaged(const ContentLog::Returned& returned) {
  return returned.found == Found::torn || returned.found == Found::misplaced;
}

}  // namespace

std::unique_ptr<Verifier> Verifier::of(Device& device, const std::vector<Job>& jobs) {
  const auto verifying = std::find_if(jobs.begin(), jobs.end(), [](const Job& job) { return job.verify.on; });
  if (verifying == jobs.end()) return nullptr;
  auto log = std::make_unique<ContentLog>();
  const std::optional<VersionRules> rules = device.report_contents(log.get());
  if (!rules) {
    throw ConfigError({"job file", verifying->line}, verifying->name + ".verify",
                      "cannot be run on " + device.info().model + ", which does not report what its reads return", {},
                      "verify=0, or a device that can, as a simulated drive whose host has one thread and no file_system");
  }
  return std::unique_ptr<Verifier>(new Verifier(device, std::move(log), *rules));
}

Verifier::Verifier(Device& device, std::unique_ptr<ContentLog> log, const VersionRules& rules)
    : PassingDevice(device), log_(std::move(log)) {
  begin_from(rules);
}

Verifier::~Verifier() { behind().report_contents(nullptr); }

// Trims of an earlier run may still take effect in this one.
void Verifier::begin_from(const VersionRules& rules) {
  FTLAB_CHECK(rules.granule_bytes > 0 && rules.trim_bytes % rules.granule_bytes == 0, "a device's rules of content");
  rules_ = rules;
  untouched_ = {rules.newest == 0 ? 0 : kUnknown, rules.newest != 0 && rules.trimmed == VersionRules::Trimmed::either};
  holds_.clear();
}

Verifier::Holds& Verifier::at(std::uint64_t granule) {
  std::unique_ptr<Neighbours>& neighbours = holds_[granule / kTogether];
  if (!neighbours) {
    neighbours = std::make_unique<Neighbours>();
    neighbours->fill(untouched_);
  }
  return (*neighbours)[granule % kTogether];
}

void Verifier::submit(std::span<const Request> batch) {
  for (const Request& request : batch) {
    predict(request);
    behind().submit({&request, 1});
    take_log();
  }
}

void Verifier::predict(const Request& request) {
  mismatches_.erase(request.tag);
  switch (request.op) {
    case Op::read:
      if (request.verify) expect_of(request);
      break;
    case Op::write:
      write(request.offset_bytes / rules_.granule_bytes, end_granule(request.offset_bytes + request.length_bytes));
      break;
    case Op::trim:
      if (request.zone == ZoneCommand::none || request.zone == ZoneCommand::reset) trim(request);
      break;
    case Op::flush: break;
  }
}

void Verifier::write(std::uint64_t first, std::uint64_t end) {
  for (std::uint64_t granule = first; granule < end; ++granule) at(granule) = {++rules_.newest & Holds::kMask, 0};
}

void Verifier::trim(const Request& request) {
  if (rules_.trimmed == VersionRules::Trimmed::old_data) return;
  const std::uint64_t piece = rules_.trim_bytes, granules = piece / rules_.granule_bytes;
  const std::uint64_t first = (request.offset_bytes + piece - 1) / piece * granules;
  const std::uint64_t end = (request.offset_bytes + request.length_bytes) / piece * granules;
  for (std::uint64_t granule = first; granule < end; ++granule) {
    if (rules_.trimmed == VersionRules::Trimmed::nothing)
      at(granule) = {0, 0};
    else
      at(granule).or_nothing = 1;
  }
}

void Verifier::expect_of(const Request& request) {
  ComparedRead read;
  read.first = request.offset_bytes / rules_.granule_bytes;
  const std::uint64_t end = end_granule(request.offset_bytes + request.length_bytes);
  read.expected.reserve(end - read.first);
  for (std::uint64_t granule = read.first; granule < end; ++granule) read.expected.push_back(at(granule));
  const bool fresh = reads_.emplace(request.tag, std::move(read)).second;
  FTLAB_CHECK(fresh, "two reads are outstanding under tag " + std::to_string(request.tag));
}

void Verifier::take_log() {
  for (const ContentLog::Returned& returned : log_->returned) compare(returned);
  for (const ContentLog::Refused& refused : log_->refused) forget(refused);
  const bool numbers_are_others = log_->renumbered || !log_->refused.empty();
  log_->returned.clear();
  log_->refused.clear();
  if (!numbers_are_others) return;
  // After a refusal only the count of writes is uncertain, after renumbering everything is.
  const std::optional<VersionRules> rules = behind().report_contents(log_.get());
  FTLAB_CHECK(rules.has_value(), "a device no longer tells what its reads return");
  if (log_->renumbered) begin_from(*rules);
  rules_.newest = rules->newest;
  log_->renumbered = false;
}

void Verifier::forget(const ContentLog::Refused& refused) {
  const std::uint64_t end = end_granule(refused.end_bytes);
  for (std::uint64_t g = refused.from_bytes / rules_.granule_bytes; g < end; ++g)
    at(g) = {kUnknown, rules_.trimmed == VersionRules::Trimmed::either};
}

void Verifier::compare(const ContentLog::Returned& returned) {
  const auto found = reads_.find(returned.tag);
  if (found == reads_.end()) return;  // its job does not verify
  ComparedRead& read = found->second;
  const std::size_t index = read.returned++;
  if (!read.wrong.empty()) return;
  if (index >= read.expected.size() || returned.granule != read.first + index) {
    read.wrong = "returned granule " + std::to_string(returned.granule) + " where " + std::to_string(read.first + index) +
                 (index < read.expected.size() ? " was asked for" : " is beyond its end");
    return;
  }
  const Holds& expected = read.expected[index];
  ++stats_.granules;
  stats_.first_seen += expected.version == kUnknown;
  stats_.never_written += expected.version == 0;
  const bool as_expected =
      expected.version == kUnknown || returned.version == expected.version || (expected.or_nothing && returned.version == 0);
  if (as_expected && !is_damaged(returned)) return learn(returned.granule, expected, returned.version);
  read.wrong = "at offset " + std::to_string(returned.granule * rules_.granule_bytes) + " expected " +
               shown(expected.version) + (expected.or_nothing ? " or nothing" : "") + ", found " + shown(returned);
}

// Records the version found, unless the granule has been written since it was read.
void Verifier::learn(std::uint64_t granule, const Holds& expected, std::uint64_t found) {
  Holds& now = at(granule);
  if (now.version != expected.version || now.or_nothing != expected.or_nothing) return;
  now = {found & Holds::kMask, expected.or_nothing && found != 0};
}

std::size_t Verifier::wait(Nanoseconds until, std::span<Completion> out) {
  const std::size_t count = behind().wait(until, out);
  take_log();
  for (Completion& done : out.first(count)) judge(done);
  return count;
}

void Verifier::judge(Completion& done) {
  const auto found = reads_.find(done.tag);
  if (found == reads_.end()) return;
  ComparedRead& read = found->second;
  if (done.status == Status::ok) {
    ++stats_.reads;
    if (read.wrong.empty() && read.returned != read.expected.size()) {
      read.wrong = std::to_string(read.returned) + " of " + std::to_string(read.expected.size()) + " granules were returned";
    }
    if (!read.wrong.empty()) {
      done.status = Status::mismatch;
      ++stats_.mismatches;
      mismatches_[done.tag] = std::move(read.wrong);
    }
  }
  reads_.erase(found);
}

void Verifier::report(const std::string& line) {
  if (stats_.lines.size() < kMostLines) stats_.lines.push_back(line);
}

}  // namespace ftlab
