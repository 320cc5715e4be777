// Requests to a device and their completions.
#pragma once

#include <array>
#include <cstdint>

#include "sim/core/types.h"

namespace ftlab {

enum class Op : std::uint8_t { read, write, trim, flush };
inline constexpr std::size_t kOpCount = 4;

// Outcome of a request. Failures of the simulated drive are values, never exceptions.
enum class Status : std::uint8_t {
  ok,
  no_space,
  read_only,
  invalid,
  mismatch,        // verified reads only: the returned content is not what was written
  media_error,     // part of the requested data is lost; real device: any failure not listed here
  short_transfer,  // real device: less was transferred than requested
  // Zoned namespaces; named as the status codes of NVM Express.
  zone_boundary_error,  // the write exceeds the zone's capacity, or a management command names no zone
  zone_is_full,
  zone_invalid_write,  // not at the write pointer
  too_many_active_zones,
  too_many_open_zones,
  invalid_zone_state_transition,
};

// Zone management, in place of a trim.
enum class ZoneCommand : std::uint8_t { none, reset, finish, open, close };

// Content of a write as seen by a drive that compresses or deduplicates. The id stands for a sequence of bytes: of two
// requests with the same id, the shorter writes the beginning of the longer.
struct Content {
  static constexpr std::uint64_t kIds = std::uint64_t{1} << 54;

  Content() = default;
  Content(std::uint64_t number, std::uint64_t thousandths)
      : id(number & (kIds - 1)), stored_thousandths(thousandths & 1023) {}

  std::uint64_t id : 54 = 0;                     // equal ids are equal bytes; 0: unknown, equal to no other content
  std::uint64_t stored_thousandths : 10 = 1000;  // size after ideal compression, in thousandths
};

struct Request {
  std::uint64_t tag = 0;  // chosen by the host, returned in the completion; unique among outstanding requests
  Op op = Op::read;
  std::uint64_t offset_bytes = 0;  // offset and length: multiples of kSectorBytes; both zero for a flush
  std::uint64_t length_bytes = 0;
  Nanoseconds issued{0};    // when the host submits it; a batch is sorted by it
  std::uint8_t stream = 0;  // writes only: stream id or placement handle, the host's hint about data lifetime
  bool fua = false;         // writes only: forced unit access, completes once the data are in the flash
  Content content{};        // writes only
  bool verify = false;      // reads only: the returned content is compared with what was written
  std::uint16_t queue = 0;  // host thread that issues it: the number of its job
  bool data_only = false;   // flushes only: fdatasync; a drive treats it like any flush
  ZoneCommand zone = ZoneCommand::none;  // trims only: not a trim, but this command for the zone that the range covers
  bool append = false;  // writes only: zone append, at the write pointer of the zone that begins at the offset
};

// Components of a request's latency, which sum exactly to completed - issued. Exception: a real device fills in `host` only.
enum class LatencyPart : std::uint8_t {
  link_wait,        // waiting for the link
  link,             // command overhead and data transfer on the link
  controller_wait,  // waiting for the controller's firmware
  controller,       // firmware processing
  mapping,          // loading mapping entries that are not in RAM
  buffer_wait,      // waiting for write-buffer space: programs, relocation or erases lag behind
  die_wait,         // waiting for the die or the channel
  die,              // array read or program that the request itself waited for
  channel,          // data transfer between die and controller
  host,             // host software: waiting for its thread, and the thread's time for the request
  queue_wait,       // in the host, waiting for a slot in the device's queue; on a disk also for the arm
  dram,             // controller memory: waiting for it, and data transfer to and from it
  seek,             // disks only: arm movement, head switch and settling
  rotation,         // disks only: rotational delay until the sector arrives
  media,            // disks only: data transfer under the head
  retry,            // repeated array reads of pages that could not be corrected, and their rebuild from parity
};
inline constexpr std::size_t kLatencyPartCount = 16;
inline constexpr std::array<const char*, kLatencyPartCount> kLatencyPartNames = {
    "link_wait", "link", "controller_wait", "controller", "mapping", "buffer_wait", "die_wait", "die",
    "channel",   "host", "queue_wait",      "dram",       "seek",    "rotation",    "media",    "retry"};

using LatencyParts = std::array<Nanoseconds, kLatencyPartCount>;

// REQUIRES: `sums` and `parts` do not overlap, so that the compiler can vectorise the loop.
inline void add_parts(LatencyParts& __restrict sums, const LatencyParts& __restrict parts) {
  for (std::size_t i = 0; i < kLatencyPartCount; ++i) sums[i] += parts[i];
}

struct Completion {
  std::uint64_t tag = 0;
  Nanoseconds completed{0};
  Status status = Status::ok;
  LatencyParts parts{};
  std::uint64_t offset_bytes = 0;  // zone append only: where the data were written
};

// Adds the time between two moments to a part of the latency; nothing if `to` is not later.
inline void charge(Completion& done, LatencyPart part, Nanoseconds from, Nanoseconds to) {
  if (to > from) done.parts[static_cast<std::size_t>(part)] += to - from;
}

// Charges the latency of a request to its parts, in order of time.
class LatencyAccount {
 public:
  // The latency up to `at` has been charged already.
  LatencyAccount(Completion& done, Nanoseconds at) : done_(done), at_(at) {}
  // Charges the time since the previous call to `part`; nothing if `moment` is already charged.
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
