// Contents that each page of a drive may have after a power cut: the durable one, or any of the later writes and trims. Kept
// outside the drive and derived from the requests, not from what the drive does with them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "validation/checks/reference/expected_contents.h"

namespace ftlab::soak {

class DurableContents {
 public:
  explicit DurableContents(const DriveConfig& config)
      : page_(config.ftl.mapping_bytes),
        trims_(config.ftl.trim.mode != TrimConfig::Mode::off),
        durable_(config.logical_pages()) {}

  // To be called before the drive gets the request. `expected` already includes it.
  void note(const Request& request, const ExpectedContents& expected) {
    if (request.op == Op::read || request.op == Op::flush || (request.op == Op::trim && !trims_)) return;
    const std::uint64_t end = request.offset_bytes + request.length_bytes;
    for (std::uint64_t p = request.offset_bytes / page_; p * page_ < end; ++p) {
      const std::uint32_t version = expected.version(static_cast<std::uint32_t>(p));
      if (request.op == Op::write || version == 0) pending_.push_back({static_cast<std::uint32_t>(p), version});
    }
  }
  // Number of changes noted so far.
  std::uint64_t mark() const { return first_ + pending_.size(); }
  // The drive refused the changes noted between two marks: no barrier makes them durable, but some of them may be.
  void refuse(std::uint64_t from, std::uint64_t to) {
    for (from = std::max(from, first_); from < to; ++from) pending_[from - first_].refused = true;
  }
  // All changes noted before `mark` are durable.
  void settle(std::uint64_t mark) {
    if (mark <= first_) return;
    const auto end = pending_.begin() + static_cast<std::ptrdiff_t>(mark - first_);
    for (auto it = pending_.begin(); it != end; ++it) {
      if (it->refused)
        refused_.push_back(*it);
      else
        durable_[it->page] = it->version;
    }
    pending_.erase(pending_.begin(), end);
    first_ = mark;
  }

  // After a cut: the first page that lost its durable content, or where content that was gone is back. Empty if none.
  std::string compare(const Ftl& ftl) const {
    std::vector<std::uint8_t> seen(durable_.size());
    for (std::uint32_t p = 0; p < durable_.size(); ++p) seen[p] = version_of(ftl, p) == durable_[p];
    for (const std::vector<Pending>* const maybe : {&pending_, &refused_}) {
      for (const Pending& it : *maybe) seen[it.page] |= version_of(ftl, it.page) == it.version;
    }
    const auto wrong = std::find(seen.begin(), seen.end(), 0);
    if (wrong == seen.end()) return {};
    const auto page = static_cast<std::uint32_t>(wrong - seen.begin());
    return reported(page, version_of(ftl, page));
  }
  // From now on, the current contents are durable.
  void take_up(const Ftl& ftl) {
    for (std::uint32_t p = 0; p < durable_.size(); ++p) durable_[p] = version_of(ftl, p);
    first_ += pending_.size();
    pending_.clear();
    refused_.clear();
  }
  std::size_t pages() const { return durable_.size(); }

 private:
  struct Pending {
    std::uint32_t page, version;
    bool refused = false;
  };

  static std::uint32_t version_of(const Ftl& ftl, std::uint32_t page) { return number(ftl.pages().version(Lpn{page})); }

  std::string reported(std::uint32_t page, std::uint32_t version) const {
    std::string text = std::string(version == 0 ? "lost" : "resurrected") + ": page " + std::to_string(page) +
                       " has version " + std::to_string(version) + ", durable was " + std::to_string(durable_[page]);
    for (const Pending& pending : pending_) {
      if (pending.page == page) text += ", then " + std::to_string(pending.version);
    }
    return text;
  }

  std::uint64_t page_;
  bool trims_;
  std::vector<std::uint32_t> durable_;  // by page; 0: no data
  std::vector<Pending> pending_;        // in order, starting with number first_
  std::vector<Pending> refused_;        // refused changes that came before these, and before a barrier
  std::uint64_t first_ = 0;
};

}  // namespace ftlab::soak
