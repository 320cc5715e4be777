#include "models/controller/read_ahead.h"

#include <algorithm>

#include "sim/config/keys.h"
#include "sim/core/check.h"

namespace ftlab {

ReadAheadConfig read_read_ahead(Reader reader) {
  ReadAheadConfig config;
  read_sourced(reader, "streams", config.streams, 1, 64, "sequential readers at once");
  read_sourced(reader, "after_requests", config.after_requests, 1, 1000, "sequential requests before read-ahead starts");
  read_sourced(reader, "ram_bytes", config.ram_bytes, 1, std::uint64_t{1} << 32, "RAM of all windows");
  reader.finish();
  return config;
}

ReadAhead::ReadAhead(const ReadAheadConfig& config, std::uint32_t page_bytes, std::uint32_t page_count)
    : after_requests_(config.after_requests),
      page_bytes_(page_bytes),
      page_count_(page_count),
      window_(static_cast<std::uint32_t>(config.ram_bytes / config.streams / page_bytes)),
      streams_(config.streams),
      fetch_(std::size_t{config.streams} * window_),
      state_(fetch_.size(), absent) {
  FTLAB_CHECK(window_ >= 2, "a window for reading ahead has " + std::to_string(window_) + " pages");
}

// The stream that continues here, or the entry for a new one.
std::size_t ReadAhead::stream_of(std::uint64_t first_byte) {
  std::size_t oldest = 0;
  for (std::size_t s = 0; s < streams_.size(); ++s) {
    if (streams_[s].next_byte == first_byte) return s;
    if (streams_[s].last_request < streams_[oldest].last_request) oldest = s;
  }
  drop(oldest, streams_[oldest].first, streams_[oldest].end);
  streams_[oldest] = {};
  return oldest;
}

ReadAhead::Pages ReadAhead::saw(std::uint64_t first_byte, std::uint64_t end_byte) {
  const std::size_t s = stream_of(first_byte);
  Stream& stream = streams_[s];
  stream.next_byte = end_byte;
  stream.last_request = ++requests_;
  if (stream.run < after_requests_ && ++stream.run < after_requests_) return {};
  const auto next = static_cast<std::uint32_t>(end_byte / page_bytes_);
  drop(s, stream.first, std::min(next, stream.end));
  stream.first = next;
  stream.end = std::max(stream.end, next);
  const std::uint32_t end = static_cast<std::uint32_t>(std::min<std::uint64_t>(std::uint64_t{next} + window_, page_count_));
  if (stream.end >= end || stream.end - next > window_ / 2) return {};
  const Pages wanted{stream.end, end};
  stream.end = end;
  return wanted;
}

// The page goes to the window with the latest request; other windows may include it as well.
void ReadAhead::fetched(std::uint32_t page, std::uint32_t fetch) {
  std::size_t newest = kNone;
  for (std::size_t s = 0; s < streams_.size(); ++s) {
    const bool wants = page >= streams_[s].first && page < streams_[s].end;
    if (wants && (newest == kNone || streams_[s].last_request > streams_[newest].last_request)) newest = s;
  }
  FTLAB_CHECK(newest != kNone, "page " + std::to_string(page) + " was read ahead for no read");
  fetch_[slot(newest, page)] = fetch;
  state_[slot(newest, page)] = there;
  ++pages_;
}

std::size_t ReadAhead::slot_of(std::uint32_t page) const {
  for (std::size_t s = 0; s < streams_.size(); ++s) {
    const bool inside = page >= streams_[s].first && page < streams_[s].end;
    if (inside && state_[slot(s, page)] != absent) return slot(s, page);
  }
  return kNone;
}

const std::uint32_t* ReadAhead::find(std::uint32_t page) const {
  const std::size_t at = slot_of(page);
  return at == kNone ? nullptr : &fetch_[at];
}

void ReadAhead::use(std::uint32_t page) {
  const std::size_t at = slot_of(page);
  FTLAB_CHECK(at != kNone, "page " + std::to_string(page) + " is used, but not in RAM");
  state_[at] = used;
  ++hits_;
}

void ReadAhead::drop(std::size_t stream, std::uint32_t first, std::uint32_t end) {
  for (std::uint32_t page = first; page < end; ++page) {
    std::uint8_t& state = state_[slot(stream, page)];
    wasted_ += state == there;
    state = absent;
  }
}

void ReadAhead::forget(Pages pages) {
  for (std::size_t s = 0; s < streams_.size(); ++s) {
    const std::uint32_t end = std::min(pages.end, streams_[s].end);
    drop(s, std::max(pages.first, streams_[s].first), end);
  }
}

void ReadAhead::forget_all() {
  for (std::size_t s = 0; s < streams_.size(); ++s) drop(s, streams_[s].first, streams_[s].end);
  streams_.assign(streams_.size(), {});
}

}  // namespace ftlab
