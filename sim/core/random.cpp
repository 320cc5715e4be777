#include "sim/core/random.h"

#include "sim/core/signature.h"

namespace ftlab {

RandomStream::RandomStream(std::uint64_t seed, std::string_view name) {
  Signature mix;
  mix.add(seed);
  for (const char c : name) mix.add(static_cast<unsigned char>(c));
  std::uint64_t x = mix.value();
  for (auto& word : state_) {  // splitmix64 (Steele, Lea, Flood, OOPSLA 2014)
    x += 0x9e3779b97f4a7c15;
    std::uint64_t z = x;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    word = z ^ (z >> 31);
  }
}

}  // namespace ftlab
