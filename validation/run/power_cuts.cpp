#include "validation/run/power_cuts.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "ftl/drive/lifecycle.h"
#include "sim/core/random.h"

namespace ftlab {

ChangeRules::ChangeRules(const FtlConfig& ftl)
    : page_bytes(ftl.mapping_bytes),
      trim_bytes(ftl.trim.mode == TrimConfig::Mode::off ? 0
                                                        : std::max<std::uint64_t>(ftl.trim.granularity_bytes, page_bytes)),
      writes_through(!ftl.buffer.write_back),
      may_lose(!ftl.buffer.power_loss_protected) {}

ChangeRules::Range ChangeRules::trimmed(std::uint64_t offset, std::uint64_t length) const {
  if (trim_bytes == 0) return {};
  const std::uint64_t from = (offset + trim_bytes - 1) / trim_bytes * trim_bytes;
  return {from, std::max(from, (offset + length) / trim_bytes * trim_bytes)};
}

void OpenChanges::write(std::uint64_t offset, std::uint64_t length) {
  const std::uint64_t size = rules_.page_bytes;
  for (std::uint64_t page = offset / size; page * size < offset + length; ++page) write_page(page);
}

void OpenChanges::trim(std::uint64_t offset, std::uint64_t length) {
  const ChangeRules::Range range = rules_.trimmed(offset, length);
  for (std::uint64_t page = range.offset / rules_.page_bytes; page * rules_.page_bytes < range.end; ++page) add({page, 0});
}

void OpenChanges::add(const Change& change) {
  latest_[change.page] = mark();
  changes_.push_back(change);
}

std::uint64_t OpenChanges::latest(std::uint64_t page) const {
  const auto found = latest_.find(page);
  return found == latest_.end() ? kNone : found->second - first_;
}

void OpenChanges::settle(std::uint64_t mark, const Each& durable) {
  for (; first_ < mark && !changes_.empty(); ++first_) {
    const Change& change = changes_.front();
    if (durable) durable(change);
    const auto latest = latest_.find(change.page);
    if (latest->second == first_) latest_.erase(latest);
    changes_.pop_front();
  }
}

std::uint64_t OpenChanges::lose(const std::function<std::uint64_t(std::uint64_t page)>& version_of, std::uint64_t newest,
                                const Left& left) {
  std::uint64_t lost = 0;
  for (std::size_t i = 0; i < changes_.size(); ++i) {
    const Change& change = changes_[i];
    const bool holds = change.version == version_of(change.page);
    if (left) left(change, holds);
    lost += !holds && latest_.at(change.page) == first_ + i;
  }
  first_ += changes_.size();
  changes_.clear();
  latest_.clear();
  newest_ = newest;
  return lost;
}

void PowerCuts::watch_flash() {
  FTLAB_CHECK(!watches(), "a flash is watched twice");
  if (!can_watch()) return;
  journal_.emplace(drive_.medium().layout(), drive_.config().nand, drive_.config().geometry.pages_per_block);
  Lifecycle(drive_).keep_journal(&*journal_);
  journal_->forget();
}

void PowerCuts::end_watch() {
  if (!journal_) return;
  Lifecycle(drive_).keep_journal(nullptr);
  journal_.reset();
}

Nanoseconds PowerCuts::cut(RequestTracker& tracker, Nanoseconds at, std::uint64_t fates,
                           const std::function<void(const Completion&)>& unanswered) {
  Nanoseconds back = at;
  cuts_.push_back({at, tracker.outstanding(), 0, {}});
  while (tracker.outstanding() > 0) {
    Completion done;
    FTLAB_CHECK(device_.wait(kNever, {&done, 1}) > 0, "requests never came back");
    back = std::max(back, done.completed);
    tracker.settle(done);
    if (unanswered) unanswered(done);
  }
  cuts_.back().damage = cut_flash(origin_ + at, fates);
  end_watch();
  return std::max(back, drive_.idle_from() - origin_);
}

FlashJournal::Damage PowerCuts::cut_flash(Nanoseconds at, std::uint64_t fates) {
  if (!watches()) {
    Lifecycle(drive_).power_cycle();
    return {};
  }
  RandomStream stream(fates, "fates of the flash's operations at a power cut");
  const ChooseFate choose = [&stream](std::uint32_t count) { return static_cast<std::uint32_t>(stream.below(count)); };
  return Lifecycle(drive_).power_cycle(*journal_, at, choose);
}

nlohmann::ordered_json PowerCuts::report() const {
  nlohmann::ordered_json report = nlohmann::ordered_json::array();
  for (const Cut& cut : cuts_) {
    report.push_back({{"at_s", static_cast<double>(cut.at.count()) / 1e9},
                      {"requests_unanswered", cut.unanswered},
                      {"pages_lost", cut.lost_pages},
                      {"programs_under_way", cut.damage.programs_under_way},
                      {"erases_under_way", cut.damage.erases_under_way},
                      {"slots_torn", cut.damage.torn_slots}});
  }
  return report;
}

CutDevice::CutDevice(Device& device, Drive& drive, Nanoseconds origin)
    : PassingDevice(device),
      drive_(drive),
      rules_(drive.config().ftl),
      cuts_(drive, device, origin),
      open_(rules_, number(drive.ftl().pages().newest_version())) {}

void CutDevice::submit(std::span<const Request> batch) {
  if (rules_.may_lose) {
    for (const Request& request : batch) note(request);
  }
  behind().submit(batch);
}

std::size_t CutDevice::wait(Nanoseconds until, std::span<Completion> out) {
  const std::size_t count = behind().wait(until, out);
  if (rules_.may_lose) {
    for (const Completion& done : out.first(count)) note(done);
  }
  return count;
}

void CutDevice::note(const Request& request) {
  if (request.op == Op::write) open_.write(request.offset_bytes, request.length_bytes);
  if (request.op == Op::trim) open_.trim(request.offset_bytes, request.length_bytes);
  if (in_flight_.size() <= request.tag) in_flight_.resize(request.tag + 1);
  in_flight_[request.tag] = {request.op == Op::write, rules_.is_barrier(request.op, request.fua) ? open_.mark() : 0};
  ++outstanding_;
}

void CutDevice::note(const Completion& done) {
  const InFlight was = in_flight_[done.tag];
  --outstanding_;
  if (done.status == Status::ok)
    open_.settle(was.mark);
  else
    uncounted_ = uncounted_ || was.writes;
  if (!uncounted_ || outstanding_ > 0) return;
  open_.recount(newest());
  uncounted_ = false;
}

Nanoseconds CutDevice::cut(RequestTracker& tracker, Nanoseconds at, std::uint64_t fates) {
  back_ = cuts_.cut(tracker, at, fates);
  const auto version_of = [this](std::uint64_t page) {
    return std::uint64_t{number(drive_.ftl().pages().version(Lpn{static_cast<std::uint32_t>(page)}))};
  };
  cuts_.lost(open_.lose(version_of, newest()));
  outstanding_ = 0;
  return back_;
}

nlohmann::ordered_json CutDevice::report() const { return cuts_.report(); }

}  // namespace ftlab
