// Chooses the file of a job's next request: fio's file_service_type and openfiles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/core/random.h"
#include "sim/workload/jobs/job.h"

namespace ftlab {

class FileChoice {
 public:
  FileChoice(const FileService& service, std::size_t count);

  // Index of the next file. REQUIRES: not all_done().
  std::size_t next(RandomStream& random);
  // Marks the file last returned by next() as finished for this pass.
  void done();
  bool all_done() const { return open_.empty(); }
  void restart();

 private:
  FileService service_;
  std::size_t count_;
  std::vector<std::size_t> open_;  // files in use
  std::size_t unopened_ = 0;       // the first file not yet opened
  std::size_t current_ = 0;        // index into open_
  std::uint64_t used_ = 0;         // requests in a row to the current file
};

}  // namespace ftlab
