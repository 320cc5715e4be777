#include "validation/run/side_by_side.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <vector>

namespace ftlab {

std::size_t at_once(std::size_t count, unsigned threads) {
  const unsigned cores = threads > 0 ? threads : std::max(1u, std::thread::hardware_concurrency());
  return std::min<std::size_t>(cores, count);
}

void side_by_side(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next{0};
  std::vector<std::exception_ptr> failures(count);
  const auto take = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        work(i);
      } catch (...) {
        failures[i] = std::current_exception();
        next = count;
      }
    }
  };
  std::vector<std::thread> others;
  for (std::size_t i = 1; i < at_once(count, threads); ++i) others.emplace_back(take);
  take();
  for (std::thread& other : others) other.join();
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

}  // namespace ftlab
