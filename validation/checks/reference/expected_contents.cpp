#include "validation/checks/reference/expected_contents.h"

namespace ftlab {

void ExpectedContents::predict(const Request& request) {
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

std::string ExpectedContents::compare(ContentLog& seen, const Ftl& ftl) {
  for (const ContentLog::Returned& read : seen.returned) {
    // Reads return pages in any order, but the pages of one request in order.
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

void ExpectedContents::take_up(const Ftl& ftl) {
  for (std::uint32_t p = 0; p < holds_.size(); ++p) {
    holds_[p] = {number(ftl.pages().version(Lpn{p})) & 0x7fff'ffff, 0};
  }
  version_ = number(ftl.pages().newest_version());
  wanted_.clear();
  next_ = 0;
  changes_.clear();
}

// Renumbering must keep the order of versions.
std::string ExpectedContents::take_renumbering(const Ftl& ftl) {
  ++renumberings_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pages;  // old version, page
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

// Each page must have its old or its requested content.
std::string ExpectedContents::take_refusal(const ContentLog::Refused& refused, const Ftl& ftl) {
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

std::string ExpectedContents::compare_all(const Ftl& ftl) {
  for (std::uint32_t p = 0; p < holds_.size(); ++p) {
    const std::uint32_t version = number(ftl.pages().version(Lpn{p}));
    if (!fits(holds_[p], version)) return difference(p, holds_[p], version);
  }
  pages_compared_ += holds_.size();
  return {};
}

}  // namespace ftlab
