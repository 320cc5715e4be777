#include "bindings/nbd/power_cut_plan.h"

#include <algorithm>
#include <functional>
#include <string_view>

#include "sim/core/error.h"
#include "sim/traces/formats/fields.h"

namespace ftlab {
namespace {

constexpr std::string_view kFault = "power-cut@";
constexpr char kAllowed[] = "power-cut@requests:N, power-cut@time:SECONDS, power-cut@random:SEED:WRITES";
constexpr std::uint64_t kMostRequests = std::uint64_t{1} << 40;
constexpr Nanoseconds kSoon{2'000'000};  // about the duration of a drive's programs and erases

[[noreturn]] void refuse(const std::string& word) {
  throw ConfigError({"--inject", 0}, "", "is not understood", word, kAllowed);
}

std::uint64_t count_in(std::string_view text, const std::string& word) {
  std::uint64_t count = 0;
  if (!read_number(text, count) || count == 0 || count > kMostRequests) refuse(word);
  return count;
}

}  // namespace

PowerCutPlan::PowerCutPlan(const std::vector<std::string>& words, std::uint64_t seed)
    : empty_(words.empty()), fates_(seed, "fates of the flash's operations at power cuts") {
  for (const std::string& word : words) read(word);
  std::sort(requests_.begin(), requests_.end(), std::greater<>());
  std::sort(times_.begin(), times_.end(), std::greater<>());
  if (random_) draw();
}

void PowerCutPlan::read(const std::string& word) {
  if (!word.starts_with(kFault)) refuse(word);
  Fields field;
  split_at(std::string_view(word).substr(kFault.size()), ':', field);
  if (field.count == 2 && field[0] == "requests") {
    requests_.push_back(count_in(field[1], word));
  } else if (field.count == 2 && field[0] == "time") {
    std::uint64_t ns = 0;
    if (!read_time(field[1], kSecondNs, ns) || ns == 0) refuse(word);
    times_.push_back(Nanoseconds{ns});
  } else if (field.count == 3 && field[0] == "random" && !random_) {
    std::uint64_t seed = 0;
    if (!read_number(field[1], seed)) refuse(word);
    random_.emplace(seed, "power cuts of a served drive");
    mean_writes_ = count_in(field[2], word);
  } else {
    refuse(word);
  }
}

void PowerCutPlan::draw() { drawn_ = writes_ + 1 + random_->below(2 * mean_writes_ - 1); }

void PowerCutPlan::submitted(Op op, Nanoseconds at) {
  ++submitted_;
  writes_ += op == Op::write;
  if (!requests_.empty() && requests_.back() == submitted_) {
    requests_.pop_back();
    known_ = std::min(known_, at + Nanoseconds{1});
  }
  if (random_ && op == Op::write && writes_ == drawn_)
    known_ = std::min(known_, at + Nanoseconds{1 + random_->below(kSoon.count())});
}

Nanoseconds PowerCutPlan::next() const { return times_.empty() ? known_ : std::min(known_, times_.back()); }

bool PowerCutPlan::near(std::uint64_t requests, Nanoseconds until) const {
  const std::uint64_t end = submitted_ + requests;
  return next() <= until || (!requests_.empty() && requests_.back() <= end) || (random_ && drawn_ <= writes_ + requests);
}

void PowerCutPlan::passed(Nanoseconds now) {
  while (!times_.empty() && times_.back() <= now) times_.pop_back();
  known_ = kNever;
  if (random_ && writes_ >= drawn_) draw();
}

}  // namespace ftlab
