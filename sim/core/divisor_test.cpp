#include "sim/core/divisor.h"

#include "sim/core/random.h"
#include "sim/testing/test.h"

using namespace ftlab;

TEST_CASE("a divisor gives the CPU's quotient and remainder, at multiples and one below, up to the largest operands") {
  RandomStream random(1, "divisor");
  std::vector<std::uint32_t> divisors{1, 2, 3, 5, 7, 64, 641, 8192, 65'535, 65'537, 0x7fff'fffe, 0x7fff'ffff, 0x8000'0000};
  for (int i = 0; i < 2'000; ++i)
    divisors.push_back(1 + static_cast<std::uint32_t>(random.bits() >> (33 + random.below(31))));
  for (const std::uint32_t d : divisors) {
    const Divisor divisor(d);
    for (int i = 0; i < 200; ++i) {
      const std::uint32_t quotient = static_cast<std::uint32_t>(random.below(0xffff'ffffu / d + 1));
      for (const std::uint32_t n :
           {quotient * d, quotient * d - 1, static_cast<std::uint32_t>(random.bits()), 0xffff'ffffu}) {
        if (n / divisor != n / d || n % divisor != n % d) FAIL(n << " by " << d);
      }
    }
  }
  CHECK_THROWS_AS(Divisor(0x8000'0001), CheckFailed);
}

TEST_CASE("a 64-bit quotient is the CPU's, whether or not the divisor is a power of two") {
  RandomStream random(2, "quotient");
  for (const std::uint32_t d : {1u, 2u, 3u, 512u, 4096u, 6144u, 0x8000'0000u, 0xffff'ffffu}) {
    for (int i = 0; i < 1'000; ++i) {
      const std::uint64_t n = random.bits() >> random.below(64);
      if (quotient(n, d) != n / d) FAIL(n << " by " << d);
    }
  }
  SUCCEED();
}
