#include "validation/soak/swarm/swarm_run.h"

#include <array>
#include <bit>
#include <exception>
#include <memory>
#include <stdexcept>
#include <vector>

#include "ftl/drive/drive.h"
#include "ftl/drive/drive_counters.h"
#include "sim/core/random.h"
#include "validation/checks/reference/expected_contents.h"
#include "validation/soak/swarm/host_requests.h"

namespace ftlab::soak {
namespace {

constexpr std::uint32_t kMostDepth = 64;

struct Wrong : std::runtime_error {
  using std::runtime_error::runtime_error;
};

std::string text(std::uint64_t value) { return std::to_string(value); }

// The flash of the second phase: worn-out blocks stay so, but nothing else fails.
DriveConfig calmed(DriveConfig drive) {
  EnduranceConfig& endurance = drive.endurance;
  if (endurance.ends()) {
    endurance.failing_program = endurance.failing_erase = 0;
    endurance.program_failures_per_billion = endurance.erase_failures_per_billion = 0;
    constexpr std::uint64_t kNever = ~std::uint64_t{0};
    endurance.planned_programs = {kNever, kNever, 0, 0};
    endurance.planned_erases = {};
  }
  drive.cells.planned_reads = {};
  return drive;
}

class SwarmRun {
 public:
  SwarmRun(const SwarmPlan& plan, const Lie& lie)
      : plan_(plan), lie_(lie), requests_(plan), expected_(plan.drive), depth_(depth_of(plan)) {
    open(plan.drive);
    for (std::uint32_t pool = 0; pool < plan.drive.ftl.pool_count(); ++pool)
      reserve_.push_back(plan.drive.ftl.reserve(pool));
    most_steps_ = 4 * std::uint64_t{drive_->medium().layout().page_count()} * plan.drive.geometry.planes_per_die + 1'000;
    const NandTiming& nand = plan.drive.nand;
    const Nanoseconds slowest = nand.erase + *std::max_element(nand.program.begin(), nand.program.end()) + nand.read;
    most_time_ = slowest * most_steps_ + Nanoseconds{3'600'000'000'000};
    most_time_ *= kMostDepth;
  }

  // Refusals and renumbering are checked request by request.
  static std::uint32_t depth_of(const SwarmPlan& plan) {
    const bool one = plan.timed && (plan.drive.endurance.ends() || plan.drive.ftl.most_versions < 0xffff'fff0);
    return one ? 1 : std::clamp(plan.host.depth, 1u, kMostDepth);
  }

  void run(SwarmOutcome& outcome) {
    if (plan_.fill_first) fill();
    go_on(plan_.operations);
    inspect_all();
    if (plan_.trim_all) trim_all();
    if (plan_.calm > 0) {
      go_on_from_saved_state();
      go_on(plan_.calm);
      come_to_rest();
      inspect_all();
      read_everything();
    }
    finish(outcome);
  }
  void finish(SwarmOutcome& outcome);
  std::uint64_t operations() const { return operations_; }

 private:
  struct Slot {
    Nanoseconds issued{0};
    std::uint64_t tag = 0;
    Op op = Op::read;
  };

  void open(const DriveConfig& config) {
    drive_ = std::make_unique<Drive>(config, plan_.timed ? Clock::timed : Clock::untimed, plan_.seed);
    drive_->report_contents(&seen_);
  }
  void require(bool holds, const std::string& wrong) const {
    if (!holds) throw Wrong(wrong);
  }
  void require_none(const std::string& wrong) const {
    if (!wrong.empty()) throw Wrong(wrong);
  }
  std::uint32_t outstanding() const { return static_cast<std::uint32_t>(std::popcount(taken_)); }

  void fill();
  void go_on(std::uint64_t requests);
  void issue(Request request);
  void take_some();
  void take(const Completion& done);
  void drain();
  void look_for_states();
  void look_for_rare_states();
  void watch(const Request& request);
  void inspect_all();
  void inspect_sums();
  void go_on_from_saved_state();
  void come_to_rest();
  void read_everything();
  void trim_all();

  const SwarmPlan& plan_;
  const Lie& lie_;
  HostRequests requests_;
  ExpectedContents expected_;
  std::uint32_t depth_;
  std::unique_ptr<Drive> drive_;
  ContentLog seen_;
  std::vector<std::uint32_t> reserve_;  // by pool
  std::array<Slot, kMostDepth> slots_{};
  std::uint64_t taken_ = 0;  // bit mask of occupied slots
  Nanoseconds now_{0};
  std::uint64_t operations_ = 0;
  std::uint64_t since_inspection_ = 0;
  std::uint64_t batches_ = 0;
  std::uint64_t inspections_ = 0;
  std::uint64_t read_bytes_ = 0, written_bytes_ = 0;
  bool written_before_ = false;
  std::uint64_t refused_ = 0;
  std::uint64_t spoiled_reads_ = 0;  // in the first phase
  std::uint64_t most_steps_ = 0;
  Nanoseconds most_time_{0};
  ProbeCounts probes_;
  Signature completions_;
};

// Writes the drive once, sequentially, in large pieces.
void SwarmRun::fill() {
  const std::uint64_t bytes = plan_.drive.user_bytes;
  const std::uint64_t piece = std::max<std::uint64_t>(plan_.drive.ftl.mapping_bytes, 128 * kSectorBytes);
  for (std::uint64_t offset = 0; offset < bytes; offset += piece) {
    Request request{0, Op::write, offset, std::min(piece, bytes - offset), now_};
    if (plan_.drive.ftl.deduplication.on()) request.content = {1 + offset / piece, 1000};
    issue(request);
    while (outstanding() >= depth_) take_some();
  }
  drain();
}

void SwarmRun::go_on(std::uint64_t requests) {
  const std::uint32_t batch = std::max(1u, std::min(plan_.host.batch, depth_));
  for (std::uint64_t done = 0; done < requests; done += batch) {
    while (outstanding() + batch > depth_) take_some();
    for (std::uint32_t i = 0; i < batch; ++i) issue(requests_.next());
    if (!plan_.timed) drain();
    look_for_states();
    if (plan_.host.rest_every > 0 && ++batches_ % plan_.host.rest_every == 0) {
      drain();
      now_ += Nanoseconds{plan_.host.rest_ns};
    }
    since_inspection_ += batch;
    if (since_inspection_ >= plan_.inspect_every) inspect_all();
    if (drive_->ftl().read_only() && refused_ > 1'000) return;  // dead for long enough
  }
}

void SwarmRun::issue(Request request) {
  const int slot = std::countr_one(taken_);
  taken_ |= std::uint64_t{1} << slot;
  request.tag = operations_ << 6 | static_cast<std::uint64_t>(slot);
  request.issued = now_;
  slots_[slot] = {now_, request.tag, request.op};
  if ((operations_ & 15) == 0) watch(request);
  if (lie_ == nullptr || !lie_(request, plan_)) [[likely]]
    expected_.predict(request);
  drive_->expect(request);
  drive_->submit({&request, 1});
  ++operations_;
  require_none(expected_.compare(seen_, drive_->ftl()));
  if (!plan_.timed) expected_.settle();
  if (request.op == Op::read) read_bytes_ += request.length_bytes;
  if (request.op == Op::write) written_bytes_ += request.length_bytes;
}

// Checks the visible state of the drive before a write.
void SwarmRun::watch(const Request& request) {
  if (request.op != Op::write) return;
  const Ftl& ftl = drive_->ftl();
  const HostPages::Found found =
      ftl.pages().find(Lpn{static_cast<std::uint32_t>(request.offset_bytes / plan_.drive.ftl.mapping_bytes)});
  if (found.where == HostPages::Found::Where::flash &&
      ftl.store().blocks().state(drive_->medium().layout().block_of(found.ppn)) == BlockState::collecting)
    probes_.hit(Probe::victim_overtaken);
  if (request.offset_bytes + request.length_bytes == plan_.drive.user_bytes) probes_.hit(Probe::last_sector);
}

void SwarmRun::take_some() {
  std::array<Completion, 16> done;
  const std::size_t count = drive_->wait(kNever, done);
  require(count > 0, text(outstanding()) + " requests never come back");
  for (std::size_t i = 0; i < count; ++i) take(done[i]);
  require_none(expected_.compare(seen_, drive_->ftl()));
  if (outstanding() == 0) expected_.settle();
}

void SwarmRun::take(const Completion& done) {
  const Slot& slot = slots_[done.tag % kMostDepth];
  require((taken_ >> (done.tag % kMostDepth) & 1) != 0 && slot.tag == done.tag,
          "completion " + text(done.tag) + " was not asked for, or came twice");
  taken_ &= ~(std::uint64_t{1} << (done.tag % kMostDepth));
  completions_.add(done.completed.count());
  completions_.add(done.tag << 3 | static_cast<std::uint64_t>(done.status));
  if (done.status != Status::ok) {
    const bool read = slot.op == Op::read;
    const bool allowed = read ? done.status == Status::media_error && plan_.drive.cells.err()
                              : done.status == Status::read_only && plan_.drive.endurance.ends();
    require(allowed, "request " + text(done.tag) + " has status " + text(static_cast<std::uint64_t>(done.status)));
    refused_ += !read;
  }
  if (!plan_.timed) return;
  require(done.completed >= slot.issued, "request " + text(done.tag) + " was complete before it was issued");
  const Nanoseconds latency = done.completed - slot.issued;
  Nanoseconds sum{0};
  for (const Nanoseconds part : done.parts) sum += part;
  require(sum == latency, "the latency of request " + text(done.tag) + " is " + text(latency.count()) +
                              " ns, its parts are " + text(sum.count()));
  require(latency <= most_time_, "request " + text(done.tag) + " took " + text(latency.count()) + " ns");
  require(done.completed >= now_, "time went back");
  now_ = std::max(now_, done.completed);
}

void SwarmRun::drain() {
  for (std::uint32_t steps = outstanding(); steps > 0 && outstanding() > 0; --steps) take_some();
  require(outstanding() == 0, text(outstanding()) + " requests are left after as many steps as there were requests");
}

// Cheap probes, after each batch.
void SwarmRun::look_for_states() {
  const Ftl& ftl = drive_->ftl();
  const Blocks& blocks = ftl.store().blocks();
  for (std::uint32_t pool = 0; pool < reserve_.size(); ++pool) {
    const std::uint32_t free = blocks.free().count(pool);
    if (free < reserve_[pool]) [[unlikely]]
      probes_.hit(Probe::reserve_in_use);
    if (free == 0) [[unlikely]]
      probes_.hit(Probe::nothing_free);
  }
  if (!ftl.pages().coalescing().empty()) probes_.hit(Probe::pages_held);
  const std::uint32_t queue = plan_.drive.link.queue_depth;
  if (plan_.timed && queue > 0 && outstanding() > queue) probes_.hit(Probe::host_waits);
}

// Probes that scan all superblocks, at each inspection.
void SwarmRun::look_for_rare_states() {
  const Ftl& ftl = drive_->ftl();
  const Blocks& blocks = ftl.store().blocks();
  std::uint32_t collecting = 0;
  for (std::uint32_t b = 0; b < blocks.count(); ++b) collecting += blocks.state(SuperblockId{b}) == BlockState::collecting;
  if (collecting > 1) probes_.hit(Probe::several_collecting);
  const auto& health = drive_->flash().health;
  if (health && health->spare_erases() > 0) probes_.hit(Probe::spare_came_in);
  if (health && health->spare_erases() > 0 && health->defects().spares() == 0) probes_.hit(Probe::no_spare_left);
  const std::uint32_t mapped = expected_.mapped_pages();
  if (mapped == plan_.drive.logical_pages()) probes_.hit(Probe::whole_drive_mapped);
  if (mapped == 0 && written_before_) probes_.hit(Probe::all_trimmed);
  written_before_ |= mapped > 0;
}

void SwarmRun::inspect_all() {
  drain();
  since_inspection_ = 0;
  ++inspections_;
  for (const std::string& sentence : inspect(drive_->ftl())) throw Wrong(sentence);
  require_none(expected_.compare_all(drive_->ftl()));
  inspect_sums();
  look_for_rare_states();
}

// P3: counters of two sources agree.
void SwarmRun::inspect_sums() {
  const Counters counted = drive_->counters();
  const Ftl& ftl = drive_->ftl();
  std::uint64_t places = drive_->medium().pages().programmed();
  for (const Stage& stage : ftl.store().stages()) places += stage.slots_in_ram();
  const std::uint64_t media = places * plan_.drive.ftl.slot_bytes();
  require(counted.media_write_bytes() == media,
          "the layer counts " + text(counted.media_write_bytes()) + " bytes programmed, the medium " + text(media));
  require(counted.host_read_bytes == read_bytes_,
          "the drive counts " + text(counted.host_read_bytes) + " bytes read, the host " + text(read_bytes_));
  const bool refused = drive_->ftl().read_only();
  require(counted.host_write_bytes == written_bytes_ || (refused && counted.host_write_bytes <= written_bytes_),
          "the drive counts " + text(counted.host_write_bytes) + " bytes written, the host " + text(written_bytes_));
  std::uint64_t erases = 0;
  for (std::uint32_t b = 0; b < ftl.store().blocks().count(); ++b)
    erases += drive_->medium().superblocks().erases(SuperblockId{b});
  require(erases == drive_->medium().superblocks().erased(), "the erases of the superblocks sum to " + text(erases) + ", " +
                                                                 text(drive_->medium().superblocks().erased()) +
                                                                 " are counted");
  require(places <= (erases + ftl.store().blocks().count()) * drive_->medium().layout().pages_per_superblock(),
          "more was programmed than was erased");
}

void SwarmRun::go_on_from_saved_state() {
  drain();
  const std::string state = drive_->save();
  if (drive_->flash().errors.has_value()) spoiled_reads_ = drive_->flash().errors->spoiled();
  open(calmed(plan_.drive));
  drive_->load(state);
  require(drive_->save() == state, "a saved state is not the same when it was loaded");
  probes_.hit(Probe::loaded_state);
}

// P4: nothing is outstanding, and RAM holds no data that the host has flushed.
void SwarmRun::come_to_rest() {
  drain();
  Request flush;
  flush.op = Op::flush;
  issue(flush);
  drain();
  const bool kept = plan_.drive.ftl.buffer.power_loss_protected || drive_->ftl().read_only();
  require(kept || drive_->ftl().pages().all_in_flash(), "after a flush some data are not in the flash");
}

// In pieces that are multiples of every trim granularity, except the last one.
void SwarmRun::trim_all() {
  constexpr std::uint64_t kPiece = 1024 * 1024;
  for (std::uint64_t offset = 0; offset < plan_.drive.user_bytes; offset += kPiece) {
    issue({0, Op::trim, offset, std::min(kPiece, plan_.drive.user_bytes - offset)});
    drain();
  }
  inspect_all();
}

void SwarmRun::read_everything() {
  constexpr std::uint64_t kPiece = 64 * 1024;
  for (std::uint64_t offset = 0; offset < plan_.drive.user_bytes; offset += kPiece) {
    issue({0, Op::read, offset, std::min(kPiece, plan_.drive.user_bytes - offset)});
    drain();
  }
}

void SwarmRun::finish(SwarmOutcome& outcome) {
  outcome.operations = operations_;
  outcome.pages_compared = expected_.pages_compared();
  outcome.inspections = inspections_;
  outcome.read_only = drive_->ftl().read_only();
  outcome.counters = drive_->counters();
  if (drive_->flash().health.has_value()) outcome.skipped_erases = drive_->flash().health->skipped_erases();
  outcome.spoiled_reads = spoiled_reads_;
  if (outcome.read_only) probes_.hit(Probe::read_only);
  if (expected_.renumberings() > 0) probes_.hit(Probe::renumbered);
  if (expected_.trims_seen_late() > 0) probes_.hit(Probe::trim_seen_late);
  if (expected_.trims_called_back() > 0) probes_.hit(Probe::trim_called_back);
  probes_.take(outcome.counters);
  outcome.probes = probes_;
  outcome.completions = completions_;
  sign(*drive_, outcome.state);
}

}  // namespace

SwarmOutcome execute(const SwarmPlan& plan, const Lie& lie) {
  SwarmOutcome outcome;
  std::unique_ptr<SwarmRun> run;
  try {
    run = std::make_unique<SwarmRun>(plan, lie);
    run->run(outcome);
  } catch (const std::exception& wrong) {
    outcome.failure = wrong.what();
    if (run != nullptr) outcome.operations = run->operations();
  }
  return outcome;
}

}  // namespace ftlab::soak
