// Drives with a history, for tests of their states.
#pragma once

#include "ftl/drive/drive.h"
#include "sim/core/random.h"

namespace ftlab::testing {

// Writes, reads and trims of one to four pages, one at a time, always the same.
inline void use(Drive& drive, int requests) {
  RandomStream random(7, "requests");
  const std::uint64_t pages = drive.config().user_bytes / 4096;
  for (int i = 0; i < requests; ++i) {
    constexpr Op kOps[] = {Op::write, Op::write, Op::write, Op::write, Op::read, Op::read, Op::trim};
    Request request{0, kOps[random.below(7)], random.below(pages - 4) * 4096, (1 + random.below(4)) * 4096,
                    drive.idle_from()};
    request.content = {1 + random.below(50), 600};
    Completion done;
    drive.submit({&request, 1});
    drive.wait(kNever, {&done, 1});
  }
}

}  // namespace ftlab::testing
