#include "validation/checks/reference/shadow.h"

#include "ftl/drive/lifecycle.h"

namespace ftlab {

ShadowedDrive::ShadowedDrive(const DriveConfig& config, Clock clock, std::uint64_t seed)
    : drive_(config, clock), random_(seed, "shadow"), expected_(config.logical_pages()) {
  drive_.report_contents(&seen_);
}

std::string ShadowedDrive::run(std::uint64_t requests, const Mix& mix) {
  for (std::uint64_t done = 0; done < requests;) {
    std::vector<Request> batch(1 + random_.below(32));
    for (Request& request : batch) request = draw(mix);
    const std::string wrong = execute(batch);
    if (!wrong.empty()) return wrong;
    done += batch.size();
  }
  return {};
}

std::string ShadowedDrive::run_to_refusal(std::uint64_t requests, const Mix& mix) {
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
    const std::string wrong = completion.status == Status::ok          ? compare(wanted)
                              : completion.status != Status::read_only ? "request " + std::to_string(request.tag) + " failed"
                              : request.op == Op::read                 ? "a read was refused"
                                                                       : take_refusal(before);
    if (!wrong.empty()) return wrong;
  }
  return {};
}

bool ShadowedDrive::flush() {
  const Request request{next_tag_++, Op::flush, 0, 0, now_};
  drive_.submit({&request, 1});
  Completion completion;
  drive_.wait(kNever, {&completion, 1});
  now_ = completion.completed;
  return completion.status == Status::ok;
}

std::string ShadowedDrive::read_everything() {
  const std::uint64_t page = drive_.config().ftl.mapping_bytes;
  for (std::uint32_t l = 0; l < expected_.size(); ++l) {
    const std::uint64_t bytes = std::min(page, drive_.config().user_bytes - l * page);
    const std::string wrong = execute({{next_tag_++, Op::read, l * page, bytes, now_}});
    if (!wrong.empty()) return wrong;
  }
  return {};
}

void ShadowedDrive::power_cycle() {
  Lifecycle(drive_).power_cycle();
  version_ = number(drive_.ftl().pages().newest_version());
  for (std::uint32_t l = 0; l < expected_.size(); ++l) expected_[l] = drive_.ftl().pages().version(Lpn{l});
}

std::string ShadowedDrive::check_contents() const {
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

Request ShadowedDrive::draw(const Mix& mix) {
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
  // Half of the requests are aligned to 4 KiB, like most requests of real hosts.
  std::uint64_t first = random_.below(sectors - length + 1);
  if (random_.chance(1, 2)) first = first / 8 * 8;
  if (mix.streams > 1) request.stream = static_cast<std::uint8_t>(random_.below(mix.streams));
  if (drive_.config().ftl.compression.on()) request.content = {0, random_.below(1001)};
  if (mix.contents > 0) request.content.id = random_.below(mix.contents + 1) & (Content::kIds - 1);
  request.offset_bytes = first * kSectorBytes;
  request.length_bytes = length * kSectorBytes;
  return request;
}

std::string ShadowedDrive::execute(const std::vector<Request>& batch) {
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

std::string ShadowedDrive::take_refusal(const std::vector<Version>& before) {
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

void ShadowedDrive::predict(const Request& request, std::vector<ContentLog::Returned>& wanted) {
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

void ShadowedDrive::note_written(const Request& request, std::uint64_t from, std::uint64_t bytes) {
  if (!drive_.config().ftl.deduplication.on()) return;
  const bool whole = from >= request.offset_bytes && from + bytes <= request.offset_bytes + request.length_bytes;
  written_.resize(version_ + 1);
  if (whole) written_[version_] = {request.content.id, (from - request.offset_bytes) / kSectorBytes};
}

std::string ShadowedDrive::compare(const std::vector<ContentLog::Returned>& wanted) {
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

}  // namespace ftlab
