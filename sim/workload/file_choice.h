// Chooses the file of a job's next request: fio's file_service_type and openfiles.
//
// zipf, pareto and normal are drawn over 1024 ranks a file, which lie side by side from a position that the seed gives (fio
// 3.33, io_u.c): the file with the first ranks is the most frequent one, and its neighbours follow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/core/random.h"
#include "sim/workload/jobs/job.h"
#include "sim/workload/random/distribution.h"

namespace ftlab {

class FileChoice {
 public:
  // `origin`: position of the most frequent file of a skewed choice.
  FileChoice(const FileService& service, std::size_t count, std::uint64_t origin = 0);

  // Index of the next file. REQUIRES: not all_done().
  std::size_t next(RandomStream& random);
  // Marks the file last returned by next() as finished for this pass.
  void done();
  bool all_done() const { return open_.empty(); }
  void restart();

 private:
  static constexpr std::uint64_t kRanksOfFile = 1024;
  std::size_t drawn(RandomStream& random) const;

  FileService service_;
  std::size_t count_;
  std::optional<Distribution> ranks_;  // of a skewed choice
  std::vector<std::size_t> open_;      // files in use
  std::size_t unopened_ = 0;           // the first file not yet opened
  std::size_t current_ = 0;            // index into open_
  std::uint64_t used_ = 0;             // requests in a row to the current file
};

}  // namespace ftlab
