#include "bindings/nbd/served_bytes.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace ftlab {

ServedBytes::ServedBytes(std::unique_ptr<ByteStore> store, const ServedPages& pages, bool loses, std::uint64_t newest)
    : store_(std::move(store)), pages_(pages), loses_(loses), newest_(newest) {}

std::uint64_t ServedBytes::page_length(std::uint64_t page) const {
  return std::min(pages_.page_bytes, pages_.capacity_bytes - page * pages_.page_bytes);
}

void ServedBytes::read(std::uint64_t offset, std::span<std::byte> out) {
  store_->read(offset, out);
  if (changes_.empty()) return;
  const std::uint64_t end = offset + out.size(), size = pages_.page_bytes;
  for (std::uint64_t page = offset / size; page * size < end; ++page) {
    const auto found = latest_.find(page);
    if (found == latest_.end()) continue;
    const Change& change = changes_[found->second - first_];
    const std::uint64_t from = std::max(offset, page * size), to = std::min(end, page * size + page_length(page));
    if (change.bytes.empty())
      std::memset(out.data() + (from - offset), 0, to - from);
    else
      std::memcpy(out.data() + (from - offset), change.bytes.data() + (from - page * size), to - from);
  }
}

void ServedBytes::write(std::uint64_t offset, std::span<const std::byte> bytes) {
  if (!loses_) return store_->write(offset, bytes);
  const std::uint64_t end = offset + bytes.size(), size = pages_.page_bytes;
  for (std::uint64_t page = offset / size; page * size < end; ++page) {
    const std::uint64_t first = page * size, length = page_length(page);
    const std::uint64_t from = std::max(offset, first), to = std::min(end, first + length);
    Change change{page, ++newest_, std::vector<std::byte>(length)};
    if (to - from < length) read(first, change.bytes);
    std::memcpy(change.bytes.data() + (from - first), bytes.data() + (from - offset), to - from);
    note(std::move(change));
  }
}

void ServedBytes::trim(std::uint64_t offset, std::uint64_t length) {
  const std::uint64_t piece = pages_.trim_bytes;
  if (piece == 0) return;
  const std::uint64_t from = (offset + piece - 1) / piece * piece, to = (offset + length) / piece * piece;
  if (from >= to) return;
  if (!loses_) return store_->discard(from, to - from);
  for (std::uint64_t page = from / pages_.page_bytes; page * pages_.page_bytes < to; ++page) note({page, 0, {}});
}

void ServedBytes::note(Change change) {
  latest_[change.page] = mark();
  changes_.push_back(std::move(change));
}

void ServedBytes::apply(const Change& change) {
  const std::uint64_t first = change.page * pages_.page_bytes;
  if (change.bytes.empty())
    store_->discard(first, page_length(change.page));
  else
    store_->write(first, change.bytes);
}

void ServedBytes::settle(std::uint64_t mark) {
  for (; first_ < mark && !changes_.empty(); ++first_) {
    const Change& change = changes_.front();
    apply(change);
    const auto latest = latest_.find(change.page);
    if (latest->second == first_) latest_.erase(latest);
    changes_.pop_front();
  }
}

std::uint64_t ServedBytes::lose(const std::function<std::uint64_t(std::uint64_t page)>& version_of, std::uint64_t newest) {
  std::uint64_t lost = 0;
  for (std::size_t i = 0; i < changes_.size(); ++i) {
    const Change& change = changes_[i];
    const bool survives = change.version == version_of(change.page);
    if (survives) apply(change);
    lost += !survives && latest_.at(change.page) == first_ + i;
  }
  first_ += changes_.size();
  changes_.clear();
  latest_.clear();
  newest_ = newest;
  return lost;
}

std::vector<StoredRange> ServedBytes::written(StoredRange range) const {
  const std::vector<StoredRange> stored = store_->written(range);
  if (changes_.empty()) return stored;
  std::vector<StoredRange> ranges;
  auto next = stored.begin();
  for (std::uint64_t at = range.offset; at < range.end();) {
    const std::uint64_t page = at / pages_.page_bytes, end = std::min(range.end(), (page + 1) * pages_.page_bytes);
    while (next != stored.end() && next->end() <= at) ++next;
    const auto changed = latest_.find(page);
    if (changed == latest_.end()) {
      for (auto part = next; part != stored.end() && part->offset < end; ++part)
        append_range(ranges, std::max(at, part->offset), std::min(end, part->end()));
    } else if (!changes_[changed->second - first_].bytes.empty()) {
      append_range(ranges, at, end);
    }
    at = end;
  }
  return ranges;
}

}  // namespace ftlab
