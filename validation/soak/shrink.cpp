#include "validation/soak/run.h"

#include <algorithm>

#include "sim/core/check.h"

namespace ftlab::soak {
namespace {

class Shrinking {
 public:
  Shrinking(const RunPlan& plan, std::uint64_t most_runs, const Lie& lie)
      : best_{plan, {}, 0}, most_runs_(most_runs), lie_(lie) {
    FTLAB_CHECK(take_if_it_fails(plan), "there is nothing to shrink: the plan does not fail");
  }

  Shrunk smallest() {
    for (std::uint64_t before = 0; before != accepted_;) {
      before = accepted_;
      fewer_operations();
      features_off();
      smaller_numbers();
    }
    return best_;
  }

 private:
  bool take_if_it_fails(RunPlan plan) {
    if (best_.runs >= most_runs_ || !refit(plan)) return false;
    if (best_.runs > 0 && is_best(plan)) return false;  // refit() has reverted the change
    ++best_.runs;
    RunOutcome outcome = execute(plan, lie_);
    if (outcome.failure.empty()) return false;
    ++accepted_;
    best_.plan = plan;
    best_.outcome = outcome;
    return true;
  }

  bool is_best(const RunPlan& plan) const {
    const auto fields = plan_fields();
    return std::all_of(fields.begin(), fields.end(),
                       [&](const PlanField& field) { return field.get(plan) == field.get(best_.plan); });
  }

  // Removes half of the operations, then fewer and fewer.
  void fewer_operations() {
    RunPlan plan = best_.plan;
    if (plan.calm > 0) {
      plan.calm = 0;
      if (!take_if_it_fails(plan)) plan = best_.plan;
    }
    for (std::uint64_t less = std::max<std::uint64_t>(plan.operations / 2, 1);; less /= 2) {
      while (best_.plan.operations >= less && less > 0) {
        plan = best_.plan;
        plan.operations -= less;
        if (!take_if_it_fails(plan)) break;
      }
      if (less <= 1) return;
    }
  }

  void features_off() {
    for (const PlanField& field : plan_fields()) {
      if (!field.off || field.get(best_.plan) == *field.off) continue;
      RunPlan plan = best_.plan;
      field.set(plan, *field.off);
      take_if_it_fails(plan);
    }
  }

  // Halves numbers that have no "off" value.
  void smaller_numbers() {
    for (const PlanField& field : plan_fields()) {
      const bool grows_smaller = field.name == std::string("user_bytes") || field.name == std::string("inspect_every") ||
                                 field.name == std::string("geometry.blocks_per_plane");
      if (!grows_smaller) continue;
      for (std::uint64_t value = field.get(best_.plan) / 2; value >= 4; value /= 2) {
        RunPlan plan = best_.plan;
        const std::uint64_t whole = field.name == std::string("user_bytes") ? 512 : 1;
        field.set(plan, value / whole * whole);
        if (!take_if_it_fails(plan)) break;
      }
    }
  }

  Shrunk best_;
  std::uint64_t most_runs_;
  const Lie& lie_;
  std::uint64_t accepted_ = 0;
};

}  // namespace

Shrunk shrink(const RunPlan& plan, std::uint64_t most_runs, const Lie& lie) {
  return Shrinking(plan, most_runs, lie).smallest();
}

}  // namespace ftlab::soak
