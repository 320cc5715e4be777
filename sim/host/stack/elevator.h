// The operating system's scheduler in front of a disk: what the disk's queue has no place for waits here, and is handed over
// in ascending order of sectors, a batch at a time. After a batch the scheduler turns to reads, unless writes were passed
// over so often; it begins the batch at the oldest request of that direction when that has waited longer than its limit,
// else behind the last one handed over, else at the lowest sector. It knows so many requests together with those in the
// disk; more wait with their threads, in order.
//
// Source: Linux, Documentation/block/deadline-iosched.rst (fifo_batch 16, read_expire 500 ms, write_expire 5 s,
// writes_starved 2) and ABI/stable/sysfs-block (nr_requests 128). Not modelled: merging.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/core/types.h"

namespace ftlab {

struct ElevatorConfig {
  std::uint32_t batch = 0;     // requests of a batch; 0: requests are handed over in the order in which they came
  std::uint32_t requests = 0;  // that it knows, those in the disk among them
  Nanoseconds read_expire{0}, write_expire{0};
};

class Elevator {
 public:
  explicit Elevator(const ElevatorConfig& config) : config_(config) {}

  void add(std::uint32_t number, std::uint64_t first_sector, std::uint64_t end_sector, bool write) {
    waiting_.push_back({number, first_sector, end_sector, write, kNever});
  }
  bool empty() const { return waiting_.empty(); }
  // The number of the next request for a disk that has `in_disk` of them. REQUIRES: not empty().
  std::uint32_t next(Nanoseconds now, std::uint32_t in_disk);

 private:
  struct Waiting {
    std::uint32_t number;
    std::uint64_t first, end;
    bool write;
    Nanoseconds since;  // the scheduler knows it; kNever: it does not
  };
  std::size_t first_of_batch(std::size_t known, bool write, Nanoseconds now) const;
  std::size_t following(std::size_t known, bool write) const;
  bool has(std::size_t known, bool write) const;

  static constexpr std::uint32_t kWritesPassedOver = 2;
  ElevatorConfig config_;
  std::vector<Waiting> waiting_;  // in the order in which they came
  std::uint64_t at_sector_ = 0;   // behind the last one handed over
  std::uint32_t left_ = 0;        // of the batch
  bool writing_ = false;          // the batch
  std::uint32_t passed_over_ = 0;
};

}  // namespace ftlab
