// What a drive should hold, kept outside of it: the version of every logical page, predicted from the requests alone.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "ftl/drive/drive.h"
#include "ftl/drive/lifecycle.h"
#include "sim/core/random.h"

namespace ftlab {

// Drives one Drive with requests of its own and checks every read. All requests complete before the next batch, so the
// last completed write is the last submitted one.
class ShadowedDrive {
 public:
  ShadowedDrive(const DriveConfig& config, Clock clock, std::uint64_t seed)
      : drive_(config, clock), random_(seed, "shadow"), expected_(config.logical_pages()) {
    drive_.report_contents(&seen_);
  }

  struct Mix {
    unsigned read = 30, write = 60, trim = 9, flush = 1;  // weights of the kinds of requests
    std::uint64_t longest_sectors = 64;
    std::uint64_t hot_share_percent = 0;  // of requests that go to the first sixteenth of the drive
    unsigned streams = 1;                 // that the host tells apart
    std::uint64_t contents = 0;  // that requests have, for a drive that deduplicates; one more of which nothing is known
  };

  // Issues `requests` in batches of up to 32 and checks them all. Returns the first thing that was wrong, or nothing.
  std::string run(std::uint64_t requests, const Mix& mix) {
    for (std::uint64_t done = 0; done < requests;) {
      std::vector<Request> batch(1 + random_.below(32));
      for (Request& request : batch) request = draw(mix);
      const std::string wrong = execute(batch);
      if (!wrong.empty()) return wrong;
      done += batch.size();
    }
    return {};
  }

  // The host is silent for so long.
  void rest(Nanoseconds time) { now_ = now_ + time; }

  // For a drive that may come to its end: one request at a time, until a write, trim or flush is refused. What the refused
  // request was about may be as before or as it wanted.
  std::string run_to_refusal(std::uint64_t requests, const Mix& mix) {
    for (std::uint64_t done = 0; done < requests && !refused_; ++done) {
      const Request request = draw(mix);
      const std::vector<Version> before = expected_;
      seen_.returned.clear();
      std::vector<ContentLog::Returned> wanted;
      predict(request, wanted);
      drive_.submit({&request, 1});
      ++submitted_;
      Completion completion;
      if (drive_.wait(kNever, {&completion, 1}) != 1) return "request " + std::to_string(request.tag) + " never came back";
      now_ = completion.completed;
      ++completed_;
      const std::string wrong = completion.status == Status::ok ? compare(wanted)
                                : completion.status != Status::read_only
                                    ? "request " + std::to_string(request.tag) + " failed"
                                : request.op == Op::read ? "a read was refused"
                                                         : take_refusal(before);
      if (!wrong.empty()) return wrong;
    }
    return {};
  }
  bool refused() const { return refused_; }
  // Whether the drive says that all it acknowledged is in the flash.
  bool flush() {
    const Request request{next_tag_++, Op::flush, 0, 0, now_};
    drive_.submit({&request, 1});
    Completion completion;
    drive_.wait(kNever, {&completion, 1});
    now_ = completion.completed;
    return completion.status == Status::ok;
  }
  // As a host does it. Returns what was wrong, or nothing.
  std::string read_everything() {
    const std::uint64_t page = drive_.config().ftl.mapping_bytes;
    for (std::uint32_t l = 0; l < expected_.size(); ++l) {
      const std::uint64_t bytes = std::min(page, drive_.config().user_bytes - l * page);
      const std::string wrong = execute({{next_tag_++, Op::read, l * page, bytes, now_}});
      if (!wrong.empty()) return wrong;
    }
    return {};
  }

  // After a power cut, everything that a flush covered must be there; what was newer may be.
  void power_cycle() {
    Lifecycle(drive_).power_cycle();
    version_ = number(drive_.ftl().pages().newest_version());
    for (std::uint32_t l = 0; l < expected_.size(); ++l) expected_[l] = drive_.ftl().pages().version(Lpn{l});
  }

  // Of a drive that deduplicates, behind its own record: what the flash holds of each page are the bytes that were written
  // to it, be it for another page; and while its table forgets nothing, equal bytes are there once. Returns the first thing
  // that was wrong, or nothing.
  std::string check_contents() const {
    const Ftl& ftl = drive_.ftl();
    const bool knows_all = drive_.counters().forgotten_fingerprints == 0;
    std::map<std::pair<std::uint64_t, std::uint64_t>, Lpn> places;
    for (std::uint32_t l = 0; l < expected_.size(); ++l) {
      if (expected_[l] == Version{0} || ftl.pages().coalescing().find(Lpn{l}) != nullptr) continue;
      const Fingerprint& wanted = written_[number(expected_[l])];
      const Version stored = ftl.pages().stored_version(Lpn{l});
      if (stored != expected_[l] && !(wanted.known() && written_[number(stored)] == wanted))
        return "page " + std::to_string(l) + " has the content of write " + std::to_string(number(stored));
      const Lpn content = ftl.pages().deduplication()->content_of(Lpn{l});
      const Lpn first = places.emplace(std::pair{wanted.content, wanted.sector}, content).first->second;
      if (wanted.known() && first != content && knows_all) return "page " + std::to_string(l) + " is stored a second time";
    }
    return {};
  }

  Drive& drive() { return drive_; }
  const std::vector<Version>& expected() const { return expected_; }
  std::uint64_t submitted() const { return submitted_; }
  std::uint64_t completed() const { return completed_; }
  std::uint64_t reads_checked() const { return reads_checked_; }

 private:
  Request draw(const Mix& mix) {
    Request request;
    request.tag = next_tag_++;
    request.issued = now_;
    const std::uint64_t kind = random_.below(mix.read + mix.write + mix.trim + mix.flush);
    request.op = kind < mix.read                          ? Op::read
                 : kind < mix.read + mix.write            ? Op::write
                 : kind < mix.read + mix.write + mix.trim ? Op::trim
                                                          : Op::flush;
    if (request.op == Op::flush) return request;
    std::uint64_t sectors = drive_.config().user_bytes / kSectorBytes;
    if (random_.below(100) < mix.hot_share_percent) sectors /= 16;
    const std::uint64_t length = 1 + random_.below(std::min(mix.longest_sectors, sectors));
    // Half of the requests are aligned to 4 KiB where they fit, as most hosts' are.
    std::uint64_t first = random_.below(sectors - length + 1);
    if (random_.chance(1, 2)) first = first / 8 * 8;
    if (mix.streams > 1) request.stream = static_cast<std::uint8_t>(random_.below(mix.streams));
    if (drive_.config().ftl.compression.on()) request.content = {0, random_.below(1001)};
    if (mix.contents > 0) request.content.id = random_.below(mix.contents + 1) & (Content::kIds - 1);
    request.offset_bytes = first * kSectorBytes;
    request.length_bytes = length * kSectorBytes;
    return request;
  }

  std::string execute(const std::vector<Request>& batch) {
    seen_.returned.clear();
    std::vector<ContentLog::Returned> wanted;
    for (const Request& request : batch) predict(request, wanted);
    drive_.submit(batch);
    submitted_ += batch.size();
    std::vector<bool> back(batch.size());
    Completion done[16];
    for (std::size_t count; (count = drive_.wait(kNever, done)) > 0;) {
      for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t index = done[i].tag - batch.front().tag;
        if (index >= batch.size() || back[index]) return "completion " + std::to_string(done[i].tag) + " was not asked for";
        if (done[i].status != Status::ok) return "request " + std::to_string(done[i].tag) + " failed";
        if (done[i].completed < now_) return "time went back";
        back[index] = true;
        now_ = done[i].completed;
        ++completed_;
      }
    }
    return compare(wanted);
  }

  std::string take_refusal(const std::vector<Version>& before) {
    refused_ = true;
    for (std::uint32_t l = 0; l < expected_.size(); ++l) {
      const Version found = drive_.ftl().pages().version(Lpn{l});
      if (found != before[l] && found != expected_[l]) {
        return "page " + std::to_string(l) + " has version " + std::to_string(number(found)) + ", had " +
               std::to_string(number(before[l])) + ", should have " + std::to_string(number(expected_[l]));
      }
      expected_[l] = found;
    }
    return {};
  }

  // Versions count the logical pages that are written, in order.
  void predict(const Request& request, std::vector<ContentLog::Returned>& wanted) {
    const std::uint64_t page = drive_.config().ftl.mapping_bytes;
    const std::uint64_t end = request.offset_bytes + request.length_bytes;
    if (request.op == Op::trim) {
      for (std::uint64_t l = (request.offset_bytes + page - 1) / page; l < end / page; ++l) expected_[l] = Version{0};
    } else if (request.op != Op::flush) {
      for (std::uint64_t l = request.offset_bytes / page; l * page < end; ++l) {
        if (request.op == Op::write) {
          expected_[l] = Version{++version_};
          note_written(request, l * page, page);
        }
        if (request.op == Op::read) wanted.push_back({request.tag, l, number(expected_[l])});
      }
    }
  }

  void note_written(const Request& request, std::uint64_t from, std::uint64_t bytes) {
    if (!drive_.config().ftl.deduplication.on()) return;
    const bool whole = from >= request.offset_bytes && from + bytes <= request.offset_bytes + request.length_bytes;
    written_.resize(version_ + 1);
    if (whole) written_[version_] = {request.content.id, (from - request.offset_bytes) / kSectorBytes};
  }

  // Reads find their pages in any order; those of one request come in order.
  std::string compare(const std::vector<ContentLog::Returned>& wanted) {
    std::vector<ContentLog::Returned>& seen = seen_.returned;
    std::stable_sort(seen.begin(), seen.end(), [](const auto& a, const auto& b) { return a.tag < b.tag; });
    if (wanted.size() != seen.size()) return std::to_string(seen.size()) + " pages read of " + std::to_string(wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (seen[i].granule != wanted[i].granule || seen[i].version != wanted[i].version) {
        return "page " + std::to_string(wanted[i].granule) + " read as version " + std::to_string(seen[i].version) +
               ", last written " + std::to_string(wanted[i].version);
      }
    }
    reads_checked_ += wanted.size();
    return {};
  }

  Drive drive_;
  RandomStream random_;
  std::vector<Version> expected_;
  std::vector<Fingerprint> written_;  // by version, of a drive that deduplicates
  ContentLog seen_;
  std::uint32_t version_ = 0;
  bool refused_ = false;
  std::uint64_t next_tag_ = 0;
  std::uint64_t submitted_ = 0;
  std::uint64_t completed_ = 0;
  std::uint64_t reads_checked_ = 0;
  Nanoseconds now_{0};
};

}  // namespace ftlab
