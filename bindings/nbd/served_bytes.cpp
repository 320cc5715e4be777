#include "bindings/nbd/served_bytes.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace ftlab {

ServedBytes::ServedBytes(std::unique_ptr<ByteStore> store, const ServedPages& pages, bool loses, std::uint64_t newest)
    : store_(std::move(store)), pages_(pages), loses_(loses), open_(pages.rules, newest) {}

std::uint64_t ServedBytes::page_length(std::uint64_t page) const {
  return std::min(pages_.rules.page_bytes, pages_.capacity_bytes - page * pages_.rules.page_bytes);
}

void ServedBytes::read(std::uint64_t offset, std::span<std::byte> out) {
  store_->read(offset, out);
  if (bytes_.empty()) return;
  const std::uint64_t end = offset + out.size(), size = pages_.rules.page_bytes;
  for (std::uint64_t page = offset / size; page * size < end; ++page) {
    const std::uint64_t latest = open_.latest(page);
    if (latest == OpenChanges::kNone) continue;
    const PageBytes& bytes = bytes_[latest];
    const std::uint64_t from = std::max(offset, page * size), to = std::min(end, page * size + page_length(page));
    if (bytes.empty())
      std::memset(out.data() + (from - offset), 0, to - from);
    else
      std::memcpy(out.data() + (from - offset), bytes.data() + (from - page * size), to - from);
  }
}

void ServedBytes::write(std::uint64_t offset, std::span<const std::byte> bytes) {
  if (!loses_) return store_->write(offset, bytes);
  const std::uint64_t end = offset + bytes.size(), size = pages_.rules.page_bytes;
  for (std::uint64_t page = offset / size; page * size < end; ++page) {
    const std::uint64_t first = page * size, length = page_length(page);
    const std::uint64_t from = std::max(offset, first), to = std::min(end, first + length);
    PageBytes after(length);
    if (to - from < length) read(first, after);
    std::memcpy(after.data() + (from - first), bytes.data() + (from - offset), to - from);
    bytes_.push_back(std::move(after));
    open_.write_page(page);
  }
}

void ServedBytes::trim(std::uint64_t offset, std::uint64_t length) {
  const ChangeRules::Range range = pages_.rules.trimmed(offset, length);
  if (range.offset == range.end) return;
  if (!loses_) return store_->discard(range.offset, range.end - range.offset);
  open_.trim(offset, length);
  bytes_.resize(open_.count());
}

void ServedBytes::apply(std::uint64_t page, const PageBytes& bytes) {
  const std::uint64_t first = page * pages_.rules.page_bytes;
  if (bytes.empty())
    store_->discard(first, page_length(page));
  else
    store_->write(first, bytes);
}

void ServedBytes::settle(std::uint64_t mark) {
  open_.settle(mark, [this](const OpenChanges::Change& change) {
    apply(change.page, bytes_.front());
    bytes_.pop_front();
  });
}

std::uint64_t ServedBytes::lose(const std::function<std::uint64_t(std::uint64_t page)>& version_of, std::uint64_t newest) {
  return open_.lose(version_of, newest, [this](const OpenChanges::Change& change, bool holds) {
    if (holds) apply(change.page, bytes_.front());
    bytes_.pop_front();
  });
}

std::vector<StoredRange> ServedBytes::written(StoredRange range) const {
  const std::vector<StoredRange> stored = store_->written(range);
  if (bytes_.empty()) return stored;
  std::vector<StoredRange> ranges;
  auto next = stored.begin();
  for (std::uint64_t at = range.offset; at < range.end();) {
    const std::uint64_t page = at / pages_.rules.page_bytes,
                        end = std::min(range.end(), (page + 1) * pages_.rules.page_bytes);
    while (next != stored.end() && next->end() <= at) ++next;
    const std::uint64_t changed = open_.latest(page);
    if (changed == OpenChanges::kNone) {
      for (auto part = next; part != stored.end() && part->offset < end; ++part)
        append_range(ranges, std::max(at, part->offset), std::min(end, part->end()));
    } else if (!bytes_[changed].empty()) {
      append_range(ranges, at, end);
    }
    at = end;
  }
  return ranges;
}

}  // namespace ftlab
