// Signature of a run's behaviour: a 64-bit hash over the stream of completions and the final state. Runs that differ in one
// time, one placement or one counter have different signatures; a refactoring must not change it.
#pragma once

#include <cstdint>
#include <string>

namespace ftlab {

class Signature {
 public:
  // Adds one word; order matters. One multiplication, so it can be called for every completion.
  void add(std::uint64_t word) {
    state_ = (state_ ^ word) * 0x9fb21c651e98df25;
    state_ ^= state_ >> 32;
  }
  std::uint64_t value() const { return state_; }
  // 16 hexadecimal digits.
  std::string text() const;

 private:
  std::uint64_t state_ = 0x243f6a8885a308d3;  // digits of pi; any fixed start value would do
};

// Two signatures of the same words. A word waits for the multiplier of the one before it, so the second costs no time.
struct SignaturePair {
  Signature first, second;
  void add(std::uint64_t word) {
    first.add(word);
    second.add(word);
  }
};

}  // namespace ftlab
