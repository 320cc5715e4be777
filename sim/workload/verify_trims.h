// fio's trim_percentage: a verifying job trims a share of what it writes. After each trim_backlog blocks that are chosen for
// it, a batch of them is trimmed, in the order of writing.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/core/random.h"
#include "sim/workload/jobs/access_rules.h"
#include "sim/workload/read_back.h"

namespace ftlab {

class VerifyTrims {
 public:
  VerifyTrims(const VerifyRules& rules, std::uint64_t seed) : rules_(rules), random_(seed, "trim") {}

  void wrote(std::uint64_t offset_bytes, std::uint64_t length_bytes) {
    if (!rules_.trims() || random_.below(100) >= rules_.trim_percent) return;
    waiting_.wrote(offset_bytes, length_bytes);
    if (waiting_.count() % rules_.trim_backlog == 0) due_ = rules_.trim_batch == 0 ? rules_.trim_backlog : rules_.trim_batch;
    due_ = std::min(due_, waiting_.count());
  }

  bool due() const { return due_ > 0; }
  // The next block to trim. REQUIRES: due().
  ReadBack::Written take() {
    --due_;
    return waiting_.take();
  }

 private:
  VerifyRules rules_;
  RandomStream random_;
  ReadBack waiting_;
  std::uint64_t due_ = 0;
};

}  // namespace ftlab
