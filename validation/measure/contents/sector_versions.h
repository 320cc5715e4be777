// Which version each sector of a device has, as runs of sectors: memory and time follow what was written down, not how many
// sectors a line of it names.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

namespace ftlab {

class SectorVersions {
 public:
  // From one sector of a run to the next the version rises by `step`.
  explicit SectorVersions(std::uint64_t step) : step_(step) {}
  SectorVersions(SectorVersions&&) = default;
  SectorVersions(const SectorVersions&) = delete;  // it remembers a place in its own runs

  // Gives the sectors [first, end) the versions `version`, version + step, ..., where they have no later one. Logarithmic in
  // the number of runs, and linear in those that it meets. REQUIRES: first < end.
  void raise(std::uint64_t first, std::uint64_t end, std::uint64_t version);

  // Nothing when the sector has none. Constant when sectors are asked for in ascending order, else logarithmic.
  std::optional<std::uint64_t> at(std::uint64_t sector) const;

  std::uint64_t sectors() const;  // that have one; linear in the number of runs

 private:
  struct Run {
    std::uint64_t end = 0;
    std::uint64_t version = 0;  // of the first sector
  };
  using Runs = std::map<std::uint64_t, Run>;  // by first sector; they do not overlap

  std::uint64_t version_at(Runs::const_iterator run, std::uint64_t sector) const {
    return run->second.version + step_ * (sector - run->first);
  }
  void split(std::uint64_t sector);

  std::uint64_t step_;
  Runs runs_;
  mutable Runs::const_iterator last_;  // that at() found
  mutable bool has_last_ = false;
};

}  // namespace ftlab
