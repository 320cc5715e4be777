// What a host asks of a device, and what comes back.
#pragma once

#include <array>
#include <cstdint>

#include "sim/core/types.h"

namespace ftlab {

enum class Op : std::uint8_t { read, write, trim, flush };
inline constexpr std::size_t kOpCount = 4;

// How a request ended. Failures of the simulated drive are values, never exceptions.
enum class Status : std::uint8_t {
  ok,
  no_space,
  read_only,
  invalid,
  mismatch,        // of a read that is verified: it returned other content than what was written
  media_error,     // a part of what was asked for is lost; of a real device, whatever else failed
  short_transfer,  // of a real device: less was transferred than asked for
};

// What a write writes, as far as a drive that compresses or deduplicates can tell. A number stands for bytes from the first
// on: of two requests with one number the shorter writes the beginning of the longer.
struct Content {
  static constexpr std::uint64_t kIds = std::uint64_t{1} << 54;

  Content() = default;
  Content(std::uint64_t number, std::uint64_t thousandths)
      : id(number & (kIds - 1)), stored_thousandths(thousandths & 1023) {}

  std::uint64_t id : 54 = 0;                     // equal numbers are equal bytes; 0: nothing is known, equal to no other
  std::uint64_t stored_thousandths : 10 = 1000;  // what is left of it after ideal compression
};

struct Request {
  std::uint64_t tag = 0;  // chosen by the host, comes back in the completion; unique among those outstanding
  Op op = Op::read;
  std::uint64_t offset_bytes = 0;  // multiples of kSectorBytes; both zero for a flush
  std::uint64_t length_bytes = 0;
  Nanoseconds issued{0};    // when the host hands it over; a batch is sorted by it
  std::uint8_t stream = 0;  // of a write: stream id or placement handle, what the host knows about its life
  bool fua = false;         // of a write: complete only when it is in the flash (forced unit access)
  Content content{};        // of a write
  bool verify = false;      // of a read: what comes back is compared with what was written
  std::uint16_t queue = 0;  // the host's thread that asks: the number of its job
  bool data_only = false;   // of a flush: fdatasync; a drive knows no difference
};

// Where the time of one request went. The parts sum exactly to completed - issued; a real device knows only its `host`.
enum class LatencyPart : std::uint8_t {
  link_wait,        // for the link to be free
  link,             // command overhead and data on the link
  controller_wait,  // for the controller's firmware to be free
  controller,       // the firmware's own time
  mapping,          // for mapping entries that are not in RAM
  buffer_wait,      // for room in the write buffer (the drive is behind with programs, relocation, erases)
  die_wait,         // for the die, or for the channel
  die,              // array read or program that the request itself had to wait for
  channel,          // data between the die and the controller
  host,             // the host's software: for its thread to be free, and what that spends on the request
  queue_wait,       // in the host, for a place in the device's queue; of a disk also for the arm
  dram,             // for the controller's memory to be free, and data in and out of it
  seek,             // of a disk: the arm moves, a head is switched to, and settles
  rotation,         // of a disk: until the sector comes by
  media,            // of a disk: data under the head
  retry,            // repeated array reads of pages that could not be corrected, and rebuilding them
};
inline constexpr std::size_t kLatencyPartCount = 16;
inline constexpr std::array<const char*, kLatencyPartCount> kLatencyPartNames = {
    "link_wait", "link", "controller_wait", "controller", "mapping", "buffer_wait", "die_wait", "die",
    "channel",   "host", "queue_wait",      "dram",       "seek",    "rotation",    "media",    "retry"};

using LatencyParts = std::array<Nanoseconds, kLatencyPartCount>;

// Two places in memory that do not overlap: the compiler adds several parts at once then.
inline void add_parts(LatencyParts& __restrict sums, const LatencyParts& __restrict parts) {
  for (std::size_t i = 0; i < kLatencyPartCount; ++i) sums[i] += parts[i];
}

struct Completion {
  std::uint64_t tag = 0;
  Nanoseconds completed{0};
  Status status = Status::ok;
  LatencyParts parts{};
};

// What passed between two moments is a part of the request's latency; nothing when `to` is not later.
inline void charge(Completion& done, LatencyPart part, Nanoseconds from, Nanoseconds to) {
  if (to > from) done.parts[static_cast<std::size_t>(part)] += to - from;
}

// Charges the latency of a request, one part after the other: what passes up to a moment belongs to the part.
class LatencyAccount {
 public:
  // Charged up to `at`.
  LatencyAccount(Completion& done, Nanoseconds at) : done_(done), at_(at) {}
  // Nothing when that moment is already charged.
  void until(LatencyPart part, Nanoseconds moment) {
    if (moment <= at_) return;
    done_.parts[static_cast<std::size_t>(part)] += moment - at_;
    at_ = moment;
  }
  Nanoseconds at() const { return at_; }

 private:
  Completion& done_;
  Nanoseconds at_;
};

}  // namespace ftlab
