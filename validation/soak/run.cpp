#include "validation/soak/run.h"

#include <algorithm>
#include <exception>
#include <optional>
#include <vector>

#include "ftl/drive/drive_counters.h"
#include "validation/soak/power_cuts.h"

namespace ftlab::soak {
namespace {

// The flash of the second phase: worn-out blocks stay so, but nothing else fails.
DriveConfig calmed(DriveConfig drive) {
  EnduranceConfig& endurance = drive.endurance;
  if (endurance.ends()) {
    endurance.failing_program = endurance.failing_erase = 0;
    endurance.program_failures_per_billion = endurance.erase_failures_per_billion = 0;
    constexpr std::uint64_t kNoOperation = ~std::uint64_t{0};
    endurance.planned_programs = {kNoOperation, kNoOperation, 0, 0};
    endurance.planned_erases = {};
  }
  drive.cells.planned_reads = {};
  return drive;
}

class Run {
 public:
  // REQUIRES: all outlive this. What was reached is in `outcome` also after an error.
  Run(const RunPlan& plan, const Lie& lie, RunOutcome& outcome)
      : plan_(plan), outcome_(outcome), counts_(outcome.counts), host_(plan, lie, outcome.counts) {
    for (std::uint32_t pool = 0; pool < plan.drive.ftl.pool_count(); ++pool)
      reserve_.push_back(plan.drive.ftl.reserve(pool));
    if (plan.cut_every == 0) return;
    cuts_.emplace(plan, host_, counts_);
    next_cut_ = cuts_->interval();
  }

  ~Run() {
    counts_.add(Count::operations, host_.sums().operations);
    counts_.add(Count::pages_compared, host_.expected().pages_compared());
  }

  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  void run() {
    try {
      live();
    } catch (const OutOfRoom&) {
      counts_.add(Count::out_of_room);
    }
    finish();
  }

 private:
  const Ftl& ftl() { return host_.drive().ftl(); }

  void live() {
    if (plan_.fill_first) host_.fill();
    go_on(plan_.operations);
    inspect_all();
    if (plan_.trim_all) trim_all();
    if (plan_.calm > 0) {
      calm_down();
      go_on(plan_.calm);
      come_to_rest();
      inspect_all();
      read_everything();
    }
  }

  void go_on(std::uint64_t requests) {
    for (const std::uint64_t end = host_.sums().operations + requests; host_.sums().operations < end;) {
      host_.step();
      look_for_states();
      if (cuts_ && (host_.sums().operations >= next_cut_ || ftl().read_only())) {
        cuts_->cut();
        next_cut_ = host_.sums().operations + cuts_->interval();
      }
      if (ftl().read_only() && host_.sums().refused > 1'000) return;  // dead for long enough
      if (host_.sums().operations - inspected_ >= plan_.inspect_every) inspect_all();
    }
  }

  // Cheap probes, after each batch.
  void look_for_states() {
    const Blocks& blocks = ftl().store().blocks();
    for (std::uint32_t pool = 0; pool < reserve_.size(); ++pool) {
      const std::uint32_t free = blocks.free().count(pool);
      if (free < reserve_[pool]) [[unlikely]]
        counts_.hit(Count::reserve_in_use);
      if (free == 0) [[unlikely]]
        counts_.hit(Count::nothing_free);
    }
    if (!ftl().pages().coalescing().empty()) counts_.hit(Count::pages_held);
    const std::uint32_t queue = plan_.drive.link.queue_depth;
    if (plan_.timed && queue > 0 && host_.outstanding() > queue) counts_.hit(Count::host_waits);
  }

  // Probes that scan all superblocks, at each inspection.
  void look_for_rare_states() {
    const Blocks& blocks = ftl().store().blocks();
    std::uint32_t collecting = 0;
    for (std::uint32_t b = 0; b < blocks.count(); ++b) collecting += blocks.state(SuperblockId{b}) == BlockState::collecting;
    if (collecting > 1) counts_.hit(Count::several_collecting);
    const auto& health = host_.drive().flash().health;
    if (health && health->spare_erases() > 0) counts_.hit(Count::spare_came_in);
    if (health && health->spare_erases() > 0 && health->defects().spares() == 0) counts_.hit(Count::no_spare_left);
    const std::uint32_t mapped = host_.expected().mapped_pages();
    if (mapped == plan_.drive.logical_pages()) counts_.hit(Count::whole_drive_mapped);
    if (mapped == 0 && written_before_) counts_.hit(Count::all_trimmed);
    written_before_ |= mapped > 0;
  }

  void inspect_all() {
    host_.drain();
    host_.inspect();
    host_.compare_all();
    look_for_rare_states();
    inspected_ = host_.sums().operations;
    counts_.add(Count::inspections);
  }

  void calm_down() {
    if (host_.drive().flash().errors.has_value()) outcome_.spoiled_reads = host_.drive().flash().errors->spoiled();
    host_.move_to(calmed(plan_.drive));
    counts_.hit(Count::loaded_state);
  }

  // P4: nothing is outstanding, and RAM holds no data that the host has flushed.
  void come_to_rest() {
    host_.drain();
    Request flush;
    flush.op = Op::flush;
    host_.issue(flush);
    host_.drain();
    const bool kept = plan_.drive.ftl.buffer.power_loss_protected || ftl().read_only();
    require(kept || ftl().pages().all_in_flash(), "after a flush some data are not in the flash");
  }

  // Requests for the whole drive, one after the other.
  void cover(Op op, std::uint64_t piece) {
    for (std::uint64_t offset = 0; offset < plan_.drive.user_bytes; offset += piece) {
      host_.issue({0, op, offset, std::min(piece, plan_.drive.user_bytes - offset)});
      host_.drain();
    }
  }

  // In pieces that are multiples of every trim granularity, except the last one.
  void trim_all() {
    cover(Op::trim, 1024 * 1024);
    inspect_all();
  }

  void read_everything() { cover(Op::read, 64 * 1024); }
  void finish() {
    outcome_.read_only = ftl().read_only();
    outcome_.counters = host_.drive().counters();
    if (host_.drive().flash().health.has_value()) outcome_.skipped_erases = host_.drive().flash().health->skipped_erases();
    if (outcome_.read_only) counts_.hit(Count::read_only);
    if (host_.expected().renumberings() > 0) counts_.hit(Count::renumbered);
    if (host_.expected().trims_seen_late() > 0) counts_.hit(Count::trim_seen_late);
    if (host_.expected().trims_called_back() > 0) counts_.hit(Count::trim_called_back);
    if (plan_.timed) counts_.add_timed(plan_.drive.nand.scheduling.policy, host_.sums().operations);
    counts_.take(outcome_.counters);
    outcome_.completions = host_.completions();
    sign(host_.drive(), outcome_.state);
  }

  const RunPlan& plan_;
  RunOutcome& outcome_;
  Counts& counts_;
  ShadowedHost host_;
  std::optional<RandomCuts> cuts_;
  std::uint64_t next_cut_ = 0;          // number of its request
  std::vector<std::uint32_t> reserve_;  // by pool
  std::uint64_t inspected_ = 0;         // requests before the last inspection
  bool written_before_ = false;
};

}  // namespace

RunOutcome execute(const RunPlan& plan, const Lie& lie) {
  RunOutcome outcome;
  outcome.counts.add(Count::runs);
  try {
    Run(plan, lie, outcome).run();
  } catch (const std::exception& wrong) {
    outcome.failure = wrong.what();
  }
  return outcome;
}

}  // namespace ftlab::soak
