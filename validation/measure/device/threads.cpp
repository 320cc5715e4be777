#include "validation/measure/device/threads.h"

#include <fcntl.h>
#include <linux/falloc.h>
#include <linux/fs.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>

#include "sim/core/check.h"

namespace ftlab {
namespace {

std::int64_t discard(int descriptor, TargetKind target, const Work& work) {
  if (target == TargetKind::regular_file) {
    return ::fallocate(descriptor, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(work.offset_bytes),
                       static_cast<off_t>(work.length_bytes));
  }
  std::uint64_t range[2] = {work.offset_bytes, work.length_bytes};
  return ::ioctl(descriptor, BLKDISCARD, range);
}

std::int64_t ask_kernel(int descriptor, TargetKind target, const Work& work) {
  iovec piece{work.memory, work.length_bytes};
  const auto offset = static_cast<off_t>(work.offset_bytes);
  switch (work.op) {
    case Op::read: return ::preadv2(descriptor, &piece, 1, offset, 0);
    case Op::write: return ::pwritev2(descriptor, &piece, 1, offset, work.fua ? RWF_DSYNC : 0);
    case Op::trim: return discard(descriptor, target, work);
    case Op::flush: return work.data_only ? ::fdatasync(descriptor) : ::fsync(descriptor);
  }
  return -1;
}

// Signals are for the measuring thread.
void block_signals() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
}

}  // namespace

std::int64_t execute(int descriptor, TargetKind target, const Work& work) {
  for (;;) {
    const std::int64_t result = ask_kernel(descriptor, target, work);
    if (result >= 0) return result;
    if (errno != EINTR) return -errno;
  }
}

Threads::Threads(int descriptor, TargetKind target, std::size_t depth, int bell)
    : descriptor_(descriptor), target_(target), bell_(bell) {
  const std::size_t count = std::clamp<std::size_t>(depth, 1, kMost);
  for (std::size_t i = 0; i < count; ++i) threads_.emplace_back([this] { serve(); });
}

Threads::~Threads() {
  {
    const std::lock_guard guard(lock_);
    over_ = true;
  }
  more_work_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

std::string Threads::description() const {
  return "pread and pwrite by " + std::to_string(threads_.size()) + (threads_.size() == 1 ? " thread" : " threads");
}

void Threads::start(const Permit& permit, const Work& work) {
  FTLAB_CHECK(permits(permit, work.op), "a request without a permit");
  {
    const std::lock_guard guard(lock_);
    work_.push_back(work);
  }
  more_work_.notify_one();
}

void Threads::serve() {
  block_signals();
  std::unique_lock guard(lock_);
  for (;;) {
    more_work_.wait(guard, [this] { return over_ || !work_.empty(); });
    if (work_.empty()) return;
    const Work work = work_.front();
    work_.pop_front();
    guard.unlock();
    const Outcome outcome{work.place, execute(descriptor_, target_, work)};
    guard.lock();
    done_.push_back(outcome);
    more_done_.notify_one();
    const std::uint64_t one = 1;
    if (bell_ >= 0) FTLAB_CHECK(::write(bell_, &one, sizeof one) == sizeof one, "an eventfd does not take its count");
  }
}

std::size_t Threads::wait(Nanoseconds at_most, std::span<Outcome> out) {
  std::unique_lock guard(lock_);
  more_done_.wait_for(guard, at_most, [this] { return !done_.empty(); });
  const std::size_t count = std::min(out.size(), done_.size());
  std::copy_n(done_.begin(), count, out.begin());
  done_.erase(done_.begin(), done_.begin() + static_cast<std::ptrdiff_t>(count));
  return count;
}

}  // namespace ftlab
