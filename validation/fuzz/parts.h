// What doors share: inputs of several parts, and the use of a drive that was made from an input.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "ftl/drive/drive.h"
#include "sim/core/random.h"

namespace ftlab::fuzz {

// Removes and returns everything before the next separator, or the whole rest.
inline std::string_view next_part(std::string_view& input, char separator = '\0') {
  const std::size_t end = input.find(separator);
  const std::string_view part = input.substr(0, end);
  input.remove_prefix(end == input.npos ? input.size() : end + 1);
  return part;
}

// Removes and returns the first byte; 0 if the input is empty.
inline std::uint8_t next_byte(std::string_view& input) {
  if (input.empty()) return 0;
  const auto byte = static_cast<std::uint8_t>(input.front());
  input.remove_prefix(1);
  return byte;
}

// Runs `requests` requests one at a time, starting when the drive is idle. Returns the simulated time that they took.
inline Nanoseconds use_drive(Drive& drive, int requests) {
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
