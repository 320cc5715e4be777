#include "sim/core/archive_checksum.h"

#include <algorithm>
#include <cstring>

namespace ftlab {

void ArchiveChecksum::add_group(const char* bytes) {
  for (Signature& chain : chains_) {
    std::uint64_t word;
    std::memcpy(&word, bytes, sizeof word);
    chain.add(word);
    bytes += sizeof word;
  }
}

void ArchiveChecksum::add(const char* bytes, std::size_t size) {
  size_ += size;
  if (rest_bytes_ > 0) {
    const std::size_t taken = std::min(size, sizeof rest_ - rest_bytes_);
    std::memcpy(rest_ + rest_bytes_, bytes, taken);
    rest_bytes_ += taken;
    bytes += taken;
    size -= taken;
    if (rest_bytes_ < sizeof rest_) return;
    add_group(rest_);
    rest_bytes_ = 0;
  }
  for (; size >= sizeof rest_; bytes += sizeof rest_, size -= sizeof rest_) add_group(bytes);
  std::memcpy(rest_, bytes, size);
  rest_bytes_ = size;
}

std::uint64_t ArchiveChecksum::value() const {
  ArchiveChecksum last = *this;
  std::memset(last.rest_ + rest_bytes_, 0, sizeof rest_ - rest_bytes_);
  last.add_group(last.rest_);
  Signature sum;
  sum.add(size_);
  for (const Signature& chain : last.chains_) sum.add(chain.value());
  return sum.value();
}

}  // namespace ftlab
