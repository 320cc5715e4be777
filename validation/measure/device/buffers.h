// Memory of the requests in flight: one page-aligned piece for each, all in one mapping that can be registered with the
// kernel at once.
#pragma once

#include <cstddef>
#include <span>

namespace ftlab {

class Buffers {
 public:
  Buffers() = default;
  // Throws EngineError if memory is insufficient.
  Buffers(std::size_t count, std::size_t bytes_each);
  ~Buffers();
  Buffers(Buffers&& other) noexcept;
  Buffers& operator=(Buffers&& other) noexcept;

  std::size_t count() const { return count_; }
  std::size_t stride() const { return stride_; }
  std::byte* at(std::size_t index) const { return memory_ + index * stride_; }
  std::span<std::byte> all() const { return {memory_, count_ * stride_}; }

 private:
  std::byte* memory_ = nullptr;
  std::size_t count_ = 0;
  std::size_t stride_ = 0;
};

}  // namespace ftlab
