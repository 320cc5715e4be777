// Rate-controlled jobs that must determine their next step, each listed once, in the order of the events that caused it. A
// job that takes a token may free the jobs of its flow that are blocked.
#pragma once

#include <utility>
#include <vector>

namespace ftlab {

class AdvanceList {
 public:
  void add(std::size_t job) {
    if (job >= listed_.size()) listed_.resize(job + 1);
    if (!listed_[job]) jobs_.push_back(job);
    listed_[job] = true;
  }
  bool empty() const { return jobs_.empty(); }
  // Takes all jobs; each stays marked as listed until it is visited.
  std::vector<std::size_t> take() { return std::exchange(jobs_, {}); }
  void visit(std::size_t job) { listed_[job] = false; }

  // Blocks a job until another job of its flow takes a token.
  void block(std::size_t job) { blocked_.push_back(job); }
  void unblock() {
    for (const std::size_t job : std::exchange(blocked_, {})) add(job);
  }

 private:
  std::vector<std::size_t> jobs_;
  std::vector<bool> listed_;
  std::vector<std::size_t> blocked_;
};

}  // namespace ftlab
