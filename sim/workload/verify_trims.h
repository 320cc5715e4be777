// fio's trim_percentage: a verifying job trims a share of what it writes. Whenever the number of blocks that it has written
// and not read back is a multiple of trim_backlog, a batch of the chosen ones is trimmed, in the order of writing.
#pragma once

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
  }

  // True if the next request is a trim, which must then be taken. `unread`: blocks written and not read back.
  bool due(std::uint64_t unread, bool last_was_trim) {
    if (waiting_.count() == 0) {
      left_ = 0;
    } else if (left_ > 0) {
      --left_;
      return true;
    } else if (!last_was_trim && unread % rules_.trim_backlog == 0) {
      left_ = (rules_.trim_batch == 0 ? rules_.trim_backlog : rules_.trim_batch) - 1;
      return true;
    }
    return false;
  }
  // The next block to trim. REQUIRES: due().
  ReadBack::Written take() { return waiting_.take(); }

 private:
  VerifyRules rules_;
  RandomStream random_;
  ReadBack waiting_;
  std::uint64_t left_ = 0;  // of the batch
};

}  // namespace ftlab
