// Request lengths of one direction: fio's bs, bsrange and bssplit.
#pragma once

#include <cstdint>

#include "sim/core/random.h"
#include "sim/workload/jobs/job.h"

namespace ftlab {

class SizeSource {
 public:
  SizeSource() = default;
  // Draws multiples of `step`; sizes of a split are rounded down to it, as in fio.
  SizeSource(const BlockSizes& sizes, std::uint64_t step);

  bool vary() const { return sizes_.vary(); }
  std::uint64_t least() const { return sizes_.least; }

  // A size of at most `room`. Draws until one fits, as fio does; 0 if the smallest does not fit.
  std::uint64_t draw(RandomStream& random, std::uint64_t room) const;

 private:
  std::uint64_t draw(RandomStream& random) const;

  BlockSizes sizes_;
  std::uint64_t step_ = 1;
};

}  // namespace ftlab
