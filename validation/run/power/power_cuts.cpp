#include "validation/run/power/power_cuts.h"

#include <nlohmann/json.hpp>

#include "ftl/drive/lifecycle.h"
#include "sim/core/random.h"

namespace ftlab {

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

}  // namespace ftlab
