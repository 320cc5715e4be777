#include "sim/workload/file_choice.h"

#include <algorithm>

#include "sim/core/check.h"

namespace ftlab {

FileChoice::FileChoice(const FileService& service, std::size_t count, std::uint64_t origin)
    : service_(service), count_(count) {
  if (service.kind == FileService::Kind::skewed && count > 1)
    ranks_.emplace(service.spread, Direction::read, count * kRanksOfFile, 1, origin);
  restart();
}

// As in fio, a file that is done is drawn again; the bound keeps a steep distribution from drawing for ever.
std::size_t FileChoice::drawn(RandomStream& random) const {
  if (!ranks_) return random.below(open_.size());
  constexpr int kMostDraws = 1000;
  for (int i = 0; i < kMostDraws; ++i) {
    const auto file = std::find(open_.begin(), open_.end(), ranks_->draw(random) / kRanksOfFile);
    if (file != open_.end()) return static_cast<std::size_t>(file - open_.begin());
  }
  return random.below(open_.size());
}

void FileChoice::restart() {
  const std::size_t most = service_.open == 0 ? count_ : std::min<std::size_t>(service_.open, count_);
  open_.clear();
  for (unopened_ = 0; unopened_ < most; ++unopened_) open_.push_back(unopened_);
  current_ = 0;
  used_ = 0;
}

std::size_t FileChoice::next(RandomStream& random) {
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

// The next unopened file is opened; the choice continues with the file after the finished one.
void FileChoice::done() {
  open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(current_));
  if (unopened_ < count_) open_.push_back(unopened_++);
  if (current_ >= open_.size()) current_ = 0;
  used_ = 0;
}

}  // namespace ftlab
