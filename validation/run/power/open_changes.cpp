#include "validation/run/power/open_changes.h"

#include <algorithm>

namespace ftlab {

ChangeRules::ChangeRules(const FtlConfig& ftl)
    : page_bytes(ftl.mapping_bytes),
      trim_bytes(ftl.trim.mode == TrimConfig::Mode::off ? 0
                                                        : std::max<std::uint64_t>(ftl.trim.granularity_bytes, page_bytes)),
      writes_through(!ftl.buffer.write_back),
      may_lose(!ftl.buffer.power_loss_protected) {}

ChangeRules::Range ChangeRules::trimmed(std::uint64_t offset, std::uint64_t length) const {
  if (trim_bytes == 0) return {};
  const std::uint64_t from = (offset + trim_bytes - 1) / trim_bytes * trim_bytes;
  return {from, std::max(from, (offset + length) / trim_bytes * trim_bytes)};
}

void OpenChanges::write(std::uint64_t offset, std::uint64_t length) {
  const std::uint64_t size = rules_.page_bytes;
  for (std::uint64_t page = offset / size; page * size < offset + length; ++page) write_page(page);
}

void OpenChanges::trim(std::uint64_t offset, std::uint64_t length) {
  const ChangeRules::Range range = rules_.trimmed(offset, length);
  for (std::uint64_t page = range.offset / rules_.page_bytes; page * rules_.page_bytes < range.end; ++page) add({page, 0});
}

void OpenChanges::add(const Change& change) {
  latest_[change.page] = mark();
  changes_.push_back(change);
}

std::uint64_t OpenChanges::latest(std::uint64_t page) const {
  const auto found = latest_.find(page);
  return found == latest_.end() ? kNone : found->second - first_;
}

void OpenChanges::settle(std::uint64_t mark, const Each& durable) {
  for (; first_ < mark && !changes_.empty(); ++first_) {
    const Change& change = changes_.front();
    if (durable) durable(change);
    const auto latest = latest_.find(change.page);
    if (latest->second == first_) latest_.erase(latest);
    changes_.pop_front();
  }
}

std::uint64_t OpenChanges::lose(const std::function<std::uint64_t(std::uint64_t page)>& version_of, std::uint64_t newest,
                                const Left& left) {
  std::uint64_t lost = 0;
  for (std::size_t i = 0; i < changes_.size(); ++i) {
    const Change& change = changes_[i];
    const bool holds = change.version == version_of(change.page);
    if (left) left(change, holds);
    lost += !holds && latest_.at(change.page) == first_ + i;
  }
  first_ += changes_.size();
  changes_.clear();
  latest_.clear();
  newest_ = newest;
  return lost;
}

}  // namespace ftlab
