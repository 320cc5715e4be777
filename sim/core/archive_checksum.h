// Checksum that detects damage in a saved state.
#pragma once

#include <cstddef>

#include "sim/core/signature.h"

namespace ftlab {

// Checksum of bytes added in pieces of any length. Uses four chains of the signature's mixing function, because a single one
// would wait for its multiplier. Each step is a bijection of the chain's state and of the word, so damage within one aligned
// word is always detected; other damage is missed once in 2^64.
class ArchiveChecksum {
 public:
  void add(const char* bytes, std::size_t size);
  std::uint64_t value() const;

 private:
  void add_group(const char* bytes);

  Signature chains_[4];
  char rest_[32] = {};  // bytes of an incomplete group
  std::size_t rest_bytes_ = 0;
  std::uint64_t size_ = 0;
};

}  // namespace ftlab
