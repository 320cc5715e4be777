#include "sim/workload/random/lfsr.h"

#include <array>
#include <bit>

#include "sim/core/check.h"

namespace ftlab {

namespace {

// Feedback taps of maximal-length registers of degree 2 to 48; bit i is stage i + 1. From the table in Xilinx application
// note XAPP052 (Alfke, 1996). They are mathematical facts; a test runs the full rounds.
constexpr std::array<std::uint64_t, 47> kTaps = {
    0x3, 0x6, 0xc, 0x14, 0x30, 0x60, 0xb8, 0x110, 0x240, 0x500, 0x829, 0x100d, 0x2015, 0x6000, 0xd008, 0x12000, 0x20400,
    0x40023, 0x90000, 0x140000, 0x300000, 0x420000, 0xe10000, 0x1200000, 0x2000023, 0x4000013, 0x9000000, 0x14000000,
    0x20000029, 0x48000000, 0x80200003, 0x100080000, 0x204000003, 0x500000000, 0x801000000, 0x100000001f, 0x2000000031,
    0x4400000000, 0xa000140000, 0x12000000000, 0x300000c0000, 0x63000000000, 0xc0000030000, 0x1b0000000000,
    0x300003000000, 0x420000000000, 0xc00000180000};

}  // namespace

Lfsr::Lfsr(std::uint64_t count) : count_(count) {
  FTLAB_CHECK(count > 0 && count <= kMostCount, "an lfsr of " + std::to_string(count) + " numbers");
  const int width = static_cast<int>(std::bit_width(count));
  const int degree = width < 2 ? 2 : width;
  mask_ = (std::uint64_t{1} << degree) - 1;
  taps_ = kTaps[static_cast<std::size_t>(degree) - 2];
  begin(0);
}

void Lfsr::begin(std::uint64_t start) {
  FTLAB_DCHECK(start < states(), "start " + std::to_string(start));
  state_ = start + 1;
  left_ = count_;
}

std::uint64_t Lfsr::next() {
  if (left_ == 0) return kNone;
  --left_;
  std::uint64_t number = 0;
  do {
    number = state_ - 1;
    state_ = (state_ >> 1) ^ (taps_ & (~(state_ & 1) + 1));
  } while (number >= count_);
  return number;
}

}  // namespace ftlab
