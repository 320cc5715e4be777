// Read-ahead for sequential readers: after a number of requests that each begin where the last one ended, the following
// pages are read into RAM before they are requested. Several streams are followed at once, each with an equal part of the
// RAM as its window; a new stream replaces the least recently used one. A window is refilled when half of it is used, so
// that neighbouring pages are read from the flash together.
//
// Decisions depend only on the order of requests, never on the clock: the pages read ahead and the hits are the same in
// timed and untimed runs. The caller knows where pages come from and when they arrive.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/config/reader.h"
#include "sim/core/types.h"

namespace ftlab {

struct ReadAheadConfig {
  std::uint32_t streams = 0;         // streams followed at once; 0: no read-ahead
  std::uint32_t after_requests = 0;  // sequential requests, including the first
  std::uint64_t ram_bytes = 0;       // for all windows together
};

// Reads the object `read_ahead` of a drive file's `controller`. Throws ConfigError.
ReadAheadConfig read_read_ahead(Reader reader);

class ReadAhead {
 public:
  struct Pages {
    std::uint32_t first = 0, end = 0;
  };

  // REQUIRES: at least two pages per window.
  ReadAhead(const ReadAheadConfig& config, std::uint32_t page_bytes, std::uint32_t page_count);

  // The host reads these bytes. Returns the pages to be read ahead now, often none.
  Pages saw(std::uint64_t first_byte, std::uint64_t end_byte);
  // The page arrives or has arrived with this fetch (the caller's number). Pages not reported here are not in RAM.
  void fetched(std::uint32_t page, std::uint32_t fetch);

  // Fetch of the page; null if the page is neither in RAM nor on its way.
  const std::uint32_t* find(std::uint32_t page) const;
  // The page was returned to the host. REQUIRES: find(page) is not null.
  void use(std::uint32_t page);
  // Drops pages whose content has changed.
  void forget(Pages pages);
  // Drops all pages: RAM has lost its content.
  void forget_all();

  std::uint64_t pages() const { return pages_; }    // pages read ahead
  std::uint64_t hits() const { return hits_; }      // uses
  std::uint64_t wasted() const { return wasted_; }  // pages dropped without a use

  template <class A>
  void archive(A& archive) {
    archive.section("read ahead");
    archive.exact(streams_);
    archive.exact(fetch_);
    archive.exact(state_);
    for (auto* value : {&requests_, &pages_, &hits_, &wasted_}) archive.value(*value);
  }

 private:
  struct Stream {
    std::uint64_t next_byte = ~std::uint64_t{0};  // where the next request of the stream begins
    std::uint64_t last_request = 0;               // number of its last request
    std::uint64_t run = 0;                        // sequential requests so far, up to after_requests
    std::uint32_t first = 0, end = 0;             // pages of its window that were requested
  };
  enum State : std::uint8_t { absent, there, used };

  std::size_t stream_of(std::uint64_t first_byte);
  std::size_t slot(std::size_t stream, std::uint32_t page) const { return stream * window_ + page % window_; }
  std::size_t slot_of(std::uint32_t page) const;  // kNone: not in RAM
  void drop(std::size_t stream, std::uint32_t first, std::uint32_t end);

  static constexpr std::size_t kNone = ~std::size_t{0};
  std::uint32_t after_requests_;
  std::uint32_t page_bytes_;
  std::uint32_t page_count_;
  std::uint32_t window_;
  std::vector<Stream> streams_;
  std::vector<std::uint32_t> fetch_;  // by stream and page
  std::vector<std::uint8_t> state_;   // as fetch_
  std::uint64_t requests_ = 0;
  std::uint64_t pages_ = 0;
  std::uint64_t hits_ = 0;
  std::uint64_t wasted_ = 0;
};

}  // namespace ftlab
