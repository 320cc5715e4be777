// Reading ahead of sequential readers: after so many requests that each begin where the last one ended, the pages that
// follow are read into RAM before anyone asks. Several readers are followed at once, each with an equal part of the RAM as
// its window; a new reader takes the place of the one that has been silent longest. A window is filled up again when half of
// it is used up, so that neighbouring pages come from the flash together.
//
// It decides by the order of requests alone, never by the clock: what is read ahead and what is hit is the same timed and
// untimed. Where the pages come from, and when they are there, the caller says.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/config/reader.h"
#include "sim/core/rule.h"
#include "sim/core/types.h"

namespace ftlab {

struct ReadAheadConfig {
  std::uint32_t streams = 0;         // readers followed at once; 0: nothing is read ahead
  std::uint32_t after_requests = 0;  // in sequence, the first included
  std::uint64_t ram_bytes = 0;       // for all windows together
};

// Reads the object `read_ahead` of a drive file's `controller`. Throws ConfigError.
ReadAheadConfig read_read_ahead(Reader reader);

class ReadAhead {
 public:
  struct Pages {
    std::uint32_t first = 0, end = 0;
  };

  // REQUIRES: at least two pages for each window.
  ReadAhead(const ReadAheadConfig& config, std::uint32_t page_bytes, std::uint32_t page_count);

  // The host reads these bytes. Returns the pages that should be read ahead now; often none.
  Pages saw(std::uint64_t first_byte, std::uint64_t end_byte);
  // One of them comes, or came, with that fetch, a number of the caller. A page that is not reported is not there.
  void fetched(std::uint32_t page, std::uint32_t fetch);

  // With which fetch the page comes or came; null: it is not there and will not be.
  const std::uint32_t* find(std::uint32_t page) const;
  // The host was given it. REQUIRES: find(page) is not null.
  void use(std::uint32_t page);
  // The content of these pages has changed.
  void forget(Pages pages);
  // All of them: RAM has lost its content.
  void forget_all();

  std::uint64_t pages() const { return pages_; }    // read ahead
  std::uint64_t hits() const { return hits_; }      // uses
  std::uint64_t wasted() const { return wasted_; }  // pages that were there and went without any use

  template <class A>
  void archive(A& archive) {
    archive.section("read ahead");
    archive.exact(streams_);
    archive.exact(fetch_);
    archive.exact(state_);
    archive.require(rules(), *this);
    for (auto* value : {&requests_, &pages_, &hits_, &wasted_}) archive.value(*value);
  }

 private:
  friend struct LoadedStates;
  struct Stream {
    std::uint64_t next_byte = ~std::uint64_t{0};  // where the next request of the reader begins
    std::uint64_t last_request = 0;               // its number
    std::uint64_t run = 0;                        // requests in sequence so far, up to after_requests
    std::uint32_t first = 0, end = 0;             // the pages of its window that were asked for
  };
  enum State : std::uint8_t { absent, there, used };

  static std::span<const Rule<ReadAhead>> rules();
  std::size_t stream_of(std::uint64_t first_byte);
  std::size_t slot(std::size_t stream, std::uint32_t page) const { return stream * window_ + page % window_; }
  std::size_t slot_of(std::uint32_t page) const;  // kNone: not there
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
