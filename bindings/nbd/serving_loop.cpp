#include "bindings/nbd/serving_loop.h"

#include <linux/futex.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <exception>
#include <system_error>

namespace ftlab {
namespace {

constexpr Nanoseconds kMostPatience{200'000}, kLeastPatience{20'000};
constexpr Nanoseconds kGroup{20'000};  // requests that arrive closer to each other belong together
constexpr Nanoseconds kLate{100'000};
constexpr Nanoseconds kPoll{20'000};  // of the wall: a device does not say when its next answer is due

using WallTime = std::chrono::steady_clock::time_point;

WallTime moment_of(Nanoseconds wall) {
  return WallTime(std::chrono::duration_cast<std::chrono::steady_clock::duration>(wall));
}

// As std::atomic waits and notifies, but without trying for a while first, which takes the core from whoever is to answer.
void sleep_while_zero(std::atomic<std::uint32_t>& word) {
  while (word.load(std::memory_order_acquire) == 0) {
    ::syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), FUTEX_WAIT_PRIVATE, 0, nullptr, nullptr, 0);
  }
}

// The word may be gone with its owner as soon as it is set; the kernel takes no harm from an address that nobody sleeps at.
void set_and_wake(std::atomic<std::uint32_t>& word) {
  auto* const address = reinterpret_cast<std::uint32_t*>(&word);
  word.store(1, std::memory_order_release);
  ::syscall(SYS_futex, address, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

}  // namespace

Nanoseconds ServingLoop::wall() {
  return std::chrono::duration_cast<Nanoseconds>(std::chrono::steady_clock::now().time_since_epoch());
}

ServingLoop::ServingLoop(ServedDrive& drive, const std::string& time)
    : drive_(drive), clock_(time), time_(time), began_(wall()), patience_(kMostPatience) {
  thread_ = std::thread([this] { run(); });
}

ServingLoop::~ServingLoop() { stop(); }

std::uint64_t ServingLoop::connect() {
  ++clients_;
  ++connections_;
  return power_ons_.load();
}

int ServingLoop::serve(const ServedRequest& request) {
  Waiting waiting(request);
  waiting.arrived = wall();
  {
    const std::lock_guard lock(mutex_);
    if (failed_ || stopping_) return failed_ ? EIO : ESHUTDOWN;
    queue_.push_back(&waiting);
    if (queue_.size() == wake_at_) work_.notify_one();
  }
  sleep_while_zero(waiting.done);
  return waiting.error;
}

std::string ServingLoop::figures() {
  std::string text;
  ask([&] {
    LiveFigures figures = drive_.figures();
    figures.wall_s = wall_s();
    figures.clients = clients_.load();
    figures.late = lateness_.late;
    text = figures_json(figures);
  });
  return text;
}

int ServingLoop::written(std::uint64_t power_on, StoredRange range, std::vector<StoredRange>& found) {
  int error = EIO;
  ask([&] {
    error = power_on == drive_.power_ons() ? 0 : ESHUTDOWN;
    if (error != 0) return;
    try {
      found = drive_.written(range);
    } catch (const std::system_error& failed) {
      error = failed.code().value();
    }
  });
  return error;
}

// The thread that computes looks at the drive between two moments. False: it has ended.
bool ServingLoop::ask(const std::function<void()>& look) {
  std::unique_lock lock(mutex_);
  if (stopping_ || failed_) return false;
  Question question{look};
  questions_.push_back(&question);
  work_.notify_one();
  answered_.wait(lock, [&] { return question.done; });
  return question.answered;
}

void ServingLoop::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    work_.notify_one();
  }
  if (thread_.joinable()) thread_.join();
}

double ServingLoop::wall_s() const { return static_cast<double>((wall() - began_).count()) / 1e9; }

nlohmann::ordered_json ServingLoop::report() const {
  nlohmann::ordered_json json = {{"time", time_}, {"connections", connections_.load()}};
  if (clock_.free()) return json;
  const double answers = static_cast<double>(std::max<std::uint64_t>(1, lateness_.answers));
  json["answers"] = lateness_.answers;
  json["late_by_100_us"] = lateness_.late;
  json["lateness_mean_us"] = static_cast<double>(lateness_.sum.count()) / answers / 1e3;
  json["lateness_max_us"] = static_cast<double>(lateness_.worst.count()) / 1e3;
  return json;
}

void ServingLoop::run() {
  ::prctl(PR_SET_TIMERSLACK, 1000UL);  // ns
  try {
    work();
  } catch (const std::exception& wrong) {
    failure_ = wrong.what();
    answer_all_with(EIO);
  }
}

void ServingLoop::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    wait_for_work(lock);
    woken_ = wall();
    arrived_.swap(queue_);
    answer_questions();
    if (stopping_ && arrived_.empty() && drive_.outstanding() == 0 && held_.empty()) return;
    if (stopping_) awaited_ = 0;
    lock.unlock();
    submit_arrived();
    if (clock_.free())
      pass_time();
    else
      hold_answers();
    power_ons_.store(drive_.power_ons());
    lock.lock();
  }
}

void ServingLoop::wait_for_work(std::unique_lock<std::mutex>& lock) {
  wake_at_ = 1;
  if (drive_.outstanding() == 0 && held_.empty()) return work_.wait(lock, [this] { return something_to_do(); });
  if (clock_.free()) return be_patient(lock);
  Nanoseconds until = wall() + kPoll;
  if (!held_.empty()) until = std::min(until, clock_.wall_at(held_.front().at));
  work_.wait_until(lock, moment_of(until), [this] { return something_to_do(); });
}

// With requests outstanding: until those have asked again who were answered, or until a group is complete.
void ServingLoop::be_patient(std::unique_lock<std::mutex>& lock) {
  const bool for_answered = awaited_ > enough_missing();
  if (!for_answered && !in_groups_) return;
  wake_at_ = for_answered ? awaited_ - enough_missing() : 1;
  const Nanoseconds until = for_answered ? last_given_ + patience_ : last_arrival_ + kGroup;
  const bool came = work_.wait_until(lock, moment_of(until), [this] { return something_to_do(); });
  if (came) return;
  if (!for_answered)
    in_groups_ = false;
  else if (queue_.empty())
    patience_ = std::max(patience_ / 2, kLeastPatience);
  awaited_ = queue_.size();  // the others think longer
}

void ServingLoop::submit_arrived() {
  if (arrived_.empty()) return;
  const bool unasked = arrived_.size() > awaited_;
  if (unasked && arrived_.front()->arrived < last_arrival_ + kGroup) in_groups_ = true;
  if (awaited_ > 0) patience_ = kMostPatience;
  awaited_ -= std::min(awaited_, arrived_.size());
  last_arrival_ = arrived_.back()->arrived;
  for (Waiting* const waiting : arrived_) {
    if (!clock_.begun()) clock_.begin(waiting->arrived);
    waiting->place = served_.size();
    served_.push_back(waiting);
    drive_.submit(*waiting, std::max(clock_.at(waiting->arrived), drive_.now()), answers_);
  }
  arrived_.clear();
}

// With many requests outstanding, time may pass over the answers of a few: the drive then has an eighth less to choose from
// for a moment, and threads need not be woken for each request.
std::size_t ServingLoop::enough_missing() const { return (drive_.outstanding() + awaited_) / 8; }

// While the simulator computes, simulated time stands still.
void ServingLoop::pass_time() {
  if (!clock_.begun()) return;
  Nanoseconds moment = std::max(clock_.at(woken_), drive_.now());
  while (drive_.wait(moment, answers_)) {
  }
  if (awaited_ <= enough_missing() && !in_groups_) {
    while (awaited_ + answers_.size() <= enough_missing() && drive_.wait(kNever, answers_)) {
    }
  }
  moment = std::max(moment, drive_.now());
  awaited_ += answers_.size();
  if (!answers_.empty()) last_given_ = wall();
  give_all();
  clock_.anchor(moment, wall());
}

void ServingLoop::hold_answers() {
  if (!clock_.begun()) return;
  const Nanoseconds until = std::max(clock_.at(wall()), drive_.now());
  while (drive_.wait(until, answers_)) {
  }
  held_.insert(held_.end(), answers_.begin(), answers_.end());
  answers_.clear();
  for (const Nanoseconds from = wall(); !held_.empty(); held_.pop_front()) {
    const Nanoseconds moment = clock_.wall_at(held_.front().at);
    if (moment > from) break;
    const Nanoseconds late = from - moment;
    ++lateness_.answers;
    lateness_.late += late > kLate;
    lateness_.sum += late;
    lateness_.worst = std::max(lateness_.worst, late);
    give(held_.front().request, held_.front().error);
  }
}

void ServingLoop::give(ServedRequest* request, int error) {
  auto* const waiting = static_cast<Waiting*>(request);
  served_.back()->place = waiting->place;
  std::swap(served_[waiting->place], served_.back());
  served_.pop_back();
  waiting->error = error;
  set_and_wake(waiting->done);
}

void ServingLoop::give_all() {
  for (const Answer& answer : answers_) give(answer.request, answer.error);
  answers_.clear();
}

void ServingLoop::answer_all_with(int error) {
  {
    const std::lock_guard lock(mutex_);
    failed_ = true;
    close_questions(false);
    arrived_.insert(arrived_.end(), queue_.begin(), queue_.end());
    queue_.clear();
  }
  for (Waiting* const waiting : arrived_) {
    if (waiting->place < served_.size() && served_[waiting->place] == waiting) continue;
    waiting->place = served_.size();
    served_.push_back(waiting);
  }
  while (!served_.empty()) give(served_.back(), error);
}

void ServingLoop::answer_questions() {
  for (const Question* const question : questions_) question->look();
  close_questions(true);
}

void ServingLoop::close_questions(bool answered) {
  for (Question* const question : questions_) {
    question->done = true;
    question->answered = answered;
  }
  questions_.clear();
  answered_.notify_all();
}

}  // namespace ftlab
