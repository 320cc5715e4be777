#include "validation/fuzz/requests.h"

#include <algorithm>

#include "sim/core/random.h"

namespace ftlab::fuzz {

Nanoseconds use_drive(Drive& drive, int requests) {
  RandomStream random(5, "requests");
  const Nanoseconds begin = drive.idle_from();
  Nanoseconds now = begin;
  const std::uint64_t sectors = drive.config().user_bytes / kSectorBytes;
  constexpr Op kOps[] = {Op::write, Op::write, Op::read, Op::trim, Op::flush};
  for (int i = 0; i < requests; ++i) {
    const std::uint64_t length = 1 + random.below(std::min<std::uint64_t>(sectors, 32));
    const Op op = kOps[random.below(5)];
    const bool data = op != Op::flush;
    const std::uint64_t first = data ? random.below(sectors - length + 1) : 0;
    const Request request{0, op, first * kSectorBytes, data ? length * kSectorBytes : 0, now};
    Completion done;
    drive.submit({&request, 1});
    drive.wait(kNever, {&done, 1});
    now = std::max(now, done.completed);
  }
  return now - begin;
}

}  // namespace ftlab::fuzz
