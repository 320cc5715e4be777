#include "sim/workload/size_source.h"

#include <algorithm>

namespace ftlab {

SizeSource::SizeSource(const BlockSizes& sizes, std::uint64_t step) : sizes_(sizes), step_(step) {}

std::uint64_t SizeSource::draw(RandomStream& random, std::uint64_t room) const {
  if (sizes_.least > room) return 0;
  if (!vary()) return sizes_.least;
  while (true) {
    const std::uint64_t drawn = draw(random);
    const std::uint64_t bytes = std::min(drawn - drawn % step_, sizes_.most);
    if (bytes <= room) return bytes;
  }
}

std::uint64_t SizeSource::draw(RandomStream& random) const {
  if (sizes_.shares.empty()) return sizes_.least + random.below(sizes_.most);
  std::uint64_t hit = random.below(100);
  for (const SizeShare& share : sizes_.shares) {
    if (hit < share.percent) return share.bytes;
    hit -= share.percent;
  }
  return sizes_.shares.back().bytes;
}

}  // namespace ftlab
