#include "models/compression/compressibility.h"

#include <zstd.h>

#include <algorithm>

#include "sim/core/signature.h"

namespace ftlab {
namespace {

constexpr int kFastestLevel = 1;

std::uint64_t hash_of(std::span<const char> bytes) {
  Signature signature;
  for (const char c : bytes) signature.add(static_cast<unsigned char>(c));
  return signature.value();
}

}  // namespace

ContentMeasure::ContentMeasure(std::size_t block_bytes) : room_(ZSTD_compressBound(block_bytes)) {}

void ContentMeasure::add(std::span<const char> block) {
  const std::size_t size = ZSTD_compress(room_.data(), room_.size(), block.data(), block.size(), kFastestLevel);
  const std::size_t stored = ZSTD_isError(size) ? block.size() : std::min(size, block.size());
  ++blocks_;
  bytes_ += block.size();
  stored_bytes_ += stored;
  repeated_ += !seen_.insert(hash_of(block)).second;
  const std::size_t tenth = (10 * stored + block.size() - 1) / block.size();
  ++by_tenth_[std::max<std::size_t>(tenth, 1) - 1];
}

}  // namespace ftlab
