// The operating system's I/O scheduler in front of a disk. Requests that do not fit in the disk's queue wait here, and are
// dispatched in batches in ascending order of sectors. After a batch the scheduler prefers reads, unless writes have been
// passed over too often. A batch begins at the oldest request of its direction if that has waited longer than its limit,
// otherwise after the last request dispatched, otherwise at the lowest sector. The scheduler holds a limited number of
// requests, including those in the disk; further requests wait with their threads, in order.
//
// Source: Linux, Documentation/block/deadline-iosched.rst (fifo_batch 16, read_expire 500 ms, write_expire 5 s,
// writes_starved 2) and ABI/stable/sysfs-block (nr_requests 128). Not modelled: merging.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/core/types.h"

namespace ftlab {

struct ElevatorConfig {
  std::uint32_t batch = 0;     // requests per batch; 0: requests are dispatched in order of arrival
  std::uint32_t requests = 0;  // maximum number in the scheduler, including those in the disk
  Nanoseconds read_expire{0}, write_expire{0};
};

class Elevator {
 public:
  explicit Elevator(const ElevatorConfig& config) : config_(config) {}

  void add(std::uint32_t number, std::uint64_t first_sector, std::uint64_t end_sector, bool write) {
    waiting_.push_back({number, first_sector, end_sector, write, kNever});
  }
  bool empty() const { return waiting_.empty(); }
  // Returns the number of the next request; `in_disk`: requests in the disk. REQUIRES: not empty().
  std::uint32_t next(Nanoseconds now, std::uint32_t in_disk);

 private:
  struct Waiting {
    std::uint32_t number;
    std::uint64_t first, end;
    bool write;
    Nanoseconds since;  // when it entered the scheduler; kNever: it still waits with its thread
  };
  std::size_t first_of_batch(std::size_t known, bool write, Nanoseconds now) const;
  std::size_t following(std::size_t known, bool write) const;
  bool has(std::size_t known, bool write) const;

  static constexpr std::uint32_t kWritesPassedOver = 2;
  ElevatorConfig config_;
  std::vector<Waiting> waiting_;  // in order of arrival
  std::uint64_t at_sector_ = 0;   // end of the last request dispatched
  std::uint32_t left_ = 0;        // requests left in the batch
  bool writing_ = false;          // direction of the batch
  std::uint32_t passed_over_ = 0;
};

}  // namespace ftlab
