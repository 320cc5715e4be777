// What the host has changed on a drive since the last barrier, by mapping page and in order of submission: what a power cut
// may take away. No bytes; who keeps them keeps them beside it.
//
// Versions are predicted as the host's verifier does it (sim/content_log.h): each mapping page of a write counts
// one, in order of submission.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <unordered_map>

#include "ftl/config.h"
#include "sim/request.h"

namespace ftlab {

// What the host must know of a drive for it.
struct ChangeRules {
  ChangeRules() = default;  // of a device that changes bytes at once and has no trims
  explicit ChangeRules(const FtlConfig& ftl);

  // A flush, or a write that is complete when it is in the flash.
  bool is_barrier(Op op, bool fua) const { return op == Op::flush || (op == Op::write && (fua || writes_through)); }
  // A trim concerns whole pieces: of this range what is left. Empty: nothing.
  struct Range {
    std::uint64_t offset = 0, end = 0;
  };
  Range trimmed(std::uint64_t offset, std::uint64_t length) const;

  std::uint64_t page_bytes = kSectorBytes;  // the mapping page
  std::uint64_t trim_bytes = 0;             // a trim concerns whole multiples of it; 0: the drive has no trims
  bool writes_through = true;
  bool may_lose = false;  // what no barrier covers
};

class OpenChanges {
 public:
  struct Change {
    std::uint64_t page = 0;
    std::uint64_t version = 0;  // 0: trimmed
  };
  // Of a change that is open no longer.
  using Each = std::function<void(const Change&)>;
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};

  // `newest`: the drive's version so far.
  OpenChanges(const ChangeRules& rules, std::uint64_t newest) : rules_(rules), newest_(newest) {}

  void write_page(std::uint64_t page) { add({page, ++newest_}); }
  void write(std::uint64_t offset, std::uint64_t length);
  void trim(std::uint64_t offset, std::uint64_t length);
  std::size_t count() const { return changes_.size(); }
  // The place of a page's last change among the open ones; kNone.
  std::uint64_t latest(std::uint64_t page) const;

  // How many changes there were. A barrier submitted now makes them durable once it is complete.
  std::uint64_t mark() const { return first_ + changes_.size(); }
  // Those before the mark are durable; told of in order.
  void settle(std::uint64_t mark, const Each& durable = {});
  // The power failed: each page holds what the drive says, by its version. `left`: told of each change in order, and whether
  // it is what its page holds. Returns the pages that are not as they were last. `newest`: the drive's version from now on.
  using Left = std::function<void(const Change&, bool holds)>;
  std::uint64_t lose(const std::function<std::uint64_t(std::uint64_t page)>& version_of, std::uint64_t newest,
                     const Left& left = {});
  // Counting begins anew from here, after a write that the drive has refused. REQUIRES: nothing is outstanding.
  void recount(std::uint64_t newest) { newest_ = newest; }

 private:
  void add(const Change& change);

  ChangeRules rules_;
  std::uint64_t newest_;
  std::deque<Change> changes_;  // from number first_ on
  std::uint64_t first_ = 0;
  std::unordered_map<std::uint64_t, std::uint64_t> latest_;  // number of a page's last change; never walked
};

}  // namespace ftlab
