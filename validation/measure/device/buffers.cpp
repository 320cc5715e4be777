#include "validation/measure/device/buffers.h"

#include <sys/mman.h>

#include <string>
#include <utility>

#include "validation/measure/device/engine.h"

namespace ftlab {

namespace {

constexpr std::size_t kPage = 4096;

}  // namespace

Buffers::Buffers(std::size_t count, std::size_t bytes_each)
    : count_(count), stride_((bytes_each + kPage - 1) / kPage * kPage) {
  if (count_ * stride_ == 0) return;
  void* const memory = ::mmap(nullptr, count_ * stride_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    throw EngineError("no memory for " + std::to_string(count_) + " buffers of " + std::to_string(stride_) +
                      " bytes: fewer requests in flight or smaller blocks need less");
  }
  memory_ = static_cast<std::byte*>(memory);
  ::madvise(memory, count_ * stride_, MADV_HUGEPAGE);  // best effort
}

Buffers::~Buffers() {
  if (memory_ != nullptr) ::munmap(memory_, count_ * stride_);
}

Buffers::Buffers(Buffers&& other) noexcept { *this = std::move(other); }

Buffers& Buffers::operator=(Buffers&& other) noexcept {
  std::swap(memory_, other.memory_);
  std::swap(count_, other.count_);
  std::swap(stride_, other.stride_);
  return *this;
}

}  // namespace ftlab
