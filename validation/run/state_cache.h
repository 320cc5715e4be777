// States of preconditioned drives, kept between runs: `--precondition random` and `steady`, sweeps, procedures, Python;
// `ftlab cache` lists them. An entry is found by its key: the drive's resolved document, clock, seeds and pattern, and the
// sources that this program was built from, so that another build never loads it. An entry is written under another name
// and renamed; two programs that make the same one write the same bytes.
//
// Kept are states that took over a second of processor time to make, and longer than reading them back. Sequential fills are
// not kept: making them is about as fast.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ftl/drive/drive.h"
#include "sim/config/document.h"

namespace ftlab {

// An entry as `ftlab cache` shows it.
struct CachedState {
  std::string path;
  std::string drive;    // name in its document; empty if the file is damaged
  std::string pattern;  // "steady, seed 1"
  std::uint64_t bytes = 0;
  double unused_s = 0;     // since it was last made or loaded
  bool loadable = false;   // made by this build
};

class StateCache {
 public:
  static constexpr std::uint64_t kDefaultLimitBytes = 10'000'000'000;

  // Keeps nothing.
  StateCache() = default;
  // `all`: keeps also states that took little time to make.
  StateCache(std::string folder, std::uint64_t limit_bytes, bool all = false)
      : folder_(std::move(folder)), limit_bytes_(limit_bytes), all_(all) {}
  // $XDG_CACHE_HOME/ftlab or ~/.cache/ftlab, with the limit in FTLAB_CACHE_LIMIT: bytes, or with a unit as 20GB; 0 keeps
  // nothing, and so does an environment without a home. Throws ConfigError for another limit.
  static StateCache of_user();

  bool on() const { return limit_bytes_ > 0 && !folder_.empty(); }
  const std::string& folder() const { return folder_; }
  std::uint64_t limit_bytes() const { return limit_bytes_; }

  // `drive`: still new. `document`: the resolved drive.
  static std::string key(const Drive& drive, const Node& document, const std::string& pattern, std::uint64_t seed);

  // Loads the entry of `key` into a new drive and returns the note that was kept with it; empty if there is none. A damaged
  // entry is deleted: throws ArchiveError, after which the drive must be made anew.
  std::optional<std::string> load(const std::string& key, Drive& drive) const;
  // True if a state of this size, made in `seconds`, is worth keeping.
  bool worth_keeping(double seconds, std::uint64_t bytes) const;
  // Adds an entry and deletes those not used for longest beyond the limit. A cache that cannot be written is left as it is:
  // returns the reason, empty if all is well. REQUIRES: no request outstanding.
  std::string keep(const std::string& key, const std::string& note, Drive& drive) const;

  // Last used first.
  std::vector<CachedState> list() const;
  // Deletes all entries and what interrupted programs left. Returns the number of entries. Throws OutputError.
  std::size_t clear() const;

 private:
  std::string path_of(const std::string& key) const;
  void delete_unused() const;

  std::string folder_;
  std::uint64_t limit_bytes_ = 0;
  bool all_ = false;
};

}  // namespace ftlab
