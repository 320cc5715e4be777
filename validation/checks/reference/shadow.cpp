#include "validation/checks/reference/shadow.h"

#include "ftl/drive/lifecycle.h"

namespace ftlab {

ShadowedDrive::ShadowedDrive(const DriveConfig& config, Clock clock, std::uint64_t seed)
    : drive_(config, clock), random_(seed, "shadow"), expected_(config) {
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
    predict(request);
    drive_.submit({&request, 1});
    Completion completion;
    if (drive_.wait(kNever, {&completion, 1}) != 1) return "request " + std::to_string(request.tag) + " never came back";
    now_ = completion.completed;
    refused_ = completion.status == Status::read_only && request.op != Op::read;
    if (completion.status != Status::ok && !refused_) return "request " + std::to_string(request.tag) + " failed";
    const std::string wrong = compare();
    if (!wrong.empty()) return wrong;
    if (refused_) return expected_.compare_all(drive_.ftl());
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
  for (std::uint32_t l = 0; l < drive_.config().logical_pages(); ++l) {
    const std::uint64_t bytes = std::min(page, drive_.config().user_bytes - l * page);
    const std::string wrong = execute({{next_tag_++, Op::read, l * page, bytes, now_}});
    if (!wrong.empty()) return wrong;
  }
  return {};
}

void ShadowedDrive::power_cycle() {
  Lifecycle(drive_).power_cycle();
  expected_.take_up(drive_.ftl());
}

std::string ShadowedDrive::check_contents() const {
  const Ftl& ftl = drive_.ftl();
  const bool knows_all = drive_.counters().forgotten_fingerprints == 0;
  std::map<std::pair<std::uint64_t, std::uint64_t>, Lpn> places;
  const std::vector<Version> expected = this->expected();
  for (std::uint32_t l = 0; l < expected.size(); ++l) {
    if (expected[l] == Version{0} || ftl.pages().coalescing().find(Lpn{l}) != nullptr) continue;
    const Fingerprint& wanted = written_[number(expected[l])];
    const Version stored = ftl.pages().stored_version(Lpn{l});
    if (stored != expected[l] && !(wanted.known() && written_[number(stored)] == wanted))
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
  for (const Request& request : batch) predict(request);
  drive_.submit(batch);
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
    }
  }
  if (std::find(back.begin(), back.end(), false) != back.end()) return "a request never came back";
  return compare();
}

void ShadowedDrive::predict(const Request& request) {
  expected_.predict(request);
  if (request.op != Op::write || !drive_.config().ftl.deduplication.on()) return;
  const std::uint64_t page = drive_.config().ftl.mapping_bytes, end = request.offset_bytes + request.length_bytes;
  for (std::uint64_t l = request.offset_bytes / page; l * page < end; ++l) {
    const std::uint32_t version = expected_.version(static_cast<std::uint32_t>(l));
    written_.resize(version + 1);
    const bool whole = l * page >= request.offset_bytes && (l + 1) * page <= end;
    if (whole) written_[version] = {request.content.id, (l * page - request.offset_bytes) / kSectorBytes};
  }
}

// REQUIRES: no request outstanding.
std::string ShadowedDrive::compare() {
  const std::string wrong = expected_.compare(seen_, drive_.ftl());
  expected_.settle();
  return wrong.empty() ? expected_.unanswered() : wrong;
}

std::vector<Version> ShadowedDrive::expected() const {
  std::vector<Version> versions;
  for (std::uint32_t l = 0; l < drive_.config().logical_pages(); ++l) versions.push_back(Version{expected_.version(l)});
  return versions;
}

}  // namespace ftlab
