// The wire between host and drive: SATA with 8b/10b coding (10 line bits carry one byte) and the protocol's cost for
// each command (command, DMA set-up and status frames with their turn-arounds). Half duplex: one thing at a time.
// Not modelled: the header of each 8 KiB data frame (about 0.2 %), link power states.
#pragma once

#include <cstdint>

#include "sim/config/reader.h"
#include "sim/timeline.h"

namespace ftlab {

struct LinkConfig {
  std::uint64_t bytes_per_s = 300'000'000;  // payload
  Nanoseconds read_command{0};
  Nanoseconds write_command{0};  // also of trim and flush, which carry (almost) no data
};

// Reads the object `link` of a drive file. Throws ConfigError.
LinkConfig read_link(Reader reader);

class Link {
 public:
  Link(const LinkConfig& config, bool timed) : config_(config), timed_(timed) {}

  struct Times {
    Nanoseconds start, done;
  };
  // Moves `bytes` of a command that could begin at `ready`; the first piece carries the command's own cost.
  Times move(Nanoseconds ready, Nanoseconds command, std::uint64_t bytes) {
    if (!timed_) return {ready, ready};
    const Nanoseconds length = command + transfer_time(bytes, config_.bytes_per_s);
    const Nanoseconds start = line_.reserve(ready, length);
    return {start, start + length};
  }
  void set_timed(bool timed) { timed_ = timed; }
  const LinkConfig& config() const { return config_; }
  Nanoseconds idle_from() const { return line_.end(); }

  template <class A>
  void archive(A& archive) {
    archive.section("link");
    line_.archive(archive);
  }

 private:
  LinkConfig config_;
  bool timed_;
  Timeline line_;
};

}  // namespace ftlab
