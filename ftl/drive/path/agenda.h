// Clock of a drive, the queue of events of its commands and of the pieces of their reads, and the host pages on the link.
#pragma once

#include <algorithm>
#include <cstdint>

#include "ftl/drive/path/transit.h"
#include "sim/core/due_queue.h"

namespace ftlab {

enum class Clock : std::uint8_t {
  timed,
  untimed  // everything is done at once: for aging a drive or finding its write amplification
};

class Agenda {
 public:
  // Kinds of events; each has the number of a command or of a piece of a read.
  enum class Due : std::uint32_t {
    understood,
    sent,
    stored,
    fingerprinted,
    crossed,
    deliver,
    programmed,
    mapped,
    rebuilt,
    trimmed,
    freed,
    allowed
  };
  struct Entry {
    Due what;
    std::uint32_t id;
  };
  static constexpr std::uint32_t kIdBits = 26;
  static constexpr std::uint64_t kMostIds = 1u << kIdBits;
  // Kind and number in 32 bits; the flash engine returns the same tags.
  static std::uint32_t tag(Due what, std::uint32_t id) { return static_cast<std::uint32_t>(what) << kIdBits | id; }
  static Entry entry(std::uint32_t tag) {
    return {static_cast<Due>(tag >> kIdBits), tag & static_cast<std::uint32_t>(kMostIds - 1)};
  }

  explicit Agenda(Clock clock) : timed_(clock == Clock::timed) {}

  bool timed() const { return timed_; }
  void set_clock(Clock clock) { timed_ = clock == Clock::timed; }
  Nanoseconds now() const { return now_; }
  void set_now(Nanoseconds now) { now_ = now; }
  void advance_to(Nanoseconds moment) { now_ = std::max(now_, moment); }

  [[gnu::always_inline]] void schedule(Nanoseconds at, Due what, std::uint32_t id) {
    FTLAB_DCHECK(id < kMostIds, "too many commands or pieces");
    due_.push(at, tag(what, id));
  }
  // `pages` of a command arrive one after another, `each` apart, the first at `first`: events `sent`. REQUIRES: after all
  // other pages.
  void send_pages(Nanoseconds first, Nanoseconds each, std::uint32_t id, std::uint32_t pages) {
    transit_.add({first, each, due_.take_sequence(), id, pages});
  }
  const Transit& transit() const { return transit_; }
  // See Transit.
  void gather_pages(std::uint32_t most) { transit_.gather(most); }
  Transit::Pages take_sent() { return transit_.take_due(); }
  Transit::Pages take_sent_by(Nanoseconds moment) { return transit_.take_arrived(moment); }
  Nanoseconds earliest() const { return std::min(due_.earliest(), transit_.due()); }
  // Advances the clock to the earliest event and removes it; pages that are due stay in transit(). REQUIRES: there is one.
  Entry next() {
    FTLAB_DCHECK(earliest() != kNever, "nothing is due");
    const Nanoseconds due = due_.earliest(), sent = transit_.due();
    now_ = std::min(due, sent);
    if (sent < due || (sent == due && transit_.sequence() < due_.earliest_sequence()))
      return {Due::sent, transit_.command()};
    return entry(due_.pop());
  }
  void clear() {
    due_ = DueQueue();
    transit_.clear();
  }

  template <class A>
  void archive_now(A& archive) {
    archive.value(now_);
  }
  template <class A>
  void archive_due(A& archive) {
    due_.archive(archive, kMostIds);
  }

 private:
  bool timed_;
  Nanoseconds now_{0};
  DueQueue due_;
  Transit transit_;
};

}  // namespace ftlab
