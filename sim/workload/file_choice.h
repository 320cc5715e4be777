// Which of a job's files the next request goes to: fio's file_service_type and openfiles.
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

  // REQUIRES: not all are done.
  std::size_t next(RandomStream& random);
  // The file that next() gave last has come to its end in this pass.
  void done();
  bool all_done() const { return open_.empty(); }
  void restart();

 private:
  FileService service_;
  std::size_t count_;
  std::vector<std::size_t> open_;  // files in use
  std::size_t unopened_ = 0;       // the first file that was not in use yet
  std::size_t current_ = 0;        // place in open_
  std::uint64_t used_ = 0;         // requests in a row on the current one
};

}  // namespace ftlab
