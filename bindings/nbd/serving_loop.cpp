#include "bindings/nbd/serving_loop.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <exception>
#include <linux/futex.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <system_error>
#include <unistd.h>

namespace ftlab {
namespace {

using WallTime = std::chrono::steady_clock::time_point;

WallTime moment_of(Nanoseconds wall) {
  return WallTime(std::chrono::duration_cast<std::chrono::steady_clock::duration>(wall));
}

// Like std::atomic::wait(), but does not spin first: spinning would take the core from the thread that computes the answer.
void sleep_while_zero(std::atomic<std::uint32_t>& word) {
  while (word.load(std::memory_order_acquire) == 0)
    ::syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), FUTEX_WAIT_PRIVATE, 0, nullptr, nullptr, 0);
}

// The word may be freed as soon as it is set. Waking an address without a sleeper is harmless.
void set_and_wake(std::atomic<std::uint32_t>& word) {
  auto* const address = reinterpret_cast<std::uint32_t*>(&word);
  word.store(1, std::memory_order_release);
  ::syscall(SYS_futex, address, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

}  // namespace

Nanoseconds wall_now() {
  return std::chrono::duration_cast<Nanoseconds>(std::chrono::steady_clock::now().time_since_epoch());
}

void give_answer(WaitingRequest& waiting, int error) {
  waiting.error = error;
  set_and_wake(waiting.done);
}

int ServingInbox::serve(const ServedRequest& request) {
  WaitingRequest waiting(request, wall_now());
  {
    const std::lock_guard lock(mutex_);
    if (failed_ || stopping_) return failed_ ? EIO : ESHUTDOWN;
    queue_.push_back(&waiting);
    if (queue_.size() == wake_at_) work_.notify_one();
  }
  sleep_while_zero(waiting.done);
  return waiting.error;
}

bool ServingInbox::ask(const std::function<void()>& look) {
  std::unique_lock lock(mutex_);
  if (stopping_ || failed_) return false;
  Question question{look};
  questions_.push_back(&question);
  work_.notify_one();
  answered_.wait(lock, [&] { return question.done; });
  return question.answered;
}

void ServingInbox::stop() {
  const std::lock_guard lock(mutex_);
  stopping_ = true;
  work_.notify_one();
}

ServingInbox::Taken ServingInbox::take(std::size_t requests, Nanoseconds until, std::vector<WaitingRequest*>& arrived) {
  std::unique_lock lock(mutex_);
  wake_at_ = requests;
  const auto something_to_do = [this] { return queue_.size() >= wake_at_ || stopping_ || !questions_.empty(); };
  Taken taken;
  if (until == kNever) {
    work_.wait(lock, something_to_do);
    taken.came = true;
  } else if (until > Nanoseconds{0}) {
    taken.came = work_.wait_until(lock, moment_of(until), something_to_do);
  }
  taken.woken = wall_now();
  taken.stopping = stopping_;
  arrived.swap(queue_);
  for (const Question* const question : questions_) question->look();
  close_questions(true);
  return taken;
}

void ServingInbox::fail(std::vector<WaitingRequest*>& arrived) {
  const std::lock_guard lock(mutex_);
  failed_ = true;
  close_questions(false);
  arrived.insert(arrived.end(), queue_.begin(), queue_.end());
  queue_.clear();
}

void ServingInbox::close_questions(bool answered) {
  for (Question* const question : questions_) {
    question->done = true;
    question->answered = answered;
  }
  questions_.clear();
  answered_.notify_all();
}

namespace {

constexpr Nanoseconds kLate{100'000};
constexpr Nanoseconds kPoll{20'000};  // wall time; a device does not report when its next answer is due

}  // namespace

ServingLoop::ServingLoop(ServedDrive& drive, const std::string& time) : drive_(drive), clock_(time), began_(wall_now()) {
  thread_ = std::thread([this] { run(); });
}

ServingLoop::~ServingLoop() { stop(); }

std::uint64_t ServingLoop::connect() {
  ++clients_;
  ++connections_;
  return power_ons_.load();
}

std::string ServingLoop::figures() {
  std::string text;
  inbox_.ask([&] {
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
  inbox_.ask([&] {
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

void ServingLoop::stop() {
  inbox_.stop();
  if (thread_.joinable()) thread_.join();
}

double ServingLoop::wall_s() const { return static_cast<double>((wall_now() - began_).count()) / 1e9; }

nlohmann::ordered_json ServingLoop::report() const {
  nlohmann::ordered_json json = {{"time", clock_.word()}, {"connections", connections_.load()}};
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
  while (true) {
    const ServingInbox::Taken taken = take_arrived();
    if (taken.stopping && arrived_.empty() && drive_.outstanding() == 0 && held_.empty()) return;
    if (taken.stopping) patience_.await_nobody();
    submit_arrived();
    if (clock_.free())
      pass_time(taken.woken);
    else
      hold_answers();
    power_ons_.store(drive_.power_ons());
  }
}

ServingInbox::Taken ServingLoop::take_arrived() {
  if (drive_.outstanding() == 0 && held_.empty()) return inbox_.take(1, kNever, arrived_);
  if (!clock_.free()) {
    Nanoseconds until = wall_now() + kPoll;
    if (!held_.empty()) until = std::min(until, clock_.wall_at(held_.front().at));
    return inbox_.take(1, until, arrived_);
  }
  const ClientPatience::Wait wait = patience_.next_wait(enough_missing());
  const ServingInbox::Taken taken = inbox_.take(wait.requests, wait.until, arrived_);
  if (wait.until > Nanoseconds{0} && !taken.came) patience_.waited_in_vain(wait, arrived_.size());
  return taken;
}

void ServingLoop::submit_arrived() {
  if (arrived_.empty()) return;
  patience_.arrived(arrived_.size(), arrived_.front()->arrived, arrived_.back()->arrived);
  for (WaitingRequest* const waiting : arrived_) {
    if (!clock_.begun()) clock_.begin(waiting->arrived);
    waiting->place = served_.size();
    served_.push_back(waiting);
    drive_.submit(*waiting, std::max(clock_.at(waiting->arrived), drive_.now()), answers_);
  }
  arrived_.clear();
}

// With many requests outstanding, time may pass although up to an eighth of the clients have not sent their next request.
// The drive briefly has fewer requests to choose from, and threads need not be woken for each request.
std::size_t ServingLoop::enough_missing() const { return (drive_.outstanding() + patience_.awaited()) / 8; }

// Simulated time stands still while the simulator computes.
void ServingLoop::pass_time(Nanoseconds woken) {
  if (!clock_.begun()) return;
  Nanoseconds moment = std::max(clock_.at(woken), drive_.now());
  while (drive_.wait(moment, answers_)) {
  }
  if (patience_.awaited() <= enough_missing() && !patience_.in_groups()) {
    while (patience_.awaited() + answers_.size() <= enough_missing() && drive_.wait(kNever, answers_)) {
    }
  }
  moment = std::max(moment, drive_.now());
  patience_.answered(answers_.size(), wall_now());
  for (const Answer& answer : answers_) give(answer.request, answer.error);
  answers_.clear();
  clock_.anchor(moment, wall_now());
}

void ServingLoop::hold_answers() {
  if (!clock_.begun()) return;
  const Nanoseconds until = std::max(clock_.at(wall_now()), drive_.now());
  while (drive_.wait(until, answers_)) {
  }
  held_.insert(held_.end(), answers_.begin(), answers_.end());
  answers_.clear();
  for (const Nanoseconds from = wall_now(); !held_.empty(); held_.pop_front()) {
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
  auto* const waiting = static_cast<WaitingRequest*>(request);
  served_.back()->place = waiting->place;
  std::swap(served_[waiting->place], served_.back());
  served_.pop_back();
  give_answer(*waiting, error);
}

void ServingLoop::answer_all_with(int error) {
  inbox_.fail(arrived_);
  for (WaitingRequest* const waiting : arrived_) {
    if (waiting->place < served_.size() && served_[waiting->place] == waiting) continue;
    waiting->place = served_.size();
    served_.push_back(waiting);
  }
  while (!served_.empty()) give(served_.back(), error);
}

}  // namespace ftlab
