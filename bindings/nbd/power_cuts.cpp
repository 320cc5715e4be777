#include "bindings/nbd/power_cuts.h"

#include <nlohmann/json.hpp>

namespace ftlab {
namespace {

// How long before a cut the journal begins.
constexpr std::uint64_t kWatchedRequests = 256;
constexpr Nanoseconds kWatchedTime{20'000'000};

bool can_be_cut_amid_operations(const Drive& drive) { return drive.health() == nullptr && drive.errors() == nullptr; }

}  // namespace

PowerCuts::PowerCuts(const std::vector<std::string>& words, std::uint64_t seed)
    : plan_(words), fates_(seed, "fates of the flash's operations at power cuts") {}

bool PowerCuts::wants_journal(const Drive& drive, Nanoseconds now) const {
  return planned() && !journal_ && can_be_cut_amid_operations(drive) && plan_.near(kWatchedRequests, now + kWatchedTime);
}

void PowerCuts::begin_journal(Drive& drive) {
  journal_.emplace(drive.medium().layout(), drive.config().nand, drive.config().geometry.pages_per_block);
  drive.keep_journal(&*journal_);
  journal_->forget();
}

void PowerCuts::end_journal(Drive& drive) {
  if (!journal_) return;
  drive.keep_journal(nullptr);
  journal_.reset();
}

void PowerCuts::cut(Drive& drive, Nanoseconds at, Nanoseconds drive_at, std::uint64_t unanswered) {
  plan_.passed(at);
  Cut cut{at, unanswered, 0, {}};
  const ChooseFate choose = [this](std::uint32_t count) { return static_cast<std::uint32_t>(fates_.below(count)); };
  if (journal_)
    cut.damage = drive.power_cycle(*journal_, drive_at, choose);
  else
    drive.power_cycle();
  end_journal(drive);
  cuts_.push_back(cut);
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
