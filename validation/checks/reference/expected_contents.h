// What each page of a drive should hold, kept outside of it and predicted from the requests alone, in order of submission:
// the number of the write that its content comes from. The fast half of a shadow: a few nanoseconds a page.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "ftl/drive/drive.h"

namespace ftlab {

class ExpectedContents {
 public:
  // Of a new drive.
  explicit ExpectedContents(const DriveConfig& config)
      : page_(config.ftl.mapping_bytes),
        trim_piece_(std::max<std::uint64_t>(config.ftl.trim.granularity_bytes, page_)),
        trims_(config.ftl.trim.mode != TrimConfig::Mode::off),
        trims_late_(config.ftl.trim.mode == TrimConfig::Mode::deferred && config.ftl.trim.reads_old_data),
        may_refuse_(config.endurance.ends()),
        holds_(config.logical_pages()) {}

  // The drive is about to be given the request.
  void predict(const Request& request);
  // Nothing before this is refused any more.
  void settle() { changes_.clear(); }

  // Looks at all that reads have returned since the last time, renumbering and refusals included. Returns what was wrong, or
  // nothing. REQUIRES: where the drive may refuse or renumber, called after each request has come back.
  std::string compare(ContentLog& seen, const Ftl& ftl);
  // Every page, by the layer's own tables. REQUIRES: no request waits in the host.
  std::string compare_all(const Ftl& ftl);

  // After a power cut: what the drive holds now is what it should hold.
  void take_up(const Ftl& ftl);
  // The version that a page should hold; 0: nothing, or the drive may say so.
  std::uint32_t version(std::uint32_t page) const {
    return holds_[page].or_nothing ? 0 : std::uint32_t{holds_[page].version};
  }

  // Pages that hold something.
  std::uint32_t mapped_pages() const {
    return static_cast<std::uint32_t>(
        std::count_if(holds_.begin(), holds_.end(), [](Holds holds) { return holds.version != 0; }));
  }
  std::uint64_t pages_compared() const { return pages_compared_; }
  std::uint64_t trims_seen_late() const { return trims_seen_late_; }      // reads that returned what a trim was to take away
  std::uint64_t trims_called_back() const { return trims_called_back_; }  // by a write before they were carried out
  std::uint64_t renumberings() const { return renumberings_; }

 private:
  struct Holds {
    std::uint32_t version : 31 = 0;
    std::uint32_t or_nothing : 1 = 0;  // trimmed, and the drive may still return the old content
  };
  struct Wanted {
    std::uint64_t tag;
    std::uint32_t page;
    Holds holds;
    bool seen = false;
  };
  struct Change {
    std::uint32_t page;
    Holds before;
  };

  void change(std::uint32_t page, Holds holds) {
    if (may_refuse_) changes_.push_back({page, holds_[page]});
    holds_[page] = holds;
  }
  static bool fits(Holds holds, std::uint32_t version) {
    return version == holds.version || (holds.or_nothing != 0 && version == 0);
  }
  static std::string difference(std::uint32_t page, Holds holds, std::uint64_t seen) {
    return "page " + std::to_string(page) + " has version " + std::to_string(seen) + ", last written was " +
           std::to_string(holds.version) + (holds.or_nothing ? " or nothing" : "");
  }
  std::string take_renumbering(const Ftl& ftl);
  std::string take_refusal(const ContentLog::Refused& refused, const Ftl& ftl);

  std::uint64_t page_, trim_piece_;
  bool trims_, trims_late_, may_refuse_;
  std::vector<Holds> holds_;
  std::vector<Wanted> wanted_;  // of reads, in order of submission; those before next_ have been seen
  std::size_t next_ = 0;
  std::vector<Change> changes_;  // of requests that may still be refused
  std::uint32_t version_ = 0;
  std::uint64_t pages_compared_ = 0;
  std::uint64_t trims_seen_late_ = 0;
  std::uint64_t trims_called_back_ = 0;
  std::uint64_t renumberings_ = 0;
};

inline void ExpectedContents::predict(const Request& request) {
  const std::uint64_t end = request.offset_bytes + request.length_bytes;
  if (request.op == Op::flush || (request.op == Op::trim && !trims_)) return;
  if (request.op == Op::trim) {
    const std::uint64_t pages_of_piece = trim_piece_ / page_;
    const std::uint64_t first = (request.offset_bytes + trim_piece_ - 1) / trim_piece_ * pages_of_piece;
    for (std::uint64_t p = first; p < end / trim_piece_ * pages_of_piece; ++p) {
      Holds holds = holds_[p];
      if (trims_late_) {
        holds.or_nothing = holds.version != 0;
      } else {
        holds = {};
      }
      change(static_cast<std::uint32_t>(p), holds);
    }
    return;
  }
  const auto last = static_cast<std::uint32_t>((end - 1) / page_);
  for (auto p = static_cast<std::uint32_t>(request.offset_bytes / page_); p <= last; ++p) {
    if (request.op == Op::read) {
      wanted_.push_back({request.tag, p, holds_[p]});
    } else {
      trims_called_back_ += holds_[p].or_nothing;
      change(p, {++version_ & 0x7fff'ffff, 0});
    }
  }
}

inline std::string ExpectedContents::compare(ContentLog& seen, const Ftl& ftl) {
  for (const ContentLog::Returned& read : seen.returned) {
    // Reads find their pages in any order; those of one request come in order.
    std::size_t at = next_;
    while (at < wanted_.size() && (wanted_[at].seen || wanted_[at].tag != read.tag)) ++at;
    if (at == wanted_.size()) return "a page was read that nobody asked for";
    const Wanted wanted = wanted_[at];
    wanted_[at].seen = true;
    while (next_ < wanted_.size() && wanted_[next_].seen) ++next_;
    if (read.granule != wanted.page) return "page " + std::to_string(read.granule) + " was read out of turn";
    if (!fits(wanted.holds, static_cast<std::uint32_t>(read.version)) || read.version > 0xffff'ffff)
      return difference(wanted.page, wanted.holds, read.version);
    if (wanted.holds.or_nothing) [[unlikely]] {
      trims_seen_late_ += read.version != 0;
      Holds& now = holds_[wanted.page];
      if (read.version == 0 && now.or_nothing && now.version == wanted.holds.version) now = {};
    }
  }
  pages_compared_ += seen.returned.size();
  seen.returned.clear();
  if (next_ == wanted_.size()) {
    wanted_.clear();
    next_ = 0;
  }
  std::string wrong;
  if (seen.renumbered) [[unlikely]] {
    seen.renumbered = false;
    wrong = take_renumbering(ftl);
  }
  for (const ContentLog::Refused& refused : seen.refused) {
    if (wrong.empty()) wrong = take_refusal(refused, ftl);
  }
  seen.refused.clear();
  return wrong;
}

inline void ExpectedContents::take_up(const Ftl& ftl) {
  for (std::uint32_t p = 0; p < holds_.size(); ++p) {
    holds_[p] = {number(ftl.pages().version(Lpn{p})) & 0x7fff'ffff, 0};
  }
  version_ = number(ftl.pages().newest_version());
  wanted_.clear();
  next_ = 0;
  changes_.clear();
}

// Other numbers in the same order.
inline std::string ExpectedContents::take_renumbering(const Ftl& ftl) {
  ++renumberings_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pages;  // version before, page
  for (std::uint32_t p = 0; p < holds_.size(); ++p) {
    if (holds_[p].version != 0) {
      pages.emplace_back(std::uint32_t{holds_[p].version}, p);
    } else if (ftl.pages().version(Lpn{p}) != Version{0}) {
      return difference(p, holds_[p], number(ftl.pages().version(Lpn{p})));
    }
  }
  std::sort(pages.begin(), pages.end());
  std::uint32_t before = 0;
  for (const auto& [old, p] : pages) {
    const std::uint32_t version = number(ftl.pages().version(Lpn{p}));
    if (version == 0 && holds_[p].or_nothing) {
      holds_[p] = {};
      continue;
    }
    if (version <= before) return "renumbered out of order: " + difference(p, holds_[p], version);
    holds_[p].version = version & 0x7fff'ffff;
    before = version;
  }
  version_ = number(ftl.pages().newest_version());
  changes_.clear();
  return {};
}

// Each page is as before, or as it was to become.
inline std::string ExpectedContents::take_refusal(const ContentLog::Refused& refused, const Ftl& ftl) {
  for (std::uint64_t p = refused.from_bytes / page_; p * page_ < refused.end_bytes; ++p) {
    const auto page = static_cast<std::uint32_t>(p);
    const std::uint32_t found = number(ftl.pages().version(Lpn{page}));
    bool allowed = fits(holds_[page], found);
    for (const Change& change : changes_) {
      if (change.page != page || !fits(change.before, found)) continue;
      if (!allowed || found == change.before.version) holds_[page] = change.before;
      allowed = true;
    }
    if (!allowed) return "refused, and " + difference(page, holds_[page], found);
    if (found == 0) holds_[page] = {};
  }
  version_ = number(ftl.pages().newest_version());
  return {};
}

inline std::string ExpectedContents::compare_all(const Ftl& ftl) {
  for (std::uint32_t p = 0; p < holds_.size(); ++p) {
    const std::uint32_t version = number(ftl.pages().version(Lpn{p}));
    if (!fits(holds_[p], version)) return difference(p, holds_[p], version);
  }
  pages_compared_ += holds_.size();
  return {};
}

}  // namespace ftlab
