// Requests executed by threads that block in the kernel, one at a time each: if io_uring is missing or forbidden, and for
// what it cannot do (discards of a block device on older kernels).
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "validation/measure/device/engine.h"

namespace ftlab {

// Executes one request on the descriptor. Returns its bytes, or a negative errno.
std::int64_t execute(int descriptor, TargetKind target, const Work& work);

class Threads final : public Engine {
 public:
  static constexpr std::size_t kMost = 512;  // threads; deeper queues wait for a free one

  // `bell`: an eventfd written for each completed request; -1: none.
  Threads(int descriptor, TargetKind target, std::size_t depth, int bell = -1);
  ~Threads() override;  // waits for requests in flight
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

  std::string description() const override;
  void use_memory(std::span<std::byte>, std::size_t) override {}
  void start(const Permit& permit, const Work& work) override;
  void push() override {}
  std::size_t wait(Nanoseconds at_most, std::span<Outcome> out) override;

 private:
  void serve();

  int descriptor_;
  TargetKind target_;
  int bell_;
  std::mutex lock_;
  std::condition_variable more_work_, more_done_;
  std::deque<Work> work_;
  std::deque<Outcome> done_;
  bool over_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace ftlab
