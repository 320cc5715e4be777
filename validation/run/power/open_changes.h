// The host's changes since the last barrier, by mapping page in order of submission: those that a power cut may undo. Stores
// no data.
//
// Predicts versions like the host's verifier (sim/content_log.h): each mapping page of a write counts one, in
// order of submission.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <unordered_map>

#include "ftl/config.h"
#include "sim/request.h"

namespace ftlab {

// Properties of a drive that determine which changes become durable when.
struct ChangeRules {
  ChangeRules() = default;  // for devices that write through and have no TRIM
  explicit ChangeRules(const FtlConfig& ftl);

  // True for a flush, and for a write that completes only once it is in flash.
  bool is_barrier(Op op, bool fua) const { return op == Op::flush || (op == Op::write && (fua || writes_through)); }
  // The part of a trim that covers whole multiples of trim_bytes. May be empty.
  struct Range {
    std::uint64_t offset = 0, end = 0;
  };
  Range trimmed(std::uint64_t offset, std::uint64_t length) const;

  std::uint64_t page_bytes = kSectorBytes;  // the mapping page
  std::uint64_t trim_bytes = 0;             // granularity of trims; 0: the drive has no TRIM
  bool writes_through = true;
  bool may_lose = false;  // a power cut may undo changes that no barrier covers
};

class OpenChanges {
 public:
  struct Change {
    std::uint64_t page = 0;
    std::uint64_t version = 0;  // 0: trimmed
  };
  // Callback for a change that is now durable.
  using Each = std::function<void(const Change&)>;
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};

  // `newest`: the drive's current version.
  OpenChanges(const ChangeRules& rules, std::uint64_t newest) : rules_(rules), newest_(newest) {}

  void write_page(std::uint64_t page) { add({page, ++newest_}); }
  void write(std::uint64_t offset, std::uint64_t length);
  void trim(std::uint64_t offset, std::uint64_t length);
  std::size_t count() const { return changes_.size(); }
  // Index of the page's last change among the open ones, or kNone.
  std::uint64_t latest(std::uint64_t page) const;

  // Number of changes so far. A barrier submitted now makes them durable when it completes.
  std::uint64_t mark() const { return first_ + changes_.size(); }
  // Marks all changes before `mark` durable and reports them in order.
  void settle(std::uint64_t mark, const Each& durable = {});
  // After a power cut: compares each page's version on the drive with the open changes. `left` gets each change in order,
  // and whether its page holds it. Returns the number of pages that lost their last change. `newest`: the drive's version.
  using Left = std::function<void(const Change&, bool holds)>;
  std::uint64_t lose(const std::function<std::uint64_t(std::uint64_t page)>& version_of, std::uint64_t newest,
                     const Left& left = {});
  // Restarts the version count after a write that the drive refused. REQUIRES: no request is outstanding.
  void recount(std::uint64_t newest) { newest_ = newest; }

 private:
  void add(const Change& change);

  ChangeRules rules_;
  std::uint64_t newest_;
  std::deque<Change> changes_;  // starting with number first_
  std::uint64_t first_ = 0;
  std::unordered_map<std::uint64_t, std::uint64_t> latest_;  // number of a page's last change; never iterated
};

}  // namespace ftlab
