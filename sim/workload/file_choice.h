// Chooses the file of a job's next request: fio's file_service_type and openfiles.
//
// zipf, pareto and normal are drawn over 1024 ranks a file, which lie side by side from a position that the seed gives (fio
// 3.33, io_u.c): the file with the first ranks is the most frequent one, and its neighbours follow.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/core/check.h"
#include "sim/core/random.h"
#include "sim/workload/jobs/job.h"
#include "sim/workload/random/distribution.h"

namespace ftlab {

class FileChoice {
 public:
  // `origin`: position of the most frequent file of a skewed choice.
  FileChoice(const FileService& service, std::size_t count, std::uint64_t origin = 0)
      : service_(service), count_(count) {
    if (service.kind == FileService::Kind::skewed && count > 1)
      ranks_.emplace(service.spread, Direction::read, count * kRanksOfFile, 1, origin);
    restart();
  }

  // Index of the next file. REQUIRES: not all_done().
  std::size_t next(RandomStream& random) {
    FTLAB_DCHECK(!open_.empty(), "all files are done");
    if (open_.size() == 1 && unopened_ == count_) return open_[current_ = 0];
    if (used_ == service_.requests) {
      used_ = 0;
      if (service_.kind == FileService::Kind::roundrobin) current_ = (current_ + 1) % open_.size();
    }
    if (used_ == 0 && service_.kind >= FileService::Kind::random) current_ = drawn(random);
    ++used_;
    return open_[current_];
  }

  // Marks the file last returned by next() as finished for this pass.
  // The next unopened file is opened; the choice continues with the file after the finished one.
  void done() {
    open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(current_));
    if (unopened_ < count_) open_.push_back(unopened_++);
    if (current_ >= open_.size()) current_ = 0;
    used_ = 0;
  }

  bool all_done() const { return open_.empty(); }
  void restart() {
    const std::size_t most = service_.open == 0 ? count_ : std::min<std::size_t>(service_.open, count_);
    open_.clear();
    for (unopened_ = 0; unopened_ < most; ++unopened_) open_.push_back(unopened_);
    current_ = 0;
    used_ = 0;
  }

 private:
  static constexpr std::uint64_t kRanksOfFile = 1024;
  // As in fio, a file that is done is drawn again; the bound keeps a steep distribution from drawing for ever.
  std::size_t drawn(RandomStream& random) const {
    if (!ranks_) return random.below(open_.size());
    constexpr int kMostDraws = 1000;
    for (int i = 0; i < kMostDraws; ++i) {
      const auto file = std::find(open_.begin(), open_.end(), ranks_->draw(random) / kRanksOfFile);
      if (file != open_.end()) return static_cast<std::size_t>(file - open_.begin());
    }
    return random.below(open_.size());
  }

  FileService service_;
  std::size_t count_;
  std::optional<Distribution> ranks_;  // of a skewed choice
  std::vector<std::size_t> open_;      // files in use
  std::size_t unopened_ = 0;           // the first file not yet opened
  std::size_t current_ = 0;            // index into open_
  std::uint64_t used_ = 0;             // requests in a row to the current file
};

}  // namespace ftlab
