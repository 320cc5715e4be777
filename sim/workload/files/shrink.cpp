#include "sim/workload/files/shrink.h"

#include <algorithm>

#include "sim/workload/options/region.h"

namespace ftlab {

void shrink_sizes(Settings& s, std::uint64_t divisor) {
  if (divisor <= 1) return;
  const std::uint64_t block = std::max<std::uint64_t>(largest_block(s), 1);
  const auto shrink = [&](std::uint64_t& bytes) {
    if (bytes != 0) bytes = std::max(bytes / divisor / block * block, block);
  };
  for (std::optional<Amount>* amount : {&s.size, &s.io_size})
    if (*amount && !(*amount)->percent) shrink((*amount)->number);
  for (Amount* amount : {&s.offset, &s.offset_increment})
    if (!amount->percent) shrink(amount->number);
  if (s.file_bytes) shrink(*s.file_bytes);
  for (std::uint64_t* bytes :
       {&s.most_file_bytes, &s.zones.bytes, &s.zones.range_bytes, &s.zones.skip_bytes, &s.zbd.capacity_bytes})
    shrink(*bytes);
  if (s.spread.kind != Spread::Kind::zoned_abs) return;
  for (auto& zones : s.spread.zones)
    for (Spread::Zone& zone : zones) shrink(zone.size);
}

}  // namespace ftlab
