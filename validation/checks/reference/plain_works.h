// All operations requested from PlainFlash: reads, programs and erases, searched linearly.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "models/nand/schedule/work_record.h"

namespace ftlab {

struct PlainWork {
  WorkRecord record;
  std::uint32_t number = 0;  // programs only: index in the frontier
  std::uint32_t waits = 0, unread = 0;
  std::uint64_t class_of_host = 0;  // index among the programs with host data, plus 1
  Nanoseconds data{0}, ready = kNever, start = kNever, done = kNever;
  bool asked = false, ended = false, feeds_next = false, ends_next = false, in_memory = false;
};

class PlainWorks {
 public:
  static constexpr std::size_t kNone = ~std::size_t{0};

  PlainWork& operator[](std::size_t work) { return works_[work]; }
  const PlainWork& operator[](std::size_t work) const { return works_[work]; }
  const std::vector<PlainWork>& all() const { return works_; }

  std::size_t add(const WorkRecord& record);
  std::size_t program_of(std::uint32_t frontier, std::uint32_t number);
  // The next program of a frontier, in the order of requests.
  std::size_t next_program_of(std::uint32_t frontier) { return program_of(frontier, next_number_[frontier]++); }
  void ask_for(std::size_t work) { order_.push_back(work); }

  // The newest unfinished program of the read's page, requested after the last erase of its superblock; or kNone.
  std::size_t newest_open_program(const WorkRecord& read) const;
  std::vector<std::size_t> open_programs() const;
  // Start and end of reads, programs and erases, in the order of requests.
  std::vector<std::pair<Nanoseconds, Nanoseconds>> times() const;

 private:
  std::vector<PlainWork> works_;
  std::vector<std::size_t> order_;                                           // in the order of requests
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> programs_;  // by frontier and number
  std::map<std::uint32_t, std::uint32_t> next_number_;
};

}  // namespace ftlab
