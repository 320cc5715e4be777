// Expected content of each page of a drive, predicted from the requests alone in order of submission: the number of the
// write that the content comes from. The fast half of a shadow: a few nanoseconds per page.
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
  // For a new drive.
  explicit ExpectedContents(const DriveConfig& config)
      : page_(config.ftl.mapping_bytes),
        trim_piece_(std::max<std::uint64_t>(config.ftl.trim.granularity_bytes, page_)),
        trims_(config.ftl.trim.mode != TrimConfig::Mode::off),
        trims_late_(config.ftl.trim.mode == TrimConfig::Mode::deferred && config.ftl.trim.reads_old_data),
        may_refuse_(config.endurance.ends()),
        holds_(config.logical_pages()) {}

  // Predicts the effect of a request that is about to be submitted.
  void predict(const Request& request);
  // No earlier request can be refused from now on.
  void settle() { changes_.clear(); }

  // Checks all reads returned since the last call, including renumberings and refusals. Returns the first error, or nothing.
  // REQUIRES: called after each completion if the drive may refuse or renumber.
  std::string compare(ContentLog& seen, const Ftl& ftl);
  // An error if a read has returned too few pages, or nothing. REQUIRES: no request outstanding.
  std::string unanswered() const { return next_ == wanted_.size() ? "" : "a page was not read that was asked for"; }
  // Checks every page against the FTL's tables. REQUIRES: no request waits in the host.
  std::string compare_all(const Ftl& ftl);

  // After a power cut: adopts the drive's contents as expected contents.
  void take_up(const Ftl& ftl);
  // Expected version of a page; 0 if the drive has or may report no data.
  std::uint32_t version(std::uint32_t page) const {
    return holds_[page].or_nothing ? 0 : std::uint32_t{holds_[page].version};
  }

  // Number of pages with data.
  std::uint32_t mapped_pages() const {
    return static_cast<std::uint32_t>(
        std::count_if(holds_.begin(), holds_.end(), [](Holds holds) { return holds.version != 0; }));
  }
  std::uint64_t pages_compared() const { return pages_compared_; }
  std::uint64_t trims_seen_late() const { return trims_seen_late_; }      // reads that returned data of pending trims
  std::uint64_t trims_called_back() const { return trims_called_back_; }  // trims cancelled by a write before execution
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
  std::vector<Wanted> wanted_;  // reads, in order of submission; those before next_ have been seen
  std::size_t next_ = 0;
  std::vector<Change> changes_;  // by requests that may still be refused
  std::uint32_t version_ = 0;
  std::uint64_t pages_compared_ = 0;
  std::uint64_t trims_seen_late_ = 0;
  std::uint64_t trims_called_back_ = 0;
  std::uint64_t renumberings_ = 0;
};

}  // namespace ftlab
