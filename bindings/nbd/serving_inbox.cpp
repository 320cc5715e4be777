#include "bindings/nbd/serving_inbox.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>

namespace ftlab {
namespace {

using WallTime = std::chrono::steady_clock::time_point;

WallTime moment_of(Nanoseconds wall) {
  return WallTime(std::chrono::duration_cast<std::chrono::steady_clock::duration>(wall));
}

// Like std::atomic::wait(), but does not spin first: spinning would take the core from the thread that computes the answer.
void sleep_while_zero(std::atomic<std::uint32_t>& word) {
  while (word.load(std::memory_order_acquire) == 0) {
    ::syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), FUTEX_WAIT_PRIVATE, 0, nullptr, nullptr, 0);
  }
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

}  // namespace ftlab
