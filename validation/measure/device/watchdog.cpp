#include "validation/measure/device/watchdog.h"

#include <algorithm>
#include <array>

namespace ftlab {
namespace {

constexpr Nanoseconds kLook{1'000'000'000};  // longest interval between two searches for late requests

std::string seconds(Nanoseconds time) { return std::to_string(static_cast<double>(time.count()) / 1e9) + " s"; }

}  // namespace

const char* name_of(FaultKind kind) {
  constexpr std::array<const char*, 6> kNames = {"failed", "short", "late", "out of order", "duplicate", "lost"};
  return kNames[static_cast<std::size_t>(kind)];
}

void Watchdog::submit(std::span<const Request> batch) {
  batch_.assign(batch.begin(), batch.end());
  for (Request& request : batch_) {
    if (request.tag >= slots_.size()) slots_.resize(request.tag + 1);
    Slot& slot = slots_[request.tag];
    slot = {request, slot.use + 1, true, false};
    request.tag |= std::uint64_t{slot.use} << kHostBits;
  }
  outstanding_ += batch.size();
  behind().submit(batch_);
  report_host_tags();
}

std::optional<VersionRules> Watchdog::report_contents(ContentLog* log) {
  log_ = log;
  return behind().report_contents(log);
}

void Watchdog::report_host_tags() {
  if (log_ == nullptr) return;
  for (ContentLog::Returned& returned : log_->returned) returned.tag = host_tag(returned.tag);
}

std::size_t Watchdog::wait(Nanoseconds until, std::span<Completion> out) {
  for (;;) {
    const Nanoseconds look_every = std::min(kLook, options_.patience);
    const Nanoseconds step = outstanding_ > 0 ? std::min(until, latest_ + look_every) : until;
    const std::size_t returned = behind().wait(step, out);
    report_host_tags();
    const Nanoseconds now = returned > 0 ? out[returned - 1].completed : behind().now(step);
    if (outstanding_ > 0 && now >= looked_at_ + look_every) look_for_late(now);
    if (const std::size_t count = look_at(out.first(returned)); count > 0) return count;
    if (returned > 0) continue;  // none was outstanding
    latest_ = std::max(latest_, now);
    if (step == until || (leaving() && until != kNever)) return 0;
  }
}

// Moves completions of outstanding requests to the front and returns their number.
std::size_t Watchdog::look_at(std::span<Completion> done) {
  std::size_t kept = 0;
  for (Completion& each : done)
    if (judge(each)) done[kept++] = each;
  return kept;
}

bool Watchdog::judge(Completion& done) {
  const std::uint64_t tag = host_tag(done.tag);
  if (tag >= slots_.size() || !slots_[tag].out || slots_[tag].use != done.tag >> kHostBits) {
    record(FaultKind::duplicate, done.completed, {}, "a request came back that is not outstanding");
    return false;
  }
  Slot& slot = slots_[tag];
  slot.out = false;
  --outstanding_;
  if (done.status != Status::ok) {
    const bool is_short = done.status == Status::short_transfer;
    record(is_short ? FaultKind::short_transfer : FaultKind::failed, done.completed, slot.request,
           options_.explain ? options_.explain(done.tag) : std::string());
  }
  done.tag = tag;
  const Nanoseconds earliest = std::max(latest_, slot.request.issued);
  if (done.completed < earliest) {
    record(FaultKind::out_of_order, done.completed, slot.request,
           "completed " + seconds(earliest - done.completed) + " before a moment that had been reached");
    done.completed = earliest;
    done.parts = {};
  }
  latest_ = done.completed;
  return true;
}

void Watchdog::look_for_late(Nanoseconds now) {
  looked_at_ = now;
  std::size_t lost = 0;
  for (Slot& slot : slots_) {
    if (!slot.out || now - std::min(now, slot.request.issued) < options_.patience) continue;
    const Nanoseconds age = now - slot.request.issued;
    lost += age >= 2 * options_.patience;
    if (slot.late) continue;
    slot.late = true;
    record(FaultKind::late, now, slot.request, "has been outstanding for " + seconds(age));
  }
  if (lost == 0) return;
  for (const Slot& slot : slots_)
    if (slot.out) record(FaultKind::lost, now, slot.request, "never came back");
  throw DeviceLost(std::to_string(outstanding_) + " requests did not come back within " + seconds(2 * options_.patience) +
                   "; the device is given up");
}

void Watchdog::record(FaultKind kind, Nanoseconds at, const Request& request, const std::string& text) {
  ++fault_count_;
  if (faults_.size() < kMostFaults) faults_.push_back({kind, at, request, text});
  if (options_.leave != nullptr) options_.leave->store(true, std::memory_order_relaxed);
}

}  // namespace ftlab
